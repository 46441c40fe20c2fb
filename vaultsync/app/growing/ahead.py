"""The texts of the lowest summaries, chosen in other processes before their turn comes."""

from __future__ import annotations

import os
from collections import deque
from contextlib import closing, contextmanager
from functools import partial
from typing import TYPE_CHECKING

from vaultsync.app.growing import summarise
from vaultsync.app.growing.gardener import limits_of, load
from vaultsync.domain.tree import Note, Occasion, Upkeep, Write
from vaultsync.store import summary_cache, tree_rows

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from vaultsync.app.growing.summarise import Chosen, Input
    from vaultsync.app.memory import Memory
    from vaultsync.config import Settings
    from vaultsync.domain.tree import Item
    from vaultsync.store.trees import TreeRow

    Wanted = tuple[int, tuple[Item, ...]]

PARALLEL_FROM = 6000
"""Leaves without a summary: to choose their sentences takes some 4 s, to start processes a second."""


@contextmanager
def choosing(
    memory: Memory, trees: Sequence[tuple[TreeRow, bool]], flush_before: int | None, preferred: str
) -> Iterator[Chosen]:
    """Give the function that returns what other processes chose of a tree's members; None if none was asked to.

    `trees`: in the order in which they are tended, each with whether what is stale in it is made again; the others as
    of `tend`. Where little waits, no process is started.
    """
    processes = memory.settings.workers or os.cpu_count() or 1
    if processes == 1 or tree_rows.count_loose(memory.db.read()) < PARALLEL_FROM:
        yield lambda _tree_id, _members: None
        return
    inputs = (
        asked
        for row, remake in trees
        for asked in _inputs(memory, row, Occasion(remake, flush_before), preferred)
    )
    with closing(_made(memory.settings, inputs, processes)) as made:
        yield _Ahead(made).take


class _Ahead:
    """Hands out what is made, in whatever order it is asked for."""

    def __init__(self, made: Iterator[tuple[Wanted, str]]) -> None:
        self._coming = made
        self._made: dict[Wanted, str] = {}

    def take(self, tree_id: int, members: tuple[Item, ...]) -> str | None:
        """Return the sentences chosen of these members, once; of summaries none are chosen ahead."""
        if not isinstance(members[0], Note):
            return None
        wanted = tree_id, members
        while wanted not in self._made and (made := next(self._coming, None)):
            self._made[made[0]] = made[1]
        return self._made.pop(wanted, None)


def _made(
    settings: Settings, inputs: Iterable[tuple[Wanted, Input]], processes: int
) -> Generator[tuple[Wanted, str], None, None]:
    """Yield the sentences chosen of each input, in order; few of them are under way at a time."""
    from vaultsync.app.notes.reader_pool import work_in_pool  # noqa: PLC0415 - 30 ms that a small pass need not pay

    asked: deque[Wanted] = deque()

    def batches() -> Iterator[list[Input]]:
        for wanted, given in inputs:
            asked.append(wanted)
            yield [given]

    for text in work_in_pool(batches(), partial(_choose, settings), processes):
        yield asked.popleft(), text


def _choose(settings: Settings, batch: list[Input]) -> list[str]:
    return [summarise.chosen(settings, given) for given in batch]


def _inputs(
    memory: Memory, row: TreeRow, occasion: Occasion, preferred: str
) -> Iterator[tuple[Wanted, Input]]:
    """Yield what the lowest summaries of a tree will be made from, as the tree is now, where no text is kept.

    Of a tree that can't be read nothing is made ahead: that is told of when its turn comes.
    """
    try:
        for step in _planned(memory, row, occasion):
            index = memory.db.read()
            if summary_cache.find(index, step.after.inputs, preferred) is None:
                given = summarise.read(index, row.id, step.members)
                if given.digest == step.after.inputs:
                    yield (row.id, step.members), given
    except Exception:  # noqa: BLE001 - whatever it is, the gardener meets it again and records it
        return


def _planned(memory: Memory, row: TreeRow, occasion: Occasion) -> Iterator[Write]:
    """Yield the steps by which a tree's lowest summaries will be made: first without a flush, as they are done."""
    _, upkeep = load(memory, row.id, Occasion(occasion.remake))
    yield from _lowest(upkeep)
    if occasion.flush_before is not None:
        flush = Occasion(flush_before=occasion.flush_before)
        yield from _lowest(Upkeep(upkeep.tree, flush, limits_of(memory.settings)))


def _lowest(upkeep: Upkeep) -> Iterator[Write]:
    """Yield the steps that sum up notes, as if each had been done; what is above them waits for their texts."""
    while step := upkeep.next():
        summary = step.after if isinstance(step, Write) else step.before
        if summary.level > 1:
            return
        if isinstance(step, Write) and step.needs_text:
            yield step
        upkeep.done(step, "")
