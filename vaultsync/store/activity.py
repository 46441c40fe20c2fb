"""What happened to nodes of late: who links to them, and how often they were read."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from vaultsync.domain.hotness import Activity, Named, Read
from vaultsync.store.as_json import to_json

if TYPE_CHECKING:
    from collections.abc import Collection

    from vaultsync.store.connection import Reader

DAY_S = 86_400


def of_nodes(db: Reader, node_ids: Collection[int], since: int) -> dict[int, Activity]:
    """Return what happened to living nodes; mentions and reads from the day `since` on (days since 1970, UTC).

    A mention is a link from another note, on the day that this note last changed.
    """
    ids = to_json(list(node_ids))
    mentions, links_in = _mentions(db, ids, since)
    reads: defaultdict[int, list[Read]] = defaultdict(list)
    for node_id, day, times in db.all(
        "SELECT * FROM touches WHERE node_id IN (SELECT value FROM json_each(?)) AND day >= ?", [ids, since]
    ):
        reads[node_id].append(Read(day, times))
    return {
        node_id: Activity(changed, tuple(mentions[node_id]), tuple(reads[node_id]), links_in[node_id])
        for node_id, changed in db.all(
            f"""
            SELECT id, updated_at / {DAY_S} FROM nodes
            WHERE id IN (SELECT value FROM json_each(?)) AND deleted_at IS NULL
            """,
            [ids],
        )
    }


def _mentions(db: Reader, ids: str, since: int) -> tuple[defaultdict[int, list[Named]], Counter[int]]:
    """Return each node's mentions since that day, and how many links lead to it; a template links to nothing.

    The source of a note that is in no tree yet is its top folder.
    """
    mentions: defaultdict[int, list[Named]] = defaultdict(list)
    links_in: Counter[int] = Counter()
    for node_id, day, source, links in db.all(
        f"""
        SELECT e.to_node_id, n.updated_at / {DAY_S},
               coalesce((SELECT t.folder FROM chunks c JOIN trees t ON t.id = c.tree_id WHERE c.node_id = n.id LIMIT 1),
                        substr(f.path, 1, max(0, instr(f.path, '/') - 1))),
               count(*)
        FROM edges e JOIN nodes n ON n.id = e.from_node_id JOIN files f ON f.node_id = n.id
        WHERE e.to_node_id IN (SELECT value FROM json_each(?)) AND e.from_node_id <> e.to_node_id
          AND n.deleted_at IS NULL AND f.role <> 'template'
        GROUP BY e.to_node_id, n.id
        """,
        [ids],
    ):
        links_in[node_id] += links
        if day >= since:
            mentions[node_id] += [Named(day, source)] * links
    return mentions, links_in
