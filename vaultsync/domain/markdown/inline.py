"""Finds links and tags in a text: one pass that stops only at characters that can begin or hide one."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from itertools import accumulate
from typing import TYPE_CHECKING

from vaultsync.domain.markdown.destinations import decoded, is_internal, read_resource, wiki_parts
from vaultsync.domain.notes import Link, LinkKind, Tag

if TYPE_CHECKING:
    from collections.abc import Callable

SPECIAL = re.compile(r"[\\`<\[\]$#]")
"""A pure character class: any alternation in here costs a third of the whole parse."""

PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
TICKS = re.compile("`+")
WIKILINK = re.compile(r"\[\[([^\[\]\n]+)\]\]")
INLINE_MATH = re.compile(r"\$(?![\s$])(?:[^\\$\n]++|\\.)*+(?<![ \t])\$(?!\d)")
TAG_NAME = re.compile(
    r"[^\u2000-\u206F\u2E00-\u2E7F'!\"#$%&()*+,.:;<=>?@^`{|}~\[\]\\\s]+",
)
"""Obsidian's own class of what may stand in a tag: letters of any script, digits, emoji, `_`, `-` and `/`."""

NO_TAG = re.compile(r"[\x00-\x1f\x7f-\x9f\ufffd\ud800-\udfff]|\A[0-9]+\Z")
"""What the class lets through and is no tag: digits alone, and characters that only a binary file has."""

LINE_BREAK = re.compile(r"[ \t]*\n[ \t]*")
EMPHASIS_BEFORE = re.compile(r"(?:\*|~~|==|%%|(?<!\w)_{1,3})\Z")
HTML_TAG = re.compile(
    r"""</?[A-Za-z][A-Za-z0-9-]*+
        (?:\s++[A-Za-z_:][A-Za-z0-9_.:-]*+(?:\s*+=\s*+(?:[^\s"'=<>`]++|'[^']*+'|"[^"]*+"))?+)*+
        \s*+/?>
      | <[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*+>""",
    re.VERBOSE,
)
"""An HTML tag, or a link in angle brackets."""

HTML_SPANS = (("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"))
MAX_OPEN = 64
"""Brackets kept open at once. Each may be the start of a link whose text is copied; without a bound nesting is quadratic."""


class Inline:
    """Collects the links and tags of one text after another, in offsets of the source that they came from."""

    def __init__(self, src: str) -> None:
        self.source = src
        self.links: list[Link] = []
        self.tags: list[Tag] = []

    def scan(self, spans: list[tuple[int, int]], *, quoted: bool = False) -> None:
        """Scan one text whose lines stand at `spans`; between the lines of a quoted one are its `>` marks."""
        start, end = spans[0][0], spans[-1][1]
        if self.source.find("[", start, end) < 0 and self.source.find("#", start, end) < 0:
            return
        if quoted and len(spans) > 1:
            self._scan_joined(spans)
        else:
            self._scan(self.source, start, end)

    def _scan_joined(self, spans: list[tuple[int, int]]) -> None:
        """Scan lines as one text without what stands between them, and map what is found back."""
        lines = [self.source[start:end] for start, end in spans]
        begins = list(accumulate((len(line) + 1 for line in lines), initial=0))[:-1]
        text = "\n".join(lines)
        links, tags = len(self.links), len(self.tags)
        self._scan(text, 0, len(text))

        def place(offset: int) -> int:
            line = bisect_right(begins, offset) - 1
            return spans[line][0] + offset - begins[line]

        self.links[links:] = [
            link._replace(start=place(link.start), end=place(link.end - 1) + 1) for link in self.links[links:]
        ]
        self.tags[tags:] = [
            tag._replace(start=place(tag.start), end=place(tag.end - 1) + 1) for tag in self.tags[tags:]
        ]

    def _scan(self, src: str, start: int, end: int) -> None:
        """Walk `src[start:end]` from one special character to the next; each says where to go on."""
        self.src, self.start, self.end = src, start, end
        self.edge = start
        self.open: deque[tuple[int, bool]] = deque(maxlen=MAX_OPEN)
        self.linked = -1
        self.absent: set[str] = set()
        self.runs: dict[int, int] | None = None
        search = SPECIAL.search
        at = start
        while found := search(src, at, end):
            position = found.start()
            at = HANDLERS[src[position]](self, position)

    def _past(self, end: int) -> int:
        """Go on after a construct that ends at `end`; a tag may begin right there."""
        self.edge = end
        return end

    def _find(self, closing: str, start: int) -> int:
        """Where `closing` ends, or -1; what is not there is looked for only once."""
        if closing in self.absent:
            return -1
        found = self.src.find(closing, start, self.end)
        if found < 0:
            self.absent.add(closing)
            return -1
        return found + len(closing)

    def _escape(self, at: int) -> int:
        if at + 1 < self.end and self.src[at + 1] in PUNCTUATION:
            return self._past(at + 2)
        return at + 1

    def _code(self, at: int) -> int:
        """A code span ends at the next run of as many backticks; without one the run is text."""
        if self.runs is None:
            runs = TICKS.finditer(self.src, at, self.end)
            self.runs = {run.end() - run.start(): run.start() for run in runs}
        opening = TICKS.match(self.src, at, self.end)
        after = opening.end() if opening else at + 1
        if self.runs.get(after - at, -1) >= after:
            for run in TICKS.finditer(self.src, after, self.end):
                if run.end() - run.start() == after - at:
                    return self._past(run.end())
        return after

    def _math(self, at: int) -> int:
        if self.src.startswith("$$", at):
            end = self._find("$$", at + 2)
            return self._past(end) if end >= 0 else at + 2
        found = INLINE_MATH.match(self.src, at, self.end)
        return self._past(found.end()) if found else at + 1

    def _html(self, at: int) -> int:
        tag = HTML_TAG.match(self.src, at, self.end)
        if tag:
            return self._past(tag.end())
        for opening, closing in HTML_SPANS:
            if self.src.startswith(opening, at):
                end = self._find(closing, at + len(opening))
                return self._past(end) if end >= 0 else at + len(opening)
        return at + 1

    def _open(self, at: int) -> int:
        """A wikilink, or a bracket that a `](destination)` may make the start of a link."""
        found = WIKILINK.match(self.src, at, self.end)
        embed = at > self.edge and self.src[at - 1] == "!"
        if not found or found[1].isspace():
            self.open.append((at, embed))
            return at + 1
        if not embed:
            self.linked = at
        kind: LinkKind = "embed" if embed else "wikilink"
        self.links.append(Link(kind, *wiki_parts(found[1]), at - embed, found.end()))
        return self._past(found.end())

    def _close(self, at: int) -> int:
        """`](destination)` makes the text since the last open bracket a link, unless that text holds one."""
        if not self.open:
            return at + 1
        opening, embed = self.open.pop()
        if at + 1 >= self.end or self.src[at + 1] != "(" or (opening < self.linked and not embed):
            return at + 1
        resource = read_resource(self.src, at + 1, self.end)
        if not resource:
            return at + 1
        if not embed:
            self.linked = opening
        if is_internal(resource.written):
            kind: LinkKind = "embed" if embed else "markdown"
            text = LINE_BREAK.sub(" ", self.src[opening + 1 : at])
            link = decoded(resource.written)
            self.links.append(Link(kind, resource.written, link, text, opening - embed, resource.end))
        return self._past(resource.end)

    def _tag(self, at: int) -> int:
        name = TAG_NAME.match(self.src, at + 1, self.end)
        if not name:
            return at + 1
        if self._tag_may_begin(at) and not NO_TAG.search(name[0]):
            self.tags.append(Tag(name[0], at, name.end()))
        return name.end()

    def _tag_may_begin(self, at: int) -> bool:
        """A tag begins after a blank or where a run of plain text does: at the start and after a construct."""
        return (
            at == self.edge
            or self.src[at - 1].isspace()
            or EMPHASIS_BEFORE.search(self.src, max(self.start, at - 3), at) is not None
        )


HANDLERS: dict[str, Callable[[Inline, int], int]] = {
    "\\": Inline._escape,
    "`": Inline._code,
    "<": Inline._html,
    "[": Inline._open,
    "]": Inline._close,
    "$": Inline._math,
    "#": Inline._tag,
}
"""What each special character may begin; a handler is given its offset and returns where to go on."""
