"""The lines of a file that git may have merged, badly or by union: those of both sides count."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARKER = re.compile(r"([<|=>])\1{6}(?: .*)?")
"""What git writes around the sides of a conflict; in a base it may be nested, and is longer there."""


def merged_lines(text: str) -> Iterator[str]:
    """Yield the lines that are not blank, of both sides of a conflict, not of the base that diff3 shows.

    A byte order mark and CRLF do not count. Other line ends are part of a line.
    """
    in_base = False
    for ended in text.removeprefix("\ufeff").split("\n"):
        line = ended.removesuffix("\r")
        if marker := _MARKER.fullmatch(line):
            in_base = marker[1] == "|"
        elif line and not in_base:
            yield line
