"""The passages of a note that may hold sentences: its paragraphs, list items and quotes, line by line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_QUOTE: Final = re.compile(r"[ \t]*(?:>[ \t]?)+")
_FENCE: Final = re.compile(r"`{3,}(?!.*`)|~{3,}")
_HEADING: Final = re.compile(r"#{1,6}(?:[ \t]|$)")
_UNDERLINE: Final = re.compile(r"(?:=+|-+)$")
_ITEM: Final = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_TASK: Final = re.compile(r"\[.?\](?:[ \t]|$)")
_RULE: Final = re.compile(r"(?:[-*_][ \t]*){3,}$")
_DEFINITION: Final = re.compile(r"\[[^\]]*\]:")
_FIELD: Final = re.compile(r"[^\s:][^:]*::")
_HIDDEN: Final = re.compile(rf"{_FENCE.pattern}|\$\$|%%|<!--|</?[A-Za-z!?]")
"""What opens a block that is hidden or no prose: code, math, a comment, HTML."""

_MAY_OPEN: Final = frozenset("`~$%<:#|[-*+_=0123456789")
"""What a line begins with that may be more than text."""

_CODE_INDENT: Final = 4
"""Columns, as in markdown."""

_TITLE: Final = re.compile(r"(\*\*|__)[^*_]+\1:?")
"""A line all of whose text is bold."""

_WRAPPED: Final = 45
"""Characters that a line has before anyone wraps it."""

_STOPS: Final = frozenset(".!?。！？")  # noqa: RUF001 -- wide stops
_GOES_ON: Final = frozenset(",;-–—，、；“(（")  # noqa: RUF001 -- wide signs


class Passage(NamedTuple):
    """Text that a reader sees as one piece, its marks and line ends kept; `section` counts the headings before.

    `item`: it is one of a list; `step`: of a numbered one. `resumes`: what stands before it in its section is no prose
    but code, a table or a list, so that it may go on with a sentence that began there.
    """

    text: str
    section: int
    item: bool = False
    step: bool = False
    resumes: bool = False


def passages(text: str) -> Iterator[Passage]:
    """Yield the passages of a markdown text in order.

    Left out: code, tables, tasks with all their lines, headings, callout titles, comments, math, HTML blocks,
    fields (`key:: value`), footnotes, definitions. In doubt a line is left out.
    """
    reader = _Reader()
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if passage := reader.read(line):
            yield passage
    if passage := reader.end():
        yield passage


class _Reader:
    """Reads lines and gives back the passage that the newest line ended, if one."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._section = 0
        self._closing: str | None = None  # what ends the hidden block that is open; "" is a blank line
        self._dropping = False  # up to the next blank line, item or heading
        self._content = 0  # the column at which the text of the open list item begins
        self._item = self._step = self._task = False  # what kind of item that is
        self._quoted = False
        self._resumes = False

    def read(self, line: str) -> Passage | None:
        """Take one line without its end."""
        body, indent = self._unquoted(line)
        if self._closing is not None:
            self._close(body)
            return None
        if not body:
            self._dropping = False
            return self.end()
        if body[0] in _MAY_OPEN and (marked := self._marked(body, indent)) is not _TEXT:
            return marked
        ended = self.end() if self._lines and _stands_alone(self._lines[-1], body) else None
        self._text(body, indent)
        return ended

    def end(self) -> Passage | None:
        """Return the open passage and begin anew."""
        if not self._lines:
            return None
        text = "\n".join(self._lines)
        self._lines.clear()
        passage = Passage(text, self._section, self._item, self._step, self._resumes and not self._item)
        self._resumes = self._item and text[-1] not in _STOPS
        return passage

    def _unquoted(self, line: str) -> tuple[str, int]:
        """Return the line without quote marks, callout type and blanks, and its indent in columns."""
        quote = _QUOTE.match(line) if ">" in line else None
        inside = line[quote.end() :] if quote else line
        body = inside.strip()
        if self._quoted and not quote and self._closing:
            self._closing = None
        self._quoted = quote is not None
        if quote and body.startswith("[!"):
            body = ""
        indent = len(inside) - len(inside.lstrip())
        return body, len(inside[:indent].expandtabs(4)) if "\t" in inside[:indent] else indent

    def _close(self, body: str) -> None:
        """End the hidden block if this line does."""
        closing = self._closing or ""
        if closing[:1] in {"`", "~"}:
            ends = body.startswith(closing) and not body.strip(closing[0])
        else:
            ends = closing in body if closing else not body
        if ends:
            self._closing = None

    def _marked(self, body: str, indent: int) -> Passage | None:
        """Read a line that begins with a mark; `_TEXT` if it is text after all."""
        if _HEADING.match(body) or (self._lines and _UNDERLINE.match(body)):
            return self._heading(body)
        if hidden := _HIDDEN.match(body):
            self._closing = _closing(hidden[0], body)
        elif body.startswith((":::", "|")) or _DEFINITION.match(body) or _RULE.match(body):
            self._dropping = not body.startswith(":::")
        else:
            return self._begin_item(body, indent)
        passage = self.end()
        self._resumes = body[0] in "`~$|"
        return passage

    def _heading(self, body: str) -> Passage | None:
        if body[0] != "#":
            self._lines.clear()
        passage = self.end()
        self._section += 1
        self._content = 0
        self._dropping = self._resumes = self._item = self._step = self._task = False
        return passage

    def _begin_item(self, body: str, indent: int) -> Passage | None:
        """Begin a list item, if this is one."""
        item = _ITEM.match(body)
        if not item or indent >= self._content + _CODE_INDENT:
            return _TEXT
        passage = self.end()
        self._content = indent + item.end()
        inside = body[item.end() :]
        fence = _FENCE.match(inside)
        self._item, self._step, self._task = True, body[0].isdigit(), bool(_TASK.match(inside))
        self._closing = fence[0] if fence else None
        self._dropping = bool(self._task or fence or _FIELD.match(inside))
        if inside and not self._dropping:
            self._lines.append(inside)
        return passage

    def _text(self, body: str, indent: int) -> None:
        """Add a line of plain text to the open passage."""
        if not self._lines and not self._dropping:
            self._begin(indent)
        if self._dropping or ("::" in body and _FIELD.match(body)) or _TITLE.fullmatch(body):
            return
        if body.count("%%") % 2 or body.rfind("<!--") > body.rfind("-->"):
            self._closing = "%%" if body.count("%%") % 2 else "-->"
            self._lines.clear()
            self._dropping = True
            return
        self._lines.append(body)

    def _begin(self, indent: int) -> None:
        """Begin a passage: in the list item around it, outside of lists, or code by its indent."""
        if not indent:
            self._content = 0
            self._item = self._step = self._task = False
        self._dropping = self._task or indent >= self._content + _CODE_INDENT
        self._resumes = self._resumes or self._dropping


def _closing(opening: str, body: str) -> str | None:
    """Return what ends the hidden block that a line opens, None if the line itself does; "" is a blank line."""
    if opening[0] in "`~":
        return opening
    closing = {"$$": "$$", "%%": "%%", "<!--": "-->"}.get(opening, "")
    return None if closing and closing in body[len(opening) :] else closing


def _stands_alone(line: str, following: str) -> bool:
    """Whether a line is no part of the sentence in the next: Obsidian breaks lines where the note does.

    It ends without stop, and is short before a capital, or of a script that nobody wraps.
    """
    if line[-1] in _GOES_ON:
        return False
    return not line[-1].isascii() or (len(line) < _WRAPPED and following[0].isupper())


_TEXT: Final = Passage("", -1)
"""Says that a line is text; never given out."""
