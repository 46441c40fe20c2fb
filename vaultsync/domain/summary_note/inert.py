"""Markdown in which nothing runs, loads, links, tags or hides: what a summary and its titles may be."""

from __future__ import annotations

import re
from typing import Final

_UNSEEN: Final = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ufeff]")
"""Controls, and the marks that make text read in another order than it is written."""

_NO_TEXT: Final = re.compile("[\ud800-\udfff]")
_BLANK_LINES: Final = re.compile("\n{3,}")

_ADDRESS: Final = re.compile(r"(?<![A-Za-z0-9])(?:https?\\?:(?:\\?/){2,}|www\\?\.)", re.IGNORECASE)
_SCHEME_END: Final = re.compile(r"\\?:(?:\\?/){2,}")
"""With these a bare address is a link; a backslash in them may be lost before the reader looks for links."""

_ACTIVE: Final = re.compile(
    r"""
      (?P<pair>\\[!-/:-@\[-`{-~])
    | [\\`\[\]|$]                                  # code, links, footnotes, table cells, formulas
    | ([{%:~<>])(?:(?=\2)|(?<=\2\2))               # comments, inline fields, fences, git's conflict marks
    | <(?=[A-Za-z/!?%]) | (?<=<)% | %(?=>)         # HTML; Templater's commands
    | (?<![A-Za-z0-9])[\#^]                        # headings, tags; block ids
    | &(?=\#?[A-Za-z0-9]{1,40};)
    """,
    re.VERBOSE,
)
"""What is escaped already, then each character that needs it.

The letters are named, not `\\w`: which characters that is depends on Python's version, and all machines must
write the same bytes. Templater looks for its commands in the raw file, so no `<%` may stand in it even escaped.
"""

_RULE: Final = re.compile(r"([-=*_])(?: ?\1)*+")
"""A line that would be a rule or make a heading of the line above."""

_ESCAPED: Final = re.compile(r"\\(.)")
_BRACKETS: Final = {"[": "(", "]": ")"}


def inert(text: str) -> str:
    """Return markdown that reads like `text` and marks nothing but emphasis, lists and quotes.

    Whatever else would be active is escaped, once: what is escaped already stays so, and `inert` of the
    result is the result. Of an address `https://` and `www.` are left out, of other schemes the `//`, since
    no escape is sure to keep it from being a link. Lines end in LF, without blanks around them; no two
    blank lines follow each other, and none stands first or last.
    """
    text = _NO_TEXT.sub("\ufffd", _UNSEEN.sub("", text)).replace("\r\n", "\n").replace("\r", "\n")
    text = _SCHEME_END.sub(":", _ADDRESS.sub("", text))
    lines = "\n".join(_line(line) for line in text.split("\n"))
    return _BLANK_LINES.sub("\n\n", lines).strip("\n")


def inert_line(text: str) -> str:
    """Return `inert(text)` on one line."""
    return inert(" ".join(text.split()))


def label(text: str) -> str:
    """Return a link's text: `text` on one line, without what would need an escape; it may be empty.

    Obsidian shows the text of a wikilink as it is written, backslashes too.
    """
    return " ".join(_ESCAPED.sub(lambda pair: _BRACKETS.get(pair[1], " "), inert_line(text)).split())


def _line(line: str) -> str:
    line = " ".join(line.split())
    return f"\\{line}" if _RULE.fullmatch(line) else _ACTIVE.sub(_escape, line)


def _escape(found: re.Match[str]) -> str:
    return found[0] if found["pair"] else f"\\{found[0]}"
