"""Climbing the tree: from a note or summary up to its root, and down to what it was made from."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultsync.app.climbing import Deadline, seen
from vaultsync.app.refs import find_ref
from vaultsync.store import climbing, leaves

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vaultsync.app.memory import Memory
    from vaultsync.domain.notes import Uid
    from vaultsync.store.climbing import Rung
    from vaultsync.store.connection import Reader
    from vaultsync.store.leaves import LeafRow, NoteRow, Stand
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
        node = _below(db, rows[uid], depth, deadline) if uid in rows else _note(db, uid, depth)
        return Drilled(node, tuple(rows[way] for way in ways), deadline.passed)


def _note(db: Reader, uid: Uid, depth: int) -> Branch:
    (branch,) = _notes(db, leaves.stands_of(db, [uid]), deep=depth > 0) or (_bare(db, uid),)
    return branch


def _bare(db: Reader, uid: Uid) -> Branch:
    return Branch(leaves.notes(db, [uid])[uid])


def _below(db: Reader, top: SummaryRow, depth: int, deadline: Deadline) -> Branch:
    lowest = top.level - depth
    rungs = [*deadline.of(climbing.below(db, [top.uid], lowest))]
    rows = seen(db, [rung.uid for rung in rungs if rung.kind == "summary"])
    below: defaultdict[Uid, list[Branch]] = defaultdict(list)
    for above, branches in _of_notes(db, rungs, deep=lowest < 0).items():
        below[above] += branches
    return _grow(top, rungs, rows, below)


def _of_notes(db: Reader, rungs: Sequence[Rung], *, deep: bool) -> dict[Uid, list[Branch]]:
    """Return by summary the notes right below it, those of whose leaves one counts, in order."""
    uids = {rung.chunk_id: rung.uid for rung in rungs if rung.kind == "summary"}
    by_parent: defaultdict[Uid, list[Stand]] = defaultdict(list)
    for stand in leaves.stands(db, [rung.chunk_id for rung in rungs if rung.kind == "leaf"]):
        if stand.parent_id in uids:
            by_parent[uids[stand.parent_id]].append(stand)
    every = _notes(db, [stand for group in by_parent.values() for stand in group], deep=deep)
    branches = {branch.item.uid: branch for branch in every}
    return {above: [branches[uid] for uid in _in_order(stands)] for above, stands in by_parent.items()}


def _in_order(stands: Iterable[Stand]) -> list[Uid]:
    first: dict[Uid, int] = {}
    for stand in stands:
        if stand.counts:
            first[stand.note] = min(first.get(stand.note, stand.seq or 0), stand.seq or 0)
    return sorted(first, key=lambda uid: (first[uid], uid))


def _notes(db: Reader, stands: Sequence[Stand], *, deep: bool) -> list[Branch]:
    """Return the notes of leaves, with `deep` the leaves below them."""
    inside: defaultdict[Uid, list[Branch]] = defaultdict(list)
    if deep:
        in_text = sorted(stands, key=lambda stand: stand.chunk_idx)
        for leaf in leaves.with_ids(db, [stand.chunk_id for stand in in_text]):
            inside[leaf.note].append(Branch(leaf))
    found = leaves.notes(db, {stand.note for stand in stands})
    return [Branch(note, tuple(inside[uid])) for uid, note in found.items()]


def _grow(
    top: SummaryRow,
    rungs: Sequence[Rung],
    rows: dict[Uid, SummaryRow],
    below: defaultdict[Uid, list[Branch]],
) -> Branch:
    """Put summaries under those above them, from the lowest up; in a loop of parents the first met is the top."""
    uids = {rung.chunk_id: rung.uid for rung in rungs}
    for rung in sorted(rungs[1:], key=lambda rung: _place(rung, rows)):
        if rung.parent_id is not None and rung.kind == "summary":
            row = rows[rung.uid]
            below[uids[rung.parent_id]].append(Branch(row, tuple(below[rung.uid])))
    return Branch(top, tuple(below[top.uid]))


def _place(rung: Rung, rows: dict[Uid, SummaryRow]) -> tuple[int, int]:
    row = rows.get(rung.uid)
    return (row.level, row.ordinal) if row else (0, 0)
