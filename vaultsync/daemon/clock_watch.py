"""Notices when the clock was set, or the machine slept."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

STEP_S = 10.0
"""Seconds by which the clock may run ahead of, or behind, the time that went by; network time corrects it by less."""


class ClockWatch:
    """`clock`: seconds since 1970; `monotonic`: seconds that only go on, and stand still while the machine sleeps."""

    def __init__(self, clock: Callable[[], float], monotonic: Callable[[], float]) -> None:
        self._clock = clock
        self._monotonic = monotonic
        self._ahead = clock() - monotonic()

    def stepped(self) -> float:
        """Return by how many seconds the clock has leapt since the last call, 0 if it has not."""
        ahead = self._clock() - self._monotonic()
        step = ahead - self._ahead
        self._ahead = ahead
        return step if abs(step) >= STEP_S else 0.0
