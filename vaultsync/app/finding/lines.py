"""Byte spans as lines, for people and editors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultsync.vault import files

if TYPE_CHECKING:
    from pathlib import Path

    from vaultsync.domain.notes import NotePath

_LINE_END = re.compile(rb"\r\n?|\n")


def line_range(root: Path, path: NotePath, start: int, end: int) -> tuple[int, int]:
    """Return the first and last line (from 1) of bytes `[start, end)` of a note; (1, 1) if unreadable."""
    try:
        raw = files.read(root, path).raw
    except files.ReadFailure:
        return 1, 1
    first = 1 + len(_LINE_END.findall(raw, 0, start))
    return first, first + len(_LINE_END.findall(raw, start, end))
