"""Block rules of our own: CommonMark's for text, keeping where each line of it stands, and Obsidian's.

A rule looks at line `line` of a container that ends before line `end`. If its block begins there, the rule keeps
it, moves `state.line` on and returns True; when `silent`, it only says whether the block may end a paragraph.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from markdown_it.rules_block import reference

from vaultsync.domain.markdown.lines import TAB_STOP

if TYPE_CHECKING:
    from vaultsync.domain.markdown.lines import Lines, Span

RULE = re.compile(r"([-*_])(?:[ \t]*+\1){2,}+[ \t]*+$")
HEADING = re.compile(r"(#{1,6})(?![^ \t\n])[ \t]*")
DELIMITER_ROW = re.compile(r"(?!-(?:[ \t]|$))\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*\|?[ \t]*+$")
"""The row of dashes in a table; one that a list could begin with is none."""

DELIMITERS = "|-:"
"""What that row begins with; to look for it first spares most lines the rule."""

CELL_END = re.compile(r"(?<!\\)\|")
FOOTNOTE = re.compile(r"\[\^[^\s\[\]]+\]:[ \t]*")
LABEL = re.compile(r"\[(?:[^\[\]\\\n]|\\.)+\]:")


def heading(state: Lines, line: int, end: int, silent: bool) -> bool:  # noqa: ARG001 # a rule's arguments
    """Keep `## Heading ##`; `#tag` is none."""
    start, stop = state.content(line)
    opening = HEADING.match(state.src, start)
    if not opening or silent:
        return bool(opening)
    text = state.src[opening.end() : stop].rstrip(" \t")
    bare = text.rstrip("#")
    if not bare or bare[-1] in " \t":
        text = bare.rstrip(" \t")
    span = (opening.end(), opening.end() + len(text))
    state.leaf("heading", line, line + 1, [span]).markup = opening[1]
    return True


def rule(state: Lines, line: int, end: int, silent: bool) -> bool:  # noqa: ARG001 # a rule's arguments
    """Keep a thematic break: three or more `-`, `*` or `_` and nothing else."""
    if state.indent(line) >= TAB_STOP or not RULE.match(state.src, *state.content(line)):
        return False
    if not silent:
        state.push("hr", "hr", 0).map = [line, line + 1]
        state.line = line + 1
    return True


def indented_code(state: Lines, line: int, end: int) -> None:
    """Keep the lines that stand four columns in, and the blank ones between them."""
    last = line
    for after in range(line + 1, end):
        if state.isEmpty(after):
            continue
        if state.indent(after) < TAB_STOP:
            break
        last = after
    state.push("code_block", "code", 0).map = [line, last + 1]
    state.line = last + 1


def table(state: Lines, line: int, end: int, silent: bool) -> bool:
    """Keep a row, a row of dashes with as many cells, and the rows below."""
    if line + 1 >= end or not has_delimiter_row(state, line, line + 1):
        return False
    if silent:
        return True
    around, state.parentType = state.parentType, "table"
    interrupted = state.md.block.ruler.getRules("blockquote")[0]
    after = line + 2
    while (
        after < end
        and 0 <= state.indent(after) < TAB_STOP
        and not state.isEmpty(after)
        and not interrupted(state, after, end, True)
    ):
        after += 1
    state.parentType = around
    state.leaf("table", line, after, state.contents(line, after))
    return True


def has_delimiter_row(state: Lines, line: int, below: int) -> bool:
    """Say whether the line `below` is a table's row of dashes and the one above it has as many cells."""
    if not 0 <= state.indent(below) < TAB_STOP:
        return False
    dashes, top = state.content(below), state.content(line)
    if not DELIMITER_ROW.match(state.src, *dashes) or state.src.find("|", *top) < 0:
        return False
    return len(cells(state.src, *top)) == len(cells(state.src, *dashes))


def cells(src: str, start: int, end: int) -> list[Span]:
    r"""Find where the cells of a table's row are; `\|` ends none."""
    bars = [start - 1, *(bar.start() for bar in CELL_END.finditer(src, start, end)), end]
    found = [(left + 1, right) for left, right in pairwise(bars)]
    if src[start] == "|":
        del found[0]
    if found and not src[slice(*found[-1])].strip(" \t"):
        del found[-1]
    return found


def comment(state: Lines, line: int, end: int, silent: bool) -> bool:
    """Keep a line that begins with `%%` up to the next line that holds one, or to the container's end."""
    start, stop = state.content(line)
    if not state.src.startswith("%%", start) or state.src.find("%%", start + 2, stop) >= 0:
        return False
    if not silent:
        after, _ = lines_until(state, "%%", line, end)
        state.leaf(
            "comment", line, after, [span for span in state.contents(line, after) if span[0] < span[1]]
        )
    return True


def math(state: Lines, line: int, end: int, silent: bool) -> bool:
    """Keep a line that begins with `$$` up to the one that holds the next; without one it is no math."""
    start, stop = state.content(line)
    if not state.src.startswith("$$", start):
        return False
    closing = state.src.find("$$", start + 2, stop)
    if closing < 0:
        after, closed = lines_until(state, "$$", line, end)
    else:
        after, closed = line + 1, not state.src[closing + 2 : stop].strip(" \t")
    if closed and not silent:
        state.push("math", "", 0).map = [line, after]
        state.line = after
    return closed


def lines_until(state: Lines, mark: str, line: int, end: int) -> tuple[int, bool]:
    """Find the end of the lines from `line` to the next that holds `mark`, or to the last of its container.

    Returns the line after them, and whether `mark` was there.
    """
    indent = min(state.blkIndent, state.sCount[line])
    for after in range(line + 1, end):
        start, stop = state.content(after)
        if start < stop and state.sCount[after] < indent:
            return after, False
        if state.src.find(mark, start, stop) >= 0:
            return after + 1, True
    return end, False


def footnote(state: Lines, line: int, end: int, silent: bool) -> bool:
    """Keep `[^x]: text` and, below it, what is indented."""
    label = FOOTNOTE.match(state.src, *state.content(line))
    if not label or silent:
        return bool(label)
    opening = state.push("footnote_open", "", 1)
    around = state.blkIndent, state.tShift[line], state.sCount[line], state.parentType
    state.tShift[line] = label.end() - state.bMarks[line]
    state.sCount[line] = state.blkIndent = state.blkIndent + TAB_STOP
    state.parentType = "footnote"
    state.md.block.tokenize(state, line, end)
    state.blkIndent, state.tShift[line], state.sCount[line], state.parentType = around
    state.push("footnote_close", "", -1)
    state.line = max(state.line, line + 1)
    opening.map = [line, state.line]
    return True


def definition(state: Lines, line: int, end: int, silent: bool) -> bool:
    """Keep a link reference definition, `[label]: destination "title"`; it interrupts nothing."""
    label = LABEL.match(state.src, *state.content(line))
    if silent or not label or not reference(state, line, end, False):
        return False
    rest = (label.end(), state.eMarks[state.line - 1])
    state.leaf("definition", line, state.line, [rest])
    return True
