"""How near a sentence is to what its bucket is about: tf-idf in integers, the same on every machine."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from math import isqrt
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultsync.domain.extractive.candidates import Candidate

_FINE: Final = 16
"""Logarithms are sixteenths of a bit."""

_SQUARE: Final = 64
"""Roots are eighths."""

_SHORT: Final = 8
"""Words; a sentence of fewer is measured as if it had so many, or a curt one with the right word would win."""

_ROOTS: Final = [isqrt(256 * max(size, _SHORT)) for size in range(100)]
"""Sixteen times the root of a sentence's length in words, by which its nearness is divided."""


class Nearness:
    """The centroid of a bucket: a weight for each word, which falls when a sentence with it is taken.

    A word weighs `tf * idf`: tf is the root of its sentences times its notes, so that a long note does not speak
    for all; idf is log2(sentences / sentences with the word).
    """

    def __init__(self, notes: Sequence[Sequence[Candidate]]) -> None:
        total: Counter[str] = Counter()
        spread: Counter[str] = Counter()
        for note in notes:
            said = [each.words for each in note]
            total.update(list(chain.from_iterable(said)))
            spread.update(frozenset().union(*said))
        most = _log2(sum(map(len, notes)) + 1)
        rarity = {count: most - _log2(count) for count in set(total.values())}
        self._weights = {
            word: isqrt(_SQUARE * count * spread[word]) * rarity[count] for word, count in total.items()
        }

    def of(self, words: frozenset[str]) -> int:
        """Return how near a sentence of these words is; what was taken before takes from it."""
        weights = self._weights
        total = sum(map(weights.__getitem__, words))
        return 16 * total // (_ROOTS[len(words)] if len(words) < len(_ROOTS) else isqrt(256 * len(words)))

    def take(self, words: frozenset[str]) -> None:
        """Halve the weight of these words: they have been said."""
        for word in words:
            self._weights[word] //= 2


def _log2(count: int) -> int:
    """Return the logarithm in sixteenths of a bit, rounded down."""
    return (count**_FINE).bit_length() - 1
