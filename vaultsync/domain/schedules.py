"""When something is to be done again, as settings say it: after a time, or by a cron expression."""

from __future__ import annotations

import re

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}

_TIME = re.compile(r"([1-9][0-9]{0,8})([smhd])")
_CRON = re.compile(r"([0-9A-Za-z*/,-]+ ){4}[A-Za-z*,-]+")
"""Weekdays are named: cron counts them from Sunday, APScheduler from Monday."""

_LONGEST_S = 366 * 86_400


def is_schedule(text: str) -> bool:
    """Tell whether a text says when: a time, or what looks like a cron expression of five fields."""
    return interval_s(text) is not None or _CRON.fullmatch(text) is not None


def interval_s(text: str) -> int | None:
    """Return the seconds that a time such as `90s`, `10m`, `6h` or `1d` stands for, at most a year; else None."""
    found = _TIME.fullmatch(text)
    if found is None:
        return None
    seconds = int(found[1]) * _SECONDS[found[2]]
    return seconds if seconds <= _LONGEST_S else None
