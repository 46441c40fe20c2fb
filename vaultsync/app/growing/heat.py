"""How hot nodes are today, as the index knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.domain.hotness import WINDOW, hotness
from vaultsync.store import activity
from vaultsync.store.activity import DAY_S

if TYPE_CHECKING:
    from collections.abc import Collection

    from vaultsync.app.memory import Memory


def today(memory: Memory) -> int:
    """Return the number of this day, from 1970 on, UTC."""
    return int(memory.clock()) // DAY_S


def hotness_of(memory: Memory, node_ids: Collection[int], today: int) -> dict[int, float]:
    """Return the hotness of living nodes (ids) on a day (`today`); it breaks ties, and is no relevance."""
    found = activity.of_nodes(memory.db.read(), node_ids, today - WINDOW + 1)
    return {node_id: hotness(happened, today) for node_id, happened in found.items()}
