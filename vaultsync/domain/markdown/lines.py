"""The lines of a note as markdown-it's block rules want them, kept cheap and in the note's own offsets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

if TYPE_CHECKING:
    from collections.abc import Iterable

    from markdown_it import MarkdownIt

TAB_STOP = 4
"""Columns, by CommonMark; an indent of as many makes code."""


class Piece(Token):
    """An opening or single token; of the library's fields only those that its block rules write are set.

    `start`: the character at which the line's content began when it was pushed.
    `spans`: for text that may hold links, a `(start, end)` in characters for each line, without container prefixes.
    `quoted`: whether that text lies in a quote, so that its lines do not stand next to each other in the source.
    `own_end`: of a list item, the line at which the first list in it begins, 0 without one.
    `title`: of a heading, where its text is.
    """

    __slots__ = ("own_end", "quoted", "spans", "start", "title")

    def __init__(self, kind: str, level: int, start: int, lines: list[int] | None = None) -> None:
        self.type = kind
        self.level = level
        self.start = start
        self.map = lines
        self.own_end = 0
        self.spans: list[tuple[int, int]] | None = None


CLOSING = Piece("closing", 0, 0)


class Lines(StateBlock):
    """The state that block rules work on: where each line begins, its indent and its end, and the pieces found.

    `src` must end with a line end. Line 0 is the one that begins at `body`.
    """

    tokens: list[Piece]  # type: ignore[assignment] # a list of our own tokens only

    def __init__(self, src: str, body: int, md: MarkdownIt) -> None:
        self.src = src
        self.md = md
        self.env = {}
        self.tokens = []
        self.blkIndent = self.line = self.level = self.quotes = 0
        self.listIndent = self.ddIndent = -1
        self.tight = False
        self.parentType = "root"
        self._code_enabled = True
        self._measure(body)

    def _measure(self, body: int) -> None:
        """Fill the line tables. Only `\\n` ends a line: `splitlines` would also cut at U+2028 or a form feed."""
        self.bMarks, self.eMarks, self.tShift, self.sCount = [], [], [], []
        begin = body
        for line in self.src[body:].split("\n"):
            end = begin + len(line)
            shift = len(line) - len(line.lstrip(" \t"))
            self.bMarks.append(begin)
            self.eMarks.append(end)
            self.tShift.append(shift)
            self.sCount.append(len(line[:shift].expandtabs(TAB_STOP)) if shift and "\t" in line else shift)
            begin = end + 1
        self.bsCount = [0] * len(self.bMarks)
        self.lineMax = len(self.bMarks) - 1

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Piece:  # noqa: ARG002 # the library's signature
        """Keep an opening or single token; a closing one only changes the level."""
        if ttype == "blockquote_open" or ttype == "blockquote_close":
            self.quotes += nesting
        if nesting < 0:
            self.level -= 1
            return CLOSING
        piece = Piece(ttype, self.level, self.bMarks[self.line] + self.tShift[self.line])
        self.tokens.append(piece)
        self.level += nesting
        return piece

    def leaf(self, kind: str, first: int, end: int, spans: list[tuple[int, int]]) -> Piece:
        """Keep the lines `[first, end)` as a leaf whose text is at `spans`, and go on after them."""
        piece = Piece(kind, self.level, self.bMarks[first] + self.tShift[first], [first, end])
        piece.spans = spans
        piece.quoted = self.quotes > 0
        self.tokens.append(piece)
        self.line = end
        return piece

    def spans(self, lines: Iterable[int]) -> list[tuple[int, int]]:
        """Where the content of each of `lines` begins and ends."""
        begins, shifts, ends = self.bMarks, self.tShift, self.eMarks
        return [(begins[line] + shifts[line], ends[line]) for line in lines]

    def content(self, line: int) -> tuple[int, int]:
        """Where the content of one line begins and ends."""
        return self.bMarks[line] + self.tShift[line], self.eMarks[line]

    def indent(self, line: int) -> int:
        """How many columns the line is further in than its container."""
        return self.sCount[line] - self.blkIndent

    def getLines(self, begin: int, end: int, indent: int, keepLastLF: bool) -> str:  # noqa: ARG002, N802, N803 # the library's signature
        """Nothing: no rule's copy of its content is wanted, spans are."""
        return ""
