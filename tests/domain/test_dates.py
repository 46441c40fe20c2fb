"""A note's day comes from its name."""

from __future__ import annotations

import pytest

from vaultsync.domain.dates import date_of_name, iso_date
from vaultsync.domain.notes import NotePath


@pytest.mark.parametrize(
    ("path", "moment_format", "day"),
    [
        ("2024-02-29.md", None, "2024-02-29"),
        ("a/Call 2024-01-02 with Ann.md", None, "2024-01-02"),
        ("2024-13-01 then 2024-01-31.md", None, "2024-01-31"),
        ("2023-02-29.md", None, None),
        ("12024-01-02.md", None, None),
        ("2024-01-02/Note.md", None, None),
        ("02.01.2024.md", "DD.MM.YYYY", "2024-01-02"),
        ("2.1.24.md", "D.M.YY", "2024-01-02"),
        ("20240102.md", "YYYYMMDD", "2024-01-02"),
        ("2024/01/02.md", "YYYY/MM/DD", "2024-01-02"),
        ("Tuesday, January 2nd 2024.md", "dddd, MMMM Do YYYY", "2024-01-02"),
        ("Day 2 of Jan 2024.md", "[Day] D [of] MMM YYYY", "2024-01-02"),
        ("2024/2024.01.02.md", "YYYY/YYYY.MM.DD", "2024-01-02"),
        ("32.01.2024.md", "DD.MM.YYYY", None),
        ("Foo 02.01.2024.md", "DD.MM.YYYY", None),
        ("05.md", "DD", None),
        ("x.md", "(((", None),
    ],
)
def test_the_name_holds_the_day(path: str, moment_format: str | None, day: str | None) -> None:
    """An ISO date anywhere in the file name, or the whole name in the daily notes' format; real days only."""
    assert date_of_name(NotePath(path), moment_format) == day


def test_the_daily_format_counts_in_the_daily_folder() -> None:
    """Elsewhere the same digits may mean anything."""
    assert date_of_name(NotePath("Daily/02.01.2024.md"), "DD.MM.YYYY", "Daily") == "2024-01-02"
    assert date_of_name(NotePath("Parts/02.01.2024.md"), "DD.MM.YYYY", "Daily/") is None


def test_a_time_behind_the_date_is_left_out() -> None:
    """The day is all that is asked."""
    assert iso_date("2024-01-02T03:04:05") == "2024-01-02"
    assert iso_date("someday") is None
