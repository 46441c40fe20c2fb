"""Requests to a model run beside each other; what goes wrong in one reaches the caller, who waits for none."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from vaultsync.app.asking.conversation import converse
from vaultsync.domain.errors import Stopped

if TYPE_CHECKING:
    from collections.abc import Iterator


def echo(task: str) -> str:
    return f"{task}!"


@pytest.mark.parametrize("many", [1, 3, 50])
def test_each_task_is_answered_once(many: int) -> None:
    """Whatever runs at the same time, each answer comes with its task."""
    tasks = [str(number) for number in range(20)]
    answers = list(converse(echo, iter(tasks), many))
    assert sorted(answers) == sorted((task, echo(task)) for task in tasks)


def test_a_task_is_taken_when_it_can_be_asked() -> None:
    """No more are out than may be: what stops the taking stops the asking."""
    taken: list[int] = []

    def tasks() -> Iterator[str]:
        for number in range(9):
            taken.append(number)
            yield str(number)

    conversation = converse(echo, tasks(), 2)
    next(conversation)
    assert len(taken) == 2
    next(conversation)
    assert len(taken) == 3


@pytest.mark.parametrize("fault", [ZeroDivisionError, Stopped])
def test_what_goes_wrong_reaches_the_caller(fault: type[BaseException]) -> None:
    """A fault of ours in another thread is not lost, nor waited for in vain."""

    def fail(_task: str) -> str:
        raise fault

    with pytest.raises(fault):
        list(converse(fail, iter(["a"]), 2))


def test_who_is_interrupted_does_not_wait() -> None:
    """An answer that is still out is left behind."""
    never = threading.Event()

    def wait(task: str) -> str:
        if task == "slow":
            never.wait(30)
        return echo(task)

    def interrupted() -> None:
        for _ in converse(wait, iter(["slow", "fast", "more"]), 2):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    never.set()


def test_who_waits_looks_at_other_things() -> None:
    """While no answer comes; and what is raised then ends the waiting."""
    never = threading.Event()
    looked: list[float] = []

    def idle() -> None:
        looked.append(time.monotonic())
        if len(looked) == 3:
            raise Stopped

    with pytest.raises(Stopped):
        list(converse(lambda _task: never.wait(30), iter(["slow"]), 1, idle))
    assert looked[-1] - looked[0] < 5
    never.set()
