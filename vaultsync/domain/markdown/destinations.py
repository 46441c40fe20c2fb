"""Where a markdown link points: the parts of `(destination "title")`."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote

from markdown_it.common.utils import unescapeAll

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
"""By CommonMark a scheme has two characters or more, so `C:` is none."""

BLANKS = re.compile(r"[ \t\n]*")
SIMPLE = re.compile(r"\([ \t\n]*+([^ \x00-\x1f\x7f()<>\\]++)[ \t\n]*+\)")
ANGLED = re.compile(r"<((?:[^<>\\\n]++|\\.)*+)>")
BARE_STOP = re.compile(r"[()\\ \x00-\x1f\x7f]")
TITLE = re.compile(
    r"""[ \t\n]++(?:"(?:[^"\\]++|\\.)*+"|'(?:[^'\\]++|\\.)*+'|\((?:[^()\\]++|\\.)*+\))""", re.DOTALL
)
MAX_PARENTHESES = 32
"""How deep a destination's own parentheses may nest, as in markdown-it."""


class Destination(NamedTuple):
    """A destination as written, without `<>`, and the offset after it."""

    written: str
    end: int


def decoded(written: str) -> str:
    """Undo the escapes, entities and `%20` of a markdown destination."""
    link = unescapeAll(written)
    return unquote(link) if "%" in link else link


def is_internal(written: str) -> bool:
    """Whether a destination may be a note or a file of the vault."""
    return bool(written) and not SCHEME.match(written)


def read_resource(src: str, start: int, end: int) -> Destination | None:
    """Read `(destination "title")`, whose bracket is at `start`."""
    simple = SIMPLE.match(src, start, end)
    if simple:
        return Destination(simple[1], simple.end())
    found = read_destination(src, skip_blanks(src, start + 1, end), end)
    if not found:
        return None
    title = TITLE.match(src, found.end, end)
    close = skip_blanks(src, title.end() if title else found.end, end)
    if src[close : close + 1] != ")" or close >= end:
        return None
    return Destination(found.written, close + 1)


def read_destination(src: str, start: int, end: int) -> Destination | None:
    """Read `<a b>` or a run without blanks and with balanced parentheses; it may be empty."""
    if src.startswith("<", start):
        angled = ANGLED.match(src, start, end)
        return Destination(angled[1], angled.end()) if angled else None
    stop = bare_end(src, start, end)
    return None if stop is None else Destination(src[start:stop], stop)


def bare_end(src: str, start: int, end: int) -> int | None:
    """Where a destination without `<>` ends; None when its parentheses do not balance."""
    depth = 0
    at = start
    while found := BARE_STOP.search(src, at, end):
        at = found.end()
        mark = found[0]
        if mark == "(":
            depth += 1
        elif mark == ")" and depth:
            depth -= 1
        elif mark == "\\" and src[at : at + 1] not in ("", " "):
            at += 1
        elif mark != "\\":
            return None if depth else found.start()
        if depth > MAX_PARENTHESES:
            return None
    return None if depth else end


def skip_blanks(src: str, start: int, end: int) -> int:
    """Find what follows the blanks at `start`."""
    blanks = BLANKS.match(src, start, end)
    return blanks.end() if blanks else start
