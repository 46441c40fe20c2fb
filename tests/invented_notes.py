"""Notes with texts of their own, and how much of a text two of them share."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

KINDS = ("full", "full", "full", "filled template", "template", "short", "blank")
"""What `invent` makes, the most common more often."""

BOILERPLATE = "## Agenda of the weekly meeting with everyone who could be there today"
SYLLABLES = (
    "ka",
    "re",
    "mi",
    "to",
    "su",
    "bel",
    "dor",
    "fin",
    "gul",
    "hax",
    "jor",
    "lem",
    "nav",
    "pyr",
    "wes",
)

FULL_WORDS = 60
"""From here on a note has text enough to be known by it."""

FEW_WORDS = 12
"""Below this a note under its own name elsewhere is that note, whatever it says."""

KIN = 0.2
"""Notes that share this much of the smaller one may be taken for each other."""

KEPT = 0.7
GROWN = 2.0
"""An edit is moderate if it leaves this share of the words, and at most doubles the note."""


class Note(NamedTuple):
    """A note as a person thinks of it: its `token` stays with it through all that happens."""

    token: int
    paragraphs: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n\n".join(self.paragraphs) + "\n" if self.paragraphs else ""

    @property
    def is_full(self) -> bool:
        return count_words(self.paragraphs) >= FULL_WORDS

    @property
    def has_text(self) -> bool:
        return count_words(self.paragraphs) >= FEW_WORDS


def invent(seed: int, kind: str, linked: str) -> Note:
    """Make the note with the token `seed`, of 75 to 120 words if it is full, with links to the name `linked`."""
    own = [paragraph(seed * 100 + number, linked) for number in range(5 + seed % 4)]
    kinds = {
        "full": own,
        "filled template": [BOILERPLATE, *own],
        "template": [BOILERPLATE],
        "short": [words(seed, 5)],
        "blank": [],
    }
    return Note(seed, tuple(kinds[kind]))


def paragraph(seed: int, linked: str) -> str:
    return f"{words(seed, 14).capitalize()} [[{linked}]]."


def words(seed: int, count: int) -> str:
    dice = random.Random(seed)
    return " ".join("".join(dice.choices(SYLLABLES, k=4)) for _ in range(count))


def count_words(paragraphs: Iterable[str]) -> int:
    return sum(len(paragraph.split()) for paragraph in paragraphs)


def shared_words(one: Note, other: Note) -> int:
    return count_words((Counter(one.paragraphs) & Counter(other.paragraphs)).elements())


def are_kin(one: Note, other: Note) -> bool:
    smaller = min(count_words(one.paragraphs), count_words(other.paragraphs))
    return shared_words(one, other) >= KIN * smaller if smaller else one.paragraphs == other.paragraphs


def is_moderate(old: Note, new: Note) -> bool:
    """Tell if an edit left a note that anybody would know again."""
    size = count_words(old.paragraphs)
    return shared_words(old, new) >= KEPT * size and count_words(new.paragraphs) <= GROWN * size
