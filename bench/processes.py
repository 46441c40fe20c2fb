"""Run a command as a whole process and say what it cost, its children included."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

LOOK_S = 0.5
"""Between two looks at the memory of a process tree: a look costs some milliseconds that the tree then lacks."""

VAULTSYNC = (sys.executable, "-m", "vaultsync")
NOTHING = (sys.executable, "-c", "pass")

COMPILED = {
    **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
    "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir(), "vaultsync-bench-compiled")),
}
"""The environment of commands: their modules are compiled once and for all, as those of an installed program are."""


class Cost(NamedTuple):
    """Seconds of wall clock and of all processors; megabytes (10**6 bytes) at their peak.

    `largest_mb`: resident memory of the largest process. `together_mb`: of the whole tree at one moment,
    shared pages counted once; 0 where there is no /proc.
    """

    wall_s: float
    cpu_s: float
    largest_mb: float
    together_mb: float


def measure(*command: str | Path) -> Cost:
    """Run a command to its end. Raises CalledProcessError with what it printed if it fails."""
    started = time.perf_counter()
    with subprocess.Popen(
        [*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=COMPILED
    ) as process:
        memory = _Memory(process.pid)
        assert process.stdout is not None  # noqa: S101 - asked for above
        printed = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
    together = memory.stop()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args, printed)
    unit = 1 if sys.platform == "darwin" else 1024
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit / 1e6, together / 1e6)


class _Memory:
    """Looks at a process tree's memory until it is stopped."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._peak = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def stop(self) -> int:
        """Return the peak in bytes."""
        self._over.set()
        self._thread.join()
        return self._peak

    def _watch(self) -> None:
        while not self._over.wait(LOOK_S):
            self._peak = max(self._peak, sum(map(_share, _tree(self._pid))))


def _tree(pid: int) -> list[int]:
    found = [pid]
    for process in found:
        with suppress(OSError):
            for task in Path(f"/proc/{process}/task").iterdir():
                found += map(int, (task / "children").read_text(encoding="ascii").split())
    return found


def _share(pid: int) -> int:
    """Return the bytes of a process' memory, each shared page divided by those who share it."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0
