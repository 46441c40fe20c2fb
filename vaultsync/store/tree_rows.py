"""What the tree engine is given: a tree's placed leaves and its summaries."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.tree import Leaf, Summary
from vaultsync.store.as_json import to_json

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from vaultsync.domain.notes import NotePath, Uid
    from vaultsync.store.connection import Reader


class NoteRow(NamedTuple):
    """A living note whose leaves are in a tree. `tokens`: of its leaves that count."""

    uid: Uid
    path: NotePath
    title: str
    event_date: str | None
    tokens: int


_COUNTS = "c.status = 'admitted' AND n.deleted_at IS NULL"

_NAMED_AND_ABOVE = """
    SELECT value FROM json_each(?2) UNION
    SELECT p.ordinal FROM json_each(?2) o CROSS JOIN summaries s ON s.tree_id = ?1 AND s.ordinal = o.value
    JOIN chunks c ON c.id = s.chunk_id JOIN summaries p ON p.chunk_id = c.parent_id
"""
"""CROSS, as SQLite would go through the whole tree instead of these few."""


def notes(db: Reader, tree_id: int) -> list[NoteRow]:
    """Return the living notes that are placed in a tree, in the order of their paths."""
    rows = db.all(
        f"""
        SELECT n.uid, f.path, n.title, n.event_date, sum(iif({_COUNTS}, c.token_count, 0))
        FROM chunks c JOIN nodes n ON n.id = c.node_id JOIN files f ON f.node_id = n.id
        WHERE c.tree_id = ? AND c.kind = 'leaf' AND n.deleted_at IS NULL
        GROUP BY n.id ORDER BY f.path
        """,
        [tree_id],
    )
    return [NoteRow._make(row) for row in rows]


def leaves(
    db: Reader, tree_id: int, shelves: Mapping[Uid, str], only: Collection[str] | None = None
) -> Iterator[Leaf]:
    """Yield the leaves that are placed in a tree, those of a note together, or of the notes (uids) in `only` alone.

    `shelves`: of notes, by uid; "" for those that it leaves out. For some notes SQLite must be kept from going
    through the whole tree: hence the +.
    """
    which = "c.tree_id = ?1"
    if only is not None:
        which = "+c.tree_id = ?1 AND n.uid IN (SELECT value FROM json_each(?2))"
    rows = db.rows(
        f"""
        SELECT n.uid, c.seq, s.ordinal, lower(hex(c.text_hash)), c.token_count, c.arrived_at, {_COUNTS}
        FROM chunks c JOIN nodes n ON n.id = c.node_id LEFT JOIN summaries s ON s.chunk_id = c.parent_id
        WHERE {which} AND c.kind = 'leaf'
        ORDER BY c.seq, c.node_id, c.chunk_idx
        """,
        [tree_id] if only is None else [tree_id, to_json(list(only))],
    )
    return (
        Leaf(uid, shelves.get(uid, ""), seq, parent, text_hash, tokens, arrived_at, counts == 1)
        for uid, seq, parent, text_hash, tokens, arrived_at, counts in rows
    )


def summaries(db: Reader, tree_id: int, only: Collection[int] | None = None) -> list[Summary]:
    """Return the summaries of a tree, as the engine knows them, in the order of their ordinals.

    `only`: those of these ordinals, with the one right above each.
    """
    some = "" if only is None else f"AND ordinal IN ({_NAMED_AND_ABOVE})"
    rows = db.rows(
        f"""
        SELECT ordinal, level, shelf, state, parent, text_hash, input_digest, pinned, arrived_at
        FROM summary WHERE tree_id = ?1 {some} ORDER BY ordinal
        """,
        [tree_id] if only is None else [tree_id, to_json(sorted(only))],
    )
    return [
        Summary(ordinal, level, shelf, state, parent, text_hash, inputs, pinned == 1, arrived_at)
        for ordinal, level, shelf, state, parent, text_hash, inputs, pinned, arrived_at in rows
    ]


def has_waiting(db: Reader, tree_id: int, before: int) -> bool:
    """Tell whether something in a tree that arrived by then may wait for a summary: a leaf, or one of several roots."""
    leaf = db.row(
        """
        SELECT 1 FROM chunks c JOIN nodes n ON n.id = c.node_id
        WHERE c.tree_id = ? AND c.kind = 'leaf' AND c.parent_id IS NULL AND c.status = 'admitted'
          AND c.arrived_at <= ? AND n.deleted_at IS NULL
        LIMIT 1
        """,
        [tree_id, before],
    )
    return leaf is not None or _has_roots(db, tree_id)


def count_loose(db: Reader) -> int:
    """Return how many leaves that are placed in trees are under no summary."""
    loose = "tree_id IS NOT NULL AND parent_id IS NULL AND kind = 'leaf'"
    return int(db.value(f"SELECT count(*) FROM chunks INDEXED BY chunks_loose WHERE {loose}"))


def _has_roots(db: Reader, tree_id: int) -> bool:
    """Tell whether more than one summary of a tree has none above it."""
    roots = db.all(
        """
        SELECT 1 FROM summaries s JOIN chunks c ON c.id = s.chunk_id
        WHERE s.tree_id = ? AND c.parent_id IS NULL LIMIT 2
        """,
        [tree_id],
    )
    return len(roots) > 1
