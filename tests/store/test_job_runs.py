"""Runs of jobs are remembered, the last of each longest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest

from vaultsync.store import job_runs
from vaultsync.store.job_runs import DAYS, MOST, JobRun

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultsync.store.connection import Database

DAY = 86_400.0


@pytest.fixture
def database(written: Callable[..., Database]) -> Database:
    return written()


def add(database: Database, job: str, *starts: float, outcome: str = "done") -> None:
    with database.write() as tx:
        for at in starts:
            job_runs.add(tx, job, at, at + 0.5, outcome, {"at": at})


def starts(database: Database) -> list[tuple[str, float]]:
    return list(database.read().rows("SELECT job, started_at FROM job_runs ORDER BY id"))


def test_the_last_run_of_each_job_is_the_one_that_was_added_last(database: Database) -> None:
    """Also after the clock was set back; a job that never ran has none."""
    assert job_runs.last(database.read()) == {}
    add(database, "seal", 100.25, 90.0)
    add(database, "flush", 95.0, outcome="failed")
    assert job_runs.last(database.read()) == {
        "flush": JobRun("flush", 95.0, 95.5, "failed", {"at": 95.0}),
        "seal": JobRun("seal", 90.0, 90.5, "done", {"at": 90.0}),
    }


def test_what_happened_is_kept_as_it_was_said(database: Database) -> None:
    """Words of any script, the name of a file that is no text, and numbers come back as they went in."""
    said = {"error": 'zu spät, 遅い: "x\udcff"\n', "added": 3}
    with database.write() as tx:
        job_runs.add(tx, "reconcile", 1.0, 2.0, "failed", said)
    assert job_runs.last(database.read())["reconcile"].detail == said


def test_an_outcome_is_done_or_failed(database: Database) -> None:
    """What reads it need not think of a third."""
    with pytest.raises(apsw.ConstraintError, match="CHECK"):
        add(database, "seal", 1.0, outcome="maybe")


def test_old_runs_are_swept_but_for_the_last_of_each_job(database: Database) -> None:
    """A job of once a month still knows when it ran."""
    now = 100 * DAY
    add(database, "monthly", now - 60 * DAY, now - 30 * DAY)
    add(database, "seal", now - (DAYS + 1) * DAY, now - (DAYS - 1) * DAY, now)
    with database.write() as tx:
        job_runs.sweep(tx, now)
    assert starts(database) == [
        ("monthly", now - 30 * DAY),
        ("seal", now - (DAYS - 1) * DAY),
        ("seal", now),
    ]


def test_of_each_job_a_thousand_runs_are_kept(database: Database) -> None:
    """A busy job does not push another's runs out."""
    add(database, "seal", 1.0)
    add(database, "reconcile", *map(float, range(MOST + 5)))
    with database.write() as tx:
        job_runs.sweep(tx, 10.0)
    kept = starts(database)
    assert kept[0] == ("seal", 1.0)
    assert [at for job, at in kept if job == "reconcile"] == list(map(float, range(5, MOST + 5)))
