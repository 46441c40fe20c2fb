"""Folders for a copy of a database, which go with their process: at its end, or at the next sweep if it was killed."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from vaultsync.store import file_lock

if TYPE_CHECKING:
    from collections.abc import Iterator

_PREFIX = "vaultsync-scratch-"
_LOCK = ".lock"
"""In each such folder, locked for as long as it is used."""


@contextmanager
def folder() -> Iterator[Path]:
    """Make a folder for the block, below the system's folder for temporary files, and sweep there. Raises OSError."""
    sweep()
    with tempfile.TemporaryDirectory(prefix=_PREFIX) as made, Path(made, "lock").open("xb") as lock:
        file_lock.take_new(lock)
        Path(made, "lock").rename(Path(made, _LOCK))
        yield Path(made)


def sweep() -> None:
    """Remove the folders of processes that were killed (F26); one without its lock is only just being made."""
    for left in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError), (left / _LOCK).open("rb") as lock:
            if file_lock.take(lock):
                shutil.rmtree(left)
