"""What a person is told of a daemon."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vaultsync.daemon.pulse import Alive
from vaultsync.daemon.watching import Watch
from vaultsync.store.job_runs import JobRun
from vaultsync.surfaces.cli import daemon_words

NOW = 1_800_000_000.0
ALIVE = Alive(4711, "0.1.0", NOW - 7200, NOW - 2, ready_at=NOW - 7190, looked_at=NOW - 12)


@pytest.mark.parametrize(
    ("moment", "words"),
    [
        (NOW - 12, "12 s ago"),
        (NOW, "0 s ago"),
        (NOW + 250, "in 4 min"),
        (NOW + 7300, "in 2 h"),
        (NOW - 2e5, "2 d ago"),
    ],
)
def test_a_time_is_said_as_people_say_it(moment: float, words: str) -> None:
    assert daemon_words.when(moment, NOW) == words


def test_no_daemon_is_no_secret() -> None:
    """How to have one is said with it."""
    assert "`vaultsync run`" in daemon_words.state(None, NOW)
    assert "`vaultsync service status`" in daemon_words.state(None, NOW, has_service=True)


def test_when_the_index_was_last_equal() -> None:
    """With what waits and what is done, if something does."""
    quiet = daemon_words.state(ALIVE, NOW)
    assert quiet == "The daemon (process 4711, since 2 h) found the index equal to the disk 12 s ago."
    busy = replace(ALIVE, pending=3, doing=("reading", 400, 5000))
    assert daemon_words.state(busy, NOW).endswith("12 s ago, 3 paths wait, reading 400 of 5,000.")
    first = replace(ALIVE, looked_at=None, doing=("reading", 400, 5000))
    assert daemon_words.state(first, NOW).endswith(
        "looks at the vault for the first time, reading 400 of 5,000."
    )


def test_a_daemon_that_hangs_is_not_said_to_be_well() -> None:
    """F22: it is there, and does nothing."""
    assert "hangs" in daemon_words.state(replace(ALIVE, heard_at=NOW - 600), NOW)


def test_what_keeps_it_from_being_told() -> None:
    """With the remedy, in lines of their own (F34, F35)."""
    assert (
        list(daemon_words.hindrances(replace(ALIVE, watch=Watch("events", None, None, is_healthy=True))))
        == []
    )
    polls = replace(ALIVE, watch=Watch("polling", "too many folders.", "Raise the limit.", is_healthy=False))
    why, remedy = daemon_words.hindrances(polls)
    assert why.endswith("too many folders.")
    assert remedy.strip() == "Raise the limit."


def test_each_job_has_its_last_run_and_its_next() -> None:
    """Whether it ran, failed, or is only due."""
    runs = {
        "seal": JobRun("seal", NOW - 70, NOW - 65, "done", {"sealed": 2, "taken_out": 1}),
        "flush": JobRun("flush", NOW - 70, NOW - 65, "failed", {"error": "no room"}),
    }
    alive = replace(ALIVE, next={"seal": NOW + 240, "maintain": NOW + 7200})
    assert list(daemon_words.jobs(runs, alive, NOW)) == [
        "flush: 1 min ago: failed: no room",
        "maintain: next in 2 h",
        "seal: 1 min ago: 2 sealed, 1 taken out; next in 4 min",
    ]
