"""How the memory tree stands: what each source holds, what waits, what is pinned, whether notes are written."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app.finding.climbing import withhold
from vaultsync.app.finding.tree import load
from vaultsync.app.growing.duty import find_duty
from vaultsync.app.growing.sources import due_sources
from vaultsync.app.machines import own_files, tree_lines
from vaultsync.domain.tree import is_stale
from vaultsync.store import summaries, tree_counts, trees

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultsync.app.growing.duty import Duty
    from vaultsync.app.memory import Memory
    from vaultsync.domain.notes import Uid
    from vaultsync.store.connection import Reader
    from vaultsync.store.summaries import SummaryRow
    from vaultsync.store.tree_counts import Placed
    from vaultsync.store.trees import TreeRow


class SourceStatus(NamedTuple):
    """A source's tree. `waiting`: leaves under no summary yet; `stale`: summaries of texts that say something else now.

    `withdrawn`: summaries withheld until they are made again; `deleted`: those whose note a person deleted.
    """

    tree: Uid
    source: str
    private: bool
    notes: int
    waiting: int
    open: int
    sealed: int
    stale: int
    pinned: int
    withdrawn: int
    deleted: int

    @property
    def summaries(self) -> int:
        """Return how many summaries there are."""
        return self.open + self.sealed


@dataclass(frozen=True, slots=True)
class TreeStatus:
    """`pending`: leaves still to be extracted; `due_sources`: folders that would be sources if chosen anew.

    `pinned`: those that are withdrawn too come first, since nothing makes them again but a person. `is_on`: nobody
    has switched off that summaries are written into the vault. `duty`: None while `tree.tsv` can't be read.
    """

    sources: tuple[SourceStatus, ...]
    pending: int
    due_sources: tuple[str, ...]
    pinned: tuple[SummaryRow, ...]
    is_on: bool
    duty: Duty | None


def find_tree_status(memory: Memory, db: Reader) -> TreeStatus:
    """Return how the trees stand."""
    placed = tree_counts.placed(db)
    rows: defaultdict[int, list[SummaryRow]] = defaultdict(list)
    for row in summaries.every(db):
        rows[row.tree_id].append(withhold(row))
    known = [tree for tree in trees.every(db) if tree.id in placed or tree.id in rows]
    pinned = [row for tree in known for row in rows[tree.id] if row.pinned]
    is_told = own_files.is_legible(memory.root, own_files.TREE)
    return TreeStatus(
        sources=tuple(
            _source(tree, placed.get(tree.id, tree_counts.Placed()), rows[tree.id], _stale(db, tree))
            for tree in known
        ),
        pending=tree_counts.pending(db),
        due_sources=tuple(due_sources(memory)) if is_told else (),
        pinned=tuple(sorted(pinned, key=lambda row: not row.withdrawn)),
        is_on=memory.settings.write and not (is_told and tree_lines.read(memory).off),
        duty=find_duty(memory) if is_told else None,
    )


def _source(tree: TreeRow, placed: Placed, rows: Sequence[SummaryRow], stale: int) -> SourceStatus:
    return SourceStatus(
        tree=tree.uid,
        source=tree.folder,
        private=tree.private,
        notes=placed.notes,
        waiting=placed.waiting,
        open=sum(row.state == "open" for row in rows),
        sealed=sum(row.state == "sealed" for row in rows),
        stale=stale,
        pinned=sum(row.pinned for row in rows),
        withdrawn=sum(row.withdrawn for row in rows),
        deleted=sum(row.missing == "deleted" for row in rows),
    )


def _stale(db: Reader, tree: TreeRow) -> int:
    """Count the summaries to be made again; in a tree of which nothing has changed since it was tended, none is."""
    if not tree.is_due:
        return 0
    loaded = load(db, tree.id)
    return sum(
        not summary.pinned and is_stale(summary, loaded.children(summary.ordinal))
        for summary in loaded.summaries()
    )
