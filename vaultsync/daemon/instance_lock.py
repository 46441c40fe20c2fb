"""One writer a vault: an operating-system lock in the state folder, which dies with its process."""

from __future__ import annotations

import os
import time
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING

from vaultsync.domain.errors import LockedError, StateError
from vaultsync.store import file_lock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import FileIO
    from pathlib import Path

LOCK = "lock"
"""The file in the state folder."""

DAEMON = "daemon"
"""What the holder calls itself that answers requests."""

PATIENCE_SECONDS = 30.0
"""How long the holder has to let go, or to acknowledge a request (design, section 3)."""

POLL_SECONDS = 0.05

_PROBE_SECONDS = 0.1
"""For so long at least a busy lock is tried again: somebody may only be asking whether it is held."""


class Lock:
    """The lock of a state folder, held by this process or not yet. `who`: what the holder is, if not a command.

    The lock file says who holds it, for as long as it is held. It goes only with the whole state, since a lock on
    a removed file keeps nobody out.
    """

    def __init__(self, state: Path, who: str = "") -> None:
        self.state = state
        self._who = f"{who}, process {os.getpid()}" if who else f"process {os.getpid()}"
        self._file = _opened(state)
        self._is_held = False

    def take(self) -> bool:
        """Take the lock if it is free. Raises StateError if the state folder is gone."""
        if not file_lock.take(self._file):
            return False
        if _is_removed(self._file, self.state):
            self._file.close()
            self._file = _opened(self.state)
            return self.take()
        _write(self._file, self._who)
        self._is_held = True
        return True

    def close(self) -> None:
        """Let go of the lock."""
        if self._is_held:
            _write(self._file, "")
        self._file.close()


@contextmanager
def hold(state: Path, who: str = "", patience: float = PATIENCE_SECONDS) -> Iterator[None]:
    """Hold the vault's write lock. Raises LockedError, naming the holder, after `patience` seconds; StateError."""
    deadline = time.monotonic() + max(patience, _PROBE_SECONDS)
    with closing(Lock(state, who)) as lock:
        while not lock.take():
            if time.monotonic() >= deadline:
                raise LockedError(
                    refusal(state, f" and has not let go for {patience:.0f} s" if patience else "")
                )
            time.sleep(POLL_SECONDS)
        yield


def is_held(state: Path) -> bool:
    """Tell whether a process holds the lock."""
    try:
        with (state / LOCK).open("rb") as file:
            return file_lock.is_taken(file)
    except OSError:
        return False


def holder(state: Path) -> str:
    """Return how the holder names itself: `process 4711`, or `daemon, process 4711`."""
    try:
        return (state / LOCK).read_text(encoding="utf-8", errors="replace") or "unknown process"
    except OSError:
        return "unknown process"


def daemon(state: Path) -> str | None:
    """Return how the daemon that holds the lock names itself; None if none does."""
    who = holder(state)
    return who if who.startswith(DAEMON) and is_held(state) else None


def refuse_daemon(state: Path) -> None:
    """Raise LockedError if the holder is a daemon, which holds the lock until it is stopped."""
    if who := daemon(state):
        raise LockedError(
            f"vaultsync runs for this vault ({who}), and this can't be done while it does. Stop it first: "
            "`vaultsync service uninstall` if it runs as a service, else Ctrl-C where it was started."
        )


def refusal(state: Path, what: str) -> str:
    """Return what to tell who can't have the lock; `what` the holder has done or not, after its name."""
    return (
        f"Another vaultsync ({holder(state)}) is writing this memory{what}. "
        "Wait for it to end, or stop it, and try again."
    )


def _opened(state: Path) -> FileIO:
    try:
        return (state / LOCK).open("ab", buffering=0)
    except OSError as error:
        raise StateError(
            f"The state folder {state} can't be written: {error.strerror}. Name another with --state DIR."
        ) from error


def _is_removed(file: FileIO, state: Path) -> bool:
    """Tell whether an open lock file is no longer that of the state, which was removed meanwhile."""
    try:
        return not os.path.samestat(os.fstat(file.fileno()), (state / LOCK).stat())
    except FileNotFoundError:
        return True


def _write(lock: FileIO, words: str) -> None:
    with suppress(OSError):  # on a full disk the lock is held without a name
        lock.truncate(0)
        lock.write(words.encode())
