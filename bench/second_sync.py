"""What a vault that is known costs: a sync without change, one after one edit, and a search."""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from processes import NOTHING, VAULTSYNC, Cost, measure
from vaults import make_vault, vocabulary
from yardsticks import notes_of

if TYPE_CHECKING:
    from collections.abc import Callable

SETTLED_S = 2.5
"""Files younger than two seconds when they are read are read again by the next pass."""

UNCHANGED_S = 0.15
SEARCH_S = 0.35
"""Wall seconds, at most: of a sync beyond the interpreter's start, and of a search as a whole process."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=6300)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        vault, state = Path(folder, "vault"), Path(folder, "state")
        make_vault(vault, arguments.notes, arguments.seed)
        time.sleep(SETTLED_S)
        _run(vault, state, "sync", "--json")
        _print(vault, state, arguments.runs, vocabulary(random.Random(arguments.seed)))


def _print(vault: Path, state: Path, runs: int, words: list[str]) -> None:
    edited = notes_of(vault)[runs]
    question = " ".join(words[300:303])

    def edit() -> Cost:
        with edited.open("a", encoding="utf-8") as note:
            note.write(f"\nOne more sentence, written at {time.time_ns()}.\n")
        return _run(vault, state, "sync", "--json")

    start = _median(lambda: measure(*NOTHING), runs)
    print(f"a vault of {len(notes_of(vault)):,} notes; median of {runs} runs, wall and CPU seconds")
    print(f"  python -c pass      {start.wall_s:6.3f}  {start.cpu_s:6.3f}")
    for name, work, budget in (
        ("sync, no change", lambda: _run(vault, state, "sync", "--json"), UNCHANGED_S + start.wall_s),
        ("sync, one edit", edit, None),
        ("search", lambda: _run(vault, state, "search", question), SEARCH_S),
    ):
        cost = _median(work, runs)
        beyond = (
            f"beyond the interpreter's start {cost.wall_s - start.wall_s:.3f}  {cost.cpu_s - start.cpu_s:.3f}"
        )
        limit = f"   (budget: {budget:.3f} in all)" if budget else ""
        print(f"  {name:18}  {cost.wall_s:6.3f}  {cost.cpu_s:6.3f}   {beyond}{limit}", flush=True)


def _run(vault: Path, state: Path, *verb: str) -> Cost:
    return measure(*VAULTSYNC, "--vault", vault, "--state", state, *verb)


def _median(work: Callable[[], Cost], runs: int) -> Cost:
    """Return the medians of each figure over some runs."""
    return Cost._make(map(median, zip(*(work() for _ in range(runs)), strict=True)))


if __name__ == "__main__":
    main()
