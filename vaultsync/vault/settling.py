"""The settle rule: a path that changed is handed on once its file stands, as nothing is to be read half-written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from vaultsync.domain.notes import NotePath

STILL_S = 0.1
"""A file stands once nothing was written for so long, in seconds; programs write a note in one go of a few ms."""

GONE_S = 0.5
"""How long a path must be gone: a rename may reach us in two halves (F19), and sync tools replace in two steps."""

QUIET_S = 0.5
"""For how long nothing may change after an overflow, before all is looked at."""

PATIENCE_S = 5.0
"""What never stands, such as a file that something appends to, is handed on this often."""

MANY = 1000
"""With more paths than this all is looked at; one queue of the system (16,384 events) then may have been lost."""


class Batch(NamedTuple):
    """Paths to look at, notes or folders, there or not. `overflow`: any path may have changed."""

    paths: frozenset[NotePath]
    overflow: bool = False


class Look(NamedTuple):
    """What differs when a file was written: bytes, nanoseconds since 1970, and the file's number."""

    size: int
    mtime_ns: int
    inode: int


@dataclass(slots=True)
class _Pending:
    """`since`: of the first word of it, or when it was last handed on. `look`: None if it is gone.

    `same_since`: since when it looks like that, None if it was not looked at.
    """

    since: float
    has_appeared: bool
    look: Look | None = None
    same_since: float | None = None

    @property
    def is_gone(self) -> bool:
        return self.same_since is not None and self.look is None


class Settling:
    """The paths that wait. Times are seconds of a clock that only goes on, but for `wall_ns`."""

    def __init__(self) -> None:
        self._pending: dict[NotePath, _Pending] = {}
        self._last_word = 0.0
        self._overflowed: float | None = None

    @property
    def is_waiting(self) -> bool:
        """Tell whether anything waits to be handed on."""
        return bool(self._pending) or self._overflowed is not None

    def hear(self, path: NotePath, now: float, *, has_appeared: bool) -> None:
        """Let a path wait until it stands; `has_appeared`: it came to be there, or took another's place."""
        self._last_word = now
        if self._overflowed is not None:
            return
        waiting = self._pending.setdefault(path, _Pending(now, has_appeared))
        waiting.has_appeared |= has_appeared
        waiting.same_since = None
        if len(self._pending) > MANY:
            self.hear_all(now)

    def hear_all(self, now: float) -> None:
        """Let any path count as changed."""
        self._last_word = now
        if self._overflowed is None:
            self._overflowed = now
            self._pending.clear()

    def take(self, now: float, wall_ns: int, look: Callable[[NotePath], Look | None]) -> Batch | None:
        """Return what can be handed on now, None if that is nothing. `wall_ns`: nanoseconds since 1970, as mtimes.

        `look` says what is at a path. What is handed on out of patience goes on waiting until it stands.
        """
        if self._overflowed is not None:
            return self._take_all(now, self._overflowed)
        if not self._pending:
            return None
        standing = {path for path in self._pending if self._stands(path, now, wall_ns, look(path))}
        moving = {path for path, waiting in self._pending.items() if waiting.has_appeared or waiting.is_gone}
        overdue = {path for path, waiting in self._pending.items() if now - waiting.since >= PATIENCE_S}
        if not overdue.isdisjoint(moving):
            overdue |= moving  # by itself, half of a rename would be a removal
        ready = self._whole(standing, overdue, moving) | overdue
        for path in ready & standing:
            del self._pending[path]
        for path in ready - standing:
            self._pending[path].since = now
        return Batch(frozenset(ready)) if ready else None

    def _take_all(self, now: float, since: float) -> Batch | None:
        if now - self._last_word < QUIET_S and now - since < PATIENCE_S:
            return None
        self._overflowed = None
        return Batch(frozenset(), overflow=True)

    def _stands(self, path: NotePath, now: float, wall_ns: int, found: Look | None) -> bool:
        """Tell whether what is at the path is the same for long enough, by its own time or by ours."""
        waiting = self._pending[path]
        if waiting.same_since is None or waiting.look != found:
            waiting.look, waiting.same_since = found, now
        if found is None:
            return now - waiting.same_since >= GONE_S
        return wall_ns - found.mtime_ns >= STILL_S * 1e9 or now - waiting.same_since >= STILL_S

    def _whole(self, standing: set[NotePath], overdue: set[NotePath], moving: set[NotePath]) -> set[NotePath]:
        """Return what stands, without folders in which something does not, and without half of a rename.

        `moving`: what appeared or went.
        """
        restless = self._pending.keys() - standing - overdue
        standing = standing - _above(restless)
        has_gone = any(self._pending[path].is_gone for path in moving)
        return standing - moving if has_gone and moving - standing - overdue else standing


def _above(paths: Collection[str]) -> set[str]:
    """Return all folders that hold one of the paths."""
    above = set()
    for path in paths:
        end = path.rfind("/")
        while end > 0 and path[:end] not in above:
            above.add(path[:end])
            end = path.rfind("/", 0, end)
    return above
