"""Locks of the operating system on open files: they die with their process. The one door to them."""

from __future__ import annotations

import fcntl
from typing import IO, Any


def take(file: IO[Any]) -> bool:
    """Lock a file for this process alone, if nobody has locked it. It is free again when it is closed."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def take_new(file: IO[Any]) -> None:
    """Lock a file that is nobody else's; who asks `is_taken` just now is waited for."""
    fcntl.flock(file, fcntl.LOCK_EX)


def is_taken(file: IO[Any]) -> bool:
    """Tell whether another has locked a file; who takes it in these microseconds is refused."""
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    fcntl.flock(file, fcntl.LOCK_UN)
    return False
