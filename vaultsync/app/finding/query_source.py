"""What one source says: its newest or most relevant summaries, and its leaves that are under none yet."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app.finding.climbing import seen
from vaultsync.app.finding.search import MAX_K, find_hits
from vaultsync.app.finding.source_names import find_source
from vaultsync.domain.filters import Filters, check
from vaultsync.store import leaves, sourcing, trees
from vaultsync.store.filters import only

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vaultsync.app.finding.search import Hit
    from vaultsync.app.memory import Memory
    from vaultsync.domain.notes import Uid
    from vaultsync.store.connection import Reader
    from vaultsync.store.leaves import LeafRow
    from vaultsync.store.sourcing import LooseNote
    from vaultsync.store.summaries import SummaryRow


class Told(NamedTuple):
    """A summary or a leaf, the newest day of what it says, and what a query found in it."""

    item: SummaryRow | LeafRow
    day: str
    hit: Hit | None = None


@dataclass(frozen=True, slots=True)
class SourceAnswer:
    """`source`: its folder. `left_out`: how many summaries and leaves there are besides; None with a query."""

    source: str
    summaries: tuple[Told, ...]
    leaves: tuple[Told, ...]
    left_out: tuple[int, int] | None


def query_source(
    memory: Memory,
    name: str,
    query: str | None = None,
    *,
    since: str | None = None,
    until: str | None = None,
    k: int = 10,
) -> SourceAnswer:
    """Return what a source says of some days, at most `k` summaries and `k` leaves: the newest, or what answers best.

    A summary is of the days of the notes below it. Raises UnknownRef and AmbiguousRef as `find_source`, and
    UsageError for odd days.
    """
    check(Filters(since=since, until=until))
    size = max(1, min(k, MAX_K))
    with memory.db.snapshot() as db:
        known = trees.every(db)
        folder = find_source((row.folder for row in known), name, memory.root.name)
        ids = [row.id for row in known if row.folder == folder]
        days = sourcing.summaries_between(db, ids, since, until)
        rows = [row for row in seen(db, days).values() if not row.withdrawn]
        waiting = sourcing.loose_notes(db, ids, since, until)
        if query is not None:
            summaries = _best_summaries(db, query, rows, days, size)
            return SourceAnswer(folder, summaries, _best_leaves(db, query, waiting, size), None)
        left_out = (max(0, len(rows) - size), max(0, sum(note.leaves for note in waiting) - size))
        return SourceAnswer(
            folder, _newest_summaries(rows, days)[:size], _newest_leaves(db, waiting, size), left_out
        )


def _newest_summaries(rows: Sequence[SummaryRow], days: Mapping[Uid, str]) -> tuple[Told, ...]:
    """Return the newest first; of the same day the nearest to the notes, of one level the one made last."""
    told = [Told(row, days[row.uid]) for row in sorted(rows, key=lambda row: (row.level, -row.ordinal))]
    return tuple(sorted(told, key=lambda one: one.day, reverse=True))


def _newest_leaves(db: Reader, waiting: Sequence[LooseNote], size: int) -> tuple[Told, ...]:
    """Return the first leaves of notes in the order of these, those that count."""
    found = chain.from_iterable(sourcing.counting_leaves(db, note.node_id) for note in waiting)
    return _told(leaves.with_ids(db, list(islice(found, size))), waiting)


def _told(rows: Sequence[LeafRow], waiting: Sequence[LooseNote]) -> tuple[Told, ...]:
    days = {note.uid: note.day for note in waiting}
    return tuple(Told(row, days[row.note]) for row in rows)


def _best_summaries(
    db: Reader, query: str, rows: Sequence[SummaryRow], days: Mapping[Uid, str], size: int
) -> tuple[Told, ...]:
    known = {row.uid: row for row in rows}
    hits, _ = find_hits(db, query, only(sourcing.nodes_of(db, [*known])), size)
    return tuple(Told(known[hit.uid], days[hit.uid], hit) for hit in hits)


def _best_leaves(db: Reader, query: str, waiting: Sequence[LooseNote], size: int) -> tuple[Told, ...]:
    hits, _ = find_hits(db, query, only([note.node_id for note in waiting]), size)
    by_chunk = {hit.chunk: hit for hit in hits if hit.chunk}
    found = _told(leaves.with_uids(db, [*by_chunk]), waiting)
    return tuple(told._replace(hit=by_chunk[told.item.uid]) for told in found)
