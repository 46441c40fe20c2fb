"""Search: from what a person typed to the notes that answer it, best first."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from vaultsync.app.finding import text_leg
from vaultsync.app.finding.quoting import fold
from vaultsync.domain import query as queries
from vaultsync.domain import ranking
from vaultsync.domain.filters import Filters, check
from vaultsync.domain.folding import bare
from vaultsync.store.filters import condition
from vaultsync.store.text_details import chunks_found, notes_found

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultsync.app.finding.text_leg import Leg
    from vaultsync.domain.notes import NotePath, Uid
    from vaultsync.domain.query import Query
    from vaultsync.domain.ranking import Candidate
    from vaultsync.domain.snippets import Matcher, Snippet
    from vaultsync.store.connection import Database, Reader
    from vaultsync.store.filters import Condition
    from vaultsync.store.text_details import ChunkFound, NoteFound

__all__ = ["Filters", "Hit", "SearchResult", "search"]

EVERYTHING: Final = Filters()

MAX_K: Final = 500
"""Hits that one answer may hold: more is no answer but a listing, and each costs an excerpt."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A note and its best chunk, bytes `[start, end)` of its file; `chunk` is None if the note has no text.

    Of a summary they are bytes of its own text, and `path` is None if it has no note in the vault. `summaries`: those
    found that quote this note, and so are told of here.

    `parts`: `text`, the rank in that leg; `chunk`, `note`: what the chunk and the note's names weigh (bm25).
    `score` is their sum; a note that bears the name sought comes first, a template last, whatever it is.
    """

    uid: Uid
    chunk: Uid | None
    path: NotePath | None
    title: str
    kind: str
    heading_path: tuple[str, ...]
    start: int
    end: int
    event_date: str | None
    snippet: Snippet
    score: float
    parts: dict[str, float | int]
    summaries: tuple[Uid, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchResult:
    """`relaxed`: some hits hold not all words; `notices`: what a person should know of the answer."""

    hits: tuple[Hit, ...]
    legs: tuple[str, ...] = ("text",)
    relaxed: bool = False
    notices: tuple[str, ...] = ()


def search(db: Database, query: str, *, k: int = 10, filters: Filters = EVERYTHING) -> SearchResult:
    """Return the `k` best notes, one hit each; any string is a query. Raises UsageError for odd filters."""
    check(filters)
    asked = queries.parse(query)
    size = max(1, min(k, MAX_K))
    with db.snapshot() as reader:
        hits, relaxed = find_hits(reader, query, condition(reader, filters), size)
    return SearchResult(tuple(hits), relaxed=relaxed, notices=tuple(_notices(asked, k)))


def find_hits(db: Reader, query: str, allowed: Condition, size: int) -> tuple[list[Hit], bool]:
    """Return at most `size` hits among the nodes allowed, and whether some hold not all words."""
    leg = text_leg.run(db, queries.parse(query), allowed, size)
    return list(_hits(db, query, leg, size)), leg.relaxed


def _notices(asked: Query, k: int) -> Iterator[str]:
    if not asked.terms and not asked.signs:
        yield "the query is empty"
    if asked.dropped:
        yield f"only the first {len(asked.terms)} terms were used, {asked.dropped} were left out"
    if not 1 <= k <= MAX_K:
        yield f"k = {k} was taken as {max(1, min(k, MAX_K))}"


def _hits(db: Reader, query: str, leg: Leg, size: int) -> Iterator[Hit]:
    shortlist = leg.shortlist(2 * size)
    notes = notes_found(db, [found.node_id for found in shortlist])
    name = bare(query.strip())
    ordered = ranking.order(_look(found, notes[found.node_id], leg, name) for found in shortlist)
    kinds = {node_id: note.kind for node_id, note in notes.items()}
    best, quoting = fold(db, ordered, kinds, leg.matcher)
    chunks = chunks_found(db, [found.chunk_id for found in best[:size] if found.chunk_id])
    for rank, found in enumerate(best[:size], 1):
        chunk = chunks[found.chunk_id] if found.chunk_id else None
        hit = _hit(notes[found.node_id], chunk, found, rank, leg.matcher)
        yield replace(hit, summaries=tuple(notes[node_id].uid for node_id in quoting[found.node_id]))


def _look(found: Candidate, note: NoteFound, leg: Leg, name: str) -> Candidate:
    """Return the candidate with what its names say: that it is what was asked for."""
    return found._replace(
        path=note.path or note.uid,
        named=name in {bare(note.title), *map(bare, json.loads(note.aliases))},
        literal=found.literal or leg.is_literal(note.title),
    )


def _hit(note: NoteFound, chunk: ChunkFound | None, found: Candidate, rank: int, matcher: Matcher) -> Hit:
    end = chunk.end if chunk else 0
    if chunk and note.kind == "summary":
        end = len(chunk.text.encode("utf-8", "surrogatepass"))
    return Hit(
        uid=note.uid,
        chunk=chunk.uid if chunk else None,
        path=note.path,
        title=note.title,
        kind=note.kind,
        heading_path=tuple(json.loads(chunk.heading_path)) if chunk else (),
        start=chunk.start if chunk else 0,
        end=end,
        event_date=note.event_date,
        snippet=matcher.snippet(chunk.text if chunk else note.description),
        score=round(found.score, 4),
        parts={"text": rank, "chunk": round(found.chunk, 4), "note": round(found.note, 4)},
    )
