"""Finds a note's blocks: markdown-it's rules for quotes, code and HTML, and our own for lists and text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from markdown_it import MarkdownIt
from markdown_it.parser_block import ParserBlock
from markdown_it.ruler import Ruler
from markdown_it.rules_block import blockquote, fence, html_block

from vaultsync.domain.markdown import leaves
from vaultsync.domain.markdown.lines import TAB_STOP, Lines
from vaultsync.domain.markdown.lists import list_block

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultsync.domain.markdown.lines import Span

    Rule = Callable[[Lines, int, int, bool], bool]

MAX_NESTING = 100
"""Containers in one another, a list counting twice. Each costs two frames; what is deeper is read as text."""

STARTS: dict[str, tuple[Rule, ...]] = {
    "`": (fence,),
    "~": (fence,),
    ">": (blockquote,),
    "*": (list_block, leaves.rule),
    "-": (list_block, leaves.rule),
    "_": (leaves.rule,),
    "+": (list_block,),
    **dict.fromkeys("0123456789", (list_block,)),
    "<": (html_block,),
    "#": (leaves.heading,),
    "%": (leaves.comment,),
    "$": (leaves.math,),
    "[": (leaves.footnote, leaves.definition),
}
"""The rules that may apply to a line, by the first character of its content."""


UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*$")


def interrupts_quote(state: Lines, line: int, end: int, silent: bool) -> bool:
    """Say whether a block begins here that ends a quote or a table without a blank line."""
    if state.sCount[line] - state.blkIndent >= TAB_STOP:
        return False
    for rule in STARTS.get(state.src[state.bMarks[line] + state.tShift[line]], ()):
        if rule(state, line, end, silent):
            return True
    return False


def interrupts_text(state: Lines, line: int, end: int, silent: bool) -> bool:
    """Say the same of a paragraph, which a table ends, too; the line is not as far in as code."""
    begins, shifts, src = state.bMarks, state.tShift, state.src
    for rule in STARTS.get(src[begins[line] + shifts[line]], ()):
        if rule(state, line, end, silent):
            return True
    below = src[begins[line + 1] + shifts[line + 1]]
    return below in leaves.DELIMITERS and leaves.table(state, line, end, silent)


ENDINGS: dict[str, list[Any]] = {
    "reference": [interrupts_text],
    "blockquote": [interrupts_quote],
}
"""What may end a block, by its name."""


class Endings(Ruler[Any]):
    """Answers the library's rules when they ask what may end their block."""

    def getRules(self, chainName: str = "") -> list[Any]:  # noqa: N802, N803 # as the library
        """Give the rules that may end a block of this name."""
        return ENDINGS[chainName]


class Blocks(ParserBlock):
    """The block parser that the library's container rules call back."""

    def __init__(self) -> None:
        self.ruler = Endings()

    def tokenize(self, state: Lines, start: int, end: int) -> None:  # type: ignore[override] # our state only
        """Keep the blocks of the lines `[start, end)`, up to one that their container does not hold."""
        begins, shifts, ends, indents = state.bMarks, state.tShift, state.eMarks, state.sCount
        line = start
        while line < end:
            if begins[line] + shifts[line] >= ends[line]:
                line += 1
                continue
            if indents[line] < state.blkIndent:
                break
            state.line = line
            if len(state.open) < MAX_NESTING:
                keep_block(state, line, end)
            else:
                keep_flat(state, line, end)
            line = state.line
        state.line = line


def keep_block(state: Lines, line: int, end: int) -> None:
    """Keep the one block that begins on this line."""
    begins, shifts, src = state.bMarks, state.tShift, state.src
    if state.sCount[line] - state.blkIndent >= TAB_STOP:
        leaves.indented_code(state, line, end)
        return
    below = src[begins[line + 1] + shifts[line + 1]]
    if below in leaves.DELIMITERS and leaves.table(state, line, end, False):
        return
    for rule in STARTS.get(src[begins[line] + shifts[line]], ()):
        if rule(state, line, end, False):
            return
    keep_paragraph(state, line, end)


def keep_paragraph(state: Lines, line: int, end: int) -> None:
    """Keep text up to a blank line, an interruption, or an underline that makes it a heading."""
    text = [state.content(line)]
    level = 0
    if not state.isEmpty(line + 1):
        around, state.parentType = state.parentType, "paragraph"
        level = go_on(state, text, line + 1, end)
        state.parentType = around
    after = line + len(text)
    if level:
        state.leaf("heading", line, after + 1, text).markup = "#" * level
    else:
        state.leaf("paragraph", line, after, text)


def go_on(state: Lines, text: list[Span], line: int, end: int) -> int:
    """Add to a text the lines from `line` on that belong to it; return the level of an underline below, else 0."""
    for after in range(line, state.lineMax):
        start, stop = state.bMarks[after] + state.tShift[after], state.eMarks[after]
        if start >= stop:
            break
        column = state.sCount[after]
        indent = column - state.blkIndent
        if indent < TAB_STOP:
            if indent >= 0 and after < end and (underline := UNDERLINE.match(state.src, start, stop)):
                return 1 if underline[0][0] == "=" else 2
            # A negative column marks a line that a quote took in lazily: its rule has asked already.
            if column >= 0 and interrupts_text(state, after, end, True):
                break
        text.append((start, stop))
    return 0


def keep_flat(state: Lines, line: int, end: int) -> None:
    """Keep all that the container holds as one text, so that no link in it is lost."""
    after = line + 1
    while after < end and (state.isEmpty(after) or state.sCount[after] >= state.blkIndent):
        after += 1
    state.leaf("paragraph", line, after, state.contents(line, after))


PARSER = MarkdownIt()
BLOCKS = PARSER.block = Blocks()


def read_blocks(src: str, body: int) -> Lines:
    r"""Read the blocks of a note whose body begins at character `body`.

    `src` ends lines with `\n` only, and ends with two. Returns the lines and, as their `tokens`, the blocks.
    """
    state = Lines(src, body, PARSER)
    BLOCKS.tokenize(state, 0, state.lineMax)
    return state
