"""Climbing the tree: from a note or summary up to its root, and down to what it was made from."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultsync.app.finding.climbing import Deadline, seen
from vaultsync.app.finding.refs import find_ref
from vaultsync.store import climbing, leaves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultsync.app.memory import Memory
    from vaultsync.domain.notes import Uid
    from vaultsync.store.climbing import Rung
    from vaultsync.store.connection import Reader
    from vaultsync.store.leaves import LeafRow, NoteRow
    from vaultsync.store.summaries import SummaryRow


@dataclass(frozen=True, slots=True)
class Branch:
    """A summary, note or leaf, and what is right below it, as far as was asked."""

    item: SummaryRow | NoteRow | LeafRow
    children: tuple[Branch, ...] = ()


@dataclass(frozen=True, slots=True)
class Drilled:
    """A node with what is below it; `above`: the summaries up to its root, nearest first.

    `truncated`: the time was over before all was seen.
    """

    node: Branch
    above: tuple[SummaryRow, ...]
    truncated: bool


def drill_down(memory: Memory, ref: str, depth: int = 1, deadline: Deadline | None = None) -> Drilled:
    """Return the way from a node up to its root, and what is below it down to `depth`.

    Below a summary are summaries or notes, below a note its leaves. Raises UnknownRef and AmbiguousRef.
    """
    deadline = deadline or Deadline()
    with memory.db.snapshot() as db:
        uid = find_ref(db, ref).uid
        ways = [*deadline.of(climbing.above(db, uid))]
        rows = seen(db, [uid, *ways])
        node = _below(db, rows[uid], depth, deadline) if uid in rows else _note(db, uid, deep=depth > 0)
        return Drilled(node, tuple(rows[way] for way in ways), deadline.passed)


def _note(db: Reader, uid: Uid, *, deep: bool) -> Branch:
    below = leaves.with_ids(db, [chunk_id for _, chunk_id, _ in leaves.of_note(db, uid)]) if deep else ()
    return Branch(leaves.notes(db, [uid])[uid], tuple(map(Branch, below)))


def _below(db: Reader, top: SummaryRow, depth: int, deadline: Deadline) -> Branch:
    lowest = top.level - depth
    rungs = [*deadline.of(climbing.below(db, [top.uid], max(1, lowest)))]
    rows = seen(db, [rung.uid for rung in rungs])
    below: defaultdict[Uid, list[Branch]] = defaultdict(list)
    if lowest <= 0:
        _add_notes(db, rungs, below, deep=lowest < 0, deadline=deadline)
    return _grow(top, rungs, rows, below)


def _add_notes(
    db: Reader,
    rungs: Sequence[Rung],
    below: defaultdict[Uid, list[Branch]],
    *,
    deep: bool,
    deadline: Deadline,
) -> None:
    """Put under summaries the notes of which a leaf counts, in order, with `deep` their leaves too."""
    uids = {rung.chunk_id: rung.uid for rung in rungs}
    stands = [stand for stand in leaves.notes_under(db, [*uids]) if stand.counting]
    for stand in deadline.of(sorted(stands, key=lambda stand: (stand.seq or 0, stand.uid))):
        if stand.parent_id in uids:
            below[uids[stand.parent_id]].append(_note(db, stand.uid, deep=deep))


def _grow(
    top: SummaryRow,
    rungs: Sequence[Rung],
    rows: dict[Uid, SummaryRow],
    below: defaultdict[Uid, list[Branch]],
) -> Branch:
    """Put summaries under those above them, from the lowest up; in a loop of parents the first met is the top."""
    uids = {rung.chunk_id: rung.uid for rung in rungs}
    for rung in sorted(rungs[1:], key=lambda rung: _place(rows[rung.uid])):
        if rung.parent_id in uids:
            row = rows[rung.uid]
            below[uids[rung.parent_id]].append(Branch(row, tuple(below[rung.uid])))
    return Branch(top, tuple(below[top.uid]))


def _place(row: SummaryRow) -> tuple[int, int]:
    return row.level, row.ordinal
