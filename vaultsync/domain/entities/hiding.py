"""Blanks what a reader does not see of a leaf, or sees as no text: code, comments, math, tags of HTML."""

from __future__ import annotations

import re
from typing import Final

from vaultsync.domain.markdown.inline import INLINE_MATH

_FENCE: Final = re.compile(
    r"^[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*+(?P<marks>`{3,}(?![^\n]*`)|~{3,})(?P<info>[^\n]*)",
    re.MULTILINE,
)

_HIDDEN: Final = re.compile(
    rf"""[\\`%<$](?:
        (?<=\\).
      | (?<=`)(?P<more>`*+)(?:(?:[^`\n]++|\n(?!\s*\n)|(?!`(?P=more)(?!`))`++)*+`(?P=more)(?!`))?
      | (?<=%)%.*?(?:%%|\Z)
      | (?<=<)!--.*?(?:-->|\Z)
      | (?<=<)/?[A-Za-z][A-Za-z0-9-]*+(?:\s[^<>]*+)?/?>
      | (?<=\$)\$.*?\$\$
      | (?<=\$){INLINE_MATH.pattern.removeprefix(chr(92) + "$")}
    )""",
    re.VERBOSE | re.DOTALL,
)
"""A plain set of characters first, for which `re` has a fast search. An escaped character hides nothing."""

_INDENTED: Final = re.compile(r"(?:\A|(?<=\n)[ \t]*\n)((?:(?: {4}|\t)[^\n]*(?:\n|\Z)|[ \t]*\n)+)")
_ITEM: Final = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_SEEN: Final = re.compile(r"[^\n]")


def without_hidden(text: str) -> str:
    """Return the text with blanks for what is hidden: as long, with the same lines, so that offsets hold.

    A fence or comment without an end hides all that follows. A leaf that was cut out of the middle of one (a single
    block over the ceiling of a leaf) does not say so, unless it holds the fence's end.
    """
    if "```" in text or "~~~" in text:
        text = _without_fences(text)
    if "    " in text or "\t" in text:
        text = _INDENTED.sub(_without_indented, text)
    return _HIDDEN.sub(_blanked, text)


def _without_fences(text: str) -> str:
    """Return the text with its fenced code blanked."""
    fences = list(_FENCE.finditer(text))
    blocks = _blocks(fences, None)
    begins_with_text = bool(fences) and bool(text[: fences[0].start()].strip())
    if begins_with_text and blocks[-1][1] is None and not fences[0]["info"].strip():
        # A fence so long that it was cut has its language at the other end: this is the end of one.
        from_start = _blocks(fences, 0)
        blocks = from_start if from_start[-1][1] is not None else blocks
    for start, end in blocks:
        stop = len(text) if end is None else end
        text = text[:start] + _SEEN.sub(" ", text[start:stop]) + text[stop:]
    return text


def _blocks(fences: list[re.Match[str]], start: int | None) -> list[tuple[int, int | None]]:
    """Return where fenced code begins and ends, None if it does not; `start`: that of code open from the outset."""
    found: list[tuple[int, int | None]] = []
    marks = ""
    for fence in fences:
        if start is None:
            start, marks = fence.start("marks"), fence["marks"]
        elif fence["marks"].startswith(marks) and not fence["info"].strip():
            found.append((start, fence.end()))
            start = None
    return found if start is None else [*found, (start, None)]


def _without_indented(code: re.Match[str]) -> str:
    """Blank indented code, unless it belongs to a list item before it or is one."""
    text = code.string
    if _ITEM.match(text, code.start(1)) or _ends_in_list(text, code.start()):
        return code[0]
    return _SEEN.sub(" ", code[0])


def _ends_in_list(text: str, end: int) -> bool:
    """Whether the last line before `end` that is not indented is a list item."""
    while end > 0:
        start = text.rfind("\n", 0, end - 1) + 1
        if _ITEM.match(text, start, end):
            return True
        if not text[start:end].isspace() and text[start] not in " \t":
            return False
        end = start
    return False


def _blanked(hidden: re.Match[str]) -> str:
    return hidden[0] if hidden[0][0] == "\\" or not hidden[0].strip("`") else _SEEN.sub(" ", hidden[0])
