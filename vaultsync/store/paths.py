"""Where files stand: each path belongs to one file, also while notes swap their paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.store import tombstones
from vaultsync.store.as_json import to_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultsync.domain.notes import NotePath
    from vaultsync.store.connection import Writer

DISPLACED = "\0"
"""Stands in no path; behind it in `files.path`, the id of a file that gave its path away."""


def make_room(tx: Writer, takers: Mapping[NotePath, int | None], now: int) -> None:
    """Free paths for the files (ids; None: new) that are about to take them.

    A holder that is itself among the takers waits without a path for its own. Another's note becomes a
    tombstone that remembers the path; a file without a note is forgotten.
    """
    holders = tx.rows(
        "SELECT id, path, node_id FROM files WHERE path IN (SELECT value FROM json_each(?))",
        [to_json(list(takers))],
    )
    moving = set(takers.values())
    in_the_way = [(file_id, node_id) for file_id, path, node_id in holders if takers[path] != file_id]
    evicted = [(file_id, node_id) for file_id, node_id in in_the_way if file_id not in moving]
    tx.many(
        "UPDATE files SET path = path || char(0) || id WHERE id = ?",
        [(file_id,) for file_id, _ in in_the_way],
    )
    tx.many("DELETE FROM files WHERE id = ?", [(file_id,) for file_id, node_id in evicted if node_id is None])
    tombstones.bury(tx, [node_id for _, node_id in evicted if node_id is not None], now)
