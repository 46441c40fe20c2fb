"""Notes as they were read, put into a database; and what must hold of every database."""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING

from notebook import write_of

from vaultsync.app.notes.resolve import resolve_due
from vaultsync.domain.notes import Leaf, Link, NotePath
from vaultsync.store import nodes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultsync.domain.survey import IndexedFile
    from vaultsync.store.connection import Database, Row
    from vaultsync.store.nodes import NoteWrite

NOW = 1_700_000_000


def hash_of(text: str) -> str:
    return blake2b(text.replace("\r\n", "\n").encode(), digest_size=16).hexdigest()


def read(
    path: str,
    *texts: str,
    links: Sequence[str] = (),
    headings: Sequence[str] = (),
    aliases: Sequence[str] = (),
    file: IndexedFile | None = None,
    offset: int = 0,
) -> NoteWrite:
    """Return a note of these leaves and wikilinks; `file`: its old row; `offset`: bytes before the body."""
    new = write_of(path, *texts, aliases=aliases)
    leaves = []
    for text in texts:
        end = offset + len(text.encode())
        leaves.append(Leaf(offset, end, tuple(headings), None, len(text) // 4, text, hash_of(text)))
        offset = end
    placed = tuple(
        Link("wikilink", link, link, None, offset + 10 * at, offset + 10 * at + 9)
        for at, link in enumerate(links)
    )
    digest = hash_of(repr((texts, links, aliases)))
    reading = replace(new.reading, leaves=tuple(leaves), links=placed, content_hash=digest)
    uid = file.uid if file and file.uid else new.uid
    return new._replace(file=file, uid=uid, reading=reading)


def put(db: Database, *writes: NoteWrite) -> None:
    """Write the notes in one batch."""
    with db.write() as tx:
        nodes.write_notes(tx, writes, NOW)


def row(db: Database, path: str) -> IndexedFile:
    """Return the row of the file that stands at a path."""
    return next(found for found in reversed(nodes.files(db.read())) if found.path == path)


def link_all(db: Database) -> None:
    """Resolve what is due."""
    resolve_due(db, lambda _stage, _done, _total: None)


def targets(db: Database, path: str) -> list[tuple[str, str | None]]:
    """Return the links of a note and the paths that they were resolved to."""
    rows = db.read().rows(
        """
        SELECT e.target, t.path
        FROM files f JOIN edges e ON e.from_node_id = f.node_id LEFT JOIN files t ON t.node_id = e.to_node_id
        WHERE f.path = ? ORDER BY e.start
        """,
        [NotePath(path)],
    )
    return list(rows)


def found(db: Database, word: str) -> list[str]:
    """Return the texts that the full-text index of chunks finds for a word."""
    sql = "SELECT text FROM chunks_fts WHERE chunks_fts MATCH ? ORDER BY rowid"
    return [text for (text,) in db.read().rows(sql, [word])]


def assert_sound(db: Database) -> None:
    """The file, its foreign keys and its text indexes agree with its tables."""
    with db.rehearse() as tx:
        assert tx.value("PRAGMA integrity_check") == "ok"
        assert list(tx.rows("PRAGMA foreign_key_check")) == []
        for table in ("nodes_fts", "chunks_fts"):
            tx.run(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)")  # noqa: S608 - constants
        assert _spaced(list(tx.rows("SELECT id, text || heading_path FROM chunks_searchable"))) == {
            row_id for (row_id,) in tx.rows("SELECT rowid FROM chunks_spaced")
        }


def _spaced(texts: list[Row]) -> set[int]:
    return {row_id for row_id, text in texts if any("\u3041" <= sign <= "\u9fff" for sign in text)}
