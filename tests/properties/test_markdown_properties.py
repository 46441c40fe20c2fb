"""What holds of every note: spans are in range, on characters and in order, and they shift exactly."""

from __future__ import annotations

import codecs
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from vaultsync.domain.decoding import Source, decode
from vaultsync.domain.markdown import parse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultsync.domain.notes import Block, BlockId, Heading, Link, ParsedNote, Tag

BLANK = " \t\r\n"
SYNTAX = [
    *(
        "# ",
        "## ",
        "- ",
        "1. ",
        "> ",
        "> [!note] ",
        "- [ ] ",
        "\t",
        "    ",
        "===\n",
        "---\n",
        "\n",
        "\n\n",
        " ",
    ),
    *(
        "| a | b |\n|---|---|\n",
        "|",
        "```\n",
        "~~~",
        "`",
        "``",
        "$",
        "$$\n",
        "$$",
        "%%\n",
        "%%",
        "[^1]: ",
        "[r]: d.md",
    ),
    *(
        "[[",
        "]]",
        "[[a]]",
        "![[b|c]]",
        "[t](u%20v.md)",
        "![i](j.png)",
        "[",
        "](",
        ")",
        "!",
        "#tag",
        "#",
        "\\",
    ),
    *("^id", " ^id", "\n^id\n", "<!--", "-->", "<div>", "</div>", "<b>", "**", "==", "key:: "),
    *("a", "word ", "é", "漢字", "😀", "\u2028", "\x0b", "\0", "\u200b"),
]

markdown = st.lists(st.sampled_from(SYNTAX) | st.text(max_size=4), max_size=40).map("".join)
raw_notes = st.binary(max_size=200) | markdown.map(lambda text: text.encode("utf-8", "replace"))


def kinds(note: ParsedNote) -> list[Sequence[Block | Heading | Link | Tag | BlockId]]:
    return [note.blocks, note.headings, note.links, note.tags, note.block_ids, note.definitions]


def spans(note: ParsedNote) -> list[tuple[int, int]]:
    return [(found.start, found.end) for kind in kinds(note) for found in kind]


def strings(note: ParsedNote) -> list[str]:
    links = chain(note.links, note.definitions)
    return [
        *(heading.text for heading in note.headings),
        *(tag.name for tag in note.tags),
        *chain.from_iterable((link.target, link.link, link.text or "") for link in links),
    ]


def boundaries(source: Source) -> set[int]:
    return set(source.to_bytes(range(len(source.text) + 1)))


@given(raw_notes)
@example(b"\xff\xfe\x00\xd8a")
@example(b"\xef\xbb\xbf[[\xff]]")
def test_spans_are_in_range_on_characters_and_in_order(raw: bytes) -> None:
    """No span leaves the file, cuts a character or is out of order; no string holds a lone surrogate."""
    source = decode(raw)
    note = parse(source)
    on_characters = boundaries(source)
    for start, end in spans(note):
        assert 0 <= start < end <= len(raw)
        assert {start, end} <= on_characters
    for kind in kinds(note):
        starts = [found.start for found in kind]
        assert starts == sorted(starts)
    for string in strings(note):
        string.encode()


@given(raw_notes)
def test_blocks_tile_the_body(raw: bytes) -> None:
    """Blocks do not overlap, cuts lie inside them in order, and only ids stand between blocks."""
    source = decode(raw)
    blocks = parse(source).blocks
    for block, after in pairwise(blocks):
        assert block.end <= after.start
    for block in blocks:
        assert sorted(set(block.cuts)) == list(block.cuts)
        assert all(block.start < cut < block.end for cut in block.cuts)
    starts = [*(block.start for block in blocks), len(raw)]
    assert not source.piece(0, starts[0]).lstrip("\ufeff").strip(BLANK)
    for block, start in zip(blocks, starts[1:], strict=True):
        for line in source.piece(block.end, start).replace("\r", "\n").split("\n"):
            assert not line.strip(BLANK) or line.strip(BLANK).startswith("^")


@given(markdown)
def test_a_wikilink_reads_as_its_span(text: str) -> None:
    """Wikilinks, embeds and tags are what stands at their spans."""
    raw = text.replace("\r", "").replace("\0", "").encode("utf-8", "replace")
    note = parse(decode(raw))
    for tag in note.tags:
        assert raw[tag.start : tag.end].decode() == f"#{tag.name}"
    for link in note.links:
        written = raw[link.start : link.end].decode()
        if link.kind == "wikilink":
            assert written.replace("\\|", "|") == f"[[{link.target}]]"
        assert written.startswith("!") == (link.kind == "embed")


@given(markdown)
def test_spans_shift_exactly_with_crlf(text: str) -> None:
    """With CRLF for LF, each offset moves on by the lines before it and nothing else changes."""
    plain = text.replace("\r", "").encode("utf-8", "replace")
    note = parse(decode(plain))
    shifted = parse(decode(plain.replace(b"\n", b"\r\n")))
    expected = [
        (start + plain.count(b"\n", 0, start), end + plain.count(b"\n", 0, end)) for start, end in spans(note)
    ]
    assert spans(shifted) == expected
    assert strings(shifted) == strings(note)


@given(markdown)
def test_spans_do_not_change_with_cr(text: str) -> None:
    """CR alone ends a line as LF does."""
    plain = text.replace("\r", "").encode("utf-8", "replace")
    assert spans(parse(decode(plain.replace(b"\n", b"\r")))) == spans(parse(decode(plain)))


@given(markdown)
def test_spans_shift_exactly_with_a_mark(text: str) -> None:
    """A byte order mark moves every offset on by its three bytes."""
    plain = text.lstrip("\ufeff").encode("utf-8", "replace")
    moved = [(start + 3, end + 3) for start, end in spans(parse(decode(plain)))]
    assert spans(parse(decode(codecs.BOM_UTF8 + plain))) == moved


@given(markdown)
def test_utf_16_finds_the_same(text: str) -> None:
    """The encoding changes where things stand, not what is found."""
    text = text.encode("utf-8", "replace").decode().lstrip("\ufeff")
    plain = decode(text.encode())
    wide = decode(codecs.BOM_UTF16_LE + text.encode("utf-16-le"))
    assert strings(parse(wide)) == strings(parse(plain))
    assert [wide.piece(*span) for span in spans(parse(wide))] == [
        plain.piece(*span) for span in spans(parse(plain))
    ]


@given(markdown, st.integers(0, 5))
def test_a_body_may_begin_later(text: str, lines: int) -> None:
    """What stands before the body is not read, and moves what is read by its length."""
    before = "# [[before]] #before\n" * lines
    body = text.encode("utf-8", "replace").decode().lstrip("\ufeff")
    moved = [(start + len(before), end + len(before)) for start, end in spans(parse(decode(body.encode())))]
    assert spans(parse(decode((before + body).encode()), len(before))) == moved


LIBRARY = MarkdownIt("commonmark", {"maxNesting": 1000, "inline_definitions": True}).enable("table")
KINDS = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "blockquote_open": "blockquote",
    "fence": "code",
    "code_block": "code",
    "hr": "rule",
    "html_block": "html",
    "table_open": "table",
    "definition": "definition",
}
PLAIN = [
    word for word in SYNTAX if not any(mark in word for mark in ("%", "$", "^", "[!", "\0", "\u2028", "\x0b"))
]


@given(st.lists(st.sampled_from(PLAIN), max_size=40).map("".join))
def test_plain_commonmark_has_the_blocks_of_the_library(text: str) -> None:
    """Without Obsidian's own blocks, ours begin where those of the unmodified library do."""
    lines = text.split("\n")
    begins = [0, *(len("\n".join(lines[:count]).encode()) + 1 for count in range(1, len(lines)))]
    theirs = [
        (KINDS[token.type], token.map[0])
        for token in LIBRARY.parse(text)
        if token.level == 0 and token.nesting >= 0 and token.map and token.type in KINDS
    ]
    ours = [
        (block.kind, max(line for line, begin in enumerate(begins) if begin <= block.start))
        for block in parse(decode(text.encode())).blocks
    ]
    assert ours == theirs
