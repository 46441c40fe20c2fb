"""One pass of every stage, until nothing is missing: read, extract, adopt, place, seal and flush, write back."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app.growing import heat, reads
from vaultsync.app.growing.duty import find_duty
from vaultsync.app.growing.extract import extract
from vaultsync.app.growing.tend import tend
from vaultsync.app.notes import origin
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.app.progress import silent
from vaultsync.app.stages import grow, may_grow, write
from vaultsync.app.writing.write_back import clear_away
from vaultsync.store import attempts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vaultsync.app.asking.refine import Estimate
    from vaultsync.app.memory import Memory
    from vaultsync.app.notes.report import Report
    from vaultsync.app.progress import Progress
    from vaultsync.app.stages import Flush
    from vaultsync.domain.notes import NotePath
    from vaultsync.store.attempts import Attempt


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
    progress: Progress = silent,
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
        reads.fold_reads(memory, heat.today(memory), progress)
        if may_grow(memory, only):
            duty = grow(memory, report, progress, flush=wish.flush, source=wish.source)
            if wish.write:
                write(memory, duty, report, progress)
            _ask(memory, wish, report, progress, announce)
    report.stuck = [(found.subject, found.last_error) for found in _pending(memory, "adopt", "write")]
    report.seconds = time.perf_counter() - started
    return report


def _ask(
    memory: Memory, wish: Wish, report: Report, progress: Progress, announce: Callable[[Estimate], None]
) -> None:
    """Let a model write the summaries, if the settings name one, as far as the day's share goes."""
    if memory.is_rehearsal or not _has_model(memory):
        return
    from vaultsync.app.asking.ask_models import ask_models  # noqa: PLC0415 - slow to load, and most vaults have no model

    duty = find_duty(memory)

    def follow(generator: str) -> None:
        report.tended.add(tend(memory, duty, preferred=generator, progress=progress))
        if wish.write:
            write(memory, duty, report, progress)

    report.refined = ask_models(memory, duty, follow, announce, progress)


def _has_model(memory: Memory) -> bool:
    """Tell whether a model may be asked, or was in vain before the settings changed."""
    return memory.settings.summariser != "extractive" or bool(_pending(memory, "model"))


def _pending(memory: Memory, *stages: str) -> list[Attempt]:
    """Return what failed in these stages and has not succeeded since."""
    return [found for found in attempts.pending(memory.db.read()) if found.stage in stages]
