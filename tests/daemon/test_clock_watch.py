"""The clock may be set, and a machine may sleep; time that goes by is neither."""

from __future__ import annotations

from vaultsync.daemon.clock_watch import ClockWatch


class Clocks:
    """The time of day, and the time that went by."""

    def __init__(self) -> None:
        self.day, self.gone = 1_800_000_000.0, 50.0

    def let(self, seconds: float, *, of_day: float | None = None) -> None:
        self.gone += seconds
        self.day += seconds if of_day is None else of_day


def test_time_that_goes_by_is_no_step() -> None:
    """However much of it, and however often the network corrects the clock a little."""
    clocks = Clocks()
    watch = ClockWatch(lambda: clocks.day, lambda: clocks.gone)
    for seconds in (0.25, 600, 86_400):
        clocks.let(seconds, of_day=seconds + 3)
        assert watch.stepped() == 0


def test_sleep_and_a_clock_that_is_set_are_steps_once() -> None:
    """Forward and back; afterwards time goes on from there."""
    clocks = Clocks()
    watch = ClockWatch(lambda: clocks.day, lambda: clocks.gone)
    for step in (8 * 3600, -3600, 12, -11):
        clocks.let(1, of_day=1 + step)
        assert watch.stepped() == step
        clocks.let(1)
        assert watch.stepped() == 0
