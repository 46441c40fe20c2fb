"""What the tree engine costs to fill, seal and flush a tree, and to remake one edited chain: `python bench/tree.py`.

The text of a summary is a hash of what it is made from. Prints CPU seconds, and as the yardstick the
time to gather the leaves into notes, which looks at each leaf once.
"""

from __future__ import annotations

import argparse
import random
import time
import tracemalloc
from typing import TYPE_CHECKING, TypeVar

from vaultsync.domain.tree import ANY_AGE, Leaf, Occasion, Tree, Upkeep, Write, digest, gather

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from vaultsync.domain.tree import Note

Result = TypeVar("Result")

LEAF_TOKENS = 350
"""What chunks are packed to (design, section 4)."""


def leaves(count: int, shelves: int, most: int, seed: int) -> list[Leaf]:
    """Return so many leaves, in notes of one to `most` leaves each."""
    dice = random.Random(seed)
    made: list[Leaf] = []
    while len(made) < count:
        note = str(len(made))
        shelf = str(dice.randrange(shelves))
        for _ in range(dice.randint(1, most)):
            seq = len(made)
            tokens = dice.randint(50, 2 * LEAF_TOKENS - 50)
            made.append(Leaf(note, shelf, seq, None, digest([str(seq)]), tokens, seq))
    return made[:count]


def keep(tree: Tree, occasion: Occasion) -> int:
    """Do all steps and return how many texts they took."""
    upkeep, texts = Upkeep(tree, occasion), 0
    while step := upkeep.next():
        written = isinstance(step, Write) and step.needs_text
        texts += written
        upkeep.done(step, digest([step.after.inputs]) if isinstance(step, Write) and written else None)
    return texts


def edited(tree: Tree, notes: Iterable[Note]) -> Tree:
    """Return the tree with one note in the middle changed."""
    now = [note for known in notes if (note := tree.find(known.key)) and note.level == 0]
    half = len(now) // 2
    changed = [note._replace(digest="edited") if at == half else note for at, note in enumerate(now)]
    return Tree(tree.shelf, changed, tree.summaries(), tree.next_ordinal)  # type: ignore[arg-type]


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """Return what came of it, and its CPU seconds."""
    started = time.process_time()
    return work(), time.process_time() - started


def measure(count: int, shelves: int, most: int, seed: int) -> None:
    """Build one tree and print a line."""
    every = leaves(count, shelves, most, seed)
    notes, yardstick = timed(lambda: [*gather(every)])
    tree, loading = timed(lambda: Tree("", notes))
    texts, spent = timed(lambda: keep(tree, Occasion(flush_before=ANY_AGE)))
    after = edited(tree, notes)
    again, remade = timed(lambda: keep(after, Occasion()))
    kept = loading + spent
    print(
        f"{shelves:7,} {most:11,} {len(notes):9,} {texts:9,} {kept:8.2f} {kept / yardstick:8.1f}"
        f" {count / (kept + yardstick):12,.0f} {len(tree.roots()):6} {again:7} {remade:8.2f}"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--leaves", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print("shelves leaves/note     notes summaries  CPU s  x gather     leaves/s  roots  remade   CPU s")
    for shelves, most in ((1, 1), (1, 12), (300, 12), (20_000, 5)):
        measure(arguments.leaves, shelves, most, arguments.seed)
    tracemalloc.start()
    tree = Tree("", gather(leaves(arguments.leaves, 300, 12, arguments.seed)))
    keep(tree, Occasion(flush_before=ANY_AGE))
    print(f"memory of the tree of 300 shelves: {tracemalloc.get_traced_memory()[1] / 1e6:.0f} MB at most")


if __name__ == "__main__":
    main()
