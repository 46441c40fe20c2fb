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
    from vaultsync.domain.markdown.lines import Piece, Span
    from vaultsync.domain.markdown.offsets import Source

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
    r"""Copy a text so that only `\n` ends a line, and the last one ends, too; offsets stay as they are."""
    return text.replace("\r\n", " \n").replace("\r", "\n").replace("\0", "\N{REPLACEMENT CHARACTER}") + "\n"


class Root:
    """A block at the root while it is read."""

    __slots__ = ("cuts", "end", "kind", "start")

    def __init__(self, kind: BlockKind, start: int, end: int) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.cuts: list[int] = []


class Reader:
    """Walks the pieces once and sorts what it finds; all offsets are characters of the text."""

    def __init__(self, text: str, body: int) -> None:
        self.text = text
        self.returns = "\r" in text
        self.src = with_one_line_end(text)
        self.lines = read_blocks(self.src, body)
        self.inline = Inline(self.src)
        self.roots: list[Root] = []
        self.headings: list[Heading] = []
        self.definitions: list[Link] = []
        self.ids: list[tuple[str, Root | Piece]] = []
        self.around: list[Piece] = []

    def read(self) -> None:
        """Read every piece, each after the containers that hold it."""
        for piece in self.lines.tokens:
            if not piece.level and not self.is_only_id(piece):
                self.roots.append(self.root(piece))
            if piece.text is None:
                self.read_container(piece)
            else:
                self.read_text(piece, piece.text)

    def note(self) -> ParsedNote:
        """Give what was found."""
        by_start = attrgetter("start")
        ids = [self.block_id(name, named) for name, named in self.ids]
        return ParsedNote(
            blocks=tuple([Block(root.kind, root.start, root.end, tuple(root.cuts)) for root in self.roots]),
            headings=tuple(self.headings),
            links=tuple(sorted(self.inline.links, key=by_start)),
            tags=tuple(self.inline.tags),
            block_ids=tuple(sorted(ids, key=by_start)),
            definitions=tuple(self.definitions),
        )

    def root(self, piece: Piece) -> Root:
        """Make a block of a piece at the root."""
        begins = self.lines.bMarks
        first, end = piece.map
        last = self.last_line(first, end)
        start = begins[first] if piece.type in INDENT_COUNTS else begins[first] + self.lines.tShift[first]
        root = Root(KINDS[piece.type], start, self.line_end(last))
        if root.kind == "blockquote":
            root.cuts = begins[first + 1 : last + 1]
            if CALLOUT.match(self.src, start):
                root.kind = "callout"
        elif root.kind == "table":
            root.cuts = begins[first + 2 : last + 1]
        return root

    def read_container(self, piece: Piece) -> None:
        """Remember what is around the next pieces; an item's own content ends at the first list in it."""
        del self.around[piece.level :]
        self.around.append(piece)
        if piece.type == "item":
            root, begin = self.roots[-1], self.lines.bMarks[piece.map[0]]
            if piece.level == 1 and root.kind == "list" and begin > root.start:
                root.cuts.append(begin)
        elif piece.level and piece.type == "list":
            item = self.around[piece.level - 1]
            item.own_end = item.own_end or piece.map[0]

    def read_text(self, piece: Piece, text: list[Span]) -> None:
        """Find what stands in a block's text."""
        if piece.type == "table":
            self.read_rows(text)
        elif piece.type == "definition":
            self.read_definition(piece, text[0])
        else:
            self.inline.scan(text, quoted=piece.quoted)
        if piece.type == "paragraph":
            self.read_id(piece, text[-1])
        elif piece.type == "heading" and not piece.level:
            self.read_heading(piece, text)

    def read_heading(self, piece: Piece, text: list[Span]) -> None:
        """Keep a heading at the root, which has just become a block."""
        words = on_one_line(self.src[text[0][0] : text[-1][1]].rstrip(" \t"))
        root = self.roots[-1]
        self.headings.append(Heading(words, len(piece.markup), root.start, root.end))

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
        """Keep the `^id` at the end of a paragraph's last line."""
        if self.src.find("^", *last) >= 0 and (found := BLOCK_ID.search(self.src[slice(*last)])):
            self.ids.append((found[1], self.named(piece, last[0])))

    def named(self, piece: Piece, last: int) -> Root | Piece:
        """Find what an id names: the innermost list item around its paragraph, else the block at the root.

        A last line that a quote took in without a `>` is the quote's, even when a list item in it took it in.
        """
        line = self.src.rfind("\n", 0, last) + 1
        lazy = piece.quoted and self.src.find(">", line, last) < 0
        items = [around for around in self.around[: piece.level] if around.type == "item"]
        return items[-1] if items and not lazy else self.roots[-1]

    def is_only_id(self, piece: Piece) -> bool:
        """Say whether a piece is a paragraph that is nothing but an id of the block before it."""
        if piece.type != "paragraph" or self.src[piece.start] != "^" or not self.roots:
            return False
        text = piece.text or []
        return len(text) == 1 and BLOCK_ID.match(self.src[slice(*text[0])]) is not None

    def block_id(self, name: str, named: Root | Piece) -> BlockId:
        """Give an id the span of the root block or of the list item's own content."""
        if isinstance(named, Root):
            return BlockId(name, named.start, named.end)
        first, end = named.map
        end = max(named.own_end, first + 1) if named.own_end else end
        return BlockId(name, named.start, self.line_end(self.last_line(first, end)))

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
