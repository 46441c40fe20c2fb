"""The table of what the daemon does: each job a row, with when it is due and what it follows.

Each asks the store what is missing, does that, and may fail by itself: the next one starts from the same question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app.growing import heat, reads
from vaultsync.app.growing.duty import find_duty
from vaultsync.app.growing.extract import extract as extract_leaves
from vaultsync.app.notes.reconcile import reconcile as reconcile_notes
from vaultsync.app.notes.report import Report
from vaultsync.app.stages import grow, may_grow, write
from vaultsync.app.writing.write_back import clear_away
from vaultsync.store import job_runs, scratch, trees

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from vaultsync.app.growing.quiet import Quiet
    from vaultsync.app.memory import Memory
    from vaultsync.app.progress import Progress
    from vaultsync.app.stages import Flush
    from vaultsync.domain.notes import NotePath


class Errand(NamedTuple):
    """What a job is given. `paths`: what `reconcile` looks at, None for the whole vault."""

    memory: Memory
    quiet: Quiet
    progress: Progress
    paths: Collection[NotePath] | None = None


class Job(NamedTuple):
    """`setting`: the one that says when it is due, None for a job that only follows.

    `run`: what is done; None for what only waits for others and is done beside the rest. `follows`: jobs after which
    it is due.
    """

    name: str
    setting: str | None
    run: Callable[[Errand], Report] | None
    follows: tuple[str, ...] = ()


def _reconcile(errand: Errand) -> Report:
    """Read what changed. A file that a killed writing left behind is put away before the whole vault is looked at."""
    if errand.paths is None:
        clear_away(errand.memory)
    only = None if errand.paths is None else sorted(errand.paths)
    return reconcile_notes(errand.memory, only=only, progress=errand.progress)


def _extract(errand: Errand) -> Report:
    """Find the entities of new text, and what of it is worth a summary; then see which sources have changed."""
    report = Report(extracted=extract_leaves(errand.memory, errand.progress))
    reads.fold_reads(errand.memory, heat.today(errand.memory), errand.progress)
    errand.quiet.watch(errand.memory)
    return report


def _seal(errand: Errand) -> Report:
    """Seal what is full, and make again what is stale in sources that are quiet."""
    return _grow(errand, "none")


def _flush(errand: Errand) -> Report:
    """Sum up what has waited long enough."""
    return _grow(errand, "due")


def _grow(errand: Errand, flush: Flush) -> Report:
    report = Report()
    if may_grow(errand.memory):
        memory, quiet = errand.memory, errand.quiet
        grow(memory, report, errand.progress, flush=flush, is_quiet=lambda tree: quiet.holds(memory, tree))
    return report


def _write_back(errand: Errand) -> Report:
    """Write the summaries into the vault, but not while all that is new in them is of sources that are being edited."""
    memory, report = errand.memory, Report()
    if may_grow(memory):
        duty = find_duty(memory)
        if not (duty.may_write and _is_early(memory)):
            write(memory, duty, report, errand.progress, asked=False)
    return report


def _is_early(memory: Memory) -> bool:
    news = [tree for tree in trees.every(memory.db.read()) if not (tree.private or tree.is_told)]
    return bool(news) and all(tree.is_due for tree in news)


def _maintain(errand: Errand) -> Report:
    """Keep the database small and its plans fresh."""
    with errand.memory.db.write() as tx:
        job_runs.sweep(tx, errand.memory.clock())
    errand.memory.db.maintain()
    scratch.sweep()
    return Report()


JOBS = (
    Job("reconcile", "reconcile_every", _reconcile),
    Job("extract", None, _extract, follows=("reconcile",)),
    Job("seal", "seal_every", _seal),
    Job("flush", "flush_every", _flush),
    Job("write_back", None, _write_back, follows=("seal", "flush")),
    Job("models", "models_every", None, follows=("seal", "flush")),
    Job("maintain", "maintain_every", _maintain),
)
"""In the order in which they are done when several are due."""
