"""Chooses the sentences of a summary: a line a note first, then what adds most."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Final

from vaultsync.domain.extractive.boilerplate import MANY, repeated, shape
from vaultsync.domain.extractive.candidates import candidates, spots
from vaultsync.domain.extractive.composing import Taken, composed
from vaultsync.domain.extractive.escaping import escaped
from vaultsync.domain.extractive.headlines import headline, title
from vaultsync.domain.extractive.nearness import Nearness
from vaultsync.domain.prose import plain
from vaultsync.domain.tokens import estimate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultsync.domain.extractive.candidates import Candidate
    from vaultsync.domain.extractive.values import Source, Summary

CEILING: Final = 1000
"""Tokens that no summary passes (design, section 6)."""

_MOST: Final = 120
"""Sentences that are looked at closely in a bucket: three times what 1,000 tokens hold and more."""

_FEWEST: Final = 8
"""The same of a note."""

_FLOOR: Final = 320
"""The worth below which a sentence is not taken, however much room is left."""

_BEST: Final = 1000
"""What the nearest sentence of a bucket is worth by its nearness."""

_AGAIN: Final = 60
_USUAL: Final = 25
"""Tokens of a sentence; for each so many taken from a note its other sentences lose `_AGAIN`."""

_GOES_ON: Final = 150
"""What a sentence gains when the one before it was taken: two that were written together are read together."""

_NO_PLACE: Final = -2
"""Where a title stands: before all sentences, and no sentence leans on it."""

_DENSEST: Final = 7
"""Characters a token, which hardly a sentence passes: one with more for the room left is not looked at."""

Pool = list["Candidate"]
"""The candidates of one note."""

Heap = list[tuple[int, int, int, int, "Candidate"]]
"""Sentences that may be taken: what each is worth, below 0; its note and place, which no two share; how many were
taken when that was found; itself."""


def summarise(notes: Sequence[Source], budget: int, ceiling: int = CEILING) -> Summary:
    """Return a summary of notes, in their order, made of their own sentences.

    Each note first gets a line: its best sentence, else title and headings. These lines may pass `budget`, never
    `ceiling` (tokens, both); then notes get their titles alone, and of more than fit the worthiest get a line. What is
    left of `budget` goes to the sentences that add most, wherever they stand.

    A sentence stands in the summary as a reader of the note sees it (links as their text, no marks, blanks and line
    ends one blank), escaped so that it marks nothing. The same notes and budget give the same bytes with any hash
    seed, locale and version of Python. A leaf that begins within a sentence loses that.
    """
    choice = _Choice(_without_boilerplate(_pools(notes)))
    choice.take_lines(notes, ceiling)
    choice.take_more(min(budget, ceiling))
    return composed(choice.taken)


def _pools(notes: Sequence[Source]) -> Sequence[Pool]:
    """Return the candidates of each note: all of a small bucket, else a share by the note's size."""
    found = [spots(note.texts) for note in notes]
    total = max(1, sum(map(len, found)))
    return [
        candidates(its, note.title, nth, max(_FEWEST, _MOST * len(its) // total))
        for nth, (its, note) in enumerate(zip(found, notes, strict=True))
    ]


def _without_boilerplate(pools: Sequence[Pool]) -> Sequence[Pool]:
    """Leave out the sentences of a pattern that is in many notes."""
    if len(pools) < MANY:
        return pools
    common = repeated([each.shape for each in pool] for pool in pools)
    return [[each for each in pool if each.shape not in common] for pool in pools] if common else pools


class _Choice:
    """What has been taken so far, and what the rest is worth beside it."""

    def __init__(self, pools: Sequence[Pool]) -> None:
        self.taken: list[Taken] = []
        self._tokens = 0
        self._from = [0] * len(pools)
        self._said: list[frozenset[str]] = []
        self._shapes: set[str] = set()
        self._following = {(each.source, each.place): each for pool in pools for each in pool if each.follows}
        self._led: set[tuple[int, int]] = set()
        self._near = Nearness(pools)
        near = [[self._near.of(each.words) for each in pool] for pool in pools]
        self._nearest = max((max(each, default=0) for each in near), default=0) or 1
        self._offers = [
            self._first_offers(pool, its_near) for pool, its_near in zip(pools, near, strict=True)
        ]

    def take_lines(self, notes: Sequence[Source], ceiling: int) -> None:
        """Give each note a line, the worthiest first; room for the others' titles is kept."""
        least = [estimate(title(note)) for note in notes]
        order = list(_fitting(self._by_worth(), least, ceiling))
        kept = sum(least[nth] for nth in order)
        common = repeated([shape([plain(text).casefold()]) for text in note.headings] for note in notes)
        for nth in order:
            kept -= least[nth]
            if not self._take_best(self._offers[nth][:], ceiling - kept, 1):
                self._take_title(nth, notes[nth], common, ceiling - kept)

    def take_more(self, budget: int) -> None:
        """Take what adds most until the budget is used or nothing is worth it."""
        offers = [offer for offers in self._offers for offer in offers]
        heapify(offers)
        for each in self.taken:
            self._offer_next(offers, each.source, each.place)
        self._take_best(offers, budget, len(offers))

    def _first_offers(self, pool: Pool, near: Sequence[int]) -> Heap:
        """Return what of a note may be taken, as a heap."""
        worth = [each.merit + _BEST * its // self._nearest for each, its in zip(pool, near, strict=True)]
        offers = [
            (-its, each.source, each.place, 0, each)
            for each, its in zip(pool, worth, strict=True)
            if its >= _FLOOR and not each.leans
        ]
        heapify(offers)
        return offers

    def _by_worth(self) -> list[int]:
        best = [offers[0][0] if offers else 0 for offers in self._offers]
        return sorted(range(len(best)), key=lambda nth: (best[nth], nth))

    def _take_best(self, offers: Heap, most: int, count: int) -> bool:
        """Take up to `count` sentences, of those that fit the best first; return whether all were found.

        What a sentence is worth only falls, or it is offered again, so one that is the best by its newest worth is
        the best.
        """
        while offers and self._tokens < most:
            _, source, place, known, candidate = heappop(offers)
            if len(candidate.text) > _DENSEST * (most - self._tokens):
                continue
            if known < len(self._said):
                self._offer(offers, candidate)
            elif self._take(candidate, most):
                count -= 1
                if not count:
                    return True
                self._offer_next(offers, source, place)
        return False

    def _offer_next(self, offers: Heap, source: int, place: int) -> None:
        """Offer the sentence that goes on with one that was taken: it is worth more beside that."""
        if follower := self._following.pop((source, place + 1), None):
            self._led.add((source, place + 1))
            self._offer(offers, follower)

    def _offer(self, offers: Heap, candidate: Candidate) -> None:
        """Put a sentence among those that may be taken, unless it isn't worth it."""
        worth = self._worth(candidate)
        if worth >= _FLOOR:
            heappush(offers, (-worth, candidate.source, candidate.place, len(self._said), candidate))

    def _worth(self, candidate: Candidate) -> int:
        near = _BEST * self._near.of(candidate.words) // self._nearest
        gain = _GOES_ON if (candidate.source, candidate.place) in self._led else 0
        return candidate.merit + near + gain - _AGAIN * self._from[candidate.source] // _USUAL

    def _take_title(self, nth: int, note: Source, common: frozenset[str], most: int) -> None:
        """Take a note's title and headings, else its title, if they fit."""
        for text in (headline(note, common), title(note)):
            tokens = estimate(text)
            if text and self._tokens + tokens <= most:
                self._tokens += tokens
                self.taken.append(Taken(nth, _NO_PLACE, _NO_PLACE, text, tokens))
                return

    def _take(self, candidate: Candidate, most: int) -> bool:
        """Take a sentence if it fits and says something new."""
        text, said = escaped(candidate.text), candidate.words
        tokens = estimate(text)
        if self._tokens + tokens > most or candidate.shape in self._shapes or self._is_told(said):
            return False
        self._tokens += tokens
        self._from[candidate.source] += tokens
        self._said.append(said)
        self._shapes.add(candidate.shape)
        self._near.take(candidate.words)
        self.taken.append(Taken(candidate.source, candidate.section, candidate.place, text, tokens))
        return True

    def _is_told(self, said: frozenset[str]) -> bool:
        """Whether there is no word, or a sentence taken before shares three words in five of the shorter one."""
        return not said or any(
            5 * len(said & other) >= 3 * min(len(said), len(other)) for other in self._said
        )


def _fitting(order: Sequence[int], least: Sequence[int], room: int) -> Iterator[int]:
    """Yield the first of these notes whose titles fit together."""
    for nth in order:
        room -= least[nth]
        if room < 0:
            return
        yield nth
