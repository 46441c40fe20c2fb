"""Where sentences begin and end, in scripts with and without blanks between words."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_WIDE_STOPS: Final = "。！？｡।॥؟۔።፧։။"  # noqa: RUF001 -- these are the stops of other scripts
"""Stops that end a sentence whatever follows: CJK, Devanagari, Arabic, Ethiopic, Armenian, Burmese."""

_STOPS: Final = f".!?…{_WIDE_STOPS}"

_OPENERS: Final = "\"'“‘«„([{*_~=`¿¡「『《（【"  # noqa: RUF001 -- typographic quotes and wide brackets
_CLOSERS: Final = "\"'”’»“)}*_~=`」』》）】"  # noqa: RUF001 -- as above

_STOP: Final = re.compile(rf"([{_STOPS}][{_STOPS}]*+)[{_CLOSERS}\]]*+(\s*+)")
_LINE_END: Final = re.compile(r"[\r\n][\s>]*+")
"""Both are possessive and never fail after the first character, so a line of a million dots takes one pass.

They begin with a plain set, for which `re` has a fast search.
"""

_MARKER: Final = re.compile(r"(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]|\|")
"""What begins a line that is no continuation: a list item, a heading, a table row."""

_BLANK_LINE: Final = re.compile(r"(?:\r\n|\r(?!\n)|\n)[ \t>]*[\r\n]")

_THAI_PAUSE: Final = re.compile(r"(?<=[\u0e00-\u0e45\u0e47-\u0eff]) ++(?=[\u0e00-\u0eff])")
"""Thai and Lao set a blank where others set a stop; the one after a repetition mark (U+0E46) is no pause."""

_ABBREVIATIONS: Final = frozenset({
    "mr", "mrs", "ms", "dr", "prof", "sr", "jr", "st", "vs", "fig", "figs", "vol", "ed", "eds", "pp", "cf",
    "al", "approx", "dept", "gen", "col", "sgt", "capt", "rev", "hon", "eq", "ch", "sec", "bzw", "nr", "str",
    "abs", "bd", "vgl", "ca", "hr", "fr", "evtl", "ggf", "usw", "sog", "mme", "mlle", "sra", "srta", "ud",
    "uds", "pág", "núm", "av", "им", "ул", "гл", "рис", "табл",
})  # fmt: skip
"""Words whose stop ends no sentence, casefolded; titles and the like in English, German, French, Spanish, Russian."""

_LONGEST_ABBREVIATION: Final = max(map(len, _ABBREVIATIONS))


_SHORT: Final = re.compile(r"\w|\d\d")
"""Initials, and the ordinals of a day."""


def boundaries(text: str) -> list[int]:
    """Return the character offsets, ascending, at which a sentence after the first one starts."""
    starts = {stop.end() for stop in _STOP.finditer(text) if _ends_sentence(text, stop)}
    starts.update(blanks.end() for blanks in _LINE_END.finditer(text) if _breaks_paragraph(text, blanks))
    if not text.isascii():
        starts.update(blank.end() for blank in _THAI_PAUSE.finditer(text))
    starts.discard(len(text))
    return sorted(starts)


def first_sentence(text: str, limit: int = 200) -> str:
    """Return the first sentence, blanks collapsed, at most `limit` characters; a longer one ends in `…`."""
    head = text.lstrip()[: 4 * limit]
    ends = boundaries(head)
    return shorten(" ".join((head[: ends[0]] if ends else head).split()), limit)


def sentence_around(text: str, starts: Sequence[int], start: int, end: int, beside: int) -> str:
    """Return the sentence that holds `text[start:end]`, as it stands.

    `starts`: the `boundaries` of the text. It reaches at most `beside` characters to either side; `…` says where
    that cut it.
    """
    before, after = bisect_right(starts, start), bisect_left(starts, end)
    first = starts[before - 1] if before else 0
    last = starts[after] if after < len(starts) else len(text)
    head, tail = text[max(first, start - beside) : start], text[end : min(last, end + beside)]
    if first < start - beside:
        head = "…" + head[head.find(" ") + 1 :]
    if last > end + beside:
        tail = tail[: tail.rfind(" ") if " " in tail else None] + "…"
    return head + text[start:end] + tail


def shorten(text: str, limit: int) -> str:
    """Return at most `limit` characters, cut at a blank in the last half, else anywhere."""
    if len(text) <= limit:
        return text
    cut = text.rfind(" ", limit // 2, limit)
    return text[: cut if cut > 0 else limit - 1].rstrip(" ,;:") + "…"


def _ends_sentence(text: str, stop: re.Match[str]) -> bool:
    """Whether a sentence ends at this run of stops."""
    stops, blanks = stop.groups()
    return stops[-1] in _WIDE_STOPS or (bool(blanks) and not _goes_on(text, stop.start(), stops, stop.end()))


def _breaks_paragraph(text: str, blanks: re.Match[str]) -> bool:
    """Whether a line ends here for good: a blank line, an item, a heading or a table row follows."""
    return bool(_BLANK_LINE.match(blanks[0]) or _MARKER.match(text, blanks.end()))


def _goes_on(text: str, stop: int, stops: str, following: int) -> bool:
    """Whether the words around a stop say that the sentence is not over: `e.g. this`, `J. Doe`, `3. Mai`."""
    if text[following : following + 4].lstrip(_OPENERS)[:1].islower():
        return True
    if stops != ".":
        return False
    words = text[max(0, stop - 12) : stop].rsplit(None, 1)
    return bool(words) and _is_abbreviation(words[-1].lstrip(_OPENERS))


def _is_abbreviation(word: str) -> bool:
    """Whether a stop behind this word may end no sentence: also initials, `e.g` and German ordinals (`3. Mai`)."""
    if len(word) > _LONGEST_ABBREVIATION:
        return "." in word
    return "." in word or _SHORT.fullmatch(word) is not None or word.casefold() in _ABBREVIATIONS
