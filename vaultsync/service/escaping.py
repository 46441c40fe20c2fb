"""How systemd writes paths in the names of units, and words in the lines of them."""

from __future__ import annotations

import os
from typing import Final

_PLAIN: Final = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:_.")

_QUOTED: Final = str.maketrans({"%": "%%", "\\": "\\\\", '"': '\\"'})
"""A per cent sign would begin a specifier; a backslash, an escape sequence."""


def escape_path(path: str) -> str:
    """Return an absolute, normal path as it stands in the name of a unit: what `systemd-escape --path` prints."""
    raw = os.fsencode(path).strip(b"/")
    if not raw:
        return "-"
    return "".join(_escaped(byte, is_first=at == 0) for at, byte in enumerate(raw))


def quote(word: str) -> str:
    """Return a word for a line of a unit, where nothing in it means anything but itself.

    Of a command this holds only if the line begins with `:`, which leaves `$` alone. Control characters have no
    form that all of systemd's lines understand: `is_quotable`.
    """
    return f'"{word.translate(_QUOTED)}"'


def is_quotable(word: str) -> bool:
    """Tell whether a word can stand in a unit or a property list: it is UTF-8, without control characters."""
    return not any(char < " " or "\x7f" <= char < "\xa0" or "\ud800" <= char <= "\udfff" for char in word)


def _escaped(byte: int, *, is_first: bool) -> str:
    if byte == ord("/"):
        return "-"
    if byte in _PLAIN and not (is_first and byte == ord(".")):
        return chr(byte)
    return f"\\x{byte:02x}"
