"""Which leaves a model was not yet asked about, and that it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultsync.store.as_json import to_json

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from vaultsync.store.connection import Reader, Writer


class Unnamed(NamedTuple):
    """An admitted leaf of a living note that is not private."""

    chunk_id: int
    node_id: int
    tokens: int


class Leaf(NamedTuple):
    """A leaf with its note's title; `text_hash` in hex."""

    chunk_id: int
    node_id: int
    title: str
    text: str
    text_hash: str


_UNNAMED = """
    FROM chunks c JOIN node n ON n.id = c.node_id LEFT JOIN named d ON d.chunk_id = c.id AND d.generator = ?
    WHERE c.kind = 'leaf' AND c.status = 'admitted' AND n.role = 'note' AND NOT n.private AND d.chunk_id IS NULL
"""


def is_any(db: Reader, generator: str) -> bool:
    """Tell whether there is a leaf to ask about."""
    return db.row(f"SELECT 1 {_UNNAMED} LIMIT 1", [generator]) is not None


def unnamed(db: Reader, generator: str) -> list[Unnamed]:
    """Return the leaves to ask about, in the order of their notes' paths."""
    rows = db.all(f"SELECT c.id, n.id, c.token_count {_UNNAMED} ORDER BY n.path, c.chunk_idx", [generator])
    return [Unnamed._make(row) for row in rows]


def leaves(db: Reader, node_ids: Collection[int]) -> list[Leaf]:
    """Return all leaves of those of these notes that are not private, note by note, in their order."""
    rows = db.all(
        """
        SELECT c.id, n.id, n.title, c.text, lower(hex(c.text_hash))
        FROM chunks c JOIN node n ON n.id = c.node_id
        WHERE n.id IN (SELECT value FROM json_each(?)) AND c.kind = 'leaf' AND NOT n.private
        ORDER BY n.path, c.chunk_idx
        """,
        [to_json(list(node_ids))],
    )
    return [Leaf._make(row) for row in rows]


def settle(tx: Writer, asked: Iterable[Leaf], generator: str) -> set[int]:
    """Note of the leaves that still have the text which was sent that they were asked about; return their ids."""
    sent = {leaf.chunk_id: leaf.text_hash for leaf in asked}
    rows = tx.all(
        "SELECT id, lower(hex(text_hash)) FROM chunks WHERE id IN (SELECT value FROM json_each(?))",
        [to_json(list(sent))],
    )
    same = {chunk_id for chunk_id, text_hash in rows if sent[chunk_id] == text_hash}
    tx.many(
        "INSERT OR REPLACE INTO named (chunk_id, generator) VALUES (?, ?)",
        [(id_, generator) for id_ in sorted(same)],
    )
    return same
