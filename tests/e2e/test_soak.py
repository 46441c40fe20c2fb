"""A daemon under a stream of edits for a while: nothing grows that has no reason to.

`VAULTSYNC_SOAK_S` says for how many seconds; 40 without it.
"""

from __future__ import annotations

import os
import random
import re
import sys
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import pytest
from daemons import await_equal, daemon
from small_vaults import complaints, run_vaultsync, uids_of

from vaultsync.bootstrap import find_place

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Make = Callable[[Mapping[str, str | bytes]], Path]

SOAK_S = float(os.environ.get("VAULTSYNC_SOAK_S", "40"))
NOTES = 150

MOST_KB, MOST_WAL = 6_000, 12_000_000
"""What memory may grow by from the second third of the time to the last, and how long the log may be."""


class Sample(NamedTuple):
    """What a process holds: open files, memory in kB; and the bytes of the database's log."""

    files: int
    memory: int
    log: int


def sample(pid: int, state: Path) -> Sample:
    memory = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    assert memory is not None
    log = state / "index.db-wal"
    return Sample(
        len([*Path(f"/proc/{pid}/fd").iterdir()]), int(memory[1]), log.stat().st_size if log.exists() else 0
    )


def disturb(root: Path, chosen: random.Random, number: int) -> None:
    """Do one of the things that happen to a vault."""
    notes = sorted(path for path in root.glob("[0-9]*/*.md"))
    note = chosen.choice(notes)
    kind = chosen.randrange(20)
    if kind < 12:
        note.write_text(f"# {note.stem}\n\nEdited for the {number}th time: {chosen.random()}.\n")
    elif kind < 15:
        note.rename(root / f"{chosen.randrange(10)}/{note.stem[:20]} {number}.md")
    elif kind < 16:
        folder = note.parent
        folder.rename(root / f"9{number}")
        (root / f"9{number}").rename(folder)
    elif kind < 17:
        asked = run_vaultsync("--vault", root, chosen.choice(["sync", "flush", "status"]), "-q")
        assert asked.status == 0, asked
    elif len(notes) > NOTES:
        note.unlink()
    else:
        (note.parent / f"new {number}.md").write_text(f"New, the {number}th: {chosen.random()}.\n")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_nothing_grows(vault: Make) -> None:
    """Neither open files, nor memory, nor the log; and in the end the index equals the vault."""
    root = vault({f"{n % 10}/{n}.md": f"# {n}\n\nThe text of {n}.\n" for n in range(NOTES)})
    chosen = random.Random(3)
    with daemon(root) as running:
        state = find_place(root, None, os.environ).state
        samples = []
        ends = time.monotonic() + SOAK_S
        number = 0
        while time.monotonic() < ends:
            for _ in range(5):
                number += 1
                disturb(root, chosen, number)
            samples.append(sample(running.process.pid, state))
            assert running.process.poll() is None, running.said
        await_equal(running)
        uids = uids_of(root)
        assert len(set(uids.values())) == len(uids)
    third = len(samples) // 3
    first, last = samples[third : 2 * third], samples[-third:]
    assert median(one.files for one in last) <= median(one.files for one in first), samples
    assert median(one.memory for one in last) - median(one.memory for one in first) < MOST_KB, samples
    assert max(one.log for one in samples) < MOST_WAL, samples
    assert complaints(root) == {}
