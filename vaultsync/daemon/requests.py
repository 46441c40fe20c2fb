"""What commands ask of the process that holds the lock: a file a request, in which both write.

The asker writes a line, its command line, and keeps the file locked for as long as it lives. The holder adds an
empty line when it has seen that, and later a line with its reply. So nobody leaves anything for good: a file that is
not locked is a dead asker's, a line without an end is a dead holder's.
"""

from __future__ import annotations

import json
import os
import stat
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vaultsync.store import file_lock

if TYPE_CHECKING:
    from collections.abc import Sequence
    from io import FileIO

FOLDER = "requests"
"""In the state folder."""

_LOOK_SECONDS = 1.0
"""How often a holder at work looks for requests: far more often than their askers lose patience."""

_STILLBORN_SECONDS = 60.0
"""An asker locks its file and writes into it within microseconds; one that has not by then died in between."""

_NOT_OURS = (IndexError, KeyError, TypeError, ValueError, AttributeError, RecursionError)
"""How a line that is half written, or another version's, shows when it is read."""


@dataclass(frozen=True, slots=True)
class Request:
    """A command that is to be run: its `argv`, without the program's name, and the folder in which it was given.

    `id`: the name of its file; the older request has the lesser one.
    """

    id: str
    argv: tuple[str, ...]
    here: Path


@dataclass(frozen=True, slots=True)
class Reply:
    """How a command ended: its exit status, and the bytes that belong on stdout and stderr."""

    status: int
    out: bytes
    err: bytes


class Desk:
    """Where the holder of the lock finds what others ask of it. What askers left that are gone is thrown away."""

    def __init__(self, state: Path) -> None:
        self._folder = state / FOLDER
        self._seen: set[str] = set()
        self._stamp = 0
        self._next_look = float("-inf")

    def acknowledge(self) -> None:
        """Let all that wait know that their turn will come. Costs next to nothing unless a second has passed."""
        now = time.monotonic()
        if now >= self._next_look:
            self._next_look = now + _LOOK_SECONDS
            waiting = self._waiting()
            self._seen &= {request.id for request in waiting}
            for request in waiting:
                self._see(request)

    def has_news(self) -> bool:
        """Tell at the cost of a stat whether requests came or went since the last call."""
        try:
            stamp = os.stat(self._folder).st_mtime_ns  # noqa: PTH116 - twice a second, all day
        except OSError:
            stamp = 0
        before, self._stamp = self._stamp, stamp
        return stamp != before

    def next(self) -> Request | None:
        """Return the oldest request whose asker still waits, acknowledged."""
        request = next(iter(self._waiting()), None)
        if request:
            self._see(request)
        return request

    def answer(self, request: Request, reply: Reply) -> None:
        """Give the asker its reply, if it still waits; a request whose reply can't be written is thrown away."""
        try:
            self._append(request, b"\n" + _reply_line(reply))
        except OSError:
            with suppress(OSError):
                (self._folder / request.id).unlink()

    def _waiting(self) -> list[Request]:
        try:
            names = sorted(name for name in os.listdir(self._folder) if name.endswith(".json"))  # noqa: PTH208 - at each turn
        except OSError:
            return []
        return [found for name in names if (found := _find(self._folder / name))]

    def _see(self, request: Request) -> None:
        if request.id not in self._seen:
            self._seen.add(request.id)
            with suppress(OSError):  # on a full disk its asker is refused, when it has waited long enough
                self._append(request, b"\n")

    def _append(self, request: Request, line: bytes) -> None:
        with (self._folder / request.id).open("r+b", buffering=0) as file:
            file.seek(0, os.SEEK_END)
            write(file, line)


def write(file: FileIO, line: bytes) -> None:
    """Write all of a line: on a disk that gets full, the system takes a part without a word."""
    while line:
        line = line[file.write(line) :]


def request_line(argv: Sequence[str], here: Path) -> bytes:
    """Return the line with which a file begins."""
    asked = {"argv": [_text(os.fsencode(word)) for word in argv], "here": _text(os.fsencode(here))}
    return json.dumps(asked).encode() + b"\n"


def reply_in(raw: bytes) -> Reply | None:
    """Return the reply with which a file ends; what a holder wrote as it died is none."""
    try:
        said = json.loads(raw.split(b"\n")[1:-1][-1])
        return Reply(said["status"], _bytes(said["out"]), _bytes(said["err"]))
    except _NOT_OURS:
        return None


def _find(path: Path) -> Request | None:
    """Return what is asked in a file, None if it is answered or not all there; a dead asker's file is removed."""
    with suppress(OSError), open(path, "r+b", buffering=0, opener=_open) as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            return None
        if file_lock.is_taken(file):
            raw = file.readall()
            return None if reply_in(raw) else _request_in(path.name, raw)
        if found.st_size or time.time() - found.st_mtime > _STILLBORN_SECONDS:
            path.unlink()
    return None


def _open(path: str, flags: int) -> int:
    """Open a file, and neither wait for the other end of a pipe nor follow a link."""
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def _request_in(name: str, raw: bytes) -> Request | None:
    try:
        asked = json.loads(raw.split(b"\n")[:-1][0])
        argv = tuple(os.fsdecode(_bytes(word)) for word in asked["argv"])
        here = os.fsdecode(_bytes(asked["here"]))
        return None if "\0" in "".join((here, *argv)) else Request(name, argv, Path(here))
    except _NOT_OURS:
        return None


def _reply_line(reply: Reply) -> bytes:
    said = {"status": reply.status, "out": _text(reply.out), "err": _text(reply.err)}
    return json.dumps(said).encode() + b"\n"


def _text(raw: bytes) -> str:
    """Return bytes, whatever they are, as text that JSON can carry."""
    return raw.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
