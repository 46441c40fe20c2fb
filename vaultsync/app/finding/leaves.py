"""The leaves under summaries and of notes, page after page, with the places where their text stands."""

from __future__ import annotations

import binascii
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from bisect import bisect_right
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from vaultsync.app.finding.climbing import Deadline
from vaultsync.app.finding.refs import find_ref
from vaultsync.domain.errors import UsageError
from vaultsync.store import climbing, leaves

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from vaultsync.app.memory import Memory
    from vaultsync.domain.notes import Uid
    from vaultsync.store.connection import Reader
    from vaultsync.store.leaves import LeafRow, Stand

MAX: Final = 1_000
"""Leaves that one answer may hold: 350,000 tokens."""

_LAST: Final = 2**63 - 1
"""Where notes stand that are in no tree."""


class Order(NamedTuple):
    """Where a note comes: by tree, by its place in that, by its path if it is in none."""

    tree: int
    seq: int
    path: str


class Last(NamedTuple):
    """The last leaf of a page, and where it stood."""

    leaf: Uid
    note: Uid
    chunk_idx: int
    order: Order


@dataclass(frozen=True, slots=True)
class Leaves:
    """A page of leaves, each once. `next`: the cursor of the page after it, None at the end.

    `total`: of all pages. `truncated`: the time was over before all were found.
    """

    leaves: tuple[LeafRow, ...]
    next: str | None
    total: int
    truncated: bool


def fetch_leaves(
    memory: Memory,
    refs: Iterable[str],
    limit: int = 50,
    cursor: str | None = None,
    deadline: Deadline | None = None,
) -> Leaves:
    """Return every leaf under the summaries, and of the notes, that `refs` mean, `limit` a page, in order.

    That is the order in which notes came to their tree, so that a page stays right whatever is sealed or made
    again between two. Raises UnknownRef, AmbiguousRef, and UsageError for a cursor that is none.
    """
    deadline = deadline or Deadline()
    after = _read(cursor) if cursor else None
    size = max(1, min(limit, MAX))
    with memory.db.snapshot() as db:
        every = sorted((_order(stand), stand) for stand in _under(db, refs, deadline))
        found = list(islice(_following(db, every, after), size + 1))
        rows = leaves.with_ids(db, [chunk_id for _, chunk_id in found[:size]])
    more = _write(found[size - 1][0]) if len(found) > size else None
    return Leaves(tuple(rows), more, sum(stand.leaves for _, stand in every), deadline.passed)


def _under(db: Reader, refs: Iterable[str], deadline: Deadline) -> Iterable[Stand]:
    """Return each note once: all leaves of a note are at the same place."""
    known = [find_ref(db, ref) for ref in refs]
    summaries = [found.uid for found in known if found.kind == "summary"]
    notes = [found.uid for found in known if found.kind == "note"]
    rungs = [rung.chunk_id for rung in deadline.of(climbing.below(db, summaries, lowest=1))]
    found = [*leaves.notes_under(db, rungs), *leaves.notes_with_uids(db, notes)]
    return {stand.uid: stand for stand in found}.values()


def _order(stand: Stand) -> Order:
    if stand.tree_id is None or stand.seq is None:
        return Order(_LAST, _LAST, stand.path)
    return Order(stand.tree_id, stand.seq, "")


def _following(
    db: Reader, every: Sequence[tuple[Order, Stand]], after: Last | None
) -> Iterator[tuple[Last, int]]:
    """Yield the leaves behind one, or behind where it was if it is gone, each with the id of its chunk."""
    first = _position(every, after) if after else 0
    for order, stand in every[first:]:
        inside = leaves.of_note(db, stand.uid)
        at = _behind(inside, after) if after and stand.uid == after.note else 0
        for chunk_idx, chunk_id, leaf in inside[at:]:
            yield Last(leaf, stand.uid, chunk_idx, order), chunk_id


def _position(every: Sequence[tuple[Order, Stand]], after: Last) -> int:
    """Return where the note is of which the last leaf was, or would be."""
    for at, (order, stand) in enumerate(every):
        if stand.uid == after.note and order.tree == after.order.tree:
            return at
    return bisect_right(every, after.order, key=itemgetter(0))


def _behind(inside: Sequence[tuple[int, int, Uid]], after: Last) -> int:
    """Return at which of a note's leaves to go on."""
    for at, (_, _, leaf) in enumerate(inside):
        if leaf == after.leaf:
            return at + 1
    return bisect_right(inside, after.chunk_idx, key=itemgetter(0))


def _write(last: Last) -> str:
    said = json.dumps([last.leaf, last.note, last.chunk_idx, *last.order])
    return urlsafe_b64encode(said.encode()).decode().rstrip("=")


def _read(cursor: str) -> Last:
    try:
        said = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        leaf, note, chunk_idx, tree, seq, path = said
        return Last(leaf, note, int(chunk_idx), Order(int(tree), int(seq), str(path)))
    except (binascii.Error, ValueError, TypeError):
        raise UsageError(f"cursor: {cursor!r} is none that an answer gave as `next`") from None
