"""The daemon as a service of systemd's manager for one user: the unit's file, and `systemctl --user`."""

from __future__ import annotations

import os
import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from vaultsync.service import programs, steps
from vaultsync.service.steps import Health, Plan
from vaultsync.service.unit import unit, unit_name

if TYPE_CHECKING:
    from vaultsync.service.programs import Outcome
    from vaultsync.service.task import Task

_UP: Final = frozenset({"active", "activating", "reloading"})

_AGAIN: Final = "auto-restart"
"""What a service does that ended and waits to be started again."""

_ASKED: Final = (
    "ActiveState", "SubState", "UnitFileState", "NeedDaemonReload", "MainPID", "ActiveEnterTimestamp", "StatusText",
    "Result", "ExecMainStatus",
)  # fmt: skip


class Systemd:
    """The service of one vault."""

    system = "systemd"

    def __init__(self, task: Task) -> None:
        self._task = task
        self.name = unit_name(task.root)

    @cached_property
    def file(self) -> Path:
        """Where the unit is or, without one, where this user's systemd would look for it."""
        places = [folder / self.name for folder in self._folders]
        there = [place for place in places if place.is_file()]
        searched = [place for place in places if str(place.parent) in self._searched.out]
        return (there or searched or places)[0]

    @property
    def is_installed(self) -> bool:
        """Whether the unit is there; asks nobody."""
        return any((folder / self.name).is_file() for folder in self._folders)

    def text(self) -> str:
        """Return the unit as it would be written."""
        return unit(self._task, _version())

    def install(self) -> Plan:
        """Plan what is not as it should be: the folders, the unit, and that it is enabled and runs."""
        content = os.fsencode(self.text())
        planned = steps.folders(self._task.kept)
        is_new = steps.content(self.file) != content
        if is_new:
            planned.append(steps.writing(self.file, content))
        if not self._searched.ok:
            commands = (_words("daemon-reload"), _words("enable", "--now", self.name))
            return Plan(tuple(planned), self._unreached, tuple(steps.line(*words) for words in commands))
        return Plan((*planned, *(steps.running(*words) for words in self._to_start(is_new=is_new))))

    def uninstall(self) -> Plan:
        """Plan to stop the service and to take it out; nothing where there is none."""
        is_there = self.is_installed
        if not self._searched.ok:
            link = self.file.parent / "default.target.wants" / self.name
            if not is_there and not link.is_symlink():
                return Plan(())
            stop = steps.line(*_words("stop", self.name))
            planned = [steps.removing(path) for path in (link, self.file) if os.path.lexists(path)]
            return Plan(tuple(planned), self._unreached, (stop,))
        shown = self._show()
        planned = []
        if is_there:
            planned += [steps.running(*_words("disable", "--now", self.name)), steps.removing(self.file)]
        elif shown.get("ActiveState") in _UP:
            planned.append(steps.running(*_words("stop", self.name)))
        if shown.get("ActiveState") == "failed":
            planned.append(steps.running(*_words("reset-failed", self.name)))
        if is_there:
            planned.append(steps.running(*_words("daemon-reload")))
        return Plan(tuple(planned))

    def health(self) -> Health:
        """Return how the service is."""
        shown = self._show()
        active = shown.get("ActiveState", "unknown")
        pid = shown.get("MainPID", "0")
        return Health(
            installed=self.is_installed,
            current=steps.content(self.file) == os.fsencode(self.text()),
            enabled=shown.get("UnitFileState") == "enabled",
            active=_AGAIN if shown.get("SubState") == _AGAIN else active,
            since=(shown.get("ActiveEnterTimestamp") or None) if active in _UP else None,
            pid=int(pid) if pid.isdecimal() and int(pid) else None,
            says=_end(shown) or shown.get("StatusText") or None,
            trouble=None if self._searched.ok else self._unreached,
            log=steps.line("journalctl", "--user", "--unit", self.name, "--lines", "20"),
        )

    def advice(self) -> str | None:
        """Return what a person may want to know: that without lingering it runs during a login only."""
        told = programs.run("loginctl", "show-user", str(os.getuid()), "--property=Linger")
        if not told.ok or told.out != "Linger=no":
            return None
        return (
            "Lingering is off, so it runs from your first login to your last logout. "
            "`loginctl enable-linger` lets it run from the start of the machine."
        )

    @cached_property
    def _folders(self) -> list[Path]:
        home = Path.home() / ".config"
        named = Path(self._task.environment.get("XDG_CONFIG_HOME", home))
        return list(dict.fromkeys(folder / "systemd/user" for folder in (named, home)))

    @cached_property
    def _searched(self) -> Outcome:
        """Where the manager looks for units; it may know another XDG_CONFIG_HOME than we, or not be there."""
        return programs.run(*_words("show", "--property=UnitPath"))

    @property
    def _unreached(self) -> str:
        return f"This user's systemd can't be reached: {self._searched.words}"

    def _to_start(self, *, is_new: bool) -> list[tuple[str, ...]]:
        shown = self._show()
        active = shown.get("ActiveState")
        is_stale = is_new or shown.get("NeedDaemonReload") == "yes"
        commands: list[tuple[str, ...]] = [("daemon-reload",)] if is_stale else []
        if shown.get("UnitFileState") != "enabled":
            commands.append(("enable", self.name))
        if active == "failed":
            commands.append(("reset-failed", self.name))
        # Not waited for: it is ready after a first sync, which can take minutes.
        if active not in _UP:
            commands.append(("start", "--no-block", self.name))
        elif is_stale:
            commands.append(("restart", "--no-block", self.name))
        return [_words(*words) for words in commands]

    def _show(self) -> dict[str, str]:
        told = programs.run(*_words("show", self.name, *(f"--property={name}" for name in _ASKED)))
        return dict(row.split("=", 1) for row in told.out.splitlines() if "=" in row) if told.ok else {}


def _end(shown: dict[str, str]) -> str | None:
    """Return how a service ended that should run; 200 and above are systemd's own, which could not start it."""
    if shown.get("SubState") != _AGAIN and shown.get("ActiveState") != "failed":
        return None
    return f"It ended ({shown.get('Result')}, status {shown.get('ExecMainStatus')})"


def is_there() -> bool:
    """Tell whether this machine has systemd's programs."""
    return programs.are_there(["systemctl"])


def _words(*words: str) -> tuple[str, ...]:
    return ("systemctl", "--user", *words)


def _version() -> int | None:
    found = re.match(r"systemd (\d+)", programs.run("systemctl", "--version").out)
    return int(found[1]) if found else None
