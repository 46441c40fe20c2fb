"""The stages after reading: bring the memory tree to what the notes say, and the generated notes to what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from vaultsync.app.growing.duty import find_duty, is_doubtful
from vaultsync.app.growing.place import place
from vaultsync.app.growing.tend import tend
from vaultsync.app.machines import own_files
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.app.progress import silent
from vaultsync.app.writing.adopt import adopt
from vaultsync.app.writing.write_back import write_back
from vaultsync.domain.generators import EXTRACTIVE
from vaultsync.domain.tree import ANY_AGE
from vaultsync.models.choosing import find_generator
from vaultsync.store import marks, summaries, tree_rows, trees

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vaultsync.app.growing.duty import Duty
    from vaultsync.app.memory import Memory
    from vaultsync.app.notes.report import Report
    from vaultsync.app.outcomes import Tended
    from vaultsync.app.progress import Progress
    from vaultsync.domain.notes import NotePath
    from vaultsync.store.trees import TreeRow

Flush = Literal["due", "all", "none"]
"""What gets a summary that still waits for one: what waited long enough, everything, or nothing."""

_FIRST = {False: "first build", True: "first private build"}
"""By privacy, the mark that the first summaries are not all made: a pass that was killed goes on where it was."""


def may_grow(memory: Memory, only: Sequence[NotePath] | None = None) -> bool:
    """Tell whether the tree can be tended: what the vault says of it can be read, or `reconcile` has left word.

    From a part of a vault no sources are chosen.
    """
    is_begun = only is None or bool(trees.every(memory.db.read()))
    return is_begun and not is_doubtful(memory) and own_files.is_legible(memory.root, own_files.TREE)


def grow(
    memory: Memory,
    report: Report,
    progress: Progress,
    *,
    flush: Flush = "due",
    source: str | None = None,
    is_quiet: Callable[[TreeRow], bool] = lambda _tree: True,
) -> Duty:
    """Take over what stands in generated notes, give notes their places, and tend the trees; return who may write.

    `source`: the folder of the one that is flushed, None for all. `is_quiet`: of `tend`.
    """
    duty = find_duty(memory)
    report.adopted = adopt(memory, duty, progress)
    place(memory, duty, progress)
    report.is_first_build = not summaries.any_there(memory.db.read(), private=False)
    report.tended = _tend(memory, duty, progress, flush=flush, source=source, is_quiet=is_quiet)
    return duty


def write(
    memory: Memory, duty: Duty, report: Report, progress: Progress = silent, *, asked: bool = True
) -> None:
    """Make the generated notes say what the store does, and know them again. `asked`: of `write_back`."""
    if memory.settings.write:
        written = write_back(memory, duty, progress, asked=asked)
        report.count_written(written)
        if written.touched and not memory.is_rehearsal:
            reconcile(
                memory, only=written.touched, progress=progress
            )  # so that the next pass finds them as they are known


def _tend(
    memory: Memory,
    duty: Duty,
    progress: Progress,
    *,
    flush: Flush,
    source: str | None,
    is_quiet: Callable[[TreeRow], bool],
) -> Tended:
    """Tend all trees; where there is no summary yet, they are made at once, whatever the age of the notes."""
    preferred = find_generator(memory.settings) or EXTRACTIVE
    before, only = _flushed_before(memory, flush), _trees_of(memory, source)
    _begin(memory)
    tended = tend(
        memory,
        duty,
        flush_before=before,
        only=only,
        is_quiet=is_quiet,
        preferred=preferred,
        progress=progress,
    )
    _begin(memory)  # the last summary may have gone just now
    if new := _new_trees(memory):
        tended.add(tend(memory, duty, flush_before=ANY_AGE, only=new, preferred=preferred, progress=progress))
        if not tended.failed:
            done = {mark: None for private, mark in _FIRST.items() if duty.may_tend(private=private)}
            with memory.db.write() as tx:
                marks.put(tx, done)
    return tended


def _begin(memory: Memory) -> None:
    """Leave word that the first summaries, public or private, are to be made, where notes wait for them."""
    index = memory.db.read()
    bare = {private for private in _FIRST if not summaries.any_there(index, private=private)}
    waiting = (row for row in trees.every(index) if row.private in bare)
    begun = {_FIRST[row.private]: "1" for row in waiting if tree_rows.has_waiting(index, row.id, ANY_AGE)}
    if any(marks.find(index, mark) is None for mark in begun):
        with memory.db.write() as tx:
            marks.put(tx, begun)


def _new_trees(memory: Memory) -> set[int]:
    """Return the trees, public or private, of a memory that was not done with its first summaries."""
    index = memory.db.read()
    new = {private for private, mark in _FIRST.items() if marks.find(index, mark) is not None}
    return {row.id for row in trees.every(index) if row.private in new}


def _flushed_before(memory: Memory, flush: Flush) -> int | None:
    if flush == "none":
        return None
    return ANY_AGE if flush == "all" else int(memory.clock()) - memory.settings.flush_hours * 3600


def _trees_of(memory: Memory, source: str | None) -> set[int] | None:
    """Return the trees of a source, public and private."""
    if source is None:
        return None
    return {row.id for row in trees.every(memory.db.read()) if row.folder == source}
