"""What tests hear of a watched vault, and how they wait for it: for a condition, with a limit."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from vaultsync.vault.watcher import Watcher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from vaultsync.vault.settling import Batch

LIMIT_S = 20.0
"""After which what was not heard will not be; a busy machine takes its time."""


class Ear:
    """Takes up what is told, from any thread."""

    def __init__(self) -> None:
        self.batches: list[Batch] = []
        self._news = threading.Condition()

    def tell(self, batch: Batch) -> None:
        with self._news:
            self.batches.append(batch)
            self._news.notify_all()

    @property
    def paths(self) -> set[str]:
        """All that was told since `forget`."""
        return {path for batch in self.batches for path in batch.paths}

    @property
    def overflows(self) -> int:
        return sum(batch.overflow for batch in self.batches)

    def forget(self) -> None:
        with self._news:
            self.batches.clear()

    def await_that(self, condition: Callable[[], bool]) -> None:
        """Wait until something that was told makes it true."""
        with self._news:
            assert self._news.wait_for(condition, LIMIT_S), f"heard only {sorted(self.paths)[:20]}"

    def await_paths(self, *paths: str) -> None:
        """Wait until all these were told, in however many batches."""
        self.await_that(lambda: self.paths >= set(paths))


@contextmanager
def watched(root: Path, *, state: Path | None = None, in_one: bool = False) -> Iterator[Ear]:
    """Watch a vault and yield what hears of it, from where every folder is watched."""
    ear = Ear()
    watcher = Watcher(root, ear.tell, state=state, in_one=in_one)
    watcher.start(LIMIT_S)
    try:
        assert watcher.stands, watcher.trouble
        ear.forget()
        yield ear
    finally:
        watcher.stop()
        assert not watcher.is_alive


def await_true(condition: Callable[[], bool], what: str) -> None:
    """Wait for what nobody tells of."""
    moment = threading.Event()
    for _ in range(int(LIMIT_S / 0.02)):
        if condition():
            return
        moment.wait(0.02)
    raise AssertionError(what)
