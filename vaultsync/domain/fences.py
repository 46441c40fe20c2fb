"""Where a note's frontmatter stands."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_LINE_END: Final = r"(?:\r\n?+|\n)"
_RULER: Final = rf"---[ \t]*+(?:{_LINE_END}|\Z)"
FENCED: Final = re.compile(rf"---[ \t]*+{_LINE_END}(?P<yaml>(?:(?!{_RULER})[^\r\n]*+[\r\n])*+){_RULER}")

_LINE_ENDS: Final = re.compile(_LINE_END)

_MAPPING: Final = re.compile(
    r"(?:\s|\#[^\r\n]*+)*+(?:\{|<%|\?\s|(?!-\s)[^\s\#\[\]&*!|>%@`][^\r\n]*?:(?:\s|\Z))"
)
"""The first line that says something is `key:`, JSON or a Templater command; else the `---` are rulers."""


class Fence(NamedTuple):
    """Where frontmatter stands, in characters: its YAML is `[start, end)`, the body starts at `body`."""

    start: int
    end: int
    body: int


def split(text: str) -> Fence | None:
    """Find the frontmatter at the start of a text (no BOM); None where `---` is a ruler or never closed."""
    return fence_at(text, 0)


def fence_at(text: str, start: int) -> Fence | None:
    """Find the frontmatter that starts right at `start`."""
    if not text.startswith("---", start):
        return None
    fenced = FENCED.match(text, start)
    if fenced is None:
        return None
    begin, end = fenced.span("yaml")
    if not text[begin:end].isspace() and begin < end and not _MAPPING.match(text, begin, end):
        return None
    return Fence(begin, end, fenced.end())


def line_at(text: str, offset: int) -> int:
    """Return the line of an offset, counted from 1; LF, CRLF and a lone CR each end a line."""
    return 1 + len(_LINE_ENDS.findall(text, 0, offset))
