"""The lines of a note as markdown-it's block rules want them, kept cheap and in the note's own offsets."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Literal

from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it import MarkdownIt

TAB_STOP = 4
"""Columns, by CommonMark; an indent of as many makes code."""

BLANK = " \t"

Span = tuple[int, int]
"""A half-open range of characters."""


class Piece(Token):
    """A block, or a container as it opens; of the library's fields only those that its rules write are set.

    `map`: its first line and the one after its last.
    `within`: the container that it lies in, None at the root.
    `start`: where the content of its first line begins; of a list item, that is its marker.
    `text`: a span for each line of text that may hold links, without what belongs to its containers.
    `items`: of a list, the first line of each of its items.
    `own_end`: of a list item, the line at which the first list in it begins.
    """

    __slots__ = ("items", "own_end", "start", "text", "within")
    map: list[int]
    items: list[int]

    def __init__(
        self, kind: str, within: Piece | None, start: int, span: list[int], text: list[Span] | None
    ) -> None:
        self.type = kind
        self.within = within
        self.start = start
        self.map = span
        self.text = text
        self.own_end: int | None = None

    def around(self) -> Iterator[Piece]:
        """Go through the containers that it lies in, the innermost first."""
        within = self.within
        while within:
            yield within
            within = within.within


class Lines(StateBlock):
    """The state that block rules work on: where each line begins and ends, its indent, and the pieces found.

    `tokens`: the pieces at the root and, wherever they lie, those that are text.
    `open`: the containers that are not yet closed.
    `src` must end with two line ends, so that below each line there is one to look at.
    Line 0 is the one that begins at character `body`.
    """

    tokens: list[Piece]  # type: ignore[assignment] # no others are pushed

    def __init__(self, src: str, body: int, md: MarkdownIt) -> None:
        self.src = src
        self.md = md
        self.env = {}
        self.tokens = []
        self.open: list[Piece] = []
        self.blkIndent = self.line = 0
        self.listIndent = self.ddIndent = -1
        self.parentType = "root"
        self._code_enabled = True
        self._measure(body)

    def _measure(self, body: int) -> None:
        r"""Fill the line tables. Only `\n` ends a line: `splitlines` would cut at U+2028, too."""
        lines = self.src[body:].split("\n")
        self.eMarks = list(accumulate([len(line) + 1 for line in lines], initial=body - 1))[1:]
        self.bMarks = [body, *[end + 1 for end in self.eMarks[:-1]]]
        self.tShift = [
            len(line) - len(line.lstrip(BLANK)) if line and line[0] in BLANK else 0 for line in lines
        ]
        self.sCount = self.tShift.copy()
        if "\t" in self.src:
            for number, shift in enumerate(self.tShift):
                if shift:
                    self.sCount[number] = len(lines[number][:shift].expandtabs(TAB_STOP))
        self.bsCount = [0] * len(lines)
        self.lineMax = len(lines) - 2

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Piece:  # noqa: ARG002 # as the library
        """Make a block or open a container, and keep it if it lies at the root; or close a container."""
        if nesting < 0:
            return self.open.pop()
        within = self.open[-1] if self.open else None
        piece = Piece(ttype, within, self.bMarks[self.line] + self.tShift[self.line], [], None)
        if nesting:
            self.open.append(piece)
        if not within:
            self.tokens.append(piece)
        return piece

    def leaf(self, kind: str, first: int, end: int, text: list[Span]) -> Piece:
        """Keep the lines `[first, end)` as a block of text, and go on after them."""
        within = self.open[-1] if self.open else None
        piece = Piece(kind, within, self.bMarks[first] + self.tShift[first], [first, end], text)
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
