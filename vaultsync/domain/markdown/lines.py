"""The lines of a note as markdown-it's block rules want them, kept cheap and in the note's own offsets."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Literal

from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

TAB_STOP = 4
"""Columns, by CommonMark; an indent of as many makes code."""

BLANK = " \t"

Span = tuple[int, int]
"""A half-open range of characters."""


class Piece(Token):
    """A block, or a container as it opens; of the library's fields only those that its rules write are set.

    `map`: its first line and the one after its last.
    `start`: where the content of the line began when it opened; of a list item, that is its marker.
    `own_end`: of a list item, the line at which the first list in it begins, 0 without one.
    `text`: a span for each line of text that may hold links, without what belongs to its containers.
    `quoted`: whether that text lies in a quote, so that a `>` may stand between its lines.
    """

    __slots__ = ("own_end", "quoted", "start", "text")
    map: list[int]

    def __init__(self, kind: str, level: int, start: int) -> None:
        self.type = kind
        self.level = level
        self.start = start
        self.own_end = 0
        self.text: list[Span] | None = None
        self.quoted = False


CLOSING = Piece("closing", 0, 0)


class Lines(StateBlock):
    """The state that block rules work on: where each line begins and ends, its indent, and the pieces found.

    `src` must end with a line end. Line 0 is the one that begins at character `body`.
    """

    tokens: list[Piece]  # type: ignore[assignment] # no others are pushed

    def __init__(self, src: str, body: int, md: MarkdownIt) -> None:
        self.src = src
        self.md = md
        self.env = {}
        self.tokens = []
        self.blkIndent = self.line = self.level = self.quotes = 0
        self.listIndent = self.ddIndent = -1
        self.parentType = "root"
        self._code_enabled = True
        self._measure(body)

    def _measure(self, body: int) -> None:
        r"""Fill the line tables. Only `\n` ends a line: `splitlines` would cut at U+2028, too."""
        lines = self.src[body:].split("\n")
        self.eMarks = list(accumulate([len(line) + 1 for line in lines], initial=body - 1))[1:]
        self.bMarks = [body, *[end + 1 for end in self.eMarks[:-1]]]
        self.tShift = [len(line) - len(line.lstrip(BLANK)) if line[:1] in BLANK else 0 for line in lines]
        self.sCount = self.tShift.copy()
        if "\t" in self.src:
            for number, shift in enumerate(self.tShift):
                if shift:
                    self.sCount[number] = len(lines[number][:shift].expandtabs(TAB_STOP))
        self.bsCount = [0] * len(lines)
        self.lineMax = len(lines) - 1

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Piece:  # noqa: ARG002 # as the library
        """Keep a block, or a container as it opens; one that closes only changes the level."""
        if ttype in {"blockquote_open", "blockquote_close"}:
            self.quotes += nesting
        if nesting < 0:
            self.level -= 1
            return CLOSING
        piece = Piece(ttype, self.level, self.bMarks[self.line] + self.tShift[self.line])
        self.tokens.append(piece)
        self.level += nesting
        return piece

    def leaf(self, kind: str, first: int, end: int, text: list[Span]) -> Piece:
        """Keep the lines `[first, end)` as a block of text, and go on after them."""
        piece = Piece(kind, self.level, text[0][0])
        piece.map = [first, end]
        piece.text = text
        piece.quoted = self.quotes > 0
        self.tokens.append(piece)
        self.line = end
        return piece

    def content(self, line: int) -> Span:
        """Find where the content of a line begins and ends."""
        return self.bMarks[line] + self.tShift[line], self.eMarks[line]

    def contents(self, first: int, end: int) -> list[Span]:
        """Find the same of each of the lines `[first, end)`."""
        begins, shifts, ends = self.bMarks, self.tShift, self.eMarks
        return [(begins[line] + shifts[line], ends[line]) for line in range(first, end)]

    def indent(self, line: int) -> int:
        """Count the columns that a line stands further in than its container."""
        return self.sCount[line] - self.blkIndent

    def columns(self, line: int, column: int, blanks: str) -> int:
        """Count the columns that blanks take from `column` of a line on."""
        if "\t" not in blanks:
            return len(blanks)
        before = (column + self.bsCount[line]) % TAB_STOP
        return len((" " * before + blanks).expandtabs(TAB_STOP)) - before

    def getLines(self, *_: object) -> str:  # noqa: N802 # as the library
        """Give nothing: where the content of a block is, is enough."""
        return ""
