"""Finds a note's blocks: markdown-it's container rules over our leaf rules, told apart by a line's first character."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from markdown_it import MarkdownIt
from markdown_it.parser_block import ParserBlock, RuleFuncBlockType
from markdown_it.ruler import Ruler
from markdown_it.rules_block import blockquote, fence, hr, html_block, list_block

from vaultsync.domain.markdown import leaves
from vaultsync.domain.markdown.lines import TAB_STOP, Lines

if TYPE_CHECKING:
    from collections.abc import Callable

    Rule = Callable[[Lines, int, int, bool], bool]

MAX_NESTING = 100
"""Containers within containers; a list counts twice. What is deeper is read as text. Each costs two Python frames."""

STARTS: dict[str, tuple[Rule, ...]] = {
    "`": (fence,),
    "~": (fence,),
    ">": (blockquote,),
    "*": (hr, list_block),
    "-": (hr, list_block),
    "_": (hr,),
    "+": (list_block,),
    **dict.fromkeys("0123456789", (list_block,)),
    "<": (html_block,),
    "#": (leaves.heading,),
    "%": (leaves.comment,),
    "$": (leaves.math,),
    "[": (leaves.footnote, leaves.definition),
}
"""The rules that may apply to a line, by its first character."""


class Chains(Ruler[RuleFuncBlockType]):
    """The rules that may end a block, by the block's name, as the library's rules ask for them."""

    chains: dict[str, list[Any]]

    def getRules(self, chainName: str = "") -> list[RuleFuncBlockType]:  # noqa: N802, N803 # the library's signature
        """The one function that says whether a block of this name ends."""
        return self.chains[chainName]


def interrupts(state: Lines, line: int, end: int, silent: bool) -> bool:
    """Whether a block begins here that ends the one before it without a blank line."""
    start = state.bMarks[line] + state.tShift[line]
    if state.indent(line) >= TAB_STOP:
        return False
    return any(rule(state, line, end, silent) for rule in STARTS.get(state.src[start], ()))


def interrupts_paragraph(state: Lines, line: int, end: int, silent: bool) -> bool:
    """As `interrupts`; a table, too, ends a paragraph."""
    return interrupts(state, line, end, silent) or leaves.table(state, line, end, silent)


Chains.chains = {
    "paragraph": [interrupts_paragraph],
    "reference": [interrupts_paragraph],
    "blockquote": [interrupts],
    "list": [hr],
}


class Blocks(ParserBlock):
    """The block parser that the library's container rules call back."""

    def __init__(self) -> None:
        self.ruler = Chains()

    def tokenize(self, state: Lines, start: int, end: int) -> None:  # type: ignore[override] # only ever our own state
        """Keep the blocks of the lines `[start, end)`, up to one that its container does not hold."""
        line = start
        while line < end:
            if state.isEmpty(line):
                line += 1
                continue
            if state.sCount[line] < state.blkIndent:
                break
            state.line = line
            if state.level >= MAX_NESTING:
                flat(state, line, end)
            else:
                block(state, line, end)
            line = state.line
        state.line = line


def block(state: Lines, line: int, end: int) -> None:
    """Keep the one block that begins on this line."""
    if state.sCount[line] - state.blkIndent >= TAB_STOP:
        leaves.indented_code(state, line, end)
        return
    if leaves.table(state, line, end, False):
        return
    for rule in STARTS.get(state.src[state.bMarks[line] + state.tShift[line]], ()):
        if rule(state, line, end, False):
            return
    leaves.paragraph(state, line, end)


def flat(state: Lines, line: int, end: int) -> None:
    """Keep all that the container holds as one text, so that no link in it is lost."""
    after = line + 1
    while after < end and (state.isEmpty(after) or state.sCount[after] >= state.blkIndent):
        after += 1
    state.leaf("paragraph", line, after, state.spans(range(line, after)))


PARSER = MarkdownIt()
PARSER.block = Blocks()


def read_blocks(text: str, body: int) -> Lines:
    """The lines and the pieces of a note whose body begins at character `body`; offsets are those of `text`.

    `text` ends lines with `\\n` only, and ends with one.
    """
    state = Lines(text, body, PARSER)
    PARSER.block.tokenize(cast("Any", state), 0, state.lineMax)
    return state
