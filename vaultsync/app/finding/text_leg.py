"""The text leg of a search: ever looser questions, until enough notes answer."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from vaultsync.app.finding import text_names
from vaultsync.domain import ranking
from vaultsync.domain.query import Term, pieces, telling
from vaultsync.domain.ranking import Candidate
from vaultsync.domain.scripts import unspaced
from vaultsync.domain.snippets import Matcher
from vaultsync.store import text_search
from vaultsync.store.text_search import MANY, Ask, all_of, any_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultsync.domain.query import Counted, Query
    from vaultsync.store.connection import Reader
    from vaultsync.store.filters import Condition
    from vaultsync.store.text_search import Found

RAREST: Final = 6
"""Terms that weigh: each costs a pass over its chunks, and the seventh rarest hardly changes the order."""

SHORT: Final = 4
"""Terms up to which a query is words, not a sentence: then each may stand in another form."""


@dataclass(frozen=True, slots=True)
class Leg:
    """What was found, by node id. `relaxed`: some hold not all words. `letters`: the terms with signs."""

    found: dict[int, Candidate]
    matcher: Matcher
    letters: tuple[str, ...] = ()
    relaxed: bool = False

    def shortlist(self, size: int) -> list[Candidate]:
        """Return the best, and those whose names weigh most, of which one may be the name sought."""
        best = ranking.order(self.found.values())[:size]
        named = heapq.nlargest(size, (found for found in self.found.values() if found.note), key=_note_weight)
        return list({found.node_id: found for found in [*best, *named]}.values())

    def is_literal(self, text: str) -> bool:
        """Whether all terms that hold signs stand in `text` to the letter."""
        low = text.casefold()
        return bool(self.letters) and all(letters.casefold() in low for letters in self.letters)


def run(db: Reader, asked: Query, allowed: Condition, size: int) -> Leg:
    """Return at least `size` notes that answer a query, or all there are."""
    if not asked.terms:
        return _signs(db, asked.signs, allowed, size)
    search = _Search(db, allowed, size)
    terms: Sequence[Counted] = text_search.count(db, asked.terms, twin=asked.unspaced)
    for ask in _strict(terms, twin=asked.unspaced):
        search.ask(ask, twin=asked.unspaced)
    strict = len(search.found)
    if strict < size:
        terms = _loosen(search, asked, terms)
    loosened = len(search.found) > strict
    said = telling(terms)
    matcher = Matcher([counted.term for counted in said])
    named = text_names.find(db, said, matcher, allowed, size, twin=asked.unspaced)
    partial = named.merge(search.found, whole=strict >= size)
    letters = tuple(term.text for term in asked.terms if term.literal)
    return Leg(search.found, matcher, letters, relaxed=loosened or partial)


@dataclass(slots=True)
class _Search:
    """One run: whom it asks, and what has answered by now."""

    db: Reader
    allowed: Condition
    size: int
    found: dict[int, Candidate] = field(default_factory=dict)

    def ask(self, ask: Ask, *, twin: bool) -> None:
        """Unless enough have answered before, add those that answer now."""
        if len(self.found) >= self.size:
            return
        for row in text_search.chunks(self.db, ask, self.allowed, twin=twin, notes=self.size):
            self.found.setdefault(row.node_id, _candidate(row, literal=bool(ask.letters)))


def _strict(terms: Sequence[Counted], *, twin: bool) -> Iterator[Ask]:
    """Yield the questions for all words, strictest first: to the letter, as they are, in other forms.

    In a sentence, common words need not be there.
    """
    said = telling(terms)
    must = terms if len(terms) <= SHORT else said
    weigh = said[:RAREST]
    if all(counted.chunks for counted in must):
        also = all_of(must, twin=twin) if len(weigh) < len(must) else ""
        ask = Ask(all_of(weigh, twin=twin), also, few=not all(counted.frequent for counted in weigh))
        if letters := tuple(counted.term.text for counted in must if counted.term.literal):
            yield ask._replace(letters=letters)
        yield ask
    if len(terms) <= SHORT and any(counted.term.stem for counted in said if not counted.frequent):
        rest = [counted for counted in terms if counted not in said]
        yield Ask(all_of(said, twin=twin, forms=True), all_of(rest, twin=twin))


def _loosen(search: _Search, asked: Query, terms: Sequence[Counted]) -> Sequence[Counted]:
    """Ask for any of the rarest words, and return the words asked for."""
    if asked.unspaced:
        cut = pieces(asked.terms)
        plain = [term for term in cut if not unspaced(term.text)]
        _ask_any(search, text_search.count(search.db, plain, twin=False), twin=False)
        terms = text_search.count(search.db, cut, twin=True)
    if len(terms) > 1:
        _ask_any(search, terms, twin=asked.unspaced)
    return terms


def _ask_any(search: _Search, terms: Sequence[Counted], *, twin: bool) -> None:
    rarest = [counted for counted in telling(terms) if counted.chunks or counted.term.stem][:RAREST]
    sums = accumulate(counted.chunks for counted in rarest)
    few = [counted for counted, so_far in zip(rarest, sums, strict=True) if so_far <= MANY] or rarest[:1]
    if not few:
        return
    loose = any_of(few, twin=twin, forms=True)
    if text_search.match_many(search.db, loose, twin=twin):
        loose = any_of(few, twin=twin)
    search.ask(Ask(loose, few=not all(counted.frequent for counted in few)), twin=twin)


def _signs(db: Reader, signs: str, allowed: Condition, size: int) -> Leg:
    rows = text_search.signs(db, signs, allowed, size) if signs else []
    return Leg({row.node_id: _candidate(row) for row in rows}, Matcher([Term(signs)] if signs else []))


def _candidate(row: Found, *, literal: bool = False) -> Candidate:
    return Candidate(row.node_id, row.row_id, row.weight, literal=literal, template=bool(row.template))


def _note_weight(found: Candidate) -> float:
    return found.note
