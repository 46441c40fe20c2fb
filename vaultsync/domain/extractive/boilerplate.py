"""Sentences and headings that stand in many notes alike and so say nothing of any."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

MANY: Final = 3
"""Notes with the same sentence, from which on it is boilerplate (the design's number)."""

_NAME: Final = re.compile(r"(?:(?:^| )[A-Z][\w’'-]*)+")  # noqa: RUF001 -- an apostrophe
_DIGIT: Final = re.compile(r"\d+")


def shape(text: str) -> str:
    """Return what two sentences of one pattern share: all but numbers, names and capitals."""
    return _DIGIT.sub("0", _NAME.sub(" ", text)).lower()


def repeated(notes: Iterable[Iterable[str]]) -> frozenset[str]:
    """Return the shapes that occur in `MANY` notes or more."""
    counts = Counter(each for note in notes for each in set(note))
    return frozenset(each for each, count in counts.items() if count >= MANY)
