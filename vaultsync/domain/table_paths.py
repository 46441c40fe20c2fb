"""Paths in the tables of `.vaultsync`, where each is a field of a line: in NFC, without tabs and line ends."""

from __future__ import annotations

import re
from unicodedata import normalize

from vaultsync.domain.names import is_utf8
from vaultsync.domain.notes import NotePath

_ESCAPE = re.compile(r"\\(.?)", re.DOTALL)
_CHARACTERS = {"\\": "\\", "t": "\t", "n": "\n", "r": "\r"}
_ESCAPES = str.maketrans({character: f"\\{letter}" for letter, character in _CHARACTERS.items()})


def to_field(path: str) -> str:
    """Return a path as a field."""
    return path.translate(_ESCAPES)


def from_field(field: str) -> NotePath | None:
    """Return the path of a field; None if it is none below the vault."""
    path = _unescape(field)
    return composed(NotePath(path)) if path is not None and _is_below_the_vault(path) else None


def composed(path: NotePath) -> NotePath:
    """Return a path in NFC, as machines agree on it."""
    return path if path.isascii() else NotePath(normalize("NFC", path))


def _unescape(field: str) -> str | None:
    if "\\" not in field:
        return field
    if not all(letter in _CHARACTERS for letter in _ESCAPE.findall(field)):
        return None
    return _ESCAPE.sub(lambda escape: _CHARACTERS[escape[1]], field)


def _is_below_the_vault(path: str) -> bool:
    return "\0" not in path and is_utf8(path) and {"", ".", ".."}.isdisjoint(path.split("/"))
