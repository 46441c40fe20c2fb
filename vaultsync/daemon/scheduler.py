"""When each job is due: the times and cron expressions of the settings, held against a clock of ours.

Only the arithmetic of APScheduler is used, not its threads: one thread does all work here, so a job can't overlap
itself, and what was missed while the machine slept is due once.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from apscheduler.triggers.cron import CronTrigger

from vaultsync.domain.errors import ConfigError
from vaultsync.domain.schedules import interval_s

if TYPE_CHECKING:
    from collections.abc import Mapping

_NEVER = float("inf")
"""When a job is due that only follows others, or for whose cron expression no date comes."""


class Schedule:
    """`when`: for each job, in the order in which they are done, what the settings say; None: it is only hastened.

    All times are in seconds since 1970. Raises ConfigError for a cron expression that is none.
    """

    def __init__(self, when: Mapping[str, str | None]) -> None:
        self._when = {name: None if text is None else _parsed(name, text) for name, text in when.items()}
        self._next: dict[str, float] = {}

    def begin(self, now: float, last: Mapping[str, float]) -> None:
        """Count from the last runs, as far as there were any; what never ran, or was missed since, is due now.

        A run that is still to come was written down by a clock that was wrong, and counts as now.
        """
        first = {name: _NEVER if when is None else now for name, when in self._when.items()}
        ran = {name: min(last[name], now) for name in first.keys() & last}
        self._next = first | {name: max(now, self._after(name, at)) for name, at in ran.items()}

    def ran(self, name: str, now: float) -> None:
        """Count from now on."""
        self._next[name] = self._after(name, now)

    def hasten(self, name: str, at: float) -> None:
        """Let a job be due at `at`, if it is not before."""
        self._next[name] = min(self._next[name], at)

    def put_off(self, name: str, until: float) -> None:
        """Let a job that failed not be due before `until`."""
        self._next[name] = until

    def due(self, now: float, but: str | None = None) -> str | None:
        """Return the first job that is due, `but` that one."""
        return next((name for name, at in self._next.items() if at <= now and name != but), None)

    def is_due(self, name: str, now: float) -> bool:
        """Tell whether a job is due."""
        return self._next[name] <= now

    @property
    def next(self) -> Mapping[str, float]:
        """Return when each job is due next; one that never is has no time."""
        return {name: at for name, at in self._next.items() if at < _NEVER}

    def _after(self, name: str, moment: float) -> float:
        when = self._when[name]
        if when is None:
            return _NEVER
        if isinstance(when, int):
            return moment + when
        found = when.get_next_fire_time(None, datetime.fromtimestamp(moment + 1, when.timezone))
        return found.timestamp() if found else _NEVER


def _parsed(name: str, text: str) -> int | CronTrigger:
    seconds = interval_s(text)
    if seconds is not None:
        return seconds
    try:
        return CronTrigger.from_crontab(text)
    except ValueError as error:
        raise ConfigError(
            f'schedule.{name}_every: {text!r} is no cron expression ({error}). Write a time such as "10m", or five '
            'fields such as "0 4 * * *".'
        ) from error
