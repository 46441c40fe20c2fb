"""Hold the lock of a vault, as the daemon does, until stdin ends: `python holding.py MANNER ROOT`.

MANNER: `silent` lets nobody know, `busy` acknowledges and never answers, `serving` answers.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from vaultsync.bootstrap import find_place, open_memory, prepare_state
from vaultsync.daemon.instance_lock import DAEMON, hold
from vaultsync.daemon.requests import FOLDER, Desk
from vaultsync.surfaces.cli.serving import answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from vaultsync.app.memory import Memory

T = TypeVar("T")


@contextmanager
def holder(manner: str, root: Path) -> Iterator[subprocess.Popen[str]]:
    """Let a process hold the lock of a vault."""
    command = [sys.executable, __file__, manner, str(root)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        assert process.stdin is not None
        process.stdin.close()


def requests_in(state: Path) -> list[bytes]:
    """Return what each request says now, with all that was written below it."""
    return [path.read_bytes() for path in (state / FOLDER).glob("*")]


def await_that(find: Callable[[], T]) -> T:
    """Wait until something is there, or true, and return it."""
    limit = time.monotonic() + 30
    while not (found := find()):
        assert time.monotonic() < limit
        time.sleep(0.01)
    return found


def main(manner: str, root: Path) -> None:
    os.chdir("/")
    place = prepare_state(find_place(root, None, os.environ))
    with hold(place.state, DAEMON), open_memory(place, write=True) as memory:
        print("held", flush=True)  # noqa: T201 - what the test waits for
        desk = Desk(place.state)
        while not _has_ended(sys.stdin.fileno()):
            if manner == "busy":
                desk.acknowledge()
            elif manner == "serving":
                _serve(desk, memory)


def _serve(desk: Desk, memory: Memory) -> None:
    if request := desk.next():
        desk.answer(request, answer(memory, lambda _stage, _done, _total: desk.acknowledge(), request))


def _has_ended(stdin: int) -> bool:
    """Tell whether stdin has ended, after a moment in which it may."""
    return bool(select.select([stdin], [], [], 0.01)[0])


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
