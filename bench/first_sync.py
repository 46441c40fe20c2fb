"""The first sync of vaults of some sizes, beside yardsticks: `python bench/first_sync.py 5000 50000`."""

from __future__ import annotations

import argparse
import sqlite3
import tempfile
from pathlib import Path
from typing import NamedTuple

from processes import VAULTSYNC, Cost, measure
from vaults import make_vault
from yardsticks import insert_text, notes_of, parse_fully, read_and_hash

RATE = 1200
"""Notes a second, at least."""

GROWTH = 1.3
"""Times the CPU of a note in the smallest vault, at most, in any other."""

MEMORY_MB = 400
DATABASE = 2.5
"""Bytes of the database for a byte of text, at most."""


class Sync(NamedTuple):
    """What a first sync came to: `cost` until the text is searchable, `grown` for entities, summaries and their notes.

    The yardsticks are seconds of CPU for the same notes.
    """

    notes: int
    cost: Cost
    grown: Cost
    text_bytes: int
    generated_bytes: int
    database_bytes: int
    reading_s: float
    inserting_s: float
    parsing_s: float

    @property
    def cpu_ms(self) -> float:
        """Return the CPU of a note, all processes together."""
        return 1000 * self.cost.cpu_s / self.notes


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notes", type=int, nargs="+", help="notes a vault")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    syncs = []
    for notes in arguments.notes:
        with tempfile.TemporaryDirectory() as folder:
            syncs.append(first_sync(Path(folder), notes, arguments.seed))
        _print(syncs[-1])
    _print_growth(syncs)


def first_sync(folder: Path, notes: int, seed: int) -> Sync:
    """Make a vault, sync it into a new state, and measure the yardsticks right behind."""
    vault, state = folder / "vault", folder / "state"
    text_bytes = make_vault(vault, notes, seed)
    paths = notes_of(vault)
    read_and_hash(paths)  # so that whoever comes next finds the files in the system's cache
    measure(*VAULTSYNC, "sync", "--help")  # so that the program is compiled
    cost = measure(*VAULTSYNC, "--state", state, "sync", vault, "--json", "--no-models")
    grown = measure(*VAULTSYNC, "--state", state, "sync", vault, "--json")
    database = state / "index.db"
    indexed = (
        sqlite3.connect(database).execute("SELECT count(*) FROM nodes WHERE kind = 'note'").fetchone()[0]
    )
    if indexed != notes:
        raise SystemExit(f"{indexed} of {notes} notes were indexed: these figures would mean nothing")
    return Sync(
        notes=notes,
        cost=cost,
        grown=grown,
        text_bytes=text_bytes,
        generated_bytes=sum(note.stat().st_size for note in (vault / "_summaries").rglob("*.md")),
        database_bytes=database.stat().st_size,
        reading_s=read_and_hash(paths),
        inserting_s=insert_text(paths, folder / "yardstick.db"),
        parsing_s=parse_fully(paths),
    )


def _print(sync: Sync) -> None:
    notes, cost = sync.notes, sync.cost
    size = sync.database_bytes / sync.text_bytes
    print(f"first sync of {notes:,} notes, {sync.text_bytes / notes:,.0f} bytes each")
    print(f"  wall         {notes / cost.wall_s:8,.0f} notes/s   (budget: {RATE:,} or more)")
    print(f"  cpu          {sync.cpu_ms:8.3f} ms a note, all processes")
    for name, seconds in (
        ("reading and hashing", sync.reading_s),
        ("bare FTS5 insert", sync.inserting_s),
        ("markdown-it-py's parse", sync.parsing_s),
    ):
        times = cost.cpu_s / seconds
        print(f"               {1000 * seconds / notes:8.3f} ms {name:23}the sync is {times:.2f} of it")
    more = sync.grown.cpu_s
    times = more / sync.parsing_s
    print(
        f"  summaries    {1000 * more / notes:8.3f} ms a note besides, {times:.2f} of markdown-it-py's parse"
    )
    print(f"  memory       {cost.largest_mb:8,.0f} MB the largest process")
    print(f"               {cost.together_mb:8,.0f} MB all together   (budget: {MEMORY_MB} or less)")
    print(f"  database     {size:8.2f} of the notes   (budget: {DATABASE} or less)")
    both = sync.database_bytes / (sync.text_bytes + sync.generated_bytes)
    print(f"               {both:8.2f} of the notes and the summaries that it made of them", flush=True)


def _print_growth(syncs: list[Sync]) -> None:
    first = min(syncs, key=lambda sync: sync.notes)
    for sync in syncs:
        if sync is not first:
            growth = sync.cpu_ms / first.cpu_ms
            print(
                f"a note at {sync.notes:,} costs {growth:.2f} of one at {first.notes:,}   (budget: {GROWTH})"
            )


if __name__ == "__main__":
    main()
