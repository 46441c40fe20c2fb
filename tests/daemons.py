"""Daemons of the real program, in processes of their own, and what must be true once they have seen a change."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from small_vaults import ask, command, dump_of, fresh_dump

from vaultsync.bootstrap import find_place
from vaultsync.daemon import pulse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

LIMIT_S = 60.0
"""After which what has not come will not come; a busy machine takes its time."""


class Running(NamedTuple):
    """A daemon. `log`: the file of what it says."""

    root: Path
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def said(self) -> str:
        """Return what it has said so far."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def kill(self) -> None:
        """Let it die without a word."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Ask it to end, and return its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(LIMIT_S)


@contextmanager
def daemon(
    root: Path, *options: str, env: Mapping[str, str] | None = None, by: Sequence[str] = ()
) -> Iterator[Running]:
    """Let a daemon run for a vault, ready for all that comes; it is asked to end at the end of the block."""
    with begun(root, *options, env=env, by=by) as running:
        await_that(lambda: is_ready(running), running)
        yield running


@contextmanager
def begun(
    root: Path, *options: str, env: Mapping[str, str] | None = None, by: Sequence[str] = ()
) -> Iterator[Running]:
    """Start a daemon, which has yet to look at the vault. `by`: a program that becomes it, with its words."""
    with TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with log.open("wb") as stderr:
            process = subprocess.Popen(
                [*by, *command(*options, "run", root)],
                stderr=stderr,
                env={**os.environ, **(env or {})},
                start_new_session=True,  # as a service has no terminal
            )
        running = Running(root, process, log)
        try:
            yield running
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
            try:
                process.wait(LIMIT_S)
            except subprocess.TimeoutExpired:
                running.kill()
                raise


def is_ready(running: Running) -> bool:
    """Tell whether the daemon has looked at the whole vault; fails if it has ended."""
    assert running.process.poll() is None, running.said
    state = find_place(running.root, None, os.environ).state
    found = pulse.read(state) if state.is_dir() else None
    return found is not None and found.ready_at is not None and found.pid == running.process.pid


def await_that(find: Callable[[], object], running: Running | None = None) -> None:
    """Wait until something is true; fails with what the daemon said if it does not become so."""
    limit = time.monotonic() + LIMIT_S
    while not find():
        assert time.monotonic() < limit, running.said if running else "waited in vain"
        time.sleep(0.02)


def await_equal(running: Running, *, ready: Callable[[], bool] = lambda: True) -> None:
    """Wait until the index says of the vault what one that is built from nothing says; `ready`: not before that."""
    with TemporaryDirectory() as folder:
        expected = fresh_dump(running.root, Path(folder))
    await_that(lambda: ready() and dump_of(running.root) == expected, running)


def finish(running: Running) -> None:
    """Let a daemon do all there is to do; stopped in the midst of its writing it would leave some for the next one."""
    assert ask("--vault", running.root, "sync").status == 0
