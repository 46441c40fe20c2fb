"""One writer a vault: an operating-system lock in the state folder, which dies with its process."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from vaultsync.domain.errors import LockedError, StateError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE_SECONDS = 30.0
"""How long a command waits for the holder (design, section 3)."""

_POLL_SECONDS = 0.05


@contextmanager
def hold(state: Path, patience: float = PATIENCE_SECONDS) -> Iterator[None]:
    """Hold the vault's write lock. Raises LockedError, naming the holder, after `patience` seconds.

    The lock file says who holds it, for as long as the lock is held; it is never removed, since a lock on a
    removed file would keep nobody out.
    """
    with _opened(state) as lock:
        if not _acquire(lock, time.monotonic() + patience):
            raise LockedError(
                f"Another vaultsync ({holder(state) or 'unknown process'}) has been writing this memory for "
                f"{patience:.0f} s. Wait for it to end, or stop it, and try again."
            )
        _write(lock, f"process {os.getpid()}")
        try:
            yield
        finally:
            _write(lock, "")


def holder(state: Path) -> str | None:
    """Return how the holder names itself, such as `process 4711`; None if none did."""
    try:
        return (state / "lock").read_text(encoding="utf-8") or None
    except OSError:
        return None


def _opened(state: Path) -> IO[str]:
    try:
        return (state / "lock").open("a", encoding="utf-8")
    except OSError as error:
        raise StateError(
            f"The state folder {state} can't be written: {error.strerror}. Name another with --state DIR."
        ) from error


def _acquire(lock: IO[str], deadline: float) -> bool:
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(_POLL_SECONDS)
        else:
            return True


def _write(lock: IO[str], words: str) -> None:
    lock.truncate(0)
    lock.write(words)
    lock.flush()
