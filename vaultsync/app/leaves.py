"""The leaves under summaries and of notes, page after page, with the places where their text stands."""

from __future__ import annotations

import binascii
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from vaultsync.app.climbing import Deadline
from vaultsync.app.refs import find_ref
from vaultsync.domain.errors import UsageError
from vaultsync.store import climbing, leaves

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vaultsync.app.memory import Memory
    from vaultsync.domain.notes import Uid
    from vaultsync.store.connection import Reader
    from vaultsync.store.leaves import LeafRow, Stand

MAX: Final = 1_000
"""Leaves that one answer may hold: 350,000 tokens."""

_LAST: Final = 2**63 - 1
"""Where notes stand that are in no tree."""


class Order(NamedTuple):
    """Where a leaf comes: by tree, by its note's place in that, by its own place in the note."""

    tree: int
    seq: int
    path: str
    chunk_idx: int


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
        every = _in_order(_under(db, refs, deadline))
        first = _position(every, after) if after else 0
        page = every[first : first + size]
        rows = leaves.with_ids(db, [stand.chunk_id for _, stand in page])
    more = first + size < len(every)
    return Leaves(tuple(rows), _write(*page[-1]) if more else None, len(every), deadline.passed)


def _under(db: Reader, refs: Iterable[str], deadline: Deadline) -> Iterable[Stand]:
    known = [find_ref(db, ref) for ref in refs]
    summaries = [found.uid for found in known if found.kind == "summary"]
    notes = [found.uid for found in known if found.kind == "note"]
    rungs = [rung.chunk_id for rung in deadline.of(climbing.below(db, summaries)) if rung.kind == "leaf"]
    return [*leaves.stands(db, rungs), *leaves.stands_of(db, notes)]


def _in_order(stands: Iterable[Stand]) -> list[tuple[Order, Stand]]:
    once = {stand.chunk_id: stand for stand in stands}.values()
    first: dict[Uid, int] = {}
    for stand in once:
        if stand.seq is not None:
            first[stand.note] = min(first.get(stand.note, stand.seq), stand.seq)
    return sorted((_order(stand, first), stand) for stand in once)


def _order(stand: Stand, first: dict[Uid, int]) -> Order:
    tree = _LAST if stand.tree_id is None else stand.tree_id
    return Order(tree, first.get(stand.note, _LAST), stand.path, stand.chunk_idx)


def _position(every: Sequence[tuple[Order, Stand]], after: tuple[Uid, Order]) -> int:
    """Return where the page begins that follows a leaf: behind it, or behind where it was if it is gone."""
    uid, was = after
    for at, (order, stand) in enumerate(every):
        if stand.uid == uid and order.tree == was.tree:
            return at + 1
    return bisect_right(every, was, key=lambda pair: pair[0])


def _write(order: Order, stand: Stand) -> str:
    return urlsafe_b64encode(json.dumps([stand.uid, *order]).encode()).decode().rstrip("=")


def _read(cursor: str) -> tuple[Uid, Order]:
    try:
        uid, tree, seq, path, chunk_idx = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        return uid, Order(int(tree), int(seq), str(path), int(chunk_idx))
    except (binascii.Error, ValueError, TypeError):
        raise UsageError(f"cursor: {cursor!r} is none that an answer gave as `next`") from None
