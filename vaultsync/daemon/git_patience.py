"""Waits for git while it is in the middle of something, but not for ever."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync import logs
from vaultsync.vault import git_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class GitPatience:
    """`clock`: seconds since 1970."""

    def __init__(self, root: Path, clock: Callable[[], float]) -> None:
        self._root = root
        self._clock = clock
        self.busy_since: float | None = None

    def check(self) -> None:
        """See whether git is done, so that what it does next is waited for as long again."""
        if self.busy_since is not None and not git_folder.is_busy(self._root):
            self.busy_since = None

    def is_waiting(self, patience_s: float) -> bool:
        """Tell whether git is busy and has not been for so long that one goes on all the same."""
        if not git_folder.is_busy(self._root):
            return False
        if self.busy_since is None:
            self.busy_since = self._clock()
            logs.event("git.busy", vault=self._root)
        return self._clock() - self.busy_since < patience_s
