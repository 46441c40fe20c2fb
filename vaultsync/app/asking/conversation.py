"""Several requests at a time to one model, while a single thread reads what to ask and writes what comes."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Asked = TypeVar("Asked")
Told = TypeVar("Told")

IDLE_S = 0.25
"""How often who waits may look at something else."""


def converse(
    ask: Callable[[Asked], Told],
    tasks: Iterator[Asked],
    many: int,
    idle: Callable[[], None] = lambda: None,
) -> Iterator[tuple[Asked, Told]]:
    """Yield each task with its answer as it comes, up to `many` of them asked for at once.

    A task is taken from `tasks` when it can be asked, in the thread of the caller. `idle`: called every so often while
    no answer comes. Whoever is interrupted, by what `idle` raises too, is not kept waiting for answers that are still
    out.
    """
    asked: SimpleQueue[tuple[Asked] | None] = SimpleQueue()
    answered: SimpleQueue[tuple[Asked, Told] | BaseException] = SimpleQueue()
    for _ in range(many):
        # Daemon threads: an executor's would be waited for at exit, for as long as a model may take.
        Thread(target=_answer, args=(ask, asked, answered), daemon=True).start()
    out = 0
    try:
        for task in tasks:
            asked.put((task,))
            out += 1
            if out == many:
                yield _next(answered, idle)
                out -= 1
        for _ in range(out):
            yield _next(answered, idle)
    finally:
        for _ in range(many):
            asked.put(None)


def _answer(
    ask: Callable[[Asked], Told],
    asked: SimpleQueue[tuple[Asked] | None],
    answered: SimpleQueue[tuple[Asked, Told] | BaseException],
) -> None:
    while (given := asked.get()) is not None:
        try:
            answered.put((given[0], ask(given[0])))
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits for it
            answered.put(error)


def _next(
    answered: SimpleQueue[tuple[Asked, Told] | BaseException], idle: Callable[[], None]
) -> tuple[Asked, Told]:
    while True:
        try:
            found = answered.get(timeout=IDLE_S)
        except Empty:
            idle()
            continue
        if isinstance(found, BaseException):
            raise found
        return found
