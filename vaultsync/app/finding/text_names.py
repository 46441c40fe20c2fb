"""Notes whose names hold words of a query: title, aliases and tags, less so description and properties."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from vaultsync.domain.ranking import Candidate
from vaultsync.domain.scripts import unspaced
from vaultsync.store import text_search
from vaultsync.store.text_details import chunks_of, names_of
from vaultsync.store.text_search import all_of, any_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from vaultsync.domain.query import Counted
    from vaultsync.domain.snippets import Matcher
    from vaultsync.store.connection import Reader
    from vaultsync.store.filters import Condition
    from vaultsync.store.text_search import Found

NAMED: Final = 40
"""Notes that are looked at, besides as many as are wanted."""


class _Name(NamedTuple):
    """What a note's names hold (terms by number) and weigh."""

    held: frozenset[int]
    weight: float
    template: bool


class _Chunk(NamedTuple):
    """The chunk of a note that holds the most words, the words it holds, and what they weigh."""

    chunk_id: int | None = None
    held: frozenset[int] = frozenset()
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Names:
    """Notes by their names. `rarities`: what bm25 gives for each term once in a chunk of average length."""

    db: Reader
    matcher: Matcher
    names: Mapping[int, _Name]
    rarities: Sequence[float]
    size: int

    def merge(self, found: dict[int, Candidate], *, whole: bool) -> bool:
        """Tell the notes found what their names weigh, and add those that only their names were found by.

        `whole`: only those that hold all words. Returns whether one was added that does not.
        """
        for node_id in self.names.keys() & found.keys():
            found[node_id] = found[node_id]._replace(note=self.names[node_id].weight)
        unseen = heapq.nlargest(self.size, self.names.keys() - found.keys(), key=self._weight)
        best = self._best_chunks(unseen)
        partial = False
        for node_id in unseen:
            name, chunk = self.names[node_id], best.get(node_id, _Chunk())
            holds_all = len(name.held | chunk.held) == len(self.rarities)
            if holds_all or not whole:
                partial |= not holds_all
                found[node_id] = Candidate(
                    node_id, chunk.chunk_id, chunk.weight, name.weight, template=name.template
                )
        return partial

    def _weight(self, node_id: int) -> float:
        return self.names[node_id].weight

    def _best_chunks(self, node_ids: Collection[int]) -> dict[int, _Chunk]:
        best: dict[int, _Chunk] = {}
        for row in chunks_of(self.db, node_ids):
            held = self.matcher.held(f"{row.heading_path}\n{row.text}")
            weight = sum(self.rarities[nth] for nth in held)
            if row.node_id not in best or weight > best[row.node_id].weight:
                best[row.node_id] = _Chunk(row.chunk_id, held, weight)
        return best


def find(
    db: Reader, said: Sequence[Counted], matcher: Matcher, allowed: Condition, size: int, *, twin: bool
) -> Names:
    """Return the notes whose names hold words of a query: `said`, those that say something.

    A name weighs by the part of the query that it holds, lest `How do I release` answer all that begins so.
    """
    total = text_search.chunk_total(db) + 1
    rarities = [math.log1p(total / (counted.chunks + 1)) for counted in said]
    rows = {row.node_id: row for row in _rows(db, said, allowed, size, twin=twin)}
    names: dict[int, _Name] = {}
    for node_id, text in names_of(db, rows).items():
        held = matcher.held(text)
        part = sum(rarities[nth] for nth in held) / sum(rarities)
        names[node_id] = _Name(held, rows[node_id].weight * part, bool(rows[node_id].template))
    return Names(db, matcher, names, rarities, size)


def _rows(
    db: Reader, said: Sequence[Counted], allowed: Condition, size: int, *, twin: bool
) -> Iterator[Found]:
    """Yield the notes that a word names; if all are frequent, those that all words name."""
    for in_twin in {twin, False}:
        asked = [counted for counted in said if in_twin or not unspaced(counted.term.text)]
        match = any_of(asked, twin=in_twin, forms=True)
        if all(counted.frequent for counted in asked):
            match = text_search.in_names(all_of(asked, twin=in_twin))
        if asked:
            yield from text_search.nodes(db, match, allowed, twin=in_twin, limit=NAMED + size)
