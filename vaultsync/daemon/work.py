"""Does the jobs of the table, each by itself: a job that fails is tried again later and stops no other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync import logs
from vaultsync.app.growing.quiet import Quiet
from vaultsync.app.jobs import JOBS, Errand
from vaultsync.daemon import heap, telling
from vaultsync.daemon.scheduler import Schedule
from vaultsync.domain.errors import StateError, StoreCorrupt
from vaultsync.store import job_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from vaultsync.app.memory import Memory
    from vaultsync.app.notes.report import Report
    from vaultsync.app.progress import Progress
    from vaultsync.domain.notes import NotePath

FIRST_WAIT_S, LONGEST_WAIT_S = 60, 3600
"""What a job that failed waits for before it is tried again, doubling (design, section 2)."""

LONG_S = 1.0
"""A job that took so long has used memory that none needs at rest: of 160 MB after 10,000 notes 60 are left."""

_JOBS = {job.name: job for job in JOBS}


class Work:
    """`step`: called between the batches of a job; `ask`: begins what waits for a model. Raises ConfigError."""

    def __init__(self, memory: Memory, step: Progress, ask: Callable[[], None]) -> None:
        self.memory = memory
        self._step = step
        self._ask = ask
        self._failed: dict[str, int] = {}
        self._schedule = Schedule(
            {job.name: str(getattr(memory.settings, job.setting)) if job.setting else None for job in JOBS}
        )
        self.begin()

    def begin(self, *, afresh: bool = False) -> None:
        """Count when jobs are due from their last runs; `afresh`: from now, since the clock was set back.

        What failed, or is to be quiet, waits no longer for a time of the old clock.
        """
        now = self.memory.clock()
        self.quiet = Quiet()
        self._failed.clear()
        last = {name: run.started_at for name, run in job_runs.last(self.memory.db.read()).items()}
        self._schedule.begin(now, dict.fromkeys(_JOBS, now) if afresh else last)

    @property
    def due(self) -> str | None:
        """Return the first job that is due; `reconcile`, which waits for git, is asked for by its name."""
        return self._schedule.due(self.memory.clock(), but="reconcile")

    @property
    def next(self) -> Mapping[str, float]:
        """Return when each job is due next, in seconds since 1970."""
        return self._schedule.next

    def is_due(self, name: str) -> bool:
        """Tell whether a job is due."""
        return self._schedule.is_due(name, self.memory.clock())

    def hasten(self, *names: str) -> None:
        """Let jobs be due now, but for those that wait since they failed."""
        for name in names:
            if name not in self._failed:
                self._schedule.hasten(name, self.memory.clock())

    def has_failed(self, name: str) -> bool:
        """Tell whether the last run of a job failed."""
        return name in self._failed

    def do(self, name: str, paths: Collection[NotePath] | None = None) -> Report | None:
        """Do a job, write down what came of it, and see to what follows; None if it failed or goes on beside us.

        `paths`: as of `Errand`. Raises Stopped between two batches, StoreCorrupt.
        """
        job, began = _JOBS[name], self.memory.clock()
        if job.run is None:
            self._schedule.ran(name, began)
            self._ask()
            return None
        try:
            report = job.run(Errand(self.memory, self.quiet, self._step, paths))
        except StoreCorrupt:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the other jobs are done
            self._fail(name, began, error)
            return None
        had_failed = self._failed.pop(name, 0)
        self._keep(name, began, "done", telling.counts(report))
        if self.memory.clock() - began >= LONG_S:
            self.memory.db.forget_pages()
            heap.give_back()
        telling.tell(report)
        if paths is None:
            self._schedule.ran(name, self.memory.clock())
        elif had_failed:
            self.hasten(name)  # what it was to look at then is not among these
        self.hasten(*(follower.name for follower in JOBS if name in follower.follows))
        return report

    def _fail(self, name: str, began: float, error: Exception) -> None:
        """Try a job again later, and the later the more often it failed; what was done before its time is no try."""
        words = logs.words(error)
        now = self.memory.clock()
        if self.is_due(name) or name not in self._failed:
            tries = self._failed[name] = self._failed.get(name, 0) + 1
            self._schedule.put_off(name, now + min(LONGEST_WAIT_S, FIRST_WAIT_S << min(tries - 1, 10)))
        self._keep(name, began, "failed", {"error": words})
        logs.warning("job.failed", job=name, error=words, again_s=round(self.next[name] - now))
        logs.trace(error)

    def _keep(self, name: str, began: float, outcome: str, detail: Mapping[str, object]) -> None:
        """Write down a run, as far as the store can be written."""
        try:
            with self.memory.db.write() as tx:
                job_runs.add(tx, name, began, self.memory.clock(), outcome, detail)
        except StoreCorrupt:
            raise
        except StateError as error:
            logs.warning("store.failed", error=str(error))
