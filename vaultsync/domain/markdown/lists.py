"""The rule for lists: CommonMark's, so that a line costs one look at its marker."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultsync.domain.markdown.lines import TAB_STOP, Piece

if TYPE_CHECKING:
    from vaultsync.domain.markdown.lines import Lines

MARKER = re.compile(
    r"(?!([*-])(?:[ \t]*+\1){2,}+[ \t]*+$)([*+-]|[0-9]{1,9}+[.)])(?=[ \t\n])([ \t]*+)", re.MULTILINE
)
"""An item's marker and the blanks after it; `- - -` is a rule and begins no list."""


def list_block(state: Lines, line: int, end: int, silent: bool) -> bool:
    """Keep the items that begin with the same marker, one below the other."""
    marker = MARKER.match(state.src, state.bMarks[line] + state.tShift[line])
    if not marker:
        return False
    if silent:
        return may_interrupt(state, marker, line)
    opening = state.push("list", "", 1)
    around, state.parentType = state.parentType, "list"
    if opening.within and opening.within.own_end is None:
        opening.within.own_end = line
    sign = marker[2][-1]
    opening.items = []
    item: re.Match[str] | None = marker
    state.line = line
    while item and item[2][-1] == sign:
        opening.items.append(state.line)
        keep_item(state, item, state.line, end)
        item = next_marker(state, state.line, end)
    state.parentType = around
    state.push("list", "", -1)
    opening.map = [line, state.line]
    return True


def may_interrupt(state: Lines, marker: re.Match[str], line: int) -> bool:
    """Say whether an item may end what is before it: a paragraph is ended by text after a bullet or a 1 only.

    What stands outside of the item that is open and yet as far in as code is that item's text.
    """
    column = state.sCount[line]
    if column < state.blkIndent:
        return not 0 <= state.listIndent <= column - TAB_STOP
    if state.parentType != "paragraph":
        return True
    number = marker[2][:-1]
    return state.src[marker.end()] != "\n" and (not number or int(number) == 1)


def next_marker(state: Lines, line: int, end: int) -> re.Match[str] | None:
    """Find the marker of a list's next item, if it begins here."""
    if line < end and 0 <= state.sCount[line] - state.blkIndent < TAB_STOP:
        return MARKER.match(state.src, state.bMarks[line] + state.tShift[line])
    return None


def keep_item(state: Lines, marker: re.Match[str], line: int, end: int) -> None:
    """Keep one item and what stands below it, as far in as its text."""
    item = Piece("item", state.open[-1], marker.start(), [line, line], None)
    state.open.append(item)
    kept = state.tShift[line], state.sCount[line], state.blkIndent, state.listIndent
    column = state.sCount[line] + len(marker[2])
    text = column + state.columns(line, column, marker[3])
    is_empty = state.src[marker.end()] == "\n"
    state.listIndent = state.blkIndent
    state.blkIndent = column + 1 if is_empty or text > column + TAB_STOP else text
    state.tShift[line] = marker.end() - state.bMarks[line]
    state.sCount[line] = text
    if is_empty and state.isEmpty(line + 1):
        state.line = min(line + 2, end)
    else:
        state.md.block.tokenize(state, line, end)
    state.tShift[line], state.sCount[line], state.blkIndent, state.listIndent = kept
    state.open.pop()
    item.map[1] = state.line
