"""Several requests at a time to one model, while a single thread reads what to ask and writes what comes."""

from __future__ import annotations

from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultsync.app.asking.refine_input import Task
    from vaultsync.models.summarising import Summariser
    from vaultsync.models.terms import Answer, Failure

Answered = tuple["Task", "Answer | Failure"]


def converse(summariser: Summariser, tasks: Iterator[Task], many: int) -> Iterator[Answered]:
    """Yield the answer to each task as it comes, up to `many` of them asked for at once.

    A task is taken from `tasks` when it can be asked, in the thread of the caller. Whoever is interrupted is not kept
    waiting for answers that are still out.
    """
    asked: SimpleQueue[Task | None] = SimpleQueue()
    answered: SimpleQueue[Answered | Exception] = SimpleQueue()
    for _ in range(many):
        # Daemon threads: an executor's would be waited for at exit, for as long as a model may take.
        Thread(target=_answer, args=(summariser, asked, answered), daemon=True).start()
    out = 0
    try:
        for task in tasks:
            asked.put(task)
            out += 1
            if out == many:
                yield _next(answered)
                out -= 1
        for _ in range(out):
            yield _next(answered)
    finally:
        for _ in range(many):
            asked.put(None)


def _answer(
    summariser: Summariser, asked: SimpleQueue[Task | None], answered: SimpleQueue[Answered | Exception]
) -> None:
    while (task := asked.get()) is not None:
        try:
            answered.put((task, summariser.summarise(task.request)))
        except Exception as error:  # noqa: BLE001 - raised again in the thread that waits for it
            answered.put(error)


def _next(answered: SimpleQueue[Answered | Exception]) -> Answered:
    found = answered.get()
    if isinstance(found, Exception):
        raise found
    return found
