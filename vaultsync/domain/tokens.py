"""How many tokens a text will be to an embedding model, estimated without its tokenizer."""

from __future__ import annotations

from typing import Final
from zlib import adler32

_LETTERS: Final = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyz",
        (11, -6, 3, 22, 8, -6, 15, 2, 8, 17, 24, 15, 15, 4, 0, 8, 26, 4, -6, -6, 13, 25, 8, 20, -6, 25),
        strict=True,
    )
)
"""Twentieths of a token. What is common in English (h, o, s, t, y) costs nothing or less, for the words that
the tokenizer knows are English: so one sum fits English, whose words stay whole, and other languages, whose
words fall into pieces of two or three letters."""

_LEADS: Final = (
    (0xC2, 0xC2, 20),  # signs and quotes of Latin-1
    (0xC3, 0xC9, 26),  # Latin letters with marks
    (0xCE, 0xD4, 19),  # Greek, Cyrillic
    (0xD5, 0xD6, 11),  # Armenian
    (0xD7, 0xDF, 19),  # Hebrew, Arabic
    (0xE0, 0xE0, 11),  # the scripts of India, Thai
    (0xE1, 0xE1, 9),  # Georgian, Vietnamese letters with two marks
    (0xE2, 0xE2, 20),  # punctuation and symbols
    (0xE3, 0xE3, 18),  # kana
    (0xE4, 0xE9, 21),  # Chinese characters
    (0xEA, 0xED, 41),  # Hangul, taken apart into its letters
    (0xEE, 0xEF, 20),  # full-width forms
    (0xF0, 0xF4, 20),  # emoji
)
"""First and last lead byte in UTF-8, twentieths of a token a character; continuation bytes weigh nothing."""

UNIT: Final = 20
"""What `weigh` gives for a token."""

_SHIFT: Final = 6
"""Added to each weight, so that none is below 0 and all fit a byte."""

_BLANKS: Final = b" \t\r\n"
_SLICE: Final = 1024
"""Bytes summed at once: the sum stays under Adler-32's modulus, 65,521 (the largest weight is 47)."""

_LONGEST: Final = 8
"""Bytes a token at most; few real texts have more than 6, but without a floor `ttt` would weigh nothing."""


def _weights() -> bytes:
    table = [_SHIFT] * 256
    table[0x21:0x7F] = [_SHIFT + UNIT] * (0x7F - 0x21)
    table[ord("0") : ord("9") + 1] = [_SHIFT + 16] * 10
    for letter, weight in _LETTERS.items():
        table[ord(letter)] = table[ord(letter.upper())] = _SHIFT + weight
    for first, last, weight in _LEADS:
        table[first : last + 1] = [_SHIFT + weight] * (last + 1 - first)
    return bytes(table)


_WEIGHTS: Final = _weights()


def estimate(text: str | bytes) -> int:
    """Return about how many tokens a BERT-style WordPiece tokenizer (uncased, 30,522 words) makes of `text`.

    It is a sum of weights over the UTF-8 bytes (blanks: 0; punctuation: 1; digits: 0.8; letters and other
    scripts: above), rounded up, and at least a token for each 8 bytes that are not blank. So other line ends
    or indents change nothing. A text in UTF-8 already may be given as bytes.

    Fitted by least squares to the tokenizer of all-MiniLM-L6-v2 over vaults, manual pages and programs'
    messages (bench/tokens.py). Error of a class's total, and of eight in ten of its texts of 2.5 kB:

    - English notes and prose: +5 to +10 %, -2 to +22 %
    - 25 other languages in Latin letters: -8 to +9 %, -13 to +15 %
    - Chinese, Japanese, Korean: -1 to +3 %, -5 to +12 %
    - Greek, Cyrillic, Hebrew, Arabic: -5 to -1 %, -5 to 0 %
    - code (C, JavaScript, Python, shell): -7 to +4 %, -18 to +14 %
    - URLs: -3 %, -7 to +2 %

    A word with a letter that the tokenizer does not know is one token: Kazakh, Tamil, Thai and Telugu count
    for 1.4 to 3 times too much. Bengali and Hindi count for a quarter to a third too little.
    """
    return -(-weigh(text) // UNIT)


def weigh(text: str | bytes) -> int:
    """Return the estimate unrounded, in twentieths of a token; a text never outweighs its pieces together."""
    # Adler-32's low half is the sum of the bytes: at C speed, 25 times that of `sum`.
    utf8 = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    weights = utf8.translate(_WEIGHTS, _BLANKS)
    size = len(weights)
    total = -_SHIFT * size
    for at in range(0, size, _SLICE):
        total += adler32(weights[at : at + _SLICE], 0) & 0xFFFF
    return max(total, -(-size * UNIT // _LONGEST))
