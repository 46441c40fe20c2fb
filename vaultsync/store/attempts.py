"""Work that failed: how often, with what words, and when it is due again."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultsync.store.as_json import to_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultsync.store.connection import Reader, Writer

FIRST_WAIT_S = 60
LONGEST_WAIT_S = 3600
"""The wait doubles from the first to the longest (design, section 2)."""


class Attempt(NamedTuple):
    """`next_attempt_at`: seconds since 1970, None for work that waits for a change."""

    stage: str
    subject: str
    tries: int
    next_attempt_at: int | None
    last_error: str


def record(
    tx: Writer,
    stage: str,
    failures: Iterable[tuple[str, str]],
    now: int,
    *,
    first_s: int = FIRST_WAIT_S,
    longest_s: int = LONGEST_WAIT_S,
) -> None:
    """Record failures, each a subject and what went wrong; `now` in seconds since 1970.

    `first_s`, `longest_s`: what to wait before the next try, doubling from the one to the other.
    """
    tx.many(
        """
        INSERT INTO attempts (stage, subject, count, next_attempt_at, last_error)
        VALUES (:stage, :subject, 1, :now + :first, :error)
        ON CONFLICT (stage, subject) DO UPDATE SET
            count = count + 1,
            next_attempt_at = :now + min(:longest, :first << min(count, 16)),
            last_error = :error
        """,
        [
            {
                "stage": stage,
                "subject": subject,
                "now": now,
                "first": first_s,
                "longest": longest_s,
                "error": error,
            }
            for subject, error in failures
        ],
    )


def await_change(tx: Writer, stage: str, subject: str, error: str) -> None:
    """Record a failure that nothing but a change can mend, so that it is not tried again."""
    tx.run(
        """
        INSERT INTO attempts (stage, subject, count, next_attempt_at, last_error)
        VALUES (:stage, :subject, 1, NULL, :error)
        ON CONFLICT (stage, subject) DO UPDATE SET count = count + 1, next_attempt_at = NULL, last_error = :error
        """,
        {"stage": stage, "subject": subject, "error": error},
    )


def clear(tx: Writer, stage: str, subjects: Iterable[str]) -> None:
    """Forget the failures of what has succeeded or is gone."""
    tx.many(
        "DELETE FROM attempts WHERE stage = ? AND subject = ?", [(stage, subject) for subject in subjects]
    )


def clear_others(tx: Writer, stage: str, kept: Iterable[str]) -> None:
    """Forget all failures of a stage but those of these subjects."""
    tx.run(
        "DELETE FROM attempts WHERE stage = ? AND subject NOT IN (SELECT value FROM json_each(?))",
        [stage, to_json(list(kept))],
    )


def pending(db: Reader) -> list[Attempt]:
    """Return all that failed and has not succeeded since, soonest first."""
    rows = db.rows("SELECT stage, subject, count, next_attempt_at, last_error FROM attempts ORDER BY 4, 1, 2")
    return [Attempt._make(row) for row in rows]
