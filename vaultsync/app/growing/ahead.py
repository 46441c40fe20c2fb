"""The texts of the lowest summaries, chosen in other processes before their turn comes."""

from __future__ import annotations

import os
from collections import deque
from contextlib import closing, contextmanager
from functools import partial
from typing import TYPE_CHECKING

from vaultsync.app.growing import summarise
from vaultsync.app.growing.gardener import limits_of, load
from vaultsync.domain.tree import Occasion, Upkeep, Write
from vaultsync.store import summary_cache, tree_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

    from vaultsync.app.growing.summarise import Input
    from vaultsync.app.memory import Memory
    from vaultsync.config import Settings
    from vaultsync.store.trees import TreeRow

PARALLEL_FROM = 6000
"""Leaves without a summary: to choose their sentences takes some 4 s, to start processes a second."""


@contextmanager
def choosing(
    memory: Memory, trees: Sequence[TreeRow], flush_before: int | None, preferred: str
) -> Iterator[Callable[[Input], str]]:
    """Give the function that returns the chosen sentences of an input, while others are chosen in processes.

    `trees`: in the order in which they are tended, with the arguments of `tend`. Where little waits, no process is
    started.
    """
    processes = memory.settings.workers or os.cpu_count() or 1
    if processes == 1 or tree_rows.count_loose(memory.db.read()) < PARALLEL_FROM:
        yield partial(summarise.chosen, memory.settings)
        return
    inputs = (
        given
        for row in trees
        for given in _inputs(memory, row, flush_before)
        if summary_cache.find(memory.db.read(), given.digest, preferred) is None
    )
    with closing(_made(memory.settings, inputs, processes)) as made:
        yield _Ahead(memory.settings, made).take


class _Ahead:
    """Takes what was made of an input; what nobody made ahead is made here."""

    def __init__(self, settings: Settings, made: Iterator[tuple[Input, str]]) -> None:
        self._settings = settings
        self._coming = made
        self._made: dict[Input, str] = {}

    def take(self, given: Input) -> str:
        """Return the chosen sentences of an input."""
        if given.of_notes:
            while given not in self._made and (made := next(self._coming, None)):
                self._made[made[0]] = made[1]
            if given in self._made:
                return self._made.pop(given)
        return summarise.chosen(self._settings, given)


def _made(
    settings: Settings, inputs: Iterable[Input], processes: int
) -> Generator[tuple[Input, str], None, None]:
    """Yield each input with its sentences, in order; few of them are under way at a time."""
    from vaultsync.app.notes.reader_pool import work_in_pool  # noqa: PLC0415 - 30 ms that a small pass need not pay

    asked: deque[Input] = deque()

    def batches() -> Iterator[list[Input]]:
        for given in inputs:
            asked.append(given)
            yield [given]

    for text in work_in_pool(batches(), partial(_choose, settings), processes):
        yield asked.popleft(), text


def _choose(settings: Settings, batch: list[Input]) -> list[str]:
    return [summarise.chosen(settings, given) for given in batch]


def _inputs(memory: Memory, row: TreeRow, flush_before: int | None) -> Iterator[Input]:
    """Yield what the lowest summaries of a tree will be made from, as the tree is now.

    Of a tree that can't be read nothing is made ahead: that is told of when its turn comes.
    """
    try:
        _, upkeep = load(memory, row.id, Occasion())
        for step in _lowest(upkeep):
            yield summarise.read(memory.db.read(), row.id, step.members)
        if flush_before is not None:
            flush = Occasion(flush_before=flush_before)
            for step in _lowest(Upkeep(upkeep.tree, flush, limits_of(memory.settings))):
                yield summarise.read(memory.db.read(), row.id, step.members)
    except Exception:  # noqa: BLE001 - whatever it is, the gardener meets it again and records it
        return


def _lowest(upkeep: Upkeep) -> Iterator[Write]:
    """Yield the steps that sum up notes, as if each had been done; what is above them waits for their texts."""
    while step := upkeep.next():
        summary = step.after if isinstance(step, Write) else step.before
        if summary.level > 1:
            return
        if isinstance(step, Write) and step.needs_text:
            yield step
        upkeep.done(step, "")
