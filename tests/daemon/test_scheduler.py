"""When each job is due."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultsync.daemon.scheduler import Schedule
from vaultsync.domain.errors import ConfigError

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC).timestamp()


def begun(when: dict[str, str], last: dict[str, float] | None = None) -> Schedule:
    schedule = Schedule(when)
    schedule.begin(NOW, last or {})
    return schedule


def test_what_never_ran_is_due_in_the_order_of_the_table() -> None:
    """At the first start all is done once, one after another."""
    schedule = begun({"reconcile": "10m", "seal": "5m"})
    assert schedule.due(NOW) == "reconcile"
    schedule.ran("reconcile", NOW)
    assert schedule.due(NOW) == "seal"
    schedule.ran("seal", NOW)
    assert schedule.due(NOW) is None
    assert schedule.next == {"reconcile": NOW + 600, "seal": NOW + 300}


def test_a_daemon_that_starts_again_counts_from_the_last_run() -> None:
    """To log in and out does not do a day's work each time."""
    schedule = begun({"maintain": "1d"}, {"maintain": NOW - 3600})
    assert schedule.due(NOW) is None
    assert schedule.next == {"maintain": NOW - 3600 + 86_400}


@given(slept=st.floats(min_value=600, max_value=10 * 86_400))
def test_what_was_missed_in_sleep_is_done_once(slept: float) -> None:
    """However many times would have come, one comes."""
    schedule = begun({"seal": "5m", "flush": "0 * * * *"}, {"seal": NOW, "flush": NOW})
    woken = NOW + 3600 + slept
    assert schedule.due(woken) == "seal"
    schedule.ran("seal", woken)
    assert schedule.due(woken) == "flush"
    schedule.ran("flush", woken)
    assert schedule.due(woken) is None
    assert schedule.next["seal"] == woken + 300
    assert woken < schedule.next["flush"] <= woken + 3601


def test_a_cron_expression_is_read_in_local_time() -> None:
    """At four in the morning where the vault's owner sleeps."""
    schedule = begun({"maintain": "0 4 * * *"}, {"maintain": NOW})
    due = datetime.fromtimestamp(schedule.next["maintain"])  # noqa: DTZ006 - local time is meant
    assert (due.hour, due.minute) == (4, 0)


def test_weekdays_are_named() -> None:
    """On Sunday, as any reader takes it."""
    schedule = begun({"maintain": "0 4 * * sun"}, {"maintain": NOW})
    assert datetime.fromtimestamp(schedule.next["maintain"]).isoweekday() == 7  # noqa: DTZ006 - as above


def test_a_date_that_never_comes_is_never_due() -> None:
    """The 31st of February waits for ever, and stops nothing."""
    schedule = begun({"flush": "0 0 31 2 *", "seal": "5m"}, {"flush": NOW, "seal": NOW})
    assert schedule.next == {"seal": NOW + 300}
    assert schedule.due(NOW + 301) == "seal"


def test_a_job_without_a_time_waits_for_another() -> None:
    """It is due when it is hastened, and then no more."""
    schedule = Schedule({"reconcile": "10m", "extract": None})
    schedule.begin(NOW, {"reconcile": NOW, "extract": NOW - 86_400})
    assert schedule.due(NOW) is None
    schedule.hasten("extract", NOW)
    assert schedule.due(NOW) == "extract"
    schedule.ran("extract", NOW)
    assert schedule.next == {"reconcile": NOW + 600}


def test_a_run_of_the_future_counts_as_now() -> None:
    """A machine that began with a wrong clock wrote it down; no job waits for that day."""
    schedule = begun(
        {"flush": "1h", "maintain": "0 4 * * *"}, {"flush": NOW + 30 * 86_400, "maintain": NOW + 30 * 86_400}
    )
    assert schedule.next["flush"] == NOW + 3600
    assert schedule.next["maintain"] <= NOW + 86_400


def test_a_job_is_hastened_and_put_off() -> None:
    """What there is to do now is not left for later; what failed waits."""
    schedule = begun({"seal": "5m"}, {"seal": NOW})
    schedule.hasten("seal", NOW + 10)
    assert schedule.next == {"seal": NOW + 10}
    schedule.hasten("seal", NOW + 20)
    assert schedule.next == {"seal": NOW + 10}
    schedule.put_off("seal", NOW + 60)
    assert schedule.due(NOW + 59) is None


@pytest.mark.parametrize("text", ["61 * * * *", "* * * * noday", "* * 0 * *"])
def test_a_cron_expression_that_is_none_is_named(text: str) -> None:
    """With the setting's key, and what would be right."""
    with pytest.raises(ConfigError, match=r"schedule\.seal_every: .* is no cron expression"):
        Schedule({"seal": text})
