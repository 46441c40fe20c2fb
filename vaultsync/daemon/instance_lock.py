"""One writer a vault: an operating-system lock in the state folder, which dies with its process."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from vaultsync.domain.errors import LockedError, StateError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE_SECONDS = 30.0
"""How long a command waits for the holder (design, section 3)."""


@contextmanager
def hold(state: Path, patience: float = PATIENCE_SECONDS) -> Iterator[None]:
    """Hold the vault's write lock. Raises LockedError, naming the holder, after `patience` seconds."""
    lock = FileLock(state / "lock")
    try:
        lock.acquire(timeout=patience, poll_interval=0.05)
    except Timeout:
        raise LockedError(
            f"Another vaultsync ({holder(state) or 'unknown process'}) has been writing this memory for "
            f"{patience:.0f} s. Wait for it to end, or stop it, and try again."
        ) from None
    except OSError as error:
        raise StateError(
            f"The state folder {state} can't be written: {error.strerror}. Name another with --state DIR."
        ) from error
    try:
        _name_holder(state)
        yield
    finally:
        (state / "holder").unlink(missing_ok=True)
        lock.release()


def holder(state: Path) -> str | None:
    """Return how the holder names itself, such as `process 4711`, or None."""
    try:
        return (state / "holder").read_text(encoding="utf-8") or None
    except OSError:
        return None


def _name_holder(state: Path) -> None:
    (state / "holder").write_text(f"process {os.getpid()}", encoding="utf-8")
