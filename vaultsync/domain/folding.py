"""Case and diacritics taken off, a character for a character, so that offsets hold for both texts."""

from __future__ import annotations

from typing import Final
from unicodedata import category, normalize

MARK: Final = "\u0300"
"""What every combining mark becomes."""


def fold(text: str) -> str:
    """Return `text` in lower case without diacritics, of the same length; combining marks become `MARK`."""
    return text.lower() if text.isascii() else text.translate(_FOLDED)


def bare(text: str) -> str:
    """Return `text` folded, its combining marks left out: equal for two spellings of the same words."""
    return fold(normalize("NFC", text)).replace(MARK, "")


class _Folded(dict[int, str]):
    """What each character becomes, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _fold_one(chr(code))
        return folded


def _fold_one(char: str) -> str:
    if category(char) == "Mn":
        return MARK
    plain = normalize("NFKD", char)[0].lower()
    return plain if len(plain) == 1 else char


_FOLDED: Final = _Folded()
