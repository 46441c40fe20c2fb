"""How often nodes were read, a day a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultsync.domain.notes import Uid
    from vaultsync.store.connection import Writer


def record(tx: Writer, reads: Mapping[tuple[Uid, int], int]) -> None:
    """Add reads, counted by uid and day (since 1970, UTC); those of what is no node, or no more, count for nothing."""
    tx.many(
        """
        INSERT INTO touches (node_id, day, reads) SELECT id, ?2, ?3 FROM nodes WHERE uid = ?1
        ON CONFLICT (node_id, day) DO UPDATE SET reads = reads + excluded.reads
        """,
        [(uid, day, times) for (uid, day), times in sorted(reads.items())],
    )


def forget(tx: Writer, before: int) -> None:
    """Forget the reads before that day."""
    tx.run("DELETE FROM touches WHERE day < ?", [before])
