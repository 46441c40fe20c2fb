"""What other threads and signals leave for the one thread that works."""

from __future__ import annotations

import queue
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultsync.domain.notes import NotePath
    from vaultsync.vault.watcher import Batch


class Inbox:
    """Gathers paths to look at until they are taken. What is told may be told from any thread, or by a signal."""

    def __init__(self) -> None:
        self.paths: set[NotePath] = set()
        self.overflowed = False
        self._told: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()

    def look_at(self, batch: Batch) -> None:
        """Tell of paths that may have changed, or that more has than can be told."""
        self._told.put(lambda: self._gather(batch))

    def tell(self, news: Callable[[], None]) -> None:
        """Let the working thread do something short, such as to note that it is to end."""
        self._told.put(news)

    def wait(self, seconds: float) -> bool:
        """Wait until something was told, at most so long, take up all that was, and tell whether there was any."""
        was_told = False
        while True:
            try:
                news = self._told.get(timeout=0.0 if was_told else seconds)
            except queue.Empty:
                return was_told
            news()
            was_told = True

    def forget(self) -> None:
        """Let nothing be left to look at, since all of it is looked at now."""
        self.paths, self.overflowed = set(), False

    def _gather(self, batch: Batch) -> None:
        self.paths |= batch.paths
        self.overflowed |= batch.overflow
