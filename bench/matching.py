"""What it costs to find which of many vanished notes is which of as many files: `python bench/matching.py`.

All notes move to another folder; in the last three scenes every note is edited besides. Prints CPU seconds, how
many notes were joined rightly, and the time as a ratio to comparing each note once with the file that it is.
"""

from __future__ import annotations

import argparse
import random
import time
from hashlib import blake2b
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from vaults import vocabulary

from vaultsync.domain.identity import Come, Gone, Traits, certain, match, traits_of
from vaultsync.domain.notes import NotePath

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vaultsync.domain.identity import Pair

Result = TypeVar("Result")

LINES, WORDS = 42, 12
"""Of a note: 504 words, about as many as real notes have on average (507 shingles)."""

EDITED, TEMPLATE = 4, 30
"""Lines that an edit rewrites, and lines that notes of one template share."""


class Note(NamedTuple):
    """A note before and after."""

    old: list[str]
    new: list[str]


class Scan(NamedTuple):
    """What vanished and what appeared, in the same order."""

    gone: list[Gone]
    come: list[Come]


class Author:
    """Writes notes of words that follow Zipf's law."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)
        self._vocabulary = vocabulary(self._dice)
        self._shares = [*accumulate(1 / (rank + 2.7) for rank in range(len(self._vocabulary)))]
        self._template = self.lines(TEMPLATE)

    def lines(self, count: int) -> list[str]:
        """Return new lines."""
        words = self._dice.choices(self._vocabulary, cum_weights=self._shares, k=count * WORDS)
        return [" ".join(words[at : at + WORDS]).capitalize() + "." for at in range(0, len(words), WORDS)]

    def note(self, *, template: bool = False) -> Note:
        """Return a note and what an edit made of it."""
        old = [*self._template, *self.lines(LINES - TEMPLATE)] if template else self.lines(LINES)
        new = [*old]
        for line in self.lines(EDITED):
            new[self._dice.randrange(LINES)] = line
        return Note(old, new)

    def name(self, number: int) -> str:
        """Return a name that no other note has."""
        return f"{' '.join(self._dice.choices(self._vocabulary[100:], k=3)).capitalize()} {number}"

    def scan(self, notes: Sequence[Note], kept_names: float) -> Scan:
        """Return the scan after all notes moved; so many of them keep their names."""
        gone, come = [], []
        for number, (old, new) in enumerate(notes, 1):
            name = self.name(number)
            path = NotePath(f"Old/{number % 50}/{name}.md")
            gone.append(Gone(number, path, _hash(old), None, is_blank=False, traits=_traits(old)))
            name = name if self._dice.random() < kept_names else self.name(len(notes) + number)
            come.append(Come(NotePath(f"New/{number % 50}/{name}.md"), _hash(new), None, _traits(new)))
        return Scan(gone, come)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    author = Author(arguments.seed)
    notes = [author.note() for _ in range(arguments.notes)]
    _print_traits(notes)
    print(f"{arguments.notes:,} notes vanished, as many appeared; CPU seconds")
    unedited = author.scan([Note(old, old) for old, _ in notes], 1)
    _print("moved, none edited (no traits)", unedited, certain)
    for kept in (1.0, 0.9, 0.0):
        _print(f"moved and edited, {kept:.0%} of names kept", author.scan(notes, kept), _match)
    notes = [author.note(template=True) for _ in range(arguments.notes)]
    _print("the same, one template, 0% kept", author.scan(notes, 0), _match)


def _print_traits(notes: Sequence[Note]) -> None:
    sample = [" ".join(old) for old, _ in notes[:1000]]
    ours, sizes = _timed(lambda: [traits_of("{}", "", (), [text]).size for text in sample])
    plain, _ = _timed(lambda: [_triples(text) for text in sample])
    milliseconds = 1000 * ours / len(sample)
    print(f"traits of a note of {sum(sizes) / len(sizes):.0f} shingles: {milliseconds:.3f} ms CPU,", end=" ")
    print(f"{ours / plain:.1f} x a set of its words in threes")


def _print(what: str, scan: Scan, find: Callable[[list[Gone], list[Come]], list[Pair]]) -> None:
    spent, pairs = _timed(lambda: find(scan.gone, scan.come))
    right = sum(scan.come[pair.node_id - 1].path == pair.path for pair in pairs)
    once, _ = _timed(lambda: _compare_once(scan))
    shares = f"{right / len(scan.gone):8.2%} right, {(len(pairs) - right) / len(scan.gone):6.2%} wrong"
    print(
        f"  {what:38} {spent:7.2f} {shares}   {spent / once:6.1f} x comparing once ({once:.2f})", flush=True
    )


def _match(gone: list[Gone], come: list[Come]) -> list[Pair]:
    return match(gone, come, (), (), lone=False)


def _compare_once(scan: Scan) -> int:
    """Count what each note shares with the file that it is."""
    both = [(note.traits, file.traits) for note, file in zip(scan.gone, scan.come, strict=True)]
    return sum(len(set(old.body).intersection(new.body)) for old, new in both if old and new)


def _triples(text: str) -> set[tuple[str, ...]]:
    words = text.lower().split()
    return {*zip(words, words[1:], words[2:], strict=False)}


def _traits(lines: Sequence[str]) -> Traits:
    return traits_of("{}", "", (), lines)


def _hash(lines: Sequence[str]) -> str:
    return blake2b("\n".join(lines).encode(), digest_size=16).hexdigest()


def _timed(work: Callable[[], Result]) -> tuple[float, Result]:
    started = time.process_time()
    result = work()
    return time.process_time() - started, result


if __name__ == "__main__":
    main()
