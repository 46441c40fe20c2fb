"""Where sentences begin and end, in scripts with and without blanks between words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_WIDE_STOPS: Final = "。！？｡।॥؟۔።፧։။"  # noqa: RUF001 -- these are the stops of other scripts
"""Stops that end a sentence whatever follows: CJK, Devanagari, Arabic, Ethiopic, Armenian, Burmese."""

_STOPS: Final = f".!?…{_WIDE_STOPS}"

_OPENERS: Final = "\"'“‘«„([{*_~=`¿¡「『《（【"  # noqa: RUF001 -- typographic quotes and wide brackets
_CLOSERS: Final = "\"'”’»“)}*_~=`」』》）】"  # noqa: RUF001 -- as above

_STOP_OR_LINE_END: Final = rf"[{_STOPS}\r\n](?:(?<![\r\n])([{_STOPS}]*+)[{_CLOSERS}\]]*+(\s*+)|[\s>]*+)"
"""Stops and what closes behind them, or the end of a line; then blanks.

It is possessive and never fails after the first character, so a line of a million dots takes one pass. It begins
with a plain set, for which `re` has a fast search.
"""

_PAUSE: Final = re.compile(_STOP_OR_LINE_END)

_THAI: Final = re.compile("[\u0e00-\u0eff]")
_PAUSE_IN_THAI: Final = re.compile(
    rf"{_STOP_OR_LINE_END}|(?<=[\u0e00-\u0e45\u0e47-\u0eff]) ++(?=[\u0e00-\u0eff])"
)
"""Thai and Lao set a blank where others set a stop; the one after a repetition mark (U+0E46) is no pause."""

_MARKER: Final = re.compile(r"[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]|\|)")
"""What begins a line that is no continuation: a list item, a heading, a table row."""

_LINE_ENDS: Final = frozenset("\r\n")
_BLANK_LINE: Final = re.compile(r"(?:\r\n|\r(?!\n)|\n)[ \t>]*[\r\n]")

_ABBREVIATIONS: Final = frozenset({
    "mr", "mrs", "ms", "dr", "prof", "sr", "jr", "st", "vs", "fig", "figs", "vol", "ed", "eds", "pp", "cf",
    "al", "approx", "dept", "gen", "col", "sgt", "capt", "rev", "hon", "eq", "ch", "sec", "bzw", "nr", "str",
    "abs", "bd", "vgl", "ca", "hr", "fr", "evtl", "ggf", "usw", "sog", "mme", "mlle", "sra", "srta", "ud",
    "uds", "pág", "núm", "av", "им", "ул", "гл", "рис", "табл",
})  # fmt: skip
"""Words whose stop ends no sentence, casefolded; titles and the like in English, German, French, Spanish, Russian."""

_EDGE: Final = 16
"""Characters that a stop, what closes behind it and blanks take together, with few exceptions."""

_SHORT: Final = re.compile(r"\w|\d\d")
"""Initials, and the ordinals of a day."""


def boundaries(text: str) -> Iterator[int]:
    """Yield the character offsets, ascending, at which a sentence after the first one starts."""
    return (pause.end() for pause in _pauses(text, 0, len(text)) if _ends_sentence(text, pause))


def first_sentence(text: str, limit: int = 200) -> str:
    """Return the first sentence, blanks collapsed, at most `limit` characters; a longer one ends in `…`."""
    head = text.lstrip()[: 4 * limit]
    return shorten(" ".join(head[: next(boundaries(head), None)].split()), limit)


def sentence_around(text: str, start: int, end: int, beside: int) -> str:
    """Return the sentence that holds `text[start:end]`, as it stands.

    It reaches at most `beside` characters to either side; `…` says where that cut it.
    """
    first, last = 0, len(text)
    for pause in _pauses(text, max(0, start - beside - _EDGE), min(last, end + beside + _EDGE)):
        if not _ends_sentence(text, pause):
            continue
        if pause.end() <= start:
            first = pause.end()
        elif pause.end() >= end:
            last = pause.end()
            break
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


def _pauses(text: str, start: int, stop: int) -> Iterator[re.Match[str]]:
    """Return the places in `text[start:stop]` where a sentence may end, with the blanks behind it."""
    pause = _PAUSE if text.isascii() or not _THAI.search(text, start, stop) else _PAUSE_IN_THAI
    return pause.finditer(text, start, stop)


def _ends_sentence(text: str, pause: re.Match[str]) -> bool:
    """Whether a sentence ends here and another one follows."""
    start, following = pause.span()
    if following == len(text):
        return False
    more, blanks = pause.groups()
    if more is None:
        return text[start] == " " or _breaks_paragraph(text, pause[0], following)
    stops = text[start] + more
    if stops[-1] in _WIDE_STOPS or (blanks and not _goes_on(text, start, stops, following)):
        return True
    return not _LINE_ENDS.isdisjoint(blanks) and _breaks_paragraph(text, blanks, following)


def _breaks_paragraph(text: str, blanks: str, following: int) -> bool:
    """Whether a line ends here for good: a blank line, an item, a heading or a table row follows."""
    return bool(_BLANK_LINE.search(blanks) or _MARKER.match(text, following))


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
    return "." in word or word.casefold() in _ABBREVIATIONS or _SHORT.fullmatch(word) is not None
