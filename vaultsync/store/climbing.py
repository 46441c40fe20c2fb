"""Ways up and down the tree. However its rows are, a walk ends: nothing is visited twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from vaultsync.store.as_json import to_json

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from vaultsync.domain.notes import Uid
    from vaultsync.store.connection import Reader

_ABOVE: Final = """
    SELECT c.parent_id FROM above a CROSS JOIN chunks c ON c.id = a.id WHERE c.parent_id IS NOT NULL
"""


class Rung(NamedTuple):
    """A summary that a walk down has come to, and the chunk right above it."""

    chunk_id: int
    uid: Uid
    parent_id: int | None


def tree_of(db: Reader, uid: Uid) -> int | None:
    """Return the tree that a note or summary is in."""
    found: int | None = db.value(
        """
        SELECT c.tree_id FROM nodes n JOIN chunks c ON c.node_id = n.id
        WHERE n.uid = ? AND c.tree_id IS NOT NULL ORDER BY c.parent_id IS NULL LIMIT 1
        """,
        [uid],
    )
    return found


def above(db: Reader, uid: Uid) -> Iterator[Uid]:
    """Yield the summaries above a note or summary, nearest first; the first is the one of the lowest ordinal."""
    rows = db.rows(
        f"""
        WITH RECURSIVE above (id) AS (
            SELECT * FROM (
                SELECT s.chunk_id FROM nodes n JOIN chunks c ON c.node_id = n.id
                JOIN summaries s ON s.chunk_id = c.parent_id
                WHERE n.uid = ? ORDER BY s.ordinal LIMIT 1)
            UNION {_ABOVE})
        SELECT c.uid FROM above a CROSS JOIN chunks c ON c.id = a.id
        """,
        [uid],
    )
    return (found for (found,) in rows)


def below(db: Reader, uids: Collection[Uid], lowest: int = 1) -> Iterator[Rung]:
    """Yield summaries and all summaries below them, down to a level. Parents come first."""
    rows = db.rows(
        """
        WITH RECURSIVE below (id, level) AS (
            SELECT id, level FROM chunks WHERE kind = 'summary' AND uid IN (SELECT value FROM json_each(:uids))
            UNION
            SELECT c.id, c.level FROM below b CROSS JOIN chunks c ON c.parent_id = b.id
            WHERE b.level > :lowest AND c.kind = 'summary')
        SELECT c.id, c.uid, c.parent_id FROM below b CROSS JOIN chunks c ON c.id = b.id
        """,
        {"uids": to_json(list(uids)), "lowest": lowest},
    )
    return map(Rung._make, rows)


def over_notes(db: Reader, where: str, params: Mapping[str, object]) -> list[int]:
    """Return the summaries (ids of nodes) above any of the living notes (n) of which a condition holds."""
    rows = db.all(
        f"""
        WITH RECURSIVE above (id) AS (
            SELECT c.parent_id FROM nodes n JOIN chunks c ON c.node_id = n.id
            WHERE n.kind = 'note' AND n.deleted_at IS NULL AND c.parent_id IS NOT NULL AND {where}
            UNION {_ABOVE})
        SELECT c.node_id FROM above a CROSS JOIN chunks c ON c.id = a.id
        """,
        params,
    )
    return [node_id for (node_id,) in rows]


def pairs_above(db: Reader, node_ids: Collection[int]) -> set[tuple[int, int]]:
    """Return each of these notes with each summary above it, as ids of nodes."""
    rows = db.all(
        """
        WITH RECURSIVE above (node_id, id) AS (
            SELECT node_id, parent_id FROM chunks
            WHERE node_id IN (SELECT value FROM json_each(?)) AND parent_id IS NOT NULL
            UNION
            SELECT a.node_id, c.parent_id FROM above a CROSS JOIN chunks c ON c.id = a.id
            WHERE c.parent_id IS NOT NULL)
        SELECT a.node_id, c.node_id FROM above a CROSS JOIN chunks c ON c.id = a.id
        """,
        [to_json(list(node_ids))],
    )
    return {(note, summary) for note, summary in rows}
