"""The log, a line an event: for a person, for journald, or as JSON. Above debug it holds no text of notes."""

from __future__ import annotations

import json
import os
import re
import select
import sys
import threading
import time
import traceback
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Literal, NamedTuple

from vaultsync.domain.errors import VaultsyncError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Form = Literal["human", "plain", "journal", "json"]
"""For a terminal; with the whole time, for a file; for journald, which knows the time; a JSON object a line."""

Level = Literal["debug", "info", "warning"]

_PRIORITIES: Mapping[Level, int] = {"debug": 7, "info": 6, "warning": 4}
"""As syslog counts them, and `<6>` before a line tells journald (sd-daemon(3))."""

PATIENCE_S = 1.0
"""How long a line waits to be read before it, and what follows until somebody reads again, is thrown away."""

_BARE = re.compile(r'[^\s"=\\]+')
"""What may stand without quotes, if all of it can be printed."""


class _Log(NamedTuple):
    """Where the lines go. `handle`: the number of an open file; `clock`: seconds since 1970."""

    handle: int
    form: Form
    with_debug: bool
    clock: Callable[[], float]

    def write(self, level: Level, name: str, fields: Mapping[str, object]) -> None:
        """Write a line at once. A closed pipe or a full disk is no reason to stop working."""
        line = _line(self.form, level, self.clock(), name, fields).encode() + b"\n"
        # Not through the stream: what it could not write it would keep, and fail with at the end of the process.
        with _writing, suppress(OSError):
            if _outlet.takes(self.handle):
                os.write(self.handle, line)


class _Outlet:
    """Whether who reads the log does so: a terminal that is held with Ctrl-S, or a full pipe, must not hold us."""

    def __init__(self) -> None:
        self._is_stuck = False

    def takes(self, handle: int) -> bool:
        """Tell whether a line can be written, once after a moment's wait; what can't be is lost."""
        wait_s = 0.0 if self._is_stuck else PATIENCE_S
        self._is_stuck = not select.select([], [handle], [], wait_s)[1]
        return not self._is_stuck


_outlet = _Outlet()
_writing = threading.Lock()
_log: _Log | None = None


def to_stderr(form: Form, *, debug: bool = False, clock: Callable[[], float] = time.time) -> None:
    """Let all events from now on go to what is stderr now, whatever stands in its place later.

    A process without a stderr has no log: its number may be another file's.
    """
    global _log  # noqa: PLW0603 - a process has one log
    _log = _Log(sys.stderr.fileno(), form, debug, clock) if sys.stderr else None


def to_nowhere() -> None:
    """Write no events, as before `to_stderr`."""
    global _log  # noqa: PLW0603 - as above
    _log = None


def find_form(environ: Mapping[str, str], *, as_json: bool = False) -> Form:
    """Return what fits stderr: JSON if it is asked for, else by whether it is a terminal, or journald's."""
    if as_json:
        return "json"
    if sys.stderr and sys.stderr.isatty():
        return "human"
    return "journal" if _is_journal(environ) else "plain"


def event(name: str, /, **fields: object) -> None:
    """Log what happened. Fields have other names than `time`, `level` and `event`, which stand for these in JSON."""
    if _log:
        _log.write("info", name, fields)


def warning(name: str, /, **fields: object) -> None:
    """Log what went wrong."""
    if _log:
        _log.write("warning", name, fields)


def debug(name: str, /, **fields: object) -> None:
    """Log what only helps to find a fault; it may hold text of notes."""
    if _log and _log.with_debug:
        _log.write("debug", name, fields)


def words(error: Exception) -> str:
    """Return what may be said of an error anywhere: one that is not ours may quote a note, so of that only its kind."""
    if isinstance(error, VaultsyncError):
        return str(error)
    kind = type(error).__name__
    if isinstance(error, OSError) and error.strerror:
        return f"{kind}: {error.strerror}"
    return f"{kind} (`vaultsync run -v` logs all of it)"


def trace(error: BaseException) -> None:
    """Log where an error comes from, in one line."""
    if _log and _log.with_debug:
        debug("trace", error="".join(traceback.format_exception(error)))


def _is_journal(environ: Mapping[str, str]) -> bool:
    """Tell whether stderr goes to journald, and not elsewhere by now: JOURNAL_STREAM says which file that is."""
    with suppress(OSError):
        found = os.fstat(sys.stderr.fileno()) if sys.stderr else None
        return found is not None and environ.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"
    return False


def _line(form: Form, level: Level, at: float, name: str, fields: Mapping[str, object]) -> str:
    if form == "json":
        head = {"time": _moment(at), "level": level, "event": name}
        return json.dumps({**head, **{key: _json_value(value) for key, value in fields.items()}})
    words = " ".join([name, *(f"{key}={_quoted(value)}" for key, value in fields.items())])
    if form == "journal":
        return f"<{_PRIORITIES[level]}>{words}"
    when = f"{datetime.fromtimestamp(at).astimezone():%H:%M:%S}" if form == "human" else _moment(at)
    return f"{when} {words}" if level == "info" else f"{when} {level}: {words}"


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().isoformat(timespec="milliseconds")


def _json_value(value: object) -> object:
    return value if value is None or isinstance(value, bool | int | float) else str(value)


def _quoted(value: object) -> str:
    """Return a value as it stands behind `=`; whatever it is, it is one word of one line."""
    said = str(value).lower() if value is None or isinstance(value, bool) else str(value)
    if said.isprintable() and _BARE.fullmatch(said):
        return said
    return f'"{"".join(map(_escaped, said))}"'


def _escaped(character: str) -> str:
    """Escape as JSON does what ends a value, and all that a terminal or a reader of lines would obey."""
    if character.isprintable() and character not in '"\\':
        return character
    return json.dumps(character)[1:-1] if character != "\x7f" else "\\u007f"
