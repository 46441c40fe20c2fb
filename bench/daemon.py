"""What the daemon costs: from saved to searchable, and at rest.

`python bench/daemon.py [NOTES...]`: for each size of vault 200 edits, then a minute in which nothing happens. Beside
it the yardsticks: how long this machine takes to run a command that does nothing, and to write and sync a file.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from processes import NOTHING, measure
from vaults import make_vault
from yardsticks import notes_of

from vaultsync.bootstrap import find_place, open_memory
from vaultsync.store import job_runs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultsync.app.memory import Memory

EDITS = 200
REST_S = 60
P95_S, REST_SHARE, REST_MB = 0.5, 0.002, 120
"""Budgets: of an edit in seconds, of a core at rest, of memory."""

TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notes", type=int, nargs="*", default=[1_000, 20_000])
    arguments = parser.parse_args()
    print(f"python -c pass takes {min(measure(*NOTHING).wall_s for _ in range(5)):.3f} s")
    for size in arguments.notes:
        with tempfile.TemporaryDirectory() as folder:
            vault, state = Path(folder).resolve() / "vault", Path(folder).resolve() / "state"
            make_vault(vault, size, 1)
            notes = notes_of(vault)
            print(f"{len(notes):,} notes")
            with running(vault, state) as pid, open_memory(find_place(vault, state, {})) as memory:
                print_edits(notes, memory)
                print_rest(pid)


@contextmanager
def running(vault: Path, state: Path) -> Iterator[int]:
    """Let a daemon run that has done all there was to do."""
    command = [sys.executable, "-m", "vaultsync", "--state", str(state), "run", str(vault)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        began = time.monotonic()
        while not (state / "index.db").exists() or "maintain" not in jobs_done(vault, state):
            time.sleep(0.5)
        print(f"  all done {time.monotonic() - began:.0f} s after the start")
        yield process.pid
        process.send_signal(signal.SIGTERM)


def jobs_done(vault: Path, state: Path) -> set[str]:
    """Return the jobs that have run; the last one of the table is done when all others have been."""
    with open_memory(find_place(vault, state, {})) as memory:
        return set(job_runs.last(memory.db.read()))


def print_edits(notes: Sequence[Path], memory: Memory) -> None:
    """Put a word that nothing else says into a note, again and again, and wait until it is found."""
    dice = random.Random(7)
    waits, writes = [], []
    for number in range(EDITS):
        time.sleep(dice.uniform(0.1, 0.5))
        word, note = f"zq{number}xw", dice.choice(notes)
        began = time.perf_counter()
        with note.open("a", encoding="utf-8") as file:
            file.write(f"\nThe word is {word}.\n")
            file.flush()
            os.fsync(file.fileno())
        saved = time.perf_counter()
        writes.append(saved - began)
        while not is_found(memory, word):
            time.sleep(0.005)
        waits.append(time.perf_counter() - saved)
    for name, found in (("saved to searchable", waits), ("a write and fsync", writes)):
        found.sort()
        half, most = found[len(found) // 2], found[int(len(found) * 0.95)]
        print(f"  {name:<20} p50 {half:.3f} s  p95 {most:.3f} s  at most {found[-1]:.3f} s")
    print(f"  budget: p95 {P95_S} s")


def is_found(memory: Memory, word: str) -> bool:
    """Tell whether the text index knows a word."""
    found = memory.db.read().value("SELECT count(*) FROM chunks_fts WHERE chunks_fts MATCH ?", [word])
    return bool(found)


def print_rest(pid: int) -> None:
    """Let nothing happen for a minute."""
    before = ticks(pid)
    time.sleep(REST_S)
    share = (ticks(pid) - before) / TICKS / REST_S
    print(
        f"  at rest for {REST_S} s: {share:.2%} of a core (budget {REST_SHARE:.1%}), {memory_mb(pid)} MB ({REST_MB})"
    )


def ticks(pid: int) -> int:
    """Return the time that a process has had of the processors, in clock ticks."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def memory_mb(pid: int) -> int:
    """Return the memory of a process that is in use."""
    said = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    found = re.search(r"VmRSS:\s+(\d+) kB", said)
    return int(found[1]) // 1000 if found else 0


if __name__ == "__main__":
    main()
