"""Plain text as markdown that reads the same and marks nothing."""

from __future__ import annotations

import re
from typing import Final

_SPECIAL: Final = re.compile(
    r"[\\`*\[\]|$]"
    r"|(?<![^\W_])_|_(?![^\W_])"
    r"|<(?=[A-Za-z/!?])|(?<=<)%"
    r"|(?<=[={~%:])[={~%:]|:(?=//)"
    r"|(?<!\w)\#(?=\S)"
    r"|(?<!\S)\^(?=[A-Za-z0-9])"
    r"|&(?=\#?[A-Za-z0-9]+;)"
)
_MAY_MARK: Final = re.compile(r"[\\`*\[\]|$_<={~%:#^&]")

_LINE_START: Final = re.compile(r"(?:\d+(?=[.)])|(?=[-+>#=~]))")
"""Behind it stands what would make the line a list item, a quote, a heading, an underline of one or a fence."""


def escaped(text: str) -> str:
    """Return one line of text with a backslash before each character that would mark something in Obsidian."""
    marked = _SPECIAL.sub(r"\\\g<0>", text) if _MAY_MARK.search(text) else text
    start = _LINE_START.match(marked)
    return f"{start[0]}\\{marked[start.end() :]}" if start else marked
