"""The day that a note is about, as its name or its frontmatter says it."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from vaultsync.domain.notes import NotePath

_ISO: Final = re.compile(r"(?<!\d)(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)(?!\d)", re.ASCII)

_TOKEN: Final = re.compile(r"\[([^\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|DDDD|DDD|Do|DD|D|[A-Za-z]+")
_FIELDS: Final = {
    "YYYY": ("year", r"\d{4}"),
    "YY": ("year", r"\d\d"),
    "MMMM": ("month", r"[A-Za-z]{3,9}"),
    "MMM": ("month", r"[A-Za-z]{3}"),
    "MM": ("month", r"\d\d"),
    "M": ("month", r"\d\d?"),
    "DD": ("day", r"\d\d"),
    "D": ("day", r"\d\d?"),
    "Do": ("day", r"\d\d?"),
}
"""The Moment.js tokens that make a date; any other one (a weekday, a week) may read as any word."""

_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def date_of_name(path: NotePath, daily_format: str | None = None, daily_folder: str = "") -> str | None:
    """Return the ISO date in a note's file name or, in the daily folder, as the daily format reads it."""
    return iso_date(path.rpartition("/")[2]) or _as_daily(path, daily_format, daily_folder)


def day_of(path: NotePath, daily_format: str | None = None, daily_folder: str = "") -> str | None:
    """Return the ISO date of a daily note, None of any other.

    That is a note whose name is a date and nothing else; in the daily folder any whose name holds one; and where
    none is set, as by default, any whose path is what the daily format makes. So `2026-03-09 Committee` is a meeting.
    """
    stem = path.rpartition("/")[2].removesuffix(".md")
    if daily_folder.strip("/") and path.startswith(f"{daily_folder.strip('/')}/"):
        return date_of_name(path, daily_format, daily_folder)
    if (day := iso_date(stem)) == stem:
        return day
    return None if daily_folder.strip("/") else _as_daily(path, daily_format, "")


def iso_date(text: str) -> str | None:
    """Return the first `YYYY-MM-DD` in a text that is a day of the calendar."""
    for found in _ISO.finditer(text):
        if day := _valid(found):
            return day
    return None


def _as_daily(path: NotePath, daily_format: str | None, daily_folder: str) -> str | None:
    """Return the date that the daily format reads in the path of a note in the daily folder."""
    folder = f"{daily_folder.strip('/')}/" if daily_folder.strip("/") else ""
    if not daily_format or not path.startswith(folder):
        return None
    pattern = _pattern(daily_format.strip("/"))
    read = pattern and pattern.fullmatch(path[len(folder) :].removesuffix(".md"))
    return _valid(read) if read else None


@lru_cache(maxsize=8)
def _pattern(moment_format: str) -> re.Pattern[str] | None:
    """Return what matches the paths of a Moment.js format; None if it holds no year, month and day."""
    parts, at, fields = ["(?:.*/)?"], 0, set[str]()
    for token in _TOKEN.finditer(moment_format):
        parts.append(re.escape(moment_format[at : token.start()]))
        parts.append(_token(token, fields))
        at = token.end()
    parts.append(re.escape(moment_format[at:]))
    return re.compile("".join(parts), re.ASCII) if fields == {"year", "month", "day"} else None


def _token(token: re.Match[str], fields: set[str]) -> str:
    """Return what a token reads, named where its field is met first (`YYYY/MM/YYYY-MM-DD` has two years)."""
    if token[1] is not None:
        return re.escape(token[1])
    if token[0] not in _FIELDS:
        return r"[^/]+?"
    name, digits = _FIELDS[token[0]]
    named = f"?P<{name}>" if name not in fields else "?:"
    fields.add(name)
    return f"({named}{digits})" + ("(?:st|nd|rd|th)" if token[0] == "Do" else "")


def _valid(read: re.Match[str]) -> str | None:
    """Return the date in ISO form, None if the calendar has no such day."""
    year, month = f"20{read['year']}"[-4:], read["month"]  # `YY` is of this century
    try:
        number = int(month) if month.isdigit() else _MONTHS.index(month[:3].lower()) + 1
        return date(int(year), number, int(read["day"])).isoformat()
    except ValueError:
        return None
