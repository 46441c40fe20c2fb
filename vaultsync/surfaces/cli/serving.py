"""How the daemon runs what a command asks of it: the same command line, in its own process, with its own memory."""

from __future__ import annotations

import io
import os
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultsync import bootstrap, logs
from vaultsync.daemon.requests import Reply
from vaultsync.surfaces.cli import program
from vaultsync.surfaces.cli.invocation import Invocation, current_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vaultsync.app.memory import Memory
    from vaultsync.app.progress import Progress
    from vaultsync.bootstrap import Place
    from vaultsync.daemon.requests import Request


def answer(memory: Memory, hook: Progress, request: Request) -> Reply:
    """Run a command for its asker. `memory`: open, its lock held; `hook`: called between batches.

    Relative paths in the command mean what they do where the asker stands. Raises Stopped, if `hook` does.
    """
    # Of the command line the verb alone is logged: the rest may be a person's words.
    verb = next((word for word in request.argv if word in program.VERBS), "none")
    logs.event("request.begun", verb=verb)
    out, err = _Page(), _Page()
    with redirect_stdout(out), redirect_stderr(err), _standing_in(request.here):
        status = program.run(request.argv, _Served(memory=memory, hook=hook))
    logs.event("request.done", verb=verb, status=status)
    return Reply(status, out.written, err.written)


@dataclass(slots=True, kw_only=True)
class _Served(Invocation):
    """The invocation of a command that works with a memory which is open already."""

    memory: Memory

    def find_place(self, vault: Path | None = None) -> Place:
        """Return the place of the memory: which vault is meant, the asker has found out."""
        del vault
        return bootstrap.find_place(self.memory.root, self.memory.state, {})

    @contextmanager
    def writing(self, vault: Path | None = None) -> Iterator[Memory]:
        """Return the memory."""
        del vault
        yield self.memory

    @contextmanager
    def holding(self, state: Path) -> Iterator[None]:
        """Do nothing: the lock is held."""
        del state
        yield


class _Page(io.TextIOWrapper):
    """A stream that keeps what is printed."""

    def __init__(self) -> None:
        self._bytes = io.BytesIO()
        super().__init__(self._bytes, "utf-8", "surrogateescape", newline="\n", write_through=True)

    @property
    def written(self) -> bytes:
        return self._bytes.getvalue()


@contextmanager
def _standing_in(folder: Path) -> Iterator[None]:
    before = current_folder()
    _go(folder)
    try:
        yield
    finally:
        _go(before)


def _go(folder: Path) -> None:
    """Go into a folder, `/` if it is not there any more."""
    try:
        os.chdir(folder)
    except OSError:
        os.chdir("/")
