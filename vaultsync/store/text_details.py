"""What a hit shows of the notes and chunks that were found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from vaultsync.store.as_json import to_json

if TYPE_CHECKING:
    from collections.abc import Collection

    from vaultsync.domain.notes import NotePath, Role, Uid
    from vaultsync.store.connection import Reader


MOST: Final = 32
"""Chunks of one note that are gone through: 50 kB of text, since the few longer notes may fill megabytes."""


NOTE_PATH: Final = "iif(s.missing IS NULL AND s.written_hash IS NOT NULL, s.path, NULL)"
"""The path of a summary's note (s), if it stands in the vault."""


class NoteFound(NamedTuple):
    """A node that was found; `aliases` is JSON. `path`: None for a summary without a note in the vault."""

    uid: Uid
    kind: str
    path: NotePath | None
    title: str
    description: str
    aliases: str
    role: Role | None
    event_date: str | None


class ChunkFound(NamedTuple):
    """A chunk that was found, the first of several places of it; `heading_path` is JSON."""

    chunk_id: int
    node_id: int
    uid: Uid
    heading_path: str
    text: str
    start: int
    end: int


def notes_found(db: Reader, node_ids: Collection[int]) -> dict[int, NoteFound]:
    """Return living nodes by id."""
    rows = db.rows(
        f"""
        SELECT n.id, n.uid, n.kind, coalesce(f.path, {NOTE_PATH}), n.title, n.description, n.aliases, f.role,
               n.event_date
        FROM nodes n LEFT JOIN files f ON f.node_id = n.id
        LEFT JOIN chunks m ON m.uid = n.uid AND m.kind = 'summary' LEFT JOIN summaries s ON s.chunk_id = m.id
        WHERE n.id IN (SELECT value FROM json_each(?)) AND n.deleted_at IS NULL
        """,
        [to_json(list(node_ids))],
    )
    return {node_id: NoteFound._make(row) for node_id, *row in rows}


def chunks_found(db: Reader, chunk_ids: Collection[int]) -> dict[int, ChunkFound]:
    """Return chunks by id."""
    return {row.chunk_id: row for row in _chunks(db, "c.id", chunk_ids)}


def chunks_of(db: Reader, node_ids: Collection[int]) -> list[ChunkFound]:
    """Return the searchable chunks of nodes, the first MOST of each, in the order of the note."""
    return _chunks(db, f"c.searchable = 1 AND c.chunk_idx < {MOST} AND c.node_id", node_ids)


def names_of(db: Reader, node_ids: Collection[int]) -> dict[int, str]:
    """Return by node id what the index of notes holds of each: names, tags, description, properties."""
    rows = db.rows(
        """
        SELECT id, concat_ws(char(10), title, aliases, tags, description, property_text) FROM nodes
        WHERE id IN (SELECT value FROM json_each(?))
        """,
        [to_json(list(node_ids))],
    )
    return dict(rows)


def _chunks(db: Reader, which: str, ids: Collection[int]) -> list[ChunkFound]:
    rows = db.rows(
        f"""
        SELECT c.id, c.node_id, c.uid, c.heading_path, c.text, coalesce(min(r.start), 0), coalesce(r."end", 0)
        FROM chunks c LEFT JOIN raw_refs r ON r.chunk_id = c.id
        WHERE {which} IN (SELECT value FROM json_each(?))
        GROUP BY c.id ORDER BY c.node_id, c.chunk_idx
        """,
        [to_json(list(ids))],
    )
    return [ChunkFound._make(row) for row in rows]
