"""The words that sentences are compared by, the same in every version of Python."""

from __future__ import annotations

import re
from operator import add
from typing import Final

from vaultsync.domain.fillers import FILLERS
from vaultsync.domain.folding import fold

_UNSPACED: Final = (
    "\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff\U00020000-\U0003ffff"  # kana, Han, Hangul
)
_SPACED: Final = (
    "0-9A-Za-z\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u0559\u0560-\u0588"  # Latin to Armenian
    "\u0591-\u05bd\u05d0-\u05f2\u0610-\u061a\u0620-\u0669\u066e-\u06d3\u06d5-\u0963"  # Hebrew, Arabic, Nagari
    "\u0966-\u0e00\u0f00-\u0fff\u10a0-\u1360\u1369-\u177f\u1800-\u1fff"
    "\u2c00-\u2dff\ua640-\uabff\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\U00010000-\U0001efff"
)
"""Letters and digits without the signs between them: fixed ranges, as `\\w` has more in each version of Python."""

_WORD: Final = re.compile(rf"[{_SPACED}]{{2,}}|[{_UNSPACED}]+")
_ASCII_WORD: Final = re.compile("[0-9a-z]{2,}")
_IS_UNSPACED: Final = re.compile(f"[{_UNSPACED}]")


def words(text: str) -> frozenset[str]:
    """Return the words of a text that say what it is about, folded.

    Of scripts without blanks these are pairs of characters.
    """
    return spelled(text) - FILLERS


def spelled(text: str) -> frozenset[str]:
    """Return all words of a text, folded, without single letters; pairs of characters of scripts without blanks."""
    if text.isascii():
        return frozenset(_ASCII_WORD.findall(text.lower()))
    return frozenset([part for word in _WORD.findall(fold(text)) for part in _parts(word)])


def _parts(word: str) -> list[str]:
    if word.isascii() or not _IS_UNSPACED.match(word):
        return [word]
    return list(map(add, word, word[1:])) or [word]


def small(text: str) -> list[str]:
    """Return what stands between blanks and begins with no capital."""
    return [word for word in text.split(" ") if not word[:1].isupper()]
