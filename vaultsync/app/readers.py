"""Read, parse and chunk notes: in this process when they are few, in several when they are many."""

from __future__ import annotations

import gc
import hashlib
import itertools
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing.connection import wait
from pathlib import Path
from typing import NamedTuple

from vaultsync.domain.notes import Fingerprint, NotePath, Problem, Reading
from vaultsync.domain.planning import is_racy
from vaultsync.domain.reading import ReadOptions, read_note
from vaultsync.vault import files

PARALLEL_FROM = 600
"""Below this many notes, starting processes costs more than they save (measured in bench/first_sync.py)."""

BATCH_NOTES = 48
BATCH_BYTES = 1_000_000
"""A batch is what one process reads before it answers: small enough to share out evenly and to hold in memory."""


class Wanted(NamedTuple):
    """A note to read. When its bytes hash to `known_hash` they are not parsed again."""

    path: NotePath
    size: int
    known_hash: str


class Fresh(NamedTuple):
    """A note's reading. `racy`: a later edit may have left the fingerprint as it is; read it again."""

    fingerprint: Fingerprint
    racy: bool
    reading: Reading


class Same(NamedTuple):
    """The bytes are those of the known hash, whatever the timestamps say."""

    fingerprint: Fingerprint
    racy: bool


class Failed(NamedTuple):
    """The note could not be read; the problem's code is `vanished` when it is gone since the scan."""

    problem: Problem


Outcome = Fresh | Same | Failed


def read_all(
    root: Path, wanted: Sequence[Wanted], options: ReadOptions, workers: int = 0
) -> Iterator[tuple[Wanted, Outcome]]:
    """Yield an outcome for each wanted note, in order. `workers`: processes at most, 0 for one a core."""
    processes = workers or os.cpu_count() or 1
    batches = _batches(wanted)
    if processes == 1 or len(wanted) < PARALLEL_FROM:
        return itertools.chain.from_iterable(
            zip(batch, read_batch(root, batch, options), strict=True) for batch in batches
        )
    return _read_in_processes(root, batches, options, processes)


def read_batch(root: Path, batch: Sequence[Wanted], options: ReadOptions) -> list[Outcome]:
    """Read a batch of notes in this process; never raises for what a note holds."""
    return [_read(root, wanted, options) for wanted in batch]


def _read(root: Path, wanted: Wanted, options: ReadOptions) -> Outcome:
    read_ns = time.time_ns()
    try:
        found = files.read(root, wanted.path)
    except files.ReadFailure as failure:
        return Failed(Problem(failure.code, str(failure)))
    racy = is_racy(found.fingerprint, read_ns)
    if hashlib.blake2b(found.raw, digest_size=16).hexdigest() == wanted.known_hash:
        return Same(found.fingerprint, racy)
    try:
        return Fresh(found.fingerprint, racy, read_note(found.raw, wanted.path, options))
    except Exception as error:  # noqa: BLE001 - a fault of ours in one note must not stop the others (F61)
        fault = f"could not be parsed ({type(error).__name__}: {error}); please report it"
        return Failed(Problem("internal", fault))


def _batches(wanted: Iterable[Wanted]) -> Iterator[list[Wanted]]:
    batch: list[Wanted] = []
    size = 0
    for item in wanted:
        batch.append(item)
        size += item.size
        if len(batch) >= BATCH_NOTES or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _read_in_processes(
    root: Path, batches: Iterator[list[Wanted]], options: ReadOptions, processes: int
) -> Iterator[tuple[Wanted, Outcome]]:
    # "spawn": a fork would copy our locks and SQLite handles into the child.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context, initializer=_start_worker) as pool:
        running: deque[tuple[list[Wanted], Future[list[Outcome]]]] = deque()
        try:
            for batch in itertools.chain(batches, itertools.repeat(None)):
                if batch is not None:
                    running.append((batch, pool.submit(read_batch, root, batch, options)))
                if not running:
                    return
                if batch is None or len(running) > 2 * processes:
                    done, future = running.popleft()
                    yield from zip(done, future.result(), strict=True)
        finally:
            pool.shutdown(cancel_futures=True)


def _start_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent answers Ctrl-C, once
    gc.disable()  # a batch makes no cycles worth the search (measured: 10 % of reading)
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    """End this process when its parent is gone: a killed parent closes no queue (F125)."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
