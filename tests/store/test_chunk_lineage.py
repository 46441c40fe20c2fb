"""A chunk's uid lasts: through an edit in its place, and through a move to another note of the batch."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from readings import NOW, assert_sound, found, hash_of, put, read, row

from vaultsync.domain.uids import chunk_uid
from vaultsync.store import nodes
from vaultsync.store.connection import Database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TEXTS = st.lists(
    st.sampled_from(["a", "a b", "a b c", "x", "heron stands still in shallow water", "短い文 heron"])
)
Vault = dict[str, list[str]]
SELECTION = "Bread needs flour, salt, yeast and patience"
NOWHERE = "[null,null,null]"


class Kept(NamedTuple):
    """What lasts of a chunk; `place`: tree, seq and arrival."""

    uid: str
    node_id: int
    place: str
    status: str | None
    text_hash: bytes
    embedding_hash: bytes


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    database = Database.open(tmp_path / "index.db", write=True)
    yield database
    assert_sound(database)
    database.close()


def rows(db: Database) -> dict[str, Kept]:
    """Return what lasts of all chunks by text, in the order of the note."""
    columns = "text, uid, node_id, json_array(tree_id, seq, arrived_at), status, text_hash, embedding_hash"
    sql = f"SELECT {columns} FROM chunks ORDER BY chunk_idx"  # noqa: S608 - constants
    return {text: Kept(*kept) for text, *kept in db.read().rows(sql)}


def settle(db: Database) -> None:
    """Give all notes a place in a tree."""
    with db.write() as tx:
        tx.run("UPDATE chunks SET status = 'admitted', tree_id = 1, seq = node_id, arrived_at = 7")


def edit(db: Database, *texts: str) -> None:
    put(db, read("a.md", *texts, file=row(db, "a.md")))


def test_an_edit_touches_one_chunk(db: Database) -> None:
    """It keeps uid and place in the tree with its new text, and is extracted again; text around it keeps all."""
    put(db, read("a.md", "one", "two", "three"))
    settle(db)
    before = rows(db)
    edit(db, "one", "two and a half", "three")
    after = rows(db)
    assert list(after) == ["one", "two and a half", "three"]
    assert (after["one"], after["three"]) == (before["one"], before["three"])
    old, new = before["two"], after["two and a half"]
    assert (new.uid, new.place, new.status) == (old.uid, old.place, None)
    assert new.text_hash == bytes.fromhex(hash_of("two and a half"))
    assert new.embedding_hash == bytes.fromhex(hash_of("[]\ntwo and a half"))
    assert found(db, "two") == found(db, "half") == ["two and a half"]


def test_rewritten_text_is_new(db: Database) -> None:
    """Nothing but its place, which is the note's, is what it was; also where nothing of the note is left."""
    put(db, read("a.md", "one", "two"))
    settle(db)
    before = rows(db)
    edit(db, "one", "other")
    after = rows(db)
    assert after["one"] == before["one"]
    assert (after["other"].place, after["other"].status) == (before["two"].place, None)
    assert after["other"].uid != before["two"].uid
    assert found(db, "two") == []
    edit(db, "something else")
    assert rows(db)["something else"].place == before["two"].place


@pytest.mark.parametrize("path", ["a.md", "z.md"])
def test_a_selection_extracted_to_a_new_note_keeps_its_uid(db: Database, path: str) -> None:
    """Whichever comes first in the batch; the place in the tree belongs to the note that it left."""
    put(db, read("m.md", "one", SELECTION, "three"))
    settle(db)
    old = rows(db)
    batch = [read("m.md", "one", "[[Bread]]", "three", file=row(db, "m.md")), read(path, SELECTION, offset=9)]
    put(db, *sorted(batch, key=lambda write: write.path))
    new = rows(db)
    assert new[SELECTION].uid == old[SELECTION].uid
    assert (new[SELECTION].place, new[SELECTION].status) == (NOWHERE, None)
    assert (new["one"], new["three"]) == (old["one"], old["three"])
    span = 'SELECT path, start, "end" FROM raw_refs_by_path WHERE chunk_uid = ?'
    assert db.read().row(span, [new[SELECTION].uid]) == (path, 9, 9 + len(SELECTION))
    assert found(db, "bread") == [SELECTION, "[[Bread]]"]


def test_text_moves_between_known_notes_and_stays_when_the_first_goes(db: Database) -> None:
    """It is the other note's now: deleting the note that it left takes nothing along."""
    put(db, read("a.md", "one", SELECTION), read("b.md", "two"))
    uid = rows(db)[SELECTION].uid
    put(db, read("a.md", "one", file=row(db, "a.md")), read("b.md", "two", SELECTION, file=row(db, "b.md")))
    with db.write() as tx:
        nodes.bury(tx, [row(db, "a.md")], NOW)
        nodes.sweep(tx, NOW + 1)
    assert rows(db)[SELECTION].uid == uid
    assert found(db, "flour") == [SELECTION]


def test_text_that_comes_back_gets_a_uid_of_its_own(db: Database) -> None:
    """The chunk that was edited keeps the uid that this text once had."""
    put(db, read("a.md", SELECTION))
    uid = rows(db)[SELECTION].uid
    edited = f"{SELECTION}, and water"
    edit(db, edited)
    edit(db, edited, SELECTION)
    after = rows(db)
    note = db.read().value("SELECT uid FROM nodes")
    assert after[edited].uid == uid == chunk_uid(note, hash_of(SELECTION), 0)
    assert after[SELECTION].uid == chunk_uid(note, hash_of(SELECTION), 0, 1)
    edit(db, f"{edited} first", SELECTION, "x", f"{SELECTION}, then wait")
    assert len({kept.uid for kept in rows(db).values()}) == 4


def test_deleted_text_that_comes_back_has_its_uid_again(db: Database) -> None:
    """The uids of chunks are not remembered: a text of a note has one name."""
    put(db, read("a.md", "one", SELECTION))
    uid = rows(db)[SELECTION].uid
    edit(db, "one")
    edit(db, SELECTION, "one")
    assert rows(db)[SELECTION].uid == uid


def test_a_note_that_returns_edited_keeps_its_chunks(db: Database) -> None:
    """A tombstone's chunks are as good as those of a note that stayed."""
    put(db, read("a.md", "one", SELECTION))
    before = rows(db)
    with db.write() as tx:
        nodes.bury(tx, [row(db, "a.md")], NOW)
    put(db, read("a.md", "one", f"{SELECTION}. 短い文", file=row(db, "a.md")))
    after = rows(db)
    assert [kept.uid for kept in after.values()] == [kept.uid for kept in before.values()]
    assert found(db, "bread") == [f"{SELECTION}. 短い文"]


@settings(max_examples=20, deadline=None)
@given(history=st.lists(st.dictionaries(st.sampled_from("abc"), TEXTS), min_size=2, max_size=5))
def test_any_history_of_edits_is_sound(
    tmp_path_factory: pytest.TempPathFactory, history: list[Vault]
) -> None:
    """All texts stand where they should, each uid once, and equal text in its note keeps its uid."""
    database = Database.open(tmp_path_factory.mktemp("history") / "index.db", write=True)
    known: set[str] = set()
    for vault in history:
        before = uids(database)
        put(
            database,
            *(
                read(path, *texts, file=row(database, path) if path in known else None)
                for path, texts in vault.items()
            ),
        )
        known |= vault.keys()
        after = uids(database)
        for path, texts in vault.items():
            assert [text for text, _ in after.get(path, [])] == texts
            assert unchanged(before.get(path, []), after.get(path, []))
    assert_sound(database)
    database.close()


def uids(db: Database) -> dict[str, list[tuple[str, str]]]:
    """Return the texts of each note and their uids."""
    found: dict[str, list[tuple[str, str]]] = {}
    ordered = "SELECT path, text, uid FROM chunks JOIN files USING (node_id) ORDER BY path, chunk_idx"
    for path, text, uid in db.read().rows(ordered):
        found.setdefault(path, []).append((text, uid))
    return found


def unchanged(before: list[tuple[str, str]], after: list[tuple[str, str]]) -> bool:
    """Whether as many of each text as could keep their uid did."""
    kept = Counter(text for text, _ in set(before) & set(after))
    return kept == Counter(text for text, _ in before) & Counter(text for text, _ in after)
