"""What a living daemon lets others see of itself: a small file in the state folder, written anew every few seconds."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING

from vaultsync.daemon import instance_lock
from vaultsync.daemon.watching import Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

FILE = "daemon.json"
"""In the state folder."""

SOON_S, LATE_S = 1.0, 10.0
"""What has changed is told after a second, that nothing has after ten: each costs a write of some hundred bytes."""

STUCK_S = 90.0
"""A daemon that has not been heard of for so long hangs: between two signs of life is a batch of work at most."""


@dataclass(frozen=True, slots=True)
class Alive:
    """A daemon as it last said it is; times in seconds since 1970.

    `looked_at`: the index equalled the disk then, None if it never did. `pending`: paths that are to be looked at.
    `doing`: a stage, how much of it is done, and of how much. `next`: when each job is due.
    """

    pid: int
    version: str
    started_at: float
    heard_at: float
    ready_at: float | None = None
    looked_at: float | None = None
    watch: Watch | None = None
    pending: int = 0
    doing: tuple[str, int, int] | None = None
    next: Mapping[str, float] | None = None

    def is_stuck(self, now: float) -> bool:
        """Tell whether it should have been heard of again by now."""
        return now - self.heard_at > STUCK_S


class Pulse:
    """Keeps the file as it should be. `clock`: seconds since 1970."""

    def __init__(self, state: Path, clock: Callable[[], float]) -> None:
        self._path = state / FILE
        self._clock = clock
        now = clock()
        self._alive = Alive(os.getpid(), version("vaultsync"), now, now)
        self._told = replace(self._alive, heard_at=0.0)
        self._asked_at = 0.0

    @property
    def is_due(self) -> bool:
        """Tell whether `beat` may have something to tell; between two batches that is asked thousands of times."""
        return abs(self._clock() - self._asked_at) >= SOON_S

    def ready(self) -> None:
        """Tell that the whole vault has been looked at."""
        now = self._clock()
        self._alive = replace(self._alive, ready_at=now, looked_at=now)
        self._tell()

    def beat(
        self,
        watch: Watch,
        *,
        pending: int,
        doing: tuple[str, int, int] | None,
        next_runs: Mapping[str, float],
        equal_at: float | None,
    ) -> None:
        """Tell how it is, as often as others need to know; `equal_at`: when the index last equalled the disk."""
        if not self.is_due:
            return
        now = self._asked_at = self._clock()
        alive = replace(
            self._alive,
            watch=watch,
            pending=pending,
            doing=doing,
            next=next_runs,
            looked_at=equal_at,
        )
        self._alive = alive
        is_late = abs(now - self._told.heard_at) >= LATE_S
        if is_late or replace(alive, heard_at=0.0, looked_at=0.0) != self._said():
            self._tell()

    def end(self) -> None:
        """Take the file away."""
        with suppress(OSError):
            self._path.unlink()

    def _said(self) -> Alive:
        """Return what was told last, without the times that go on by themselves."""
        return replace(self._told, heard_at=0.0, looked_at=0.0)

    def _tell(self) -> None:
        """Write the file at once; it need not outlast a power cut, and a full disk is told by others."""
        self._asked_at = self._clock()
        self._told = self._alive = replace(self._alive, heard_at=self._asked_at)
        new = self._path.with_suffix(".new")
        try:
            new.write_text(json.dumps(asdict(self._alive)), encoding="utf-8")
            new.replace(self._path)
        except OSError:
            with suppress(OSError):
                os.utime(self._path)  # a sign of life, for which there is room on any disk


def read(state: Path) -> Alive | None:
    """Return what the daemon of a state says of itself; None if none runs, or it has not said anything yet."""
    if not instance_lock.is_held(state):
        return None
    try:
        said = json.loads((state / FILE).read_text(encoding="utf-8"))
        said["heard_at"] = max(said["heard_at"], (state / FILE).stat().st_mtime)
        watch, doing = said["watch"], said["doing"]
        alive = Alive(**{**said, "watch": watch and Watch(*watch), "doing": doing and tuple(doing)})
        _check(alive)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
    is_holders = instance_lock.holder(state) == f"{instance_lock.DAEMON}, process {alive.pid}"
    return alive if is_holders else None


def _check(alive: Alive) -> None:
    """Raise TypeError for a time that is none, as in a file of another version."""
    times = [alive.started_at, alive.heard_at, alive.looked_at or 0.0, *(alive.next or {}).values()]
    if not all(isinstance(time, int | float) for time in times):
        raise TypeError(FILE)
