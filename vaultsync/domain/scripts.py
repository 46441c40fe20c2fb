"""Scripts that put no blank between words, and text made ready for an index that looks for blanks."""

from __future__ import annotations

import re
from typing import Final
from unicodedata import normalize

_RANGES: Final = (
    "\u0e01-\u0eff"  # Thai, Lao
    "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f"  # Burmese
    "\u1780-\u17ff"  # Khmer
    "\u1950-\u1aaf\u1b00-\u1b7f\ua980-\ua9df\uaa00-\uaa5f\uaa80-\uaadf"  # Tai, Balinese, Javanese, Cham
    "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"  # Hangul
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\u3041-\u30fa\u30fc-\u312f\u31a0-\u31bf\u31f0-\u31ff\uff66-\uffdc"  # kana, bopomofo, their narrow forms
    "\ua000-\ua63f"  # Yi, Vai
    "\U00016fe0-\U0001b2ff\U00020000-\U0003fffd"  # Tangut, Khitan, Nushu, rarer kana and Han
)
"""Hangul is here although Korean sets blanks: particles and compounds join the word a person looks for."""

_UNSPACED: Final = f"[{_RANGES}]"
_EACH: Final = f"([{_RANGES}])"
_RUNS: Final = rf"[{_RANGES}]+|[^\W_{_RANGES}]+"
"""Left to `re` to compile when one is needed (4 ms each): many vaults never need them."""

_WIDTHS: Final = "[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uffdc]"
"""Wide digits and letters, narrow kana and Hangul."""


def unspaced(text: str) -> bool:
    """Whether a character of a script without blanks between words occurs in `text`."""
    return not text.isascii() and re.search(_UNSPACED, text) is not None


def spaced(text: str) -> str | None:
    """Return `text` with a blank around each character of such a script, or None if it has none.

    Decomposed syllables, wide letters and narrow kana take their usual form, so that either finds the other.
    """
    if not unspaced(text):
        return None
    # NFKC costs as much as all the rest, and few texts need it.
    usual = normalize("NFKC", text) if re.search(_WIDTHS, text) else normalize("NFC", text)
    return " ".join(re.split(_EACH, usual))


def runs(text: str) -> list[str]:
    """Return the words of `text` and, each as one, its runs of characters of such scripts."""
    return re.findall(_RUNS, normalize("NFKC", text))
