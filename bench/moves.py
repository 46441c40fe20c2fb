"""What moving many notes costs: a folder renamed, and every note of it moved and edited: `python bench/moves.py`."""

from __future__ import annotations

import argparse
import hashlib
import shutil
import sqlite3
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vaults import make_vault
from yardsticks import notes_of, read_and_hash

from vaultsync.app.notes import renames
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.bootstrap import find_place, open_memory, prepare_state

if TYPE_CHECKING:
    from vaultsync.app.notes.report import Report

SETTLED_S = 2.5
"""Files younger than two seconds when they are read are read again by the next pass."""

MOVED_S = 3.0
MOVED_AND_EDITED_S = 20.0
"""Wall seconds, at most, for 10,000 notes."""

EDIT = "\nOne more sentence that was not there before the notes moved, with a [[Link]] in it.\n"


class Pass(NamedTuple):
    """What a pass came to, in seconds; `matching_s`: of them, to find out which note is which file."""

    report: Report
    wall_s: float
    cpu_s: float
    matching_s: float


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notes", type=int, nargs="?", default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        _measure(Path(folder), arguments.notes, arguments.seed)


def _measure(folder: Path, notes: int, seed: int) -> None:
    vault, state = folder / "vault", folder / "state"
    (vault / ".obsidian").mkdir(parents=True)
    make_vault(folder / "made", notes, seed)
    shutil.rmtree(folder / "made/.obsidian")  # a vault in a vault would be left out
    (folder / "made").rename(vault / "Notes")
    time.sleep(SETTLED_S)
    first = sync(vault, state)
    reading_s = read_and_hash(notes_of(vault))
    print(
        f"{notes:,} notes; seconds of wall, of CPU without other processes, of matching in it; ratio to a yardstick"
    )
    print(f"  reading and hashing  {reading_s:7.3f}")
    _print("first sync", first, reading_s)
    _print("sync, no change", sync(vault, state), reading_s)
    before = chunks(state)
    (vault / "Notes").rename(vault / "Moved")
    moved = sync(vault, state)
    _expect(moved.report, notes)
    if moved.report.parsed or chunks(state) != before:
        raise SystemExit(f"{moved.report.parsed} notes were parsed, or chunks written, for a folder's name")
    _print("folder renamed", moved, reading_s, MOVED_S)
    _print("sync, no change", sync(vault, state), reading_s)
    (vault / "Moved").rename(vault / "Again")
    for note in notes_of(vault):
        with note.open("a", encoding="utf-8") as file:
            file.write(EDIT)
    edited = sync(vault, state)
    _expect(edited.report, notes)
    _print("moved and edited", edited, reading_s, MOVED_AND_EDITED_S)
    print(f"  moved and edited is {edited.wall_s / first.wall_s:.2f} of the first sync")


def sync(vault: Path, state: Path) -> Pass:
    """Run one pass in this process, with a clock at the door to matching."""
    spent = 0.0
    find_moves = renames.find_moves

    def timed(*arguments: object, **how: object) -> object:
        nonlocal spent
        started = time.perf_counter()
        try:
            return find_moves(*arguments, **how)  # type: ignore[arg-type]
        finally:
            spent += time.perf_counter() - started

    renames.find_moves = timed  # type: ignore[assignment]
    try:
        with open_memory(prepare_state(find_place(vault, state, {})), write=True) as memory:
            wall, cpu = time.perf_counter(), time.process_time()
            report = reconcile(memory)
            return Pass(report, time.perf_counter() - wall, time.process_time() - cpu, spent)
    finally:
        renames.find_moves = find_moves


def chunks(state: Path) -> str:
    """Return a hash of all rows that chunks have."""
    rows = hashlib.blake2b()
    database = sqlite3.connect(state / "index.db")
    for table in ("chunks", "raw_refs"):
        for row in database.execute(f"SELECT * FROM {table} ORDER BY 1, 2"):  # noqa: S608 - the two names above
            rows.update(repr(row).encode())
    database.close()
    return rows.hexdigest()


def _expect(report: Report, notes: int) -> None:
    if len(report.renamed) != notes:
        raise SystemExit(
            f"{len(report.renamed)} of {notes} notes were found again: the figures would mean nothing"
        )


def _print(name: str, run: Pass, yardstick_s: float, budget_s: float | None = None) -> None:
    limit = f"   (budget: {budget_s:.0f} s)" if budget_s else ""
    print(
        f"  {name:19}  {run.wall_s:7.3f} {run.cpu_s:7.3f} {run.matching_s:7.3f}"
        f"   {run.wall_s / yardstick_s:7.1f} of reading and hashing{limit}",
        flush=True,
    )


if __name__ == "__main__":
    main()
