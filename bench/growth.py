"""Sealing leaves into a tree with the default summariser, in the store: `python bench/growth.py 25000 100000`.

The leaves are those of a thousand invented notes, over and over under other names, placed in one tree of a folder a
hundred notes. Each size is sealed and flushed in a process of its own, whose CPU and memory count. The yardstick is
markdown-it-py's parse of the same notes: that ratio is the figure to compare between machines.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from vaults import make_vault
from yardsticks import notes_of, parse_fully

from vaultsync.app.growing.duty import find_duty
from vaultsync.app.growing.tend import tend
from vaultsync.bootstrap import find_place, open_memory, prepare_state
from vaultsync.domain.notes import Fingerprint, NotePath, ReadOptions
from vaultsync.domain.reading import read_note
from vaultsync.domain.tree import ANY_AGE
from vaultsync.domain.uids import note_uid
from vaultsync.store import extraction, nodes, places, trees
from vaultsync.store.nodes import NoteWrite

INVENTED = 1000
"""Notes that are really different."""

FOLDER = 100
"""Notes a folder: each has text enough for a shelf of its own."""

BATCH = 400
RATE = 3000
"""Leaves a second, at least, on the machine of the budgets, where the library parses a note in 1.7 ms."""

PARSE_MS = 1.7


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("leaves", type=int, nargs="*", default=[25_000, 100_000])
    parser.add_argument(
        "--state", type=Path, help="seal the memory in this folder (what a measurement starts)"
    )
    arguments = parser.parse_args()
    if arguments.state:
        print(json.dumps(seal(arguments.state)))
        return
    with tempfile.TemporaryDirectory() as folder:
        make_vault(Path(folder, "invented"), INVENTED)
        invented = notes_of(Path(folder, "invented"))
        for leaves in arguments.leaves:
            fill(Path(folder, str(leaves)), invented, leaves)
            report(Path(folder, str(leaves)), parse_fully(invented) / len(invented))


def fill(state: Path, invented: list[Path], leaves: int) -> None:
    """Let a memory hold so many leaves, all admitted and placed, of notes that are in no vault."""
    raw = [note.read_bytes() for note in invented]
    readings = [read_note(text, NotePath("note.md"), ReadOptions()) for text in raw]
    vault = vault_of(state)
    (vault / ".obsidian").mkdir(parents=True)
    with open_memory(prepare_state(find_place(vault, state, {})), write=True) as memory:
        written = total = 0
        while total < leaves:
            batch: list[NoteWrite] = []
            while total < leaves and len(batch) < BATCH:
                reading = readings[written % len(readings)]
                path = NotePath(f"{written // FOLDER:04}/{written:06}.md")
                reading = replace(reading, title=f"{written:06}", links=(), aliases=())
                batch.append(
                    NoteWrite(
                        file=None,
                        path=path,
                        fingerprint=Fingerprint(5000, written, written, written, 1),
                        racy=False,
                        role="note",
                        withheld=None,
                        uid=note_uid("bench", path),
                        profile="bench",
                        reading=reading,
                    )
                )
                written += 1
                total += len(reading.leaves)
            with memory.db.write() as tx:
                nodes.write_notes(tx, batch, 0)
        with memory.db.write() as tx:
            extraction.settle(tx, [(row[0], "admitted") for row in tx.all("SELECT id FROM chunks")])
            tree = trees.get_or_create(tx, memory.vault_id, "", private=False)
            places.append(tx, tree.id, [row[0] for row in tx.all("SELECT id FROM nodes ORDER BY id")], 1)


def vault_of(state: Path) -> Path:
    """Return where the vault of a memory is."""
    return state.with_name(f"vault of {state.name}")


def seal(state: Path) -> dict[str, float]:
    """Seal and flush all, and return what there was and what it cost: seconds, and megabytes of the largest process."""
    with open_memory(prepare_state(find_place(vault_of(state), state, {})), write=True) as memory:
        leaves = memory.db.read().value("SELECT count(*) FROM chunks WHERE kind = 'leaf'")
        before, started = peak_mb(), time.perf_counter()
        cpu = time.process_time()
        done = tend(memory, find_duty(memory), flush_before=ANY_AGE)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - started
        if done.failed or memory.db.read().value("SELECT count(*) FROM chunks WHERE parent_id IS NULL") != 1:
            raise SystemExit(f"no tree came of it: {done.failed}")
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "leaves": leaves,
        "summaries": done.sealed + done.flushed,
        "cpu": cpu,
        "all": cpu + others.ru_utime + others.ru_stime,
        "wall": wall,
        "before": before,
        "peak": peak_mb(),
    }


def peak_mb() -> float:
    """Return the most memory that this process has had, in megabytes; Linux's getrusage counts its parent's too."""
    with suppress(OSError):
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024 / 1e6
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def report(state: Path, parse_s: float) -> None:
    """Measure in a process of its own, and print; `parse_s`: what the library takes for a note.

    The least time that it can take, all processors free, is what this process takes alone, or all do on all of them.
    """
    ended = subprocess.run([sys.executable, __file__, "--state", state], stdout=subprocess.PIPE, check=True)
    found = json.loads(ended.stdout)
    leaves, least = found["leaves"], max(found["cpu"], found["all"] / (os.cpu_count() or 1))
    usual = leaves / least * parse_s * 1000 / PARSE_MS
    print(f"{leaves:,} leaves, {found['summaries']:,} summaries")
    print(f"  cpu     {leaves / found['cpu']:8,.0f} leaves/s, the process that writes")
    print(f"          {leaves / found['all']:8,.0f} leaves/s, all processes together")
    print(
        f"  wall    {leaves / found['wall']:8,.0f} leaves/s; {leaves / least:,.0f} at best, all processors free"
    )
    print(
        f"          {usual:8,.0f} at best where markdown-it-py parses a note in {PARSE_MS} ms (budget: {RATE:,})"
    )
    print(f"          {1000 * parse_s:8.2f} ms it takes here")
    print(f"  memory  {found['before']:8,.0f} MB before, {found['peak']:,.0f} MB at most", flush=True)


if __name__ == "__main__":
    main()
