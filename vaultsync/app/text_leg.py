"""The text leg of a search: ever looser questions, until enough notes answer."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from vaultsync.domain import ranking
from vaultsync.domain.query import Term, pieces
from vaultsync.domain.ranking import Candidate
from vaultsync.domain.scripts import unspaced
from vaultsync.domain.snippets import Matcher
from vaultsync.store import text_search
from vaultsync.store.text_details import chunks_of, names_of
from vaultsync.store.text_search import MANY, Ask, chunk_total, exact, stemmed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from vaultsync.domain.query import Query
    from vaultsync.store.connection import Reader
    from vaultsync.store.filters import Condition
    from vaultsync.store.text_search import Counted, Found

RAREST: Final = 6
"""Terms that weigh: each costs a pass over its chunks, and the seventh rarest hardly changes the order."""

SHORT: Final = 4
"""Terms up to which a query is words, not a sentence: then each may stand in another form."""

NAMED: Final = 100
"""Notes found by their names that are looked at; of those found by nothing else, ten more than are wanted."""


class Spell(Protocol):
    """How a term is spelled for the index: `exact` or `stemmed`."""

    def __call__(self, term: Term, *, twin: bool) -> str:
        """Return an FTS5 expression. `twin`: for the index of spaced text."""


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
    matcher = Matcher([counted.term for counted in _telling(terms)])
    relaxed = len(search.found) > strict
    _add_names(search, terms, matcher, twin=asked.unspaced, whole=strict >= size)
    letters = tuple(term.text for term in asked.terms if term.literal)
    return Leg(search.found, matcher, letters, relaxed=relaxed)


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
    """Yield the questions for all words, strictest first: to the letter, as they are, in other forms."""
    telling = _telling(terms)
    if all(counted.chunks for counted in terms):
        weigh = telling[:RAREST]
        ask = Ask(
            _all(weigh, exact, twin=twin), _all(terms, exact, twin=twin) if len(weigh) < len(terms) else ""
        )
        if letters := tuple(counted.term.text for counted in terms if counted.term.literal):
            yield ask._replace(letters=letters)
        yield ask
    if len(terms) <= SHORT and any(counted.term.stem for counted in telling if not counted.frequent):
        rest = [counted for counted in terms if counted not in telling]
        yield Ask(_all(telling, stemmed, twin=twin), _all(rest, exact, twin=twin))


def _loosen(search: _Search, asked: Query, terms: Sequence[Counted]) -> Sequence[Counted]:
    """Ask for any of the rarest words, and return the words asked for."""
    if asked.unspaced:
        cut = pieces(asked.terms)
        _ask_any(
            search,
            text_search.count(search.db, (term for term in cut if not unspaced(term.text)), twin=False),
        )
        terms = text_search.count(search.db, cut, twin=True)
    _ask_any(search, terms, twin=asked.unspaced)
    return terms


def _ask_any(search: _Search, terms: Sequence[Counted], *, twin: bool = False) -> None:
    rarest = [counted for counted in _telling(terms) if counted.chunks or counted.term.stem][:RAREST]
    total = accumulate(counted.chunks for counted in rarest)
    few = [counted for counted, so_far in zip(rarest, total, strict=True) if so_far <= MANY] or rarest[:1]
    if not few:
        return
    loose = _any(few, stemmed, twin=twin)
    if text_search.is_many(search.db, loose, twin=twin):
        loose = _any(few, exact, twin=twin)
    search.ask(Ask(loose), twin=twin)


def _add_names(
    search: _Search, terms: Sequence[Counted], matcher: Matcher, *, twin: bool, whole: bool
) -> None:
    """Add what notes' names weigh, and the notes found by name alone; `whole`: only those with all words.

    A name weighs by the part of the query that it holds, lest `How do I release` answer all that begins so.
    """
    rarities = _rarities(search.db, _telling(terms))
    total = sum(rarities)
    named = {row.node_id: row for row in _named(search, terms, twin=twin)}
    held = {node_id: matcher.held(names) for node_id, names in names_of(search.db, named).items()}
    weights = {
        node_id: named[node_id].weight * sum(rarities[nth] for nth in words) / total
        for node_id, words in held.items()
    }
    for node_id in weights.keys() & search.found.keys():
        search.found[node_id] = search.found[node_id]._replace(note=weights[node_id])
    unseen = heapq.nlargest(search.size + 10, weights.keys() - search.found.keys(), key=weights.__getitem__)
    best = _best_chunks(search.db, unseen, matcher, rarities)
    for node_id in unseen:
        chunk = best.get(node_id, _BestChunk())
        if not whole or len(chunk.held | held[node_id]) == len(rarities):
            search.found[node_id] = Candidate(
                node_id,
                chunk.chunk_id,
                max(0.0, chunk.weight),
                weights[node_id],
                template=named[node_id].template,
            )


def _rarities(db: Reader, terms: Sequence[Counted]) -> list[float]:
    """Return what bm25 gives about each term where it stands once in a chunk of average length."""
    total = chunk_total(db)
    return [math.log1p(total / (counted.chunks + 1)) for counted in terms]


def _named(search: _Search, terms: Sequence[Counted], *, twin: bool) -> Iterator[Found]:
    """Yield the notes that a telling word names; if none tells, those that all words name."""
    for in_twin in {twin, False}:
        asked = [counted for counted in terms if in_twin or not unspaced(counted.term.text)]
        match = _any(_telling(asked), stemmed, twin=in_twin)
        if asked and all(counted.frequent for counted in asked):
            match = f"{{title aliases tags}} : ({_all(asked, exact, twin=in_twin)})"
        if match:
            limit = NAMED + search.size
            yield from text_search.nodes(search.db, match, search.allowed, twin=in_twin, limit=limit)


class _BestChunk(NamedTuple):
    """The chunk of a note that holds the most telling words, the words it holds, and what they weigh."""

    chunk_id: int | None = None
    held: frozenset[int] = frozenset()
    weight: float = -1.0


def _best_chunks(
    db: Reader, node_ids: Collection[int], matcher: Matcher, rarities: Sequence[float]
) -> dict[int, _BestChunk]:
    best: dict[int, _BestChunk] = {}
    for chunk in chunks_of(db, node_ids):
        held = matcher.held(f"{chunk.heading_path}\n{chunk.text}")
        weight = sum(rarities[nth] for nth in held)
        if weight > best.get(chunk.node_id, _BestChunk()).weight:
            best[chunk.node_id] = _BestChunk(chunk.chunk_id, held, weight)
    return best


def _signs(db: Reader, signs: str, allowed: Condition, size: int) -> Leg:
    found = text_search.signs(db, signs, allowed, size) if signs else []
    return Leg({row.node_id: _candidate(row) for row in found}, Matcher([Term(signs)] if signs else []))


def _candidate(row: Found, *, literal: bool = False) -> Candidate:
    return Candidate(row.node_id, row.row_id, row.weight, literal=literal, template=bool(row.template))


def _note_weight(found: Candidate) -> float:
    return found.note


def _telling(terms: Sequence[Counted]) -> list[Counted]:
    """Return the terms that say what is sought, rarest first: unless nothing is left, no common words."""
    rare = [counted for counted in terms if not counted.frequent] or terms
    said = [counted for counted in rare if not counted.term.filler] or rare
    return sorted(said, key=lambda counted: counted.chunks)


def _all(terms: Iterable[Counted], spell: Spell, *, twin: bool) -> str:
    return " AND ".join(spell(counted.term, twin=twin) for counted in terms)


def _any(terms: Iterable[Counted], spell: Spell, *, twin: bool) -> str:
    return " OR ".join(spell(counted.term, twin=twin) for counted in terms)
