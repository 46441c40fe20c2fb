"""Run vaultsync in a process that kills itself, without a word, at the n-th thing it does to the store or the vault.

`python dying.py N REPORT ARGUMENT...`: with N = 0 it lives, and REPORT (a file) gets a line for each such point: a
transaction about to be committed, one that is committed, a file that is about to be linked, renamed, removed, or a
folder about to be made. Points outside the stages that seal and write notes are not counted.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

from vaultsync.store import connection
from vaultsync.surfaces.cli.program import run

STAGES = ("vaultsync.app.growing.tend", "vaultsync.app.writing.write_back")
"""The modules whose work is counted, with all that they call."""

FILE_EVENTS = ("os.link", "os.rename", "os.remove", "os.mkdir")


class Reaper:
    """Counts the points and ends the process at the one that was asked for."""

    def __init__(self, fatal: int) -> None:
        self.points: list[str] = []
        self._fatal = fatal

    def pass_by(self, what: str) -> None:
        stage = _stage()
        if stage is None:
            return
        self.points.append(f"{stage.rpartition('.')[2]}: {what}")
        if len(self.points) == self._fatal:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch_files(self, event: str, _arguments: object) -> None:
        if event in FILE_EVENTS:
            self.pass_by(event)

    def watch_commits(self, database: Any) -> None:  # noqa: ANN401 - apsw's connection
        def before() -> bool:
            self.pass_by("commit")
            return False

        def after(_connection: object, _name: str, _pages: int) -> int:
            self.pass_by("committed")
            return 0

        database.set_commit_hook(before)
        database.set_wal_hook(after)


def _stage() -> str | None:
    """Return the counted stage that is at work."""
    frame = sys._getframe()
    while frame := frame.f_back:  # type: ignore[assignment]
        name = frame.f_globals.get("__name__")
        if name in STAGES:
            return str(name)
    return None


def main(fatal: str, report: str, *arguments: str) -> int:
    reaper = Reaper(int(fatal))
    connect = connection._connect

    def watched(path: Path, flags: int, patience_s: float) -> Any:  # noqa: ANN401
        database = connect(path, flags, patience_s)
        reaper.watch_commits(database)
        return database

    connection._connect = watched
    sys.addaudithook(reaper.watch_files)
    status = run(arguments)
    Path(report).write_text("".join(f"{point}\n" for point in reaper.points), encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
