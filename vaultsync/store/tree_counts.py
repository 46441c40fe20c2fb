"""Figures of the trees: what is in each, and what waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from vaultsync.store.connection import Reader


class Placed(NamedTuple):
    """What a tree holds: its living notes, and those of their leaves that count and are under no summary."""

    notes: int = 0
    waiting: int = 0


def placed(db: Reader) -> dict[int, Placed]:
    """Return what each tree (id) holds."""
    rows = db.rows(
        """
        SELECT c.tree_id, count(DISTINCT c.node_id), sum(c.status IS 'admitted' AND c.parent_id IS NULL)
        FROM chunks c JOIN nodes n ON n.id = c.node_id
        WHERE c.tree_id IS NOT NULL AND c.kind = 'leaf' AND n.deleted_at IS NULL
        GROUP BY c.tree_id
        """
    )
    return {tree_id: Placed(notes, waiting) for tree_id, notes, waiting in rows}


def pending(db: Reader) -> int:
    """Return how many leaves of living notes are still to be extracted."""
    return int(
        db.value(
            """
            SELECT count(*) FROM chunks c JOIN nodes n ON n.id = c.node_id
            WHERE c.kind = 'leaf' AND c.status IS NULL AND n.deleted_at IS NULL
            """
        )
    )
