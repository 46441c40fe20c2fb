"""Block rules of our own: those of CommonMark that hold text, keeping where each line stands, and Obsidian's.

A rule looks at line `line` of a container that ends before line `end`. If its block begins there it keeps it, moves
`state.line` on and says True; when `silent` it only says whether the block may interrupt a paragraph.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from markdown_it.rules_block import reference

from vaultsync.domain.markdown.lines import TAB_STOP

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultsync.domain.markdown.lines import Lines

HEADING = re.compile(r"(#{1,6})(?![^ \t\n])[ \t]*")
UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*$", re.MULTILINE)
DELIMITER_ROW = re.compile(r"(?!-[ \t])\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*\|?[ \t]*+$")
CELL_END = re.compile(r"(?<!\\)\|")
FOOTNOTE = re.compile(r"\[\^[^\s\[\]]+\]:[ \t]*")
LABEL = re.compile(r"\[(?:[^\[\]\\\n]|\\.)+\]:")


def paragraph(state: Lines, line: int, end: int, silent: bool = False) -> bool:  # noqa: ARG001 # a rule's signature
    """Text up to a blank line, an interruption, or an underline that makes it a heading."""
    old, state.parentType = state.parentType, "paragraph"
    interrupted = state.md.block.ruler.getRules("paragraph")[0]
    level = 0
    after = line + 1
    while after < state.lineMax and not state.isEmpty(after):
        if state.indent(after) < TAB_STOP:
            level = underline(state, after) if after < end else 0
            # A negative indent marks a line that a quote took in lazily: its rule has asked already.
            if level or (state.sCount[after] >= 0 and interrupted(state, after, end, True)):
                break
        after += 1
    state.parentType = old
    spans = state.spans(range(line, after))
    if level:
        piece = state.leaf("heading", line, after + 1, spans)
        piece.title = (spans[0][0], spans[-1][1])
        piece.markup = "#" * level
    else:
        state.leaf("paragraph", line, after, spans)
    return True


def underline(state: Lines, line: int) -> int:
    """The level of the heading that this line underlines, or 0."""
    start = state.bMarks[line] + state.tShift[line]
    mark = state.src[start]
    if mark not in "=-" or state.indent(line) < 0 or not UNDERLINE.match(state.src, start):
        return 0
    return 1 if mark == "=" else 2


def heading(state: Lines, line: int, end: int, silent: bool) -> bool:  # noqa: ARG001 # a rule's signature
    """`## Heading ##`; `#tag` is none."""
    start, stop = state.content(line)
    opening = HEADING.match(state.src, start)
    if not opening or silent:
        return bool(opening)
    text = state.src[opening.end() : stop].rstrip(" \t")
    bare = text.rstrip("#")
    if not bare or bare[-1] in " \t":
        text = bare.rstrip(" \t")
    span = (opening.end(), opening.end() + len(text))
    piece = state.leaf("heading", line, line + 1, [span])
    piece.title = span
    piece.markup = opening[1]
    return True


def indented_code(state: Lines, line: int, end: int, silent: bool = False) -> bool:  # noqa: ARG001 # a rule's signature
    """Lines that stand four columns in, and the blank ones between them."""
    last = line
    for after in range(line + 1, end):
        if state.isEmpty(after):
            continue
        if state.indent(after) < TAB_STOP:
            break
        last = after
    state.line = last + 1
    state.push("code_block", "code", 0).map = [line, last + 1]
    return True


def table(state: Lines, line: int, end: int, silent: bool) -> bool:
    """A row, a row of dashes with as many cells, and the rows below."""
    if not has_delimiter_row(state, line, end):
        return False
    if silent:
        return True
    old, state.parentType = state.parentType, "table"
    interrupted = state.md.block.ruler.getRules("blockquote")[0]
    after = line + 2
    while (
        after < end
        and 0 <= state.indent(after) < TAB_STOP
        and not state.isEmpty(after)
        and not interrupted(state, after, end, True)
    ):
        after += 1
    state.parentType = old
    state.leaf("table", line, after, state.spans(range(line, after)))
    return True


def has_delimiter_row(state: Lines, line: int, end: int) -> bool:
    """Whether the next line is a table's row of dashes and this one has as many cells."""
    below = line + 1
    if below >= end or not 0 <= state.indent(below) < TAB_STOP:
        return False
    start, stop = state.content(below)
    if state.src[start] not in "|-:" or stop - start < 2 or not DELIMITER_ROW.match(state.src, start, stop):  # noqa: PLR2004 # one dash is a list item
        return False
    top, top_end = state.content(line)
    if state.src.find("|", top, top_end) < 0:
        return False
    return len(cells(state.src, top, top_end)) == len(cells(state.src, start, stop))


def cells(src: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where the cells of a table's row are; `\\|` ends none."""
    bars = [start - 1, *(bar.start() for bar in CELL_END.finditer(src, start, end)), end]
    found = [(left + 1, right) for left, right in zip(bars, bars[1:], strict=False)]
    if src[start] == "|":
        del found[0]
    if found and not src[slice(*found[-1])].strip(" \t"):
        del found[-1]
    return found


def comment(state: Lines, line: int, end: int, silent: bool) -> bool:
    """From a line that begins with `%%` to the next line that holds one, or to the container's end."""
    start, stop = state.content(line)
    if not state.src.startswith("%%", start) or state.src.find("%%", start + 2, stop) >= 0:
        return False
    if silent:
        return True
    after = line_with(state, "%%", line, end)
    state.leaf(
        "comment", line, after, [span for span in state.spans(range(line, after)) if span[0] < span[1]]
    )
    return True


def math(state: Lines, line: int, end: int, silent: bool) -> bool:
    """From a line that begins with `$$` to the one that holds the next; without one it is no math."""
    start, stop = state.content(line)
    if not state.src.startswith("$$", start):
        return False
    closing = state.src.find("$$", start + 2)
    if closing < 0:
        return False
    if closing < stop:
        after = line + 1
        if state.src[closing + 2 : stop].strip(" \t"):
            return False
    else:
        after = line_with(state, "$$", line, end)
        if state.src.find("$$", *state.content(after - 1)) < 0 or after - 1 == line:
            return False
    if not silent:
        state.line = after
        state.push("math", "", 0).map = [line, after]
    return True


def line_with(state: Lines, mark: str, line: int, end: int) -> int:
    """The line after the first one below `line` that holds `mark`, or after the container's last."""
    indent = min(state.blkIndent, state.sCount[line])
    for after in range(line + 1, end):
        start, stop = state.content(after)
        if start < stop and state.sCount[after] < indent:
            return after
        if state.src.find(mark, start, stop) >= 0:
            return after + 1
    return end


def footnote(state: Lines, line: int, end: int, silent: bool) -> bool:
    """`[^x]: text`, and below it what is indented."""
    start, stop = state.content(line)
    label = FOOTNOTE.match(state.src, start, stop)
    if not label or silent:
        return bool(label)
    state.line = line
    opening = state.push("footnote_open", "", 1)
    kept = state.blkIndent, state.tShift[line], state.sCount[line], state.parentType
    state.tShift[line] = label.end() - state.bMarks[line]
    state.blkIndent += TAB_STOP
    state.sCount[line] = state.blkIndent
    state.parentType = "footnote"
    state.md.block.tokenize(state, line, end)
    state.blkIndent, state.tShift[line], state.sCount[line], state.parentType = kept
    state.push("footnote_close", "", -1)
    opening.map = [line, max(state.line, line + 1)]
    state.line = opening.map[1]
    return True


def definition(state: Lines, line: int, end: int, silent: bool) -> bool:
    """A link reference definition, `[label]: destination "title"`; it interrupts nothing."""
    start, stop = state.content(line)
    label = LABEL.match(state.src, start, stop)
    if silent or not label or not reference(state, line, end, False):
        return False
    state.leaf("definition", line, state.line, [(label.end(), state.eMarks[state.line - 1])])
    return True
