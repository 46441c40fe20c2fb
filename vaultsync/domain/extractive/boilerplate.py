"""Sentences and headings that stand in many notes alike and so say nothing of any."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

MANY: Final = 3
"""Notes with the same sentence, from which on it is boilerplate (the design's number)."""

_NUMBER: Final = re.compile("[0-9]+")


def shape(small: Iterable[str]) -> str:
    """Return what two texts of one pattern share, of their words without a capital: all but the numbers."""
    return _NUMBER.sub("0", " ".join(small))


def repeated(notes: Iterable[Iterable[str]]) -> frozenset[str]:
    """Return the shapes that occur in `MANY` notes or more."""
    counts = Counter(each for note in notes for each in set(note))
    return frozenset(each for each, count in counts.items() if count >= MANY)
