"""What a search is narrowed to, and whether a person wrote it right."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Literal

from vaultsync.domain.errors import UsageError

_DAY = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Filters:
    """All of them must hold; None holds for every note.

    `path`: what a path below the vault begins with (`Projects`, `Projects/Al`), or, if it has a `*`, `?` or
    `[`, a pattern for the whole of it as SQLite's GLOB reads it: case counts, `*` crosses `/`.
    `tag`: with or without `#`, in any case; `project` holds for `project/active` too.
    `source`: a top-level folder.
    `since`, `until`: a day, month or year (`2026-03-02`, `2026-03`, `2026`), itself included; a note's day is
    its event date, else the day (UTC) when its content last changed.
    """

    path: str | None = None
    tag: str | None = None
    kind: Literal["note", "summary", "all"] = "note"
    source: str | None = None
    since: str | None = None
    until: str | None = None


def check(filters: Filters) -> None:
    """Raise UsageError if a value is none that the filter knows."""
    for name, value in (("since", filters.since), ("until", filters.until)):
        if value is not None and not _is_day(value):
            raise UsageError(f"{name}: {value!r} is no date: write 2026-03-02, 2026-03 or 2026")
    if filters.kind not in {"note", "summary", "all"}:
        raise UsageError(f"kind: {filters.kind!r} is none of note, summary, all")


def _is_day(value: str) -> bool:
    parts = _DAY.fullmatch(value)
    if parts is None:
        return False
    year, month, day = parts.groups(default="01")
    try:
        date(int(year), int(month), int(day))
    except ValueError:
        return False
    return True
