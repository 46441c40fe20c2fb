"""Ask the model that the settings name for the texts of summaries, on top of the chosen sentences they have."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app import dues
from vaultsync.app.asking import model_calls
from vaultsync.app.asking.conversation import converse
from vaultsync.app.asking.refine_input import Task, read_task, still_stands
from vaultsync.app.asking.unrefined import STAGE, find_unrefined
from vaultsync.app.outcomes import Refined
from vaultsync.app.progress import silent
from vaultsync.domain import flags, verdict
from vaultsync.domain.errors import ConfigError
from vaultsync.domain.summary_note import inert
from vaultsync.models.choosing import find_generator, find_summariser
from vaultsync.models.terms import Failure
from vaultsync.store import attempts, marks, refining, summary_cache, tree_rows, tree_steps, trees
from vaultsync.store.summary_cache import Cached
from vaultsync.store.tree_steps import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from vaultsync.app.growing.duty import Duty
    from vaultsync.app.memory import Memory
    from vaultsync.app.progress import Progress
    from vaultsync.models.summarising import Summariser
    from vaultsync.models.terms import Answer
    from vaultsync.store.connection import Writer
    from vaultsync.store.summaries import SummaryRow

_ASKED = "model"
"""The mark of what was asked last, as `_backend` says it: of another one, failures say nothing."""

_SETTINGS = "settings"
"""The subject of a failure to ask anything, in `attempts`."""

_STRIKES = 3
"""So many requests in a row without an answer end a pass: each may take minutes."""

_HOUR_S = 3600
_FIRST_WAIT_S, _LONGEST_WAIT_S = 12 * _HOUR_S, 7 * 24 * _HOUR_S
"""What a text that was no good waits for: at temperature 0 the same comes out soon after, and each call counts."""


class Estimate(NamedTuple):
    """What asking for all texts takes: `calls`, and `tokens` of notes and summaries that are sent.

    `days` at the rate of the settings (0: none are allowed). `is_first`: no model was ever asked here.
    """

    calls: int
    tokens: int
    days: int
    is_first: bool


def is_wanted(memory: Memory, duty: Duty, *, asked: bool = True) -> bool:
    """Tell whether `refine` would ask for something; costs little. Arguments as there."""
    generator = find_generator(memory.settings)
    if generator is None or not duty.may_write:
        return False
    if not model_calls.left(memory) or (not asked and _is_useless(memory, generator)):
        return False
    return bool(find_unrefined(memory.db.read(), memory.clock()).ready)


def estimate(memory: Memory) -> Estimate:
    """Tell what asking for all texts takes, whatever was asked before; no call without a model."""
    index = memory.db.read()
    calls = tokens = 0
    if find_generator(memory.settings):
        calls, tokens = refining.count_wanting(index, memory.settings.seal_tokens)
    share = memory.settings.calls_per_day
    return Estimate(calls, tokens, -(-calls // share) if share else 0, not model_calls.were_made(index))


@contextmanager
def opened(memory: Memory, environ: Mapping[str, str]) -> Iterator[Summariser | None]:
    """Open the summariser that the settings name; None if none is, or none can be asked, which is recorded."""
    try:
        summariser = find_summariser(memory.settings, environ)
    except ConfigError as error:
        with memory.db.write() as tx:
            attempts.await_change(tx, STAGE, _SETTINGS, str(error))
        summariser = None
    try:
        yield summariser
    finally:
        if summariser is not None:
            summariser.close()


def refine(
    memory: Memory,
    duty: Duty,
    summariser: Summariser,
    progress: Progress = silent,
    *,
    asked: bool = True,
) -> Refined:
    """Ask for the texts that may be asked for now, one round: what is above them is to be tended before the next.

    Only public trees, only where this machine writes, and no more calls than are left of the day's share. No
    transaction is open while a model works; a text whose notes changed meanwhile is dropped. `asked`: a person wants
    it now, so a backend that was of no use is tried again. `progress`: called as well while no answer comes; what it
    raises ends the round at once, with all that came before.
    """
    conversation = _Round(memory, summariser)
    if duty.may_write and (asked or not _is_useless(memory, summariser.generator)):
        conversation.prepare()
        conversation.go(progress)
    return conversation.refined


def forget(memory: Memory) -> None:
    """Forget all failures to ask a model, where the settings name none any more."""
    if find_generator(memory.settings) is None and any(
        found.stage == STAGE for found in attempts.pending(memory.db.read())
    ):
        with memory.db.write() as tx:
            attempts.clear_others(tx, STAGE, [])


def _is_useless(memory: Memory, generator: str) -> bool:
    """Tell whether the backend said no for a reason that only a person can mend."""
    useless = {(STAGE, generator), (STAGE, _SETTINGS)}
    return any((attempt.stage, attempt.subject) in useless for attempt in attempts.pending(memory.db.read()))


class _Round:
    """Asks for one summary after another, and writes down what comes of it."""

    def __init__(self, memory: Memory, summariser: Summariser) -> None:
        self.refined = Refined()
        self._memory = memory
        self._summariser = summariser
        self._strikes = 0

    def prepare(self) -> None:
        """Forget failures that say nothing any more: of another backend, or of a text that is gone."""
        index, settings = self._memory.db.read(), self._memory.settings
        backend = f"{self._summariser.generator} {settings.endpoint} {settings.key_variable} {settings.context_tokens}"
        is_same = marks.find(index, _ASKED) == backend
        kept = refining.fallen_back(index) if is_same else set()
        failed = {attempt.subject for attempt in attempts.pending(index) if attempt.stage == STAGE}
        if not is_same or failed - kept:
            with self._memory.db.write() as tx:
                marks.put(tx, {_ASKED: backend})
                attempts.clear_others(tx, STAGE, kept)

    def go(self, progress: Progress) -> None:
        """Ask for all that may be asked for."""
        found = find_unrefined(self._memory.db.read(), self._memory.clock())
        total = self.refined.left = len(found.ready) + found.waiting

        def step() -> None:
            progress("asking the model", total - self.refined.left, total)

        tasks = self._tasks(found.ready, step)
        for task, answer in converse(self._ask, tasks, self._memory.settings.concurrency, step):
            self._take(task, answer)
            step()

    def _ask(self, task: Task) -> Answer | Failure:
        return self._summariser.summarise(task.request)

    def _tasks(self, rows: list[SummaryRow], step: Callable[[], None]) -> Iterator[Task]:
        """Yield what is to be asked, each read when its turn has come; what is kept from before is asked nobody."""
        for row in rows:
            step()
            task = read_task(self._memory, row)
            if task is None:
                continue
            kept = self._find_kept(task)
            if kept is not None:
                self._put(task, kept)
            elif self._may_ask():
                model_calls.count(self._memory)
                self.refined.calls += 1
                yield task

    def _find_kept(self, task: Task) -> Text | None:
        generator = self._summariser.generator
        kept = summary_cache.find(self._memory.db.read(), task.row.inputs, generator)
        return Text(kept.text, generator) if kept and kept.generator == generator else None

    def _may_ask(self) -> bool:
        if self._strikes >= _STRIKES:
            self.refined.stopped = self.refined.stopped or "the model does not answer"
        elif not model_calls.left(self._memory):
            self.refined.stopped = "the day's calls are used up"
        return self.refined.stopped is None

    def _take(self, task: Task, answer: Answer | Failure) -> None:
        """Write an answer down, if it is fit to be a summary."""
        if isinstance(answer, Failure):
            self._fail(task, answer)
            return
        self._strikes = 0
        text = verdict.cleaned(answer.text)
        fault = verdict.find_fault(text, task.said, task.request.budget, self._summariser.instructions)
        if fault:
            self._fail(task, Failure(fault, "output"))
        else:
            names = verdict.invented(text, task.said)
            self._put(task, Text(flags.flag(inert(text), names), self._summariser.generator))

    def _put(self, task: Task, text: Text) -> None:
        """Let a summary have this text, unless it is to be made from something else by now."""
        with self._memory.db.write() as tx:
            summary_cache.keep(
                tx, task.row.inputs, Cached(text.text, text.generator), int(self._memory.clock())
            )
            if not still_stands(tx, task.row):
                return
            self._write(tx, task, text)
            attempts.clear(tx, STAGE, [task.row.uid, self._summariser.generator])
            trees.stir(tx, [task.row.tree_id])
            marks.keep(tx, dues.NOTES, "1")
        self.refined.replaced += 1
        self.refined.left -= 1
        self.refined.invented += bool(flags.flagged(text.text))

    def _fail(self, task: Task, failure: Failure) -> None:
        """Keep the text that stands, and note why it is not the model's and when to ask again."""
        self.refined.failed += 1
        self._strikes += failure.blame in ("moment", "input")
        row, now = task.row, int(self._memory.clock())
        with self._memory.db.write() as tx:
            if failure.blame == "backend":
                attempts.await_change(tx, STAGE, self._summariser.generator, failure.words)
                self.refined.stopped = failure.words
                return
            if not still_stands(tx, row):
                return
            self._write(tx, task, Text(row.text, row.generator, failure.words))
            if failure.blame == "input":
                attempts.await_change(tx, STAGE, row.uid, failure.words)
            elif failure.blame == "moment":
                attempts.record(tx, STAGE, [(row.uid, failure.words)], now)
            else:
                waits = {"first_s": _FIRST_WAIT_S, "longest_s": _LONGEST_WAIT_S}
                attempts.record(tx, STAGE, [(row.uid, failure.words)], now, **waits)
        self.refined.left -= 1

    def _write(self, tx: Writer, task: Task, text: Text) -> None:
        row = task.row
        tree = trees.get(tx, row.tree_id)
        summary = next(found for found in tree_rows.summaries(tx, tree.id) if found.ordinal == row.ordinal)
        tree_steps.put(tx, tree, summary, text, self._memory.clock())
