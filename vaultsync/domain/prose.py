"""Note text as a reader sees it: without the marks of markdown and Obsidian."""

from __future__ import annotations

import re
from typing import Final

_LINE_START: Final = re.compile(
    r"\n(?:[ \t]*>)*[ \t]*"
    r"(?:\[![^\]\r\n]*\][+-]?|#{1,6}(?=[ \t])|(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[.\](?=[ \t]))?)?[ \t]*"
)
"""A line end, then quote marks, then a callout's type, a heading's marks, or an item's bullet and task box.

It begins with a plain character, for which `re` has a fast search.
"""

_HIDDEN: Final = re.compile(
    r"%%[^%]*+%%|<!--(?:[^-<]|-(?!->)|<(?!!--))*+-->|</?[A-Za-z][^<>]*+>"
    r"|\[\^[^\[\]\s]*+\]|[ \t]\^[A-Za-z0-9-]+[ \t]*$",
    re.MULTILINE,
)
"""Comments, tags of HTML, footnote references and block ids."""

_WIKILINK: Final = re.compile(r"\[\[([^\[\]\r\n]++)\]\]")
_LINK: Final = re.compile(r"\[([^\[\]]*+)\]\((?:<[^<>\r\n]*+>|[^()<>\r\n]|\([^()\r\n]*+\))*+\)")
_RUN: Final = re.compile(r"([*_=~`$])\1*+")
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_MAY_MARK: Final = re.compile(r"[%<^*_=~`$\\]")
"""One of these is in whatever is hidden, in a run of marks and in an escape."""
_CELLS: Final = re.compile(r"(?:[ \t]*\|[ \t]*)+")
_SIZE: Final = re.compile(r"\d+(?:x\d+)?")
"""What stands behind the `|` of an embedded picture."""


def plain(text: str) -> str:
    """Return a sentence or paragraph as a reader sees it, on one line: links as their text, no marks."""
    return " ".join(unmarked(text).split())


def unmarked(text: str) -> str:
    """Return the text without its marks, its lines kept."""
    marked = _MAY_MARK.search(text)
    text = _HIDDEN.sub("", text) if marked else text
    text = _LINE_START.sub("\n", f"\n{text}")[1:]
    if "[" in text:
        text = _without_brackets(text)
    if marked:
        text = _ESCAPE.sub(r"\1", _RUN.sub(_kept, text))
    return _CELLS.sub(" | ", text).strip(" |") if "|" in text else text


def _without_brackets(text: str) -> str:
    """Return the text with what a reader sees of its links."""
    text = _WIKILINK.sub(_shown, text.replace("![", "["))
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    return text.replace("[[", "").replace("]]", "")


def _shown(link: re.Match[str]) -> str:
    """Return what Obsidian shows for a wikilink: its text, or its target with `>` between the parts."""
    target = link[1].replace("\\|", "|")
    bar = target.find("|", 1)
    if bar > 0 and not _SIZE.fullmatch(target, bar + 1):
        return target[bar + 1 :].strip()
    return " > ".join(part for part in target[: bar if bar > 0 else None].split("#") if part)


def _kept(run: re.Match[str]) -> str:
    """Return what a run of marks leaves: itself where it marks nothing (`a = b`, `2 * 3`, `snake_case`)."""
    mark, text = run[0], run.string
    before, after = text[run.start() - 1 : run.start()], text[run.end() : run.end() + 1]
    if mark in {"=", "~", "$"} or before == "\\":
        return mark
    loose = not before.strip() and not after.strip()
    return mark if loose or (mark[0] == "_" and before.isalnum() and after.isalnum()) else ""
