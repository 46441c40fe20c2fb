"""The way to the lock for a command: take it, or let the process that holds it run the command."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import TYPE_CHECKING

from vaultsync.daemon import requests
from vaultsync.daemon.instance_lock import PATIENCE_SECONDS, POLL_SECONDS, Lock, holder, refusal
from vaultsync.domain.errors import LockedError, StateError
from vaultsync.store import file_lock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from io import FileIO
    from pathlib import Path

    from vaultsync.daemon.requests import Reply

_QUIET_SECONDS = 1.0
"""How long a command waits without a word."""


@contextmanager
def hold_or_ask(
    state: Path,
    argv: Sequence[str],
    here: Path,
    waiting: Callable[[str], None] = lambda _holder: None,
    patience: float = PATIENCE_SECONDS,
) -> Iterator[Reply | None]:
    """Hold the vault's write lock (None), or let its holder run the command, and yield its reply.

    `waiting` is told who the holder is if it takes more than a moment. Raises LockedError if the holder neither lets
    go nor acknowledges within `patience` seconds, StateError if it can't be asked.
    """
    with closing(Lock(state)) as lock:
        if lock.take():
            yield None
        else:
            with _filed(state, argv, here) as asked:
                reply = _await(lock, asked, waiting, patience)
            yield reply


def _await(lock: Lock, asked: _Asked, waiting: Callable[[str], None], patience: float) -> Reply | None:
    """Return the holder's reply; None, holding the lock, if it ended without one."""
    started = time.monotonic()
    has_told = False
    while not lock.take():
        waited = time.monotonic() - started
        if reply := asked.reply:
            return reply
        if asked.is_dropped:
            raise StateError(_dropped(lock.state))
        if waited > patience and not asked.is_seen:
            raise LockedError(refusal(lock.state, f" and has not answered for {patience:.0f} s"))
        if waited > _QUIET_SECONDS and not has_told:
            waiting(holder(lock.state))
            has_told = True
        time.sleep(POLL_SECONDS)
    return asked.reply


class _Asked:
    """A request of this process, as it stands. `file`: open and locked."""

    def __init__(self, file: FileIO) -> None:
        self._file = file
        self._bytes = self._now.st_size

    @property
    def is_seen(self) -> bool:
        return self._now.st_size > self._bytes

    @property
    def is_dropped(self) -> bool:
        return self._now.st_nlink == 0

    @property
    def reply(self) -> Reply | None:
        self._file.seek(0)
        return requests.reply_in(self._file.readall()) if self.is_seen else None

    @property
    def _now(self) -> os.stat_result:
        return os.fstat(self._file.fileno())


@contextmanager
def _filed(state: Path, argv: Sequence[str], here: Path) -> Iterator[_Asked]:
    """File a request, and withdraw it at the end."""
    path = state / requests.FOLDER / f"{time.time_ns()}-{os.getpid()}.json"
    with ExitStack() as at_end:
        at_end.callback(_remove, path)
        try:
            path.parent.mkdir(exist_ok=True)
            file = at_end.enter_context(path.open("x+b", buffering=0))
            file_lock.take_new(file)
            requests.write(file, requests.request_line(argv, here))
        except OSError as error:
            why = f", and can't be asked to do this: {path.parent} can't be written ({error.strerror})"
            raise StateError(refusal(state, why)) from error
        yield _Asked(file)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def _dropped(state: Path) -> str:
    return (
        f"vaultsync ({holder(state)}) was asked to do this and could not say how it went. "
        "`vaultsync status` tells what is done."
    )
