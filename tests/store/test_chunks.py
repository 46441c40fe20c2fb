"""A changed note keeps the rows of all text that it kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from readings import assert_sound, found, hash_of, put, read, row

from vaultsync.store.connection import Database

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

HEADINGS = ("Plan", "Costs")


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    database = Database.open(tmp_path / "index.db", write=True)
    yield database
    assert_sound(database)
    database.close()


def chunks(db: Database) -> dict[str, int]:
    """Return the ids of all chunks by text, in the order of the note."""
    return dict(db.read().rows("SELECT text, id FROM chunks ORDER BY chunk_idx"))


def edit(db: Database, *texts: str, headings: Sequence[str] = (), offset: int = 0) -> None:
    put(db, read("a.md", *texts, headings=headings, offset=offset, file=row(db, "a.md")))


def test_text_that_moved_keeps_its_row(db: Database) -> None:
    """Only where it stands changes: its place in the note and its bytes in the file."""
    put(db, read("a.md", "one", "two", "three"))
    before = chunks(db)
    edit(db, "three", "one", "two", offset=20)
    assert chunks(db) == {text: before[text] for text in ("three", "one", "two")}
    spans = 'SELECT text, start, "end" FROM raw_refs JOIN chunks ON id = chunk_id ORDER BY start'
    assert list(db.read().rows(spans)) == [("three", 20, 25), ("one", 25, 28), ("two", 28, 31)]


def test_equal_texts_are_told_apart_by_their_order(db: Database) -> None:
    """The n-th equal text stays the n-th; the last one goes."""
    put(db, read("a.md", "same", "other", "same", "same"))
    ids = "SELECT id FROM chunks WHERE text = 'same' ORDER BY chunk_idx"
    before = list(db.read().rows(ids))
    edit(db, "same", "same", "other")
    assert list(db.read().rows(ids)) == before[:2]


def test_changed_headings_keep_the_row_but_not_the_vector(db: Database) -> None:
    """The embedding is of headings and text, the text index too; the leaf is extracted again."""
    put(db, read("a.md", "one", "two"))
    with db.write() as tx:
        tx.run("UPDATE chunks SET status = 'admitted'")
    state = "SELECT id, uid, text_hash, status, embedding_hash FROM chunks WHERE text = 'one'"
    before = db.read().row(state)
    edit(db, "one", "two", headings=HEADINGS)
    after = db.read().row(state)
    assert before
    assert after
    assert after[:3] == before[:3]
    assert after[3] is None
    assert after[4] != before[4]
    assert found(db, "costs") == ["one", "two"]


def test_the_embedding_hash_is_of_headings_and_text(db: Database) -> None:
    """BLAKE2b-128 of the heading path as JSON, a line end, the text with LF: equal ones share a vector."""
    put(db, read("a.md", "one\r\ntwo", headings=("Plän",)), read("b.md", "one\ntwo", headings=("Plän",)))
    hashes = {value for (value,) in db.read().rows("SELECT embedding_hash FROM chunks")}
    assert hashes == {bytes.fromhex(hash_of('["Plän"]\none\ntwo'))}


def test_new_line_ends_keep_the_row_and_its_status(db: Database) -> None:
    """Converting a vault to CRLF embeds and summarises nothing again, yet the text is what the file says."""
    put(db, read("a.md", "one\ntwo"))
    with db.write() as tx:
        tx.run("UPDATE chunks SET status = 'admitted'")
    state = "SELECT id, uid, text_hash, embedding_hash, status FROM chunks"
    before = db.read().row(state)
    edit(db, "one\r\ntwo")
    assert db.read().row(state) == before
    assert db.read().value("SELECT text FROM chunks") == "one\r\ntwo"


def test_an_unchanged_note_writes_no_chunk(db: Database) -> None:
    """What is read again under a new profile costs no text index anything."""
    put(db, read("a.md", "one", "two 短い文"))
    with db.write() as tx:
        tx.run("CREATE TEMP TABLE changes (id)")
        tx.run(
            "CREATE TEMP TRIGGER seen AFTER UPDATE ON main.chunks "
            "BEGIN INSERT INTO changes VALUES (OLD.id); END"
        )
    edit(db, "one", "two 短い文")
    with db.write() as tx:
        assert tx.value("SELECT count(*) FROM changes") == 0


def test_text_that_is_not_to_be_found_leaves_the_index(db: Database) -> None:
    """A drawing's data is kept and not searched; a note may become a drawing, and a note again."""
    put(db, read("a.md", "one 短い文"))
    for searchable in (False, True):
        write = read("a.md", "one 短い文", file=row(db, "a.md"))
        leaf = write.reading.leaves[0]._replace(searchable=searchable)
        put(db, write._replace(reading=replace(write.reading, leaves=(leaf,))))
        assert found(db, "one") == (["one 短い文"] if searchable else [])
        assert_sound(db)


def test_text_in_scripts_without_blanks_is_indexed_twice(db: Database) -> None:
    """The spaced row comes, changes and goes with its chunk."""
    rows = "SELECT count(*) FROM chunks_spaced"
    match = "SELECT count(*) FROM chunks_spaced WHERE chunks_spaced MATCH '\"い 文\"'"
    put(db, read("a.md", "plain", "短い文"))
    assert (db.read().value(rows), db.read().value(match)) == (1, 1)
    edit(db, "plain", "短い文", headings=("見出し",))
    assert (db.read().value(rows), db.read().value(match)) == (2, 1)
    edit(db, "plain")
    assert (db.read().value(rows), db.read().value(match)) == (0, 0)
