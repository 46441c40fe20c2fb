"""Requests to a model run beside each other; what goes wrong in one reaches the caller, who waits for none."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, cast

import pytest

from vaultsync.app.asking.conversation import converse
from vaultsync.app.asking.refine_input import Task
from vaultsync.models.summarising import Request
from vaultsync.models.terms import Answer, Passage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from vaultsync.store.summaries import SummaryRow

NO_ROW = cast("SummaryRow", None)


class Speaker:
    """A summariser that answers as it is told to."""

    generator = "spoken:by hand/1"
    instructions = ""

    def __init__(self, speak: Callable[[Request], Answer]) -> None:
        self.summarise = speak

    def close(self) -> None:
        """Nothing is open."""


def task(text: str) -> Task:
    return Task(NO_ROW, Request((Passage("", text),), 10), (text,))


def echo(request: Request) -> Answer:
    return Answer(request.passages[0].text)


@pytest.mark.parametrize("many", [1, 3, 50])
def test_each_task_is_answered_once(many: int) -> None:
    """Whatever runs at the same time, each answer comes with its task."""
    tasks = [task(str(number)) for number in range(20)]
    answers = list(converse(Speaker(echo), iter(tasks), many))
    assert sorted(int(answer.text) for _, answer in answers if isinstance(answer, Answer)) == list(range(20))
    assert all(answer == Answer(asked.said[0]) for asked, answer in answers)


def test_a_task_is_taken_when_it_can_be_asked() -> None:
    """No more are out than may be: what stops the taking stops the asking."""
    taken: list[int] = []

    def tasks() -> Iterator[Task]:
        for number in range(9):
            taken.append(number)
            yield task(str(number))

    conversation = converse(Speaker(echo), tasks(), 2)
    next(conversation)
    assert len(taken) == 2
    next(conversation)
    assert len(taken) == 3


def test_what_goes_wrong_reaches_the_caller() -> None:
    """A fault of ours in another thread is not lost, nor waited for in vain."""

    def fail(_request: Request) -> Answer:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(converse(Speaker(fail), iter([task("a")]), 2))


def test_who_is_interrupted_does_not_wait() -> None:
    """An answer that is still out is left behind."""
    never = threading.Event()

    def wait(request: Request) -> Answer:
        if request.passages[0].text == "slow":
            never.wait(30)
        return echo(request)

    def interrupted() -> None:
        for _ in converse(Speaker(wait), iter([task("slow"), task("fast"), task("more")]), 2):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    never.set()
