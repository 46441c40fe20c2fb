"""Reads the body of a note: its blocks, and the headings, links, tags and ids that stand in them."""

from __future__ import annotations

import re
from operator import attrgetter
from typing import TYPE_CHECKING

from vaultsync.domain.markdown.blocks import read_blocks
from vaultsync.domain.markdown.destinations import decoded, is_internal, read_destination
from vaultsync.domain.markdown.inline import Inline, on_one_line
from vaultsync.domain.markdown.leaves import cells
from vaultsync.domain.markdown.spans import in_bytes
from vaultsync.domain.notes import Block, BlockId, BlockKind, Heading, Link, ParsedNote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultsync.domain.decoding import Source
    from vaultsync.domain.markdown.lines import Piece, Span

KINDS: dict[str, BlockKind] = {
    "heading": "heading",
    "paragraph": "paragraph",
    "list": "list",
    "table": "table",
    "code_block": "code",
    "fence": "code",
    "blockquote_open": "blockquote",
    "math": "math",
    "comment": "comment",
    "html_block": "html",
    "footnote_open": "footnote",
    "definition": "definition",
    "hr": "rule",
}
"""The kind of block that a piece at the root makes."""

INDENT_COUNTS = frozenset({"list", "code_block", "blockquote_open"})
"""Blocks that begin with their first line's indent; others begin at the first character that is not blank."""

CALLOUT = re.compile(r"[ \t]*>[ \t]*\[![^\]\n]+\]")
BLOCK_ID = re.compile(r"(?:^|[ \t]|\]\])\^([A-Za-z0-9-]+)[ \t]*$")
DEFINITION_GAP = re.compile(r"[ \t\n>]*")


def parse(source: Source, body: int = 0) -> ParsedNote:
    """Read what stands from character `body` of the text on, where a line must begin; never raises.

    Every byte of it that is not blank (space, tab, CR, LF) lies in exactly one of the blocks, but for a
    paragraph that is only the `^id` of the block before it. Its bytes stand between that block's end and the
    next one's start, or the end of the note; so what goes from one start to the next holds everything.
    An id's span is that of the block or list item that it names; an item ends where a list in it begins.
    """
    reader = Reader(source.text, body)
    reader.read()
    return in_bytes(source, reader.note())


def with_one_line_end(text: str) -> str:
    r"""Copy a text so that only `\n` ends a line, and two of them the last; offsets stay as they are."""
    if "\r" in text:
        text = text.replace("\r\n", " \n").replace("\r", "\n")
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}") + "\n\n"


class Reader:
    """Walks the pieces once and sorts what it finds; all offsets are characters of the text."""

    def __init__(self, text: str, body: int) -> None:
        self.text = text
        self.returns = "\r" in text
        self.has_ids = "^" in text
        self.src = with_one_line_end(text)
        self.lines = read_blocks(self.src, body)
        self.inline = Inline(self.src)
        self.blocks: list[Block] = []
        self.headings: list[Heading] = []
        self.definitions: list[Link] = []
        self.ids: list[BlockId] = []

    def read(self) -> None:
        """Read every piece."""
        for piece in self.lines.tokens:
            if not piece.within and not (self.has_ids and self.is_only_id(piece)):
                self.blocks.append(self.block(piece))
            if piece.text:
                self.read_text(piece, piece.text)

    def note(self) -> ParsedNote:
        """Give what was found."""
        by_start = attrgetter("start")
        return ParsedNote(
            blocks=tuple(self.blocks),
            headings=tuple(self.headings),
            links=tuple(sorted(self.inline.links, key=by_start)),
            tags=tuple(self.inline.tags),
            block_ids=tuple(sorted(self.ids, key=by_start)),
            definitions=tuple(self.definitions),
        )

    def block(self, piece: Piece) -> Block:
        """Make a block of a piece at the root."""
        begins = self.lines.bMarks
        kind = KINDS[piece.type]
        first, end = piece.map
        last = self.last_line(first, end)
        start = begins[first] if piece.type in INDENT_COUNTS else begins[first] + self.lines.tShift[first]
        cuts: Iterable[int] = ()
        if kind == "list":
            cuts = [begins[line] for line in piece.items[1:]]
        elif kind == "table":
            cuts = begins[first + 2 : last + 1]
        elif kind == "blockquote":
            cuts = begins[first + 1 : last + 1]
            kind = "callout" if CALLOUT.match(self.src, start) else kind
        return Block(kind, start, self.line_end(last), tuple(cuts))

    def read_text(self, piece: Piece, text: list[Span]) -> None:
        """Find what stands in a block's text."""
        if piece.type == "table":
            self.read_rows(text)
        elif piece.type == "definition":
            self.read_definition(piece, text[0])
        else:
            self.inline.scan(text, quoted=len(text) > 1 and is_quoted(piece))
        if piece.type == "paragraph" and self.has_ids:
            self.read_id(piece, text[-1])
        elif piece.type == "heading" and not piece.within:
            self.read_heading(piece, text)

    def read_heading(self, piece: Piece, text: list[Span]) -> None:
        """Keep a heading at the root, which has just become a block."""
        words = on_one_line(self.src[text[0][0] : text[-1][1]].rstrip(" \t"))
        block = self.blocks[-1]
        self.headings.append(Heading(words, len(piece.markup), block.start, block.end))

    def read_rows(self, rows: list[Span]) -> None:
        """Find what stands in a table; a cell ends whatever begins in it."""
        for row in rows:
            if self.src.find("[", *row) >= 0 or self.src.find("#", *row) >= 0:
                for cell in cells(self.src, *row):
                    self.inline.scan([cell])

    def read_definition(self, piece: Piece, rest: Span) -> None:
        """Keep where a `[label]: destination` points, when that is in the vault."""
        gap = DEFINITION_GAP.match(self.src, *rest)
        found = read_destination(self.src, gap.end() if gap else rest[0], rest[1])
        if found and is_internal(found.written):
            label = self.src[piece.start + 1 : rest[0] - 2]
            end = self.line_end(self.last_line(*piece.map))
            target = decoded(found.written)
            self.definitions.append(Link("markdown", found.written, target, label, piece.start, end))

    def read_id(self, piece: Piece, last: Span) -> None:
        """Keep the `^id` at the end of a paragraph's last line.

        It names the innermost list item around the paragraph, else the block at the root. A last line that a
        quote took in without a `>` is the quote's, even when a list item in it took it in.
        """
        if self.src.find("^", *last) < 0 or not (found := BLOCK_ID.search(self.src[slice(*last)])):
            return
        line = self.src.rfind("\n", 0, last[0]) + 1
        lazy = self.src.find(">", line, last[0]) < 0 and is_quoted(piece)
        item = None if lazy else next((around for around in piece.around() if around.type == "item"), None)
        self.ids.append(BlockId(found[1], *(self.own_span(item) if item else self.blocks[-1][1:3])))

    def own_span(self, item: Piece) -> Span:
        """Find where a list item's own content is."""
        first, end = item.map
        if item.own_end is not None:
            end = max(item.own_end, first + 1)
        return item.start, self.line_end(self.last_line(first, end))

    def is_only_id(self, piece: Piece) -> bool:
        """Say whether a piece is a paragraph that is nothing but an id of the block before it."""
        if piece.type != "paragraph" or self.src[piece.start] != "^" or not self.blocks:
            return False
        text = piece.text or []
        return len(text) == 1 and BLOCK_ID.match(self.src[slice(*text[0])]) is not None

    def last_line(self, first: int, end: int) -> int:
        """Find the last line of `[first, end)` that is not blank."""
        last = end - 1
        while last > first and self.lines.isEmpty(last):
            last -= 1
        return last

    def line_end(self, line: int) -> int:
        """Find where a line ends, its CRLF left out."""
        at = self.lines.eMarks[line]
        return at - 1 if self.returns and self.text[at - 1 : at + 1] == "\r\n" else at


def is_quoted(piece: Piece) -> bool:
    """Say whether a piece lies in a quote, so that a `>` may stand between its lines."""
    return any(around.type == "blockquote_open" for around in piece.around())
