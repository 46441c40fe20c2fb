"""Processes that read notes and look at their texts: they share nothing with this one, and end with it."""

from __future__ import annotations

import gc
import itertools
import multiprocessing
import os
import signal
import threading
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from multiprocessing.connection import Connection

Asked = TypeVar("Asked")
Told = TypeVar("Told")


AHEAD = 20
"""Batches under way or read: more than are written in one transaction, so that no process waits for the writer."""


def work_in_pool(
    batches: Iterator[list[Asked]], work: Callable[[list[Asked]], list[Told]], processes: int
) -> Generator[Told, None, None]:
    """Yield what `work` says of each of the batches, in order; few batches wait to be taken.

    Closed before the last of them, it ends the processes at once, whatever they are at.
    """
    # "spawn": a fork would copy our locks and SQLite handles into the child.
    context = multiprocessing.get_context("spawn")
    needed, held = context.Pipe(duplex=False)
    with (
        needed,
        held,
        ProcessPoolExecutor(
            processes, mp_context=context, initializer=_start_worker, initargs=(needed,)
        ) as pool,
    ):
        running: deque[Future[list[Told]]] = deque()
        try:
            for batch in itertools.chain(batches, itertools.repeat(None)):
                if batch is not None:
                    running.append(pool.submit(_work, work, batch))
                if not running:
                    return
                if batch is None or len(running) > AHEAD:
                    yield from running.popleft().result()
        except BaseException:
            held.close()
            raise
        finally:
            pool.shutdown(cancel_futures=True)


def _start_worker(needed: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent answers Ctrl-C, once
    gc.disable()  # a batch makes no cycles worth the search (measured: 10 % of reading)
    threading.Thread(target=_attend_parent, args=(needed,), daemon=True).start()


def _attend_parent(needed: Connection) -> None:
    """End this process when its parent is gone (a killed parent closes no queue, F125), or has no use for it."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        if parent.sentinel not in wait([parent.sentinel, needed]):
            _worker.give_up()
            wait([parent.sentinel])
        os._exit(1)


class _Worker:
    """What a process of the pool is at: it may end in the midst of work, but not while it says what came of it.

    For the rest of that its parent would wait for ever.
    """

    def __init__(self) -> None:
        self._gate = threading.Lock()
        self._is_at_work = False
        self._is_needed = True

    def work(self, work: Callable[[list[Asked]], list[Told]], batch: list[Asked]) -> list[Told]:
        with self._gate:
            self._is_at_work = self._is_needed
        told = work(batch) if self._is_at_work else []
        with self._gate:
            self._is_at_work = False
        return told

    def give_up(self) -> None:
        """End the process if it is at work, and let it do no more if it is not."""
        with self._gate:
            self._is_needed = False
            if self._is_at_work:
                os._exit(1)


_worker = _Worker()


def _work(work: Callable[[list[Asked]], list[Told]], batch: list[Asked]) -> list[Told]:
    return _worker.work(work, batch)
