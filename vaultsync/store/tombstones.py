"""Notes that vanished: they count for nothing, and come back as what they were until they are swept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.store import edges, entities, text_index
from vaultsync.store.as_json import to_json

if TYPE_CHECKING:
    from collections.abc import Collection

    from vaultsync.store.connection import Reader, Writer


def bury(tx: Writer, node_ids: Collection[int], now: int) -> None:
    """Make tombstones: they leave the text indexes at once, and links to them break."""
    ids = [(node_id,) for node_id in node_ids]
    tx.many(
        "UPDATE nodes SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL", [(now, *node) for node in ids]
    )
    tx.many("UPDATE files SET held = NULL WHERE node_id = ? AND held IS NOT NULL", ids)
    edges.break_to(tx, node_ids)


def revive(tx: Writer, node_ids: Collection[int]) -> set[int]:
    """Bring back those of `node_ids` that are tombstones, as they were, and return them."""
    buried = _ids(tx, "nodes WHERE deleted_at IS NOT NULL AND id", node_ids)
    tx.many("UPDATE nodes SET deleted_at = NULL WHERE id = ?", [(node_id,) for node_id in buried])
    text_index.mend_nodes(tx, buried)
    text_index.mend_chunks(tx, _ids(tx, "chunks WHERE node_id", buried))
    return buried


def _ids(tx: Writer, column: str, given: Collection[int]) -> set[int]:
    rows = tx.rows(f"SELECT id FROM {column} IN (SELECT value FROM json_each(?))", [to_json(list(given))])
    return {row_id for (row_id,) in rows}


def count_before(db: Reader, before: int) -> int:
    """Return how many tombstones were made before that second."""
    return int(db.value("SELECT count(*) FROM nodes WHERE deleted_at < ?", [before]))


def sweep(tx: Writer, before: int) -> int:
    """Delete the tombstones made before that second and all that was theirs but the uids; return how many."""
    limit = [before]
    tx.run("INSERT OR IGNORE INTO swept (uid) SELECT uid FROM nodes WHERE deleted_at < ?", limit)
    # A file whose note asked to be left out is still there: it stays known.
    tx.run(
        """
        UPDATE files SET node_id = NULL
        WHERE ignored = 1 AND node_id IN (SELECT id FROM nodes WHERE deleted_at < ?)
        """,
        limit,
    )
    tx.run("DELETE FROM nodes WHERE deleted_at < ?", limit)
    swept = tx.changes
    entities.sweep(tx)
    return swept
