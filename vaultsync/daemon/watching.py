"""Keeps a watcher alive, and says why it can't where it can't: then the loop looks by itself."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal, NamedTuple

from vaultsync import logs
from vaultsync.vault import mounts
from vaultsync.vault.mounts import Hindrance
from vaultsync.vault.watcher import Batch, Watcher

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vaultsync.config import Settings

Mode = Literal["events", "polling"]

FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 60.0
"""After how long a watcher that was lost is begun again, doubling with each that was lost soon after."""

HINDERED_WAIT_S = 3600.0
"""When it is tried again where the system forbids it; a person has to raise a limit or move the vault."""

PATIENCE_S = 10.0
"""How long the daemon's start waits for the watcher; with 100,000 folders watching them takes 2 s."""

_UNHEARD = Hindrance("The watcher ended, or hung, without a word.")


class Watch(NamedTuple):
    """How changes are learned of; `why` it is polling, in words, and the `remedy` if there is one.

    `is_healthy`: this is how it is meant to be.
    """

    mode: Mode
    why: str | None
    remedy: str | None
    is_healthy: bool


class Watching:
    """Calls `tell` from another thread with what to look at. `state`: the state folder, whose files are no news.

    `monotonic`: seconds that only go on.
    """

    def __init__(
        self,
        root: Path,
        settings: Settings,
        tell: Callable[[Batch], None],
        *,
        state: Path | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._root = root
        self._is_wanted = settings.watch == "auto"
        self._tell = tell
        self._state = state
        self._monotonic = monotonic
        self._watcher: Watcher | None = None
        self._hindrance: Hindrance | None = None
        self._is_meant = False
        self._losses = 0
        self._began_at = 0.0
        self._again_at: float | None = None

    @property
    def state(self) -> Watch:
        """Return how changes are learned of now; polling also while a watcher is about to begin again."""
        if self._watcher and self._watcher.stands:
            return Watch("events", None, None, is_healthy=True)
        hindrance = self._hindrance or Hindrance("The watcher has not begun yet.")
        return Watch("polling", hindrance.why, hindrance.remedy, is_healthy=self._is_meant)

    @property
    def mode(self) -> Mode:
        """Return "polling" where the loop has to look by itself."""
        return self.state.mode

    def start(self) -> None:
        """Begin to watch, where that may be; all that changes from now on is told of."""
        if self._is_wanted:
            self._begin(PATIENCE_S)
        else:
            self._is_meant = True
            self._explain(Hindrance('The setting daemon.watch is "polling".'))

    def stop(self) -> None:
        """Watch no more."""
        self._again_at = None
        if self._watcher:
            self._watcher.stop()
            self._watcher = None

    def check(self) -> None:
        """Begin again where a watcher was lost; asks only what is at hand, as each turn of the loop does (F22)."""
        now = self._monotonic()
        if self._watcher and not self._watcher.is_alive:
            self._lose(self._watcher, now)
        elif self._watcher and self._watcher.stands:
            self._find_well(now)
        elif self._again_at is not None and now >= self._again_at:
            self._begin(0.0)

    def _begin(self, patience: float) -> None:
        self._began_at, self._again_at = self._monotonic(), None
        if hindrance := mounts.hindrance(self._root):
            self._is_meant = True
            self._again_at = self._began_at + HINDERED_WAIT_S
            self._explain(hindrance)
            return
        self._is_meant = False
        self._watcher = Watcher(self._root, self._tell, state=self._state)
        self._watcher.start(patience)

    def _find_well(self, now: float) -> None:
        if self._hindrance:
            self._hindrance = None
            logs.event("watch.events")
        if now - self._began_at >= LONGEST_WAIT_S:
            self._losses = 0

    def _lose(self, watcher: Watcher, now: float) -> None:
        """Give up a watcher that has ended; what changed since its last word may be anything."""
        hindrance = watcher.trouble or _UNHEARD
        watcher.stop()
        self._watcher = None
        wait = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** min(self._losses, 10))
        self._again_at = now + (HINDERED_WAIT_S if hindrance.lasts else wait)
        self._losses += 1
        if watcher.stood:
            self._tell(Batch(frozenset(), overflow=True))
        self._explain(hindrance)

    def _explain(self, hindrance: Hindrance) -> None:
        """Keep why it is polling, and say so once."""
        if hindrance != self._hindrance:
            self._hindrance = hindrance
            say = logs.event if self._is_meant else logs.warning
            say("watch.polling", why=hindrance.why)
