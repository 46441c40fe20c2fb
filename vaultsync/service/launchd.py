"""The daemon as an agent of macOS' launchd: its property list, and `launchctl`."""

from __future__ import annotations

import hashlib
import os
import plistlib
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from vaultsync.domain.errors import ServiceError
from vaultsync.service import programs, steps
from vaultsync.service.steps import Health, Plan, Step

if TYPE_CHECKING:
    from vaultsync.service.task import Task

_GONE_S: Final = 20.0
"""How long an agent may take to be gone after `bootout`, which does not wait: ExitTimeOut, and as much again."""

_POLL_S: Final = 0.1


class Launchd:
    """The agent of one vault."""

    system = "launchd"

    def __init__(self, task: Task) -> None:
        self._task = task
        self.name = label(task.root)
        self.file = Path.home() / "Library/LaunchAgents" / f"{self.name}.plist"
        self._logs = Path.home() / "Library/Logs/vaultsync"
        self._domain = f"gui/{os.getuid()}"
        self._target = f"{self._domain}/{self.name}"

    @property
    def is_installed(self) -> bool:
        """Whether the property list is there; asks nobody."""
        return self.file.is_file()

    def text(self) -> str:
        """Return the property list as it would be written."""
        return property_list(self._task, self._logs / f"{self.name}.log").decode()

    def install(self) -> Plan:
        """Plan what is not as it should be: the folders, the property list, and that it is loaded."""
        content = self.text().encode()
        planned = steps.folders([*self._task.kept, self._logs])
        is_new = steps.content(self.file) != content
        if is_new:
            planned.append(steps.writing(self.file, content))
        load = ("launchctl", "bootstrap", self._domain, str(self.file))
        if trouble := self._unreached():
            return Plan(tuple(planned), trouble, (steps.line(*load),))
        is_loaded, is_disabled = self._is_loaded(), self._is_disabled()
        if is_disabled:
            planned.append(steps.running("launchctl", "enable", self._target))
        if is_loaded and is_new:
            planned.append(self._unloading())
        if is_new or not is_loaded:
            planned.append(steps.running(*load))
        return Plan(tuple(planned))

    def uninstall(self) -> Plan:
        """Plan to stop the agent and to take it out; nothing where there is none."""
        planned = [self._unloading()] if self._is_loaded() else []
        if self.is_installed:
            planned.append(steps.removing(self.file))
        return Plan(tuple(planned))

    def health(self) -> Health:
        """Return how the agent is."""
        told = programs.run("launchctl", "print", self._target)
        state = re.search(r"^\s*state = (.+)$", told.out, re.MULTILINE)
        pid = re.search(r"^\s*pid = (\d+)$", told.out, re.MULTILINE)
        ended = re.search(r"^\s*last exit code = ([1-9].*)$", told.out, re.MULTILINE)
        return Health(
            installed=self.is_installed,
            current=steps.content(self.file) == self.text().encode(),
            enabled=self.is_installed and not self._is_disabled(),
            active=state[1] if told.ok and state else "not loaded",
            since=None,
            pid=int(pid[1]) if told.ok and pid else None,
            says=f"last exit status: {ended[1]}" if told.ok and ended else None,
            trouble=self._unreached(),
            log=steps.line("tail", "-n", "20", str(self._logs / f"{self.name}.log")),
        )

    def advice(self) -> str | None:
        """Return what a person may want to know: that macOS may keep the agent out of the vault."""
        return (
            "If the vault lies in Documents, on the Desktop, in iCloud Drive or on another disk, macOS asks for a "
            "grant that only you can give: System Settings > Privacy & Security > Full Disk Access, add "
            f"{os.path.realpath(self._task.words[0])}. `vaultsync doctor` tells whether it is needed."
        )

    def _unloading(self) -> Step:
        words = ("launchctl", "bootout", self._target)
        return Step(f"run {steps.line(*words)}", lambda: self._unload(words))

    def _unload(self, words: tuple[str, ...]) -> None:
        outcome = programs.run(*words)
        deadline = time.monotonic() + _GONE_S
        while self._is_loaded():
            if time.monotonic() > deadline:
                raise ServiceError(f"`{steps.line(*words)}` did not end the agent: {outcome.words}")
            time.sleep(_POLL_S)

    def _is_loaded(self) -> bool:
        return programs.run("launchctl", "print", self._target).ok

    def _is_disabled(self) -> bool:
        told = programs.run("launchctl", "print-disabled", self._domain).out
        return re.search(rf'"{re.escape(self.name)}" => (true|disabled)', told) is not None

    def _unreached(self) -> str | None:
        told = programs.run("launchctl", "print", self._domain)
        return None if told.ok else f"This user's launchd can't be reached: {told.words}"


def is_there() -> bool:
    """Tell whether this machine has launchd's program."""
    return programs.are_there(["launchctl"])


def label(root: Path) -> str:
    """Return the name of a vault's agent; its place names the vault, since two clones have one id."""
    return f"vaultsync.{hashlib.sha256(os.fsencode(root)).hexdigest()[:12]}"


def property_list(task: Task, log: Path) -> bytes:
    """Return the agent's property list (launchd.plist(5)); what the daemon says goes to the file `log`."""
    return plistlib.dumps(
        {
            "Label": label(task.root),
            "ProgramArguments": list(task.words),
            "EnvironmentVariables": dict(task.environment),
            "WorkingDirectory": "/",
            "RunAtLoad": True,
            "KeepAlive": {"SuccessfulExit": False},
            "ThrottleInterval": 30,
            "ExitTimeOut": 10,
            "ProcessType": "Background",
            "LowPriorityIO": True,
            "Nice": 10,
            "StandardOutPath": str(log),
            "StandardErrorPath": str(log),
        },
        sort_keys=False,
    )
