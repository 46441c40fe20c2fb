"""What no sentence of a summary may hold, and whether a text is one whole sentence."""

from __future__ import annotations

import re
from typing import Final

_DEBRIS: Final = re.compile(
    r"`|\$[^\s$][^$]*\$|!\[|%%|\{|\}|<[A-Za-z/!?%]|\\[A-Za-z(\[]|\[\^"
    r"|\#(?<![^\s(（\[,;:，、：]\#)[^\s#]"  # noqa: RUF001 -- a tag may stand behind a wide mark
    r"|\^(?<=[ \t]\^)[A-Za-z0-9-]+[ \t]*$"
    r"|\[.?\](?=\s|$)"
    r"|\[\[[^\]|]*[#^][^\]|]*\]\]"
    r"|&\#?[A-Za-z0-9]+;",
    re.MULTILINE,
)
"""Code, math, embeds, comments, templates, HTML, footnotes, tags, block ids, task boxes, links to a part of a note,
character references. Each begins with a plain character, for which `re` has a fast search."""

_LINK: Final = re.compile(
    r"\[\[[^\[\]\r\n]+\]\]|\[[^\[\]]+\]\((?:<[^<>\r\n]*>|[^()<>\r\n]|\([^()\r\n]*\))*\)"
)

_UNSEEN: Final = r"\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffc\ufffd"
_LEFT_OVER: Final = re.compile(
    r"[\[\]|`{}\\]|://|::|www\.|:[a-z0-9_+-]+:|[<>=~*_^#]{2,}|[-=]>| \.\.\."
    r"|\w\.(?:md|png|jpe?g|gif|svg|pdf|html?|js|ts|json|ya?ml|toml|css|py|go|rs|sh|txt|csv|conf|exe|zip|tar|gz)\b"
    rf"|[{_UNSEEN}]"
    r"|\w/\w*/|(?<![\w/])/\w|\w/(?![^\s).,;])|\w\(\)|[A-Za-z]_[A-Za-z]|(?<!\w)--?\w"
)
"""What is left of links, fields, tables, paths, files, code, arrows, names of emoji and options of programs, and
characters that no one sees."""

_ODD: Final = re.compile(rf"[\[\]`*_<>$|#%^~=\\{{}}&/{_UNSEEN}]")
_ODD_PAIR: Final = re.compile(r"\.[\w.]|-(?:-|(?<= -)\w)|\(\)|:[a-z0-9_+:/-]")
"""One of these two is in all that `_DEBRIS` and `_LEFT_OVER` find and in all markup; they are many times as fast."""

_STOPS: Final = frozenset(".!?。！？।॥؟۔።։")  # noqa: RUF001 -- the stops of other scripts
_CLOSERS: Final = "\"'”’»“)」』》）】"  # noqa: RUF001 -- typographic closers
_BRACKETS: Final = frozenset("()（）")  # noqa: RUF001 -- wide ones too
_NO_END: Final = frozenset(
    """
    e.g i.e cf vs approx no nr fig vol pp mr mrs dr st bzw vgl z.b см напр т.е т.д др
    """.split()  # noqa: RUF001, SIM905 -- words of two alphabets, as a line of words
)
"""Abbreviations behind whose stop more stood; folded."""

_START: Final = re.compile("[\"'“‘«„(¿¡「『《（【]*([^\\W_])")  # noqa: RUF001 -- typographic openers
_NUMBERED: Final = re.compile(r"(?:\d+|\w)[.)、：:]")  # noqa: RUF001 -- wide marks

_FEWEST: Final = 5
"""Words in a sentence that says something, and half as many characters of a script without blanks."""

_PAIRS: Final = (("(", ")"), ("（", "）"), ("“", "”"), ("「", "」"), ("『", "』"), ("《", "》"), ("«", "»"))  # noqa: RUF001
_PAIRED: Final = re.compile('["()（）“”「」『』《》«»]')  # noqa: RUF001 -- as above
_USUAL: Final = re.compile("[A-Z][A-Za-z,;'’ -]+ [A-Za-z'’-]*[a-z]{4}[.]")  # noqa: RUF001 -- an apostrophe
"""What most sentences in Latin letters look like: no more need be asked of them."""

_NO_SIGNS: Final = bytes(range(0x41, 0x5B)) + bytes(range(0x61, 0x7B)) + bytes(range(0x80, 0x100)) + b" "
"""All bytes of UTF-8 but those of ASCII's digits and signs."""


def smooth(text: str) -> bool:
    """Whether nothing in a text, as written or as seen, may be a mark or debris."""
    return not (_ODD.search(text) or _ODD_PAIR.search(text))


def debris(piece: str) -> bool:
    """Whether a sentence, as written, holds what is no prose, or a part of a link."""
    if _DEBRIS.search(piece):
        return True
    return "[" in piece and _unlinked(piece)


def _unlinked(piece: str) -> bool:
    rest = _LINK.sub("", piece)
    return "[" in rest or "]" in rest


def whole(text: str) -> bool:
    """Whether a text, as a reader sees it, is one complete sentence."""
    if _USUAL.fullmatch(text):
        return text.count(" ") >= _FEWEST - 1
    return _ends(text) and _starts(text) and _says_enough(text) and _paired(text)


def legible(text: str) -> bool:
    """Whether nothing is left in a text, as a reader sees it, of links, tables, paths, code, or unseen characters."""
    return smooth(text) or not _LEFT_OVER.search(text)


def _ends(text: str) -> bool:
    """Whether a text ends with a stop that ends a sentence: no ellipsis, initial or abbreviation, nor in brackets."""
    bare = text.rstrip(_CLOSERS)
    if text[-1:] in _BRACKETS and text[0] not in _BRACKETS:
        return False
    if bare[-1:] != ".":
        return bare[-1:] in _STOPS and bare[-2:] != "。。"
    last = bare[bare.rfind(" ") + 1 : -1].lstrip("(").lower()
    return len(last) > 1 and last[-1] not in ".…" and last not in _NO_END


def _starts(text: str) -> bool:
    """Whether the first letter may begin a sentence: no small one, no number of a list, no speaker's initial."""
    start = _START.match(text)
    return start is not None and not start[1].islower() and not _NUMBERED.match(text)


def _says_enough(text: str) -> bool:
    """Whether there are words enough, and no more than a third of it are digits and signs."""
    blanks = text.count(" ")
    utf8 = text.encode("utf-8", "replace")
    if blanks < _FEWEST - 1 and len(utf8) - len(text) < 4 * _FEWEST:
        return False
    return 3 * len(utf8.translate(None, _NO_SIGNS)) < len(text) - blanks


def _paired(text: str) -> bool:
    if "(" not in text and '"' not in text and (text.isascii() or not _PAIRED.search(text)):
        return ")" not in text
    return text.count('"') % 2 == 0 and all(text.count(left) == text.count(right) for left, right in _PAIRS)
