"""Finds the vanished notes that share text with an appeared one, without comparing each with each."""

from __future__ import annotations

from collections import Counter
from heapq import merge, nsmallest
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultsync.domain.identity.overlap import Shingles
    from vaultsync.domain.identity.unmatched import Party

SKETCH: Final = 32
"""Shingles by which a note is found, those with the smallest hashes: 64, 128 or all of them found as many pairs."""

MOST_OWNERS: Final = 64
"""A shingle, or a name, of more notes than this is boilerplate: it finds none."""

BEST: Final = 8
"""Notes that are compared in full with one appeared file."""


class Sketches:
    """Vanished notes, to be found by a few of their shingles and by their names."""

    def __init__(self, notes: Sequence[Party]) -> None:
        self._notes = notes
        self._owners: dict[int, list[int]] = {}
        self._named: dict[str, list[int]] = {}
        for at, note in enumerate(notes):
            self._named.setdefault(note.name, []).append(at)
            for shingle in islice(merge(note.traits.front, note.traits.body), SKETCH):
                self._owners.setdefault(shingle, []).append(at)
        self._owners = {key: held for key, held in self._owners.items() if len(held) <= MOST_OWNERS}
        self._named = {name: held for name, held in self._named.items() if len(held) <= MOST_OWNERS}

    def find(self, name: str, shingles: Shingles) -> list[Party]:
        """Return the few notes that share most with a file, and those of its name; the first in order win ties."""
        met = self._owners.keys() & shingles.whole
        hits = Counter(chain.from_iterable(map(self._owners.__getitem__, met)))
        best = nsmallest(BEST, hits, key=lambda at: (-hits[at], at))
        return [self._notes[at] for at in dict.fromkeys([*best, *self._named.get(name, ())])]
