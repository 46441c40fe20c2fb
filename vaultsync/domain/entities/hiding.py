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

_INDENTED: Final = re.compile(r"(?:\A|(?<=\n)[ \t\r]*\n)((?:(?: {4}|\t)[^\n]*(?:\n|\Z)|[ \t\r]*\n)+)")
_ITEM: Final = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_SEEN: Final = re.compile(r"[^\n]")


def without_hidden(text: str, fence: str = "") -> tuple[str, str]:
    """Return a leaf's text with blanks for what is hidden, and the marks of the fence that is open at its end or "".

    It is as long as the text, with the same lines, so that offsets hold. `fence`: the marks of the one that is open
    where the leaf begins. A comment without end hides all that follows.
    """
    if fence or "```" in text or "~~~" in text:
        text, fence = _without_fences(text, fence)
    if "    " in text or "\t" in text:
        text = _INDENTED.sub(_without_indented, text)
    return _HIDDEN.sub(_blanked, text), fence


def _without_fences(text: str, fence: str) -> tuple[str, str]:
    """Return the text with its fenced code blanked, and the marks of the fence that has no end in it."""
    pieces: list[str] = []
    at = start = 0
    for found in _FENCE.finditer(text):
        if not fence:
            start, fence = found.start("marks"), found["marks"]
            pieces.append(text[at:start])
        elif found["marks"].startswith(fence) and not found["info"].strip():
            at, fence = found.end(), ""
            pieces.append(_SEEN.sub(" ", text[start:at]))
    pieces.append(_SEEN.sub(" ", text[start:]) if fence else text[at:])
    return "".join(pieces), fence


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
    text = hidden[0]
    if text[0] == "\\" or not text.strip("`"):
        return text
    return _SEEN.sub(" ", text) if "\n" in text else " " * len(text)
