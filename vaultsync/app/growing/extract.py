"""Look at the leaves that wait: what they mention, and whether they have something to say."""

from __future__ import annotations

import itertools
import os
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.store import entities, extraction
from vaultsync.store.entities import Spot

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from vaultsync.app.memory import Memory
    from vaultsync.app.progress import Progress
    from vaultsync.store.extraction import Leaf, Status, Waiting

BATCH_LEAVES = 600
"""Leaves that wait a write transaction, about a megabyte: what is lost by a kill, and what a process works at."""

PARALLEL_FROM = 6000
"""Of half as many, two processes take as long as one (1.5 s): to start them costs what they save."""


SURE_ENOUGH = 0.5
"""The least score of a mention that is kept: of those below it, 28 in a hundred name something (docs/scoring.md)."""


class Extracted(NamedTuple):
    """What came of the leaves of one batch of notes; `seen` and `statuses`: all of them, and those that waited."""

    seen: list[int]
    statuses: list[tuple[int, Status]]
    spots: list[Spot]


def extract(memory: Memory, progress: Progress) -> int:
    """Settle every leaf that waits and return how many there were. Killed, the next pass goes on.

    A leaf is admitted or dropped by its own text and headings alone, its mentions are written in the same
    transaction. Templates, notes set aside and a plugin's data are dropped, and mention nothing.
    """
    waiting = extraction.waiting(memory.db.read())
    total, done = sum(note.leaves for note in waiting), 0
    with closing(_extracted(memory, waiting, total)) as extracted:
        for found in extracted:
            with memory.db.write() as tx:
                extraction.settle(tx, found.statuses)
                entities.put(tx, found.seen, [chunk_id for chunk_id, _ in found.statuses], found.spots)
            done += len(found.statuses)
            progress("extracting", done, total)
    return done


def extract_notes(leaves: Sequence[Leaf]) -> list[Extracted]:
    """Return what comes of the leaves of some notes, all of which are given in order."""
    found = Extracted([leaf.chunk_id for leaf in leaves], [], [])
    for _, of_note in itertools.groupby(leaves, key=lambda leaf: leaf.node_id):
        note = list(of_note)
        found.statuses.extend((leaf.chunk_id, _status(leaf)) for leaf in note if leaf.waits)
        found.spots.extend(_spots(note))
    return [found]


def _extracted(memory: Memory, waiting: Sequence[Waiting], total: int) -> Generator[Extracted, None, None]:
    """Work here when leaves are few, in processes when they are many."""
    processes = memory.settings.workers or os.cpu_count() or 1
    batches = (list(extraction.leaves(memory.db.read(), batch)) for batch in _batches(waiting))
    if processes == 1 or total < PARALLEL_FROM:
        for batch in batches:
            yield from extract_notes(batch)
        return
    from vaultsync.app.notes.reader_pool import work_in_pool  # noqa: PLC0415 - 30 ms that a small pass need not pay

    yield from work_in_pool(batches, extract_notes, processes)


def _batches(waiting: Iterable[Waiting]) -> Iterator[list[int]]:
    """Yield the ids of notes, in batches that are written in one transaction."""
    batch: list[int] = []
    leaves = 0
    for note in waiting:
        batch.append(note.node_id)
        leaves += note.leaves
        if leaves >= BATCH_LEAVES:
            yield batch
            batch, leaves = [], 0
    if batch:
        yield batch


def _status(leaf: Leaf) -> Status:
    from vaultsync.domain.scoring import is_admitted, score  # noqa: PLC0415 - a pass without news need not load it

    if leaf.counts and is_admitted(score(leaf.text, leaf.heading_path, leaf.tokens)):
        return "admitted"
    return "dropped"


def _spots(note: Sequence[Leaf]) -> Iterator[Spot]:
    """Yield the mentions of a note's leaves; text that does not count opens no fence either."""
    from vaultsync.domain.entities import find  # noqa: PLC0415 - as the score

    found = find(leaf.text if leaf.counts else "" for leaf in note)
    for leaf, mentions in zip(note, found, strict=True):
        for entity, _, start, end, score in mentions:
            if score >= SURE_ENOUGH:
                yield Spot(leaf.chunk_id, *entity, start, end, score)
