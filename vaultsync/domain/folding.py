"""Case and diacritics taken off, a character for a character, so that offsets hold for both texts."""

from __future__ import annotations

import re
from typing import Final
from unicodedata import category, normalize

MARK: Final = "\u0300"
"""What every combining mark becomes."""

_COMPOSED: Final = "[\u00c0-\u10ff\u1680-\u1fff\u302a-\u302f\u3099\u309a\uff21-\uff5a]"
"""Where letters with diacritics, combining marks and wide letters are; kana and Hangul stay whole."""


def fold(text: str) -> str:
    """Return `text` in lower case without diacritics, of the same length; combining marks become `MARK`."""
    if text.isascii() or not re.search(_COMPOSED, text):
        return text.lower()
    return text.translate(_FOLDED)


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
    plain = (normalize("NFKD", char)[0] if re.match(_COMPOSED, char) else char).lower()
    return plain if len(plain) == 1 else char


_FOLDED: Final = _Folded()
