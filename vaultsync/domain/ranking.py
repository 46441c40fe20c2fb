"""The order of what a search found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

NOTE_WEIGHT: Final = 1.5
"""How much more a word says in a note's title, aliases or tags than in its text. By bm25 alone (k1 = 1.2) it
weighs up to 2.2 times its rarity there, no more than one that a chunk repeats."""


class Candidate(NamedTuple):
    """A note that a query found.

    `chunk`, `note`: what its best chunk (None: it has no text) and its names weigh (bm25, 0 = no match).
    `named`: the query is its title or an alias. `literal`: terms that hold signs stand there to the letter.
    `template`: it is one.
    """

    node_id: int
    chunk_id: int | None
    chunk: float
    note: float = 0.0
    named: bool = False
    literal: bool = False
    template: bool = False
    path: str = ""

    @property
    def score(self) -> float:
        """Return the weight of the note and its best chunk together."""
        return self.chunk + NOTE_WEIGHT * self.note


def order(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return the best first: what bears the name, then what has the letters; templates last of all."""
    return sorted(candidates, key=_rank)


def _rank(found: Candidate) -> tuple[bool, bool, bool, float, str]:
    return found.template, not found.named, not found.literal, -found.score, found.path
