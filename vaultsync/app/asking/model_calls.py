"""How many summaries a model was asked for today."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from vaultsync.store import marks

if TYPE_CHECKING:
    from vaultsync.app.memory import Memory
    from vaultsync.store.connection import Reader

_CALLS = "model calls"
"""The mark of the calls of the last day that had any: {day: calls}, a day of UTC."""


def were_made(db: Reader) -> bool:
    """Tell whether a model was ever asked for anything here."""
    return marks.find(db, _CALLS) is not None


def left(memory: Memory) -> int:
    """Return how many calls are left of the day's share."""
    return max(0, memory.settings.calls_per_day - of_today(memory))


def of_today(memory: Memory) -> int:
    """Return how many calls were made today, a day of UTC."""
    return _of_day(memory.db.read(), _day(memory.clock()))


def count(memory: Memory) -> None:
    """Count a call before it is made, so that one which is killed has counted."""
    day = _day(memory.clock())
    with memory.db.write() as tx:
        marks.put(tx, {_CALLS: json.dumps({day: _of_day(tx, day) + 1})})


def _of_day(db: Reader, day: str) -> int:
    return int(json.loads(marks.find(db, _CALLS) or "{}").get(day, 0))


def _day(now: float) -> str:
    return datetime.fromtimestamp(now, UTC).date().isoformat()
