"""What the daemon's jobs did: a row a run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultsync.store.connection import Reader, Writer

DAYS = 14
MOST = 1000
"""How long runs are remembered, and how many of each job: a note that is edited all day makes one every few seconds."""

_DAY_S = 86_400


class JobRun(NamedTuple):
    """`started_at`, `ended_at`: seconds since 1970. `outcome`: done or failed.

    `detail`: what was done, in numbers by name; of a failed one `error`, in words.
    """

    job: str
    started_at: float
    ended_at: float
    outcome: str
    detail: Mapping[str, Any]


def add(  # noqa: PLR0917 - a row, in the order of its columns
    tx: Writer, job: str, started_at: float, ended_at: float, outcome: str, detail: Mapping[str, object]
) -> None:
    """Remember a run; arguments as of `JobRun`."""
    words = json.dumps(dict(detail))  # in ASCII: an error may name a path that is no text
    tx.run(
        "INSERT INTO job_runs (job, started_at, ended_at, outcome, detail) VALUES (?, ?, ?, ?, ?)",
        [job, started_at, ended_at, outcome, words],
    )


def last(db: Reader) -> dict[str, JobRun]:
    """Return the last run of each job that ever ran, by its name, whatever the clock said."""
    rows = db.rows(
        """
        SELECT job, started_at, ended_at, outcome, detail FROM job_runs
        WHERE id IN (SELECT max(id) FROM job_runs GROUP BY job)
        ORDER BY job
        """
    )
    runs = (JobRun(job, began, ended, outcome, json.loads(said)) for job, began, ended, outcome, said in rows)
    return {run.job: run for run in runs}


def sweep(tx: Writer, now: float) -> None:
    """Forget runs of over two weeks ago and all but the last thousand of each job, never its very last.

    `now`: seconds since 1970.
    """
    tx.run(
        """
        DELETE FROM job_runs WHERE id IN (
            SELECT id FROM (SELECT id, started_at, row_number() OVER (PARTITION BY job ORDER BY id DESC) AS nth
                            FROM job_runs)
            WHERE nth > :most OR (nth > 1 AND started_at < :before))
        """,
        {"most": MOST, "before": now - DAYS * _DAY_S},
    )
