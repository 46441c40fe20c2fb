-- What the jobs of the daemon came to.

-- A run that has ended. Swept, but for the last of each job, from which it is counted when the job is due again.
CREATE TABLE job_runs (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    job        TEXT NOT NULL,
    started_at REAL NOT NULL,                         -- seconds since 1970
    ended_at   REAL NOT NULL,
    outcome    TEXT NOT NULL CHECK (outcome IN ('done', 'failed')),
    detail     TEXT NOT NULL                          -- JSON object: what was done, in numbers; or `error`, in words
) STRICT;

CREATE INDEX runs_by_job ON job_runs (job);
