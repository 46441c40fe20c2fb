"""Finds links and tags in a text: one pass that stops only at characters that can begin or hide one."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from itertools import accumulate
from typing import TYPE_CHECKING

from vaultsync.domain.markdown.destinations import decoded, is_internal, read_resource
from vaultsync.domain.notes import Link, LinkKind, Tag
from vaultsync.domain.wikilinks import wiki_parts

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultsync.domain.markdown.destinations import Destination
    from vaultsync.domain.markdown.lines import Span

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
"""Brackets kept open at once: a link's text is copied, so without a bound nesting would cost its square."""


def on_one_line(text: str) -> str:
    """Join lines as a reader sees them joined."""
    return " ".join([line.strip(" \t") for line in text.split("\n")]) if "\n" in text else text


class Inline:
    """Collects the links and tags of one text after another, in offsets of the source that they stand in."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.links: list[Link] = []
        self.tags: list[Tag] = []
        self.brackets: deque[tuple[int, bool]] = deque(maxlen=MAX_OPEN)
        self.absent: set[str] = set()

    def scan(self, lines: list[Span], *, quoted: bool = False) -> None:
        """Scan a text whose lines stand at `lines`; between those of a quoted one may be `>` marks."""
        start, end = lines[0][0], lines[-1][1]
        if self.source.find("[", start, end) < 0 and self.source.find("#", start, end) < 0:
            return
        if quoted and len(lines) > 1:
            self.scan_joined(lines)
        else:
            self.walk(self.source, start, end)

    def scan_joined(self, lines: list[Span]) -> None:
        """Scan lines as one text, without what stands between them, and map what is found back."""
        text = "\n".join([self.source[start:end] for start, end in lines])
        begins = list(accumulate((end - start + 1 for start, end in lines[:-1]), initial=0))
        links, tags = len(self.links), len(self.tags)
        self.walk(text, 0, len(text))

        def place(offset: int) -> int:
            line = bisect_right(begins, offset) - 1
            return lines[line][0] + offset - begins[line]

        for n, link in enumerate(self.links[links:], links):
            self.links[n] = link._replace(start=place(link.start), end=place(link.end - 1) + 1)
        for n, tag in enumerate(self.tags[tags:], tags):
            self.tags[n] = tag._replace(start=place(tag.start), end=place(tag.end - 1) + 1)

    def walk(self, src: str, start: int, end: int) -> None:
        """Go through `src[start:end]` from one special character to the next."""
        self.src, self.start, self.end = src, start, end
        self.edge = start
        self.brackets.clear()
        self.linked = -1
        self.absent.clear()
        self.last_runs: dict[int, int] | None = None
        search = SPECIAL.search
        at = start
        while found := search(src, at, end):
            at = found.start()
            at = HANDLERS[src[at]](self, at)

    def past(self, end: int) -> int:
        """Go on after a construct that ends at `end`: plain text, and so maybe a tag, begins there."""
        self.edge = end
        return end

    def past_next(self, closing: str, start: int) -> int:
        """Go on after the next `closing`, or at `start`. What is not there is looked for only once."""
        if closing not in self.absent:
            found = self.src.find(closing, start, self.end)
            if found >= 0:
                return self.past(found + len(closing))
            self.absent.add(closing)
        return start

    def escape(self, at: int) -> int:
        """Skip an escaped character."""
        if at + 1 < self.end and self.src[at + 1] in PUNCTUATION:
            return self.past(at + 2)
        return at + 1

    def code(self, at: int) -> int:
        """Skip a code span: up to the next run of as many backticks. Without one, this run is text."""
        if self.last_runs is None:
            runs = TICKS.finditer(self.src, at, self.end)
            self.last_runs = {run.end() - run.start(): run.start() for run in runs}
        width = 0
        for run in TICKS.finditer(self.src, at, self.end):
            if not width:
                width = run.end() - at
                if self.last_runs.get(width, -1) <= at:
                    break
            elif run.end() - run.start() == width:
                return self.past(run.end())
        return at + width

    def math(self, at: int) -> int:
        """Skip `$math$` on one line, or `$$math$$`; in `$5 and $6` there is none."""
        if self.src.startswith("$$", at):
            return self.past_next("$$", at + 2)
        found = INLINE_MATH.match(self.src, at, self.end)
        return self.past(found.end()) if found else at + 1

    def html(self, at: int) -> int:
        """Skip a tag, a comment or the like; what stands between two tags is text."""
        tag = HTML_TAG.match(self.src, at, self.end)
        if tag:
            return self.past(tag.end())
        for opening, closing in HTML_SPANS:
            if self.src.startswith(opening, at):
                return self.past_next(closing, at + len(opening))
        return at + 1

    def opening(self, at: int) -> int:
        """Keep a wikilink; any other bracket may be the start of a link with a `](destination)`."""
        found = WIKILINK.match(self.src, at, self.end)
        embed = at > self.edge and self.src[at - 1] == "!"
        if not found or found[1].isspace():
            self.brackets.append((at, embed))
            return at + 1
        if not embed:
            self.linked = at
        kind: LinkKind = "embed" if embed else "wikilink"
        self.links.append(Link(kind, *wiki_parts(found[1]), at - embed, found.end()))
        return self.past(found.end())

    def closing(self, at: int) -> int:
        """Keep the link that `](destination)` makes of the text before it, if that holds none."""
        if not self.brackets:
            return at + 1
        start, embed = self.brackets.pop()
        if at + 1 >= self.end or self.src[at + 1] != "(" or (start < self.linked and not embed):
            return at + 1
        resource = read_resource(self.src, at + 1, self.end)
        if not resource:
            return at + 1
        if not embed:
            self.linked = start
        if is_internal(resource.written):
            self.keep(resource, start, at, embed=embed)
        return self.past(resource.end)

    def keep(self, resource: Destination, start: int, close: int, *, embed: bool) -> None:
        """Keep a link or image whose text stands between the brackets at `start` and `close`."""
        text = on_one_line(self.src[start + 1 : close])
        written, end = resource
        kind: LinkKind = "embed" if embed else "markdown"
        self.links.append(Link(kind, written, decoded(written), text, start - embed, end))

    def tag(self, at: int) -> int:
        """Keep a tag that stands where one may begin."""
        name = TAG_NAME.match(self.src, at + 1, self.end)
        if not name:
            return at + 1
        if self.tag_may_begin(at) and not NO_TAG.search(name[0]):
            self.tags.append(Tag(name[0], at, name.end()))
        return name.end()

    def tag_may_begin(self, at: int) -> bool:
        """Say whether a blank stands before `at`, or plain text begins there."""
        if at == self.edge or self.src[at - 1].isspace():
            return True
        return EMPHASIS_BEFORE.search(self.src, max(self.start, at - 3), at) is not None


HANDLERS: dict[str, Callable[[Inline, int], int]] = {
    "\\": Inline.escape,
    "`": Inline.code,
    "<": Inline.html,
    "[": Inline.opening,
    "]": Inline.closing,
    "$": Inline.math,
    "#": Inline.tag,
}
"""What each special character may begin. A handler is given its offset and returns where to go on."""
