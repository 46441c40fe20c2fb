"""Tend the trees: seal what is full, make again what changed below, flush what waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.app.outcomes import Tended
from vaultsync.app.progress import silent
from vaultsync.domain.errors import StateError
from vaultsync.domain.generators import EXTRACTIVE
from vaultsync.store import summaries, tree_rows, trees

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from vaultsync.app.growing.duty import Duty
    from vaultsync.app.memory import Memory
    from vaultsync.app.progress import Progress
    from vaultsync.store.trees import TreeRow


def tend(
    memory: Memory,
    duty: Duty,
    *,
    flush_before: int | None = None,
    only: Collection[int] | None = None,
    is_quiet: Callable[[TreeRow], bool] = lambda _tree: True,
    preferred: str = EXTRACTIVE,
    progress: Progress = silent,
) -> Tended:
    """Do what the trees (ids in `only`, else all) need, as far as this machine may; one that fails stops no other.

    `flush_before`: seconds since 1970; what arrived by then and waits for a summary gets one. None: nothing is flushed.
    `is_quiet`: tells whether a source was left alone for long enough; in others what is full is sealed, and no more
    unless something of theirs is flushed.
    `preferred`: whose text is taken where several generators made one of the same input.
    """
    index = memory.db.read()
    every = [row for row in trees.every(index) if only is None or row.id in only]
    wanted = [
        (row, summaries.has_withdrawn(index, row.id) or is_quiet(row))
        for row in every
        if _is_wanted(memory, duty, row, flush_before)
    ]
    if not wanted:
        return Tended()
    from vaultsync.app.growing.ahead import choosing  # noqa: PLC0415 - loads the summariser
    from vaultsync.app.growing.gardener import Gardener  # noqa: PLC0415 - as above

    with choosing(memory, wanted, flush_before, preferred) as chosen:
        gardener = Gardener(memory, preferred, progress, chosen)
        for row, remake in wanted:
            try:
                gardener.tend(row.id, flush_before, remake=remake)
            except StateError:
                raise
            except Exception as error:  # noqa: BLE001 - whatever is wrong with one tree, the others are tended
                gardener.fail(row, error)
    return gardener.tended


def _is_wanted(memory: Memory, duty: Duty, row: TreeRow, flush_before: int | None) -> bool:
    """Tell whether there may be something to do that may be done here now.

    What is withdrawn is made again at once, whatever else the vault waits for.
    """
    index = memory.db.read()
    if not duty.may_tend(private=row.private) and not (
        duty.role.may_write and summaries.has_withdrawn(index, row.id)
    ):
        return False
    return row.is_due or (flush_before is not None and tree_rows.has_waiting(index, row.id, flush_before))
