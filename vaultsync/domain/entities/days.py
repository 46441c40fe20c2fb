"""Days that a text names, however they are written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from vaultsync.domain.entities import canonical
from vaultsync.domain.entities.values import Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Iterator

_YEAR: Final = re.compile(r"[0-9](?<![0-9][0-9])[0-9]{3}(?![0-9])")
"""A digit first, for which `re` has a fast search; the rest of a date is looked for around its year."""

_AFTER: Final = re.compile(
    r"""(?:
        (?P<sign>[-/])(?P<month>[0-9]{1,2})(?P=sign)(?P<day>[0-9]{1,2})
      | [ ]?年[ ]?(?P<month_>[0-9]{1,2})[ ]?月[ ]?(?P<day_>[0-9]{1,2})[ ]?日
    )(?![0-9])""",
    re.VERBOSE,
)
_BEFORE: Final = re.compile(
    r"""(?<![\w.])(?:
        (?P<day>[0-9]{1,2})(?:
            \.[ ]?(?P<month>[0-9]{1,2})\.[ ]?
          | (?:st|nd|rd|th|er|\.)?[ ](?:of[ ]|de[ ])?(?P<named>[^\W\d_]{3,10})\.?,?[ ](?:del?[ ])?)
      | (?P<first>[^\W\d_]{3,10})\.?[ ](?P<day_>[0-9]{1,2})(?:st|nd|rd|th)?,?[ ]
    )\Z""",
    re.VERBOSE,
)
"""Not among them: `3/4/2024`, of which nobody can tell the month."""

_LONGEST: Final = 28
"""Characters before a year at most, as in `23 de septiembre del `."""


def days(text: str) -> Iterator[Mention]:
    """Yield `2024-03-05`, `2024/3/5`, `5.3.2024`, `5 March 2024`, `March 5th, 2024`, `2024年3月5日` and the like.

    Months have their English, German, French and Spanish names.
    """
    for year in _YEAR.finditer(text):
        after = _AFTER.match(text, year.end())
        before = None if after else _BEFORE.search(text, max(0, year.start() - _LONGEST), year.start())
        found = after or before
        if found and (iso := _read(year[0], found.groupdict())):
            start, end = min(year.start(), found.start()), max(year.end(), found.end())
            yield Mention(Entity("date", iso), text[start:end], start, end, 1.0)


def _read(year: str, parts: dict[str, str | None]) -> str | None:
    month = parts.get("month") or parts.get("month_") or parts.get("named") or parts.get("first")
    number = parts.get("day") or parts.get("day_")
    return canonical.day(year, month, number) if month and number else None
