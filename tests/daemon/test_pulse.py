"""What others see of a living daemon."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from vaultsync.daemon import instance_lock, pulse
from vaultsync.daemon.pulse import Pulse
from vaultsync.daemon.watching import Watch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EVENTS = Watch("events", None, None, is_healthy=True)
START = 1_800_000_000.0


class Clock:
    now = START

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Path]:
    """A state whose lock a daemon of this process holds."""
    with instance_lock.hold(tmp_path, instance_lock.DAEMON):
        yield tmp_path


def beat(pulse: Pulse, *, pending: int = 0, equal_at: float = START) -> None:
    pulse.beat(EVENTS, pending=pending, doing=None, next_runs={"seal": START + 300}, equal_at=equal_at)


def test_nobody_lives_whose_lock_is_free(tmp_path: Path, clock: Clock) -> None:
    """What one left behind that was killed says nothing."""
    with instance_lock.hold(tmp_path, instance_lock.DAEMON):
        Pulse(tmp_path, clock).ready()
        assert pulse.read(tmp_path) is not None
    assert (tmp_path / pulse.FILE).exists()
    assert pulse.read(tmp_path) is None


def test_a_command_that_holds_the_lock_is_no_daemon(tmp_path: Path, clock: Clock) -> None:
    """Whatever lies beside the lock."""
    Pulse(tmp_path, clock).ready()
    with instance_lock.hold(tmp_path):
        assert pulse.read(tmp_path) is None


def test_what_is_no_pulse_is_none(held: Path) -> None:
    """A file that is damaged, or of another version."""
    Pulse(held, lambda: START).ready()
    right = json.loads((held / pulse.FILE).read_text())
    wrong = [
        {**right, "heard_at": "x"},
        {**right, "next": {"seal": "soon"}},
        {**right, "next": [1]},
        {**right, "new": 1},
    ]
    for said in ("", "{", "[]", '{"pid": 1}', '{"watch": [1], "doing": null}', *map(json.dumps, wrong)):
        (held / pulse.FILE).write_text(said)
        assert pulse.read(held) is None


def test_all_that_is_told_can_be_read(held: Path, clock: Clock) -> None:
    """How it learns of changes, what waits, what is done, what comes, and since when."""
    living = Pulse(held, clock)
    living.ready()
    clock.now += 2
    living.beat(EVENTS, pending=3, doing=("reading", 4, 9), next_runs={"seal": START + 300}, equal_at=START)
    found = pulse.read(held)
    assert found is not None
    assert (found.pid, found.started_at, found.ready_at, found.looked_at) == (
        os.getpid(),
        START,
        START,
        START,
    )
    assert (found.watch, found.pending, found.doing) == (EVENTS, 3, ("reading", 4, 9))
    assert found.next == {"seal": START + 300}
    assert found.heard_at == START + 2


def test_at_rest_it_is_written_every_ten_seconds(held: Path, clock: Clock) -> None:
    """News after one; so many turns of the loop cost nothing."""
    living = Pulse(held, clock)
    living.ready()
    written = []
    for _ in range(120):
        clock.now += 0.25
        beat(living)
        written.append((held / pulse.FILE).stat().st_mtime_ns)
    assert len(set(written)) <= 5
    clock.now += 10
    beat(living)
    beat(living, pending=7)
    assert (found := pulse.read(held)) is not None
    assert found.pending == 0, "within the second nothing is written"
    clock.now += 1
    beat(living, pending=7)
    assert (found := pulse.read(held)) is not None
    assert found.pending == 7


def test_one_that_is_not_heard_of_hangs(held: Path, clock: Clock) -> None:
    """When the index equalled the disk is another matter."""
    living = Pulse(held, clock)
    living.ready()
    clock.now += 40
    beat(living, pending=1, equal_at=START + 20)
    assert (found := pulse.read(held)) is not None
    assert found.looked_at == START + 20
    assert not found.is_stuck(clock.now + 60)
    assert found.is_stuck(clock.now + 100)


def test_an_ended_daemon_leaves_nothing(held: Path, clock: Clock) -> None:
    """And a state folder that went away is no reason to fail."""
    living = Pulse(held, clock)
    living.ready()
    living.end()
    living.end()
    assert not (held / pulse.FILE).exists()
    gone = Pulse(held / "gone", clock)
    gone.ready()
    gone.end()
