"""What one source has to tell: its notes that are under no summary yet, and how new all of it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultsync.store.as_json import to_json
from vaultsync.store.filters import DAY, days_between

if TYPE_CHECKING:
    from collections.abc import Collection

    from vaultsync.domain.notes import Uid
    from vaultsync.store.connection import Reader


class LooseNote(NamedTuple):
    """A note that is under no summary yet, and its day. `leaves`: how many of it count."""

    node_id: int
    uid: Uid
    day: str
    leaves: int


def loose_notes(
    db: Reader, tree_ids: Collection[int], since: str | None, until: str | None
) -> list[LooseNote]:
    """Return the notes of these days with a leaf that counts and waits for a summary, the newest first."""
    days, params = days_between(since, until)
    rows = db.rows(
        f"""
        SELECT n.id, n.uid, {DAY} AS day, count(*) FROM chunks c JOIN nodes n ON n.id = c.node_id
        WHERE c.tree_id IN (SELECT value FROM json_each(:trees)) AND c.kind = 'leaf' AND c.parent_id IS NULL
          AND c.status = 'admitted' AND n.deleted_at IS NULL AND {days}
        GROUP BY n.id ORDER BY day DESC, min(c.seq) DESC
        """,
        {**params, "trees": to_json(list(tree_ids))},
    )
    return [LooseNote._make(row) for row in rows]


def summaries_between(
    db: Reader, tree_ids: Collection[int], since: str | None, until: str | None
) -> dict[Uid, str]:
    """Return the summaries above notes of these days, each with the newest such day."""
    days, params = days_between(since, until)
    rows = db.all(
        f"""
        WITH RECURSIVE above (id, day) AS (
            SELECT c.parent_id, {DAY} FROM chunks c JOIN nodes n ON n.id = c.node_id
            WHERE c.tree_id IN (SELECT value FROM json_each(:trees)) AND c.kind = 'leaf' AND {days}
              AND c.parent_id IS NOT NULL AND c.status = 'admitted' AND n.deleted_at IS NULL
            UNION
            SELECT c.parent_id, a.day FROM above a CROSS JOIN chunks c ON c.id = a.id
            WHERE c.parent_id IS NOT NULL)
        SELECT c.uid, max(a.day) FROM above a CROSS JOIN chunks c ON c.id = a.id GROUP BY c.id
        """,
        {**params, "trees": to_json(list(tree_ids))},
    )
    return dict(rows)


def nodes_of(db: Reader, uids: Collection[Uid]) -> list[int]:
    """Return the ids of nodes."""
    rows = db.all("SELECT id FROM nodes WHERE uid IN (SELECT value FROM json_each(?))", [to_json(list(uids))])
    return [node_id for (node_id,) in rows]


def counting_leaves(db: Reader, node_id: int) -> list[int]:
    """Return the leaves (ids) of a note that count, in order."""
    rows = db.all(
        "SELECT id FROM chunks WHERE node_id = ? AND status = 'admitted' ORDER BY chunk_idx", [node_id]
    )
    return [chunk_id for (chunk_id,) in rows]
