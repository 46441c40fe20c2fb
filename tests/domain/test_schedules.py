"""When something is to be done again, as settings say it."""

from __future__ import annotations

import pytest

from vaultsync.domain.schedules import interval_s, is_schedule


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("10m", 600), ("6h", 21_600), ("1d", 86_400), ("366d", 31_622_400)]
)
def test_a_time_is_a_number_with_its_unit(text: str, seconds: int) -> None:
    """Seconds, minutes, hours and days."""
    assert interval_s(text) == seconds
    assert is_schedule(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0m",
        "10",
        "m",
        "-5m",
        "1.5h",
        "10 m",
        "367d",
        "1w",
        "999999999d",
        "\u0661m",
        "0 4 * * 0",
        "0 4 * * */2",
    ],
)
def test_what_is_no_time_is_no_schedule(text: str) -> None:
    """Never at once and over and over, and nothing that a person may have meant otherwise."""
    assert interval_s(text) is None
    assert not is_schedule(text)


@pytest.mark.parametrize("text", ["0 4 * * *", "*/15 8-18 * * mon-fri", "30 2 1,15 * *"])
def test_a_cron_expression_is_a_schedule(text: str) -> None:
    """Its five fields are read by the scheduler."""
    assert interval_s(text) is None
    assert is_schedule(text)
