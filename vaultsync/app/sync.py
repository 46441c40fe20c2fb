"""One pass of every stage, until nothing is missing: read, extract, adopt, place, seal and flush, write back."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal, NamedTuple

from vaultsync.app.growing import heat, reads
from vaultsync.app.growing.duty import find_duty
from vaultsync.app.growing.extract import extract
from vaultsync.app.growing.place import place
from vaultsync.app.growing.tend import tend
from vaultsync.app.machines import own_files
from vaultsync.app.notes import origin
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.app.writing.adopt import adopt
from vaultsync.app.writing.write_back import clear_away, write_back
from vaultsync.domain.generators import EXTRACTIVE
from vaultsync.domain.tree import ANY_AGE
from vaultsync.models.choosing import find_generator
from vaultsync.store import attempts, marks, summaries, tree_rows, trees

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vaultsync.app.asking.refine import Estimate
    from vaultsync.app.growing.duty import Duty
    from vaultsync.app.memory import Memory
    from vaultsync.app.notes.report import Report
    from vaultsync.app.outcomes import Tended
    from vaultsync.app.progress import Progress
    from vaultsync.domain.notes import NotePath
    from vaultsync.store.attempts import Attempt

Flush = Literal["due", "all", "none"]
"""What gets a summary that still waits for one: what waited long enough, everything, or nothing."""

_FIRST = {False: "first build", True: "first private build"}
"""By privacy, the mark that the first summaries are not all made: a pass that was killed goes on where it was."""


class Wish(NamedTuple):
    """What a person asked for besides a pass.

    `flush`; `source`: the folder of the one source that it is asked for, None for all. `asked`: so that the vault does
    not rest any longer. `to_text`: stop when the text is searchable. `write`: write generated notes into the vault.
    """

    flush: Flush = "due"
    source: str | None = None
    asked: bool = False
    to_text: bool = False
    write: bool = True


def sync(
    memory: Memory,
    wish: Wish = Wish(),  # noqa: B008 - a constant
    *,
    only: Sequence[NotePath] | None = None,
    rehash: bool = False,
    accept_removals: bool = False,
    progress: Progress = lambda _stage, _done, _total: None,
    announce: Callable[[Estimate], None] = lambda _estimate: None,
) -> Report:
    """Run one pass over the vault, or over the paths in `only`. Raises as `reconcile`.

    `announce` is told what a model will be asked before it is asked for the first time.
    """
    started = time.perf_counter()
    clear_away(memory)
    report = reconcile(memory, only=only, rehash=rehash, accept_removals=accept_removals, progress=progress)
    if wish.asked:
        origin.wake(memory)
    if not wish.to_text:
        report.extracted = extract(memory, progress)
        reads.fold_reads(memory, heat.today())
        if _may_grow(memory, only):
            _grow(memory, wish, report, progress)
            _ask(memory, wish, report, progress, announce)
    report.stuck = [(found.subject, found.last_error) for found in _pending(memory, "adopt", "write")]
    report.seconds = time.perf_counter() - started
    return report


def _may_grow(memory: Memory, only: Sequence[NotePath] | None) -> bool:
    """Tell whether the tree can be tended: what the vault says of it can be read, or `reconcile` has left word.

    From a part of a vault no sources are chosen.
    """
    is_begun = only is None or bool(trees.every(memory.db.read()))
    return is_begun and own_files.is_legible(memory.root, own_files.TREE)


def _grow(memory: Memory, wish: Wish, report: Report, progress: Progress) -> None:
    """Bring the memory tree, and its notes in the vault, to what the notes say now."""
    duty = find_duty(memory)
    report.adopted = adopt(memory, duty)
    place(memory, duty)
    report.is_first_build = not summaries.any_there(memory.db.read(), private=False)
    report.tended = _tend(memory, duty, wish, progress)
    _write(memory, duty, wish, report)


def _write(memory: Memory, duty: Duty, wish: Wish, report: Report) -> None:
    if wish.write and memory.settings.write:
        written = write_back(memory, duty)
        report.count_written(written)
        if written.touched and not memory.is_rehearsal:
            reconcile(memory, only=written.touched)  # so that the next pass finds them as they are known


def _ask(
    memory: Memory, wish: Wish, report: Report, progress: Progress, announce: Callable[[Estimate], None]
) -> None:
    """Let a model write the summaries, if the settings name one, as far as the day's share goes."""
    if memory.is_rehearsal or not _has_model(memory):
        return
    from vaultsync.app.asking.ask_models import ask_models  # noqa: PLC0415 - slow to load, and most vaults have no model

    duty = find_duty(memory)

    def grow(generator: str) -> None:
        report.tended.add(tend(memory, duty, preferred=generator, progress=progress))
        _write(memory, duty, wish, report)

    report.refined = ask_models(memory, duty, grow, announce, progress)


def _has_model(memory: Memory) -> bool:
    """Tell whether a model may be asked, or was in vain before the settings changed."""
    return memory.settings.summariser != "extractive" or bool(_pending(memory, "model"))


def _pending(memory: Memory, *stages: str) -> list[Attempt]:
    """Return what failed in these stages and has not succeeded since."""
    return [found for found in attempts.pending(memory.db.read()) if found.stage in stages]


def _tend(memory: Memory, duty: Duty, wish: Wish, progress: Progress) -> Tended:
    """Tend all trees; where there is no summary yet, they are made at once, whatever the age of the notes."""
    preferred = find_generator(memory.settings) or EXTRACTIVE
    before, only = _flushed_before(memory, wish.flush), _trees_of(memory, wish.source)
    _begin(memory)
    tended = tend(memory, duty, flush_before=before, only=only, preferred=preferred, progress=progress)
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
    return ANY_AGE if flush == "all" else int(time.time()) - memory.settings.flush_hours * 3600


def _trees_of(memory: Memory, source: str | None) -> set[int] | None:
    """Return the trees of a source, public and private."""
    if source is None:
        return None
    return {row.id for row in trees.every(memory.db.read()) if row.folder == source}
