"""Blocks, headings and block ids: spans first, for texts alone hide wrong offsets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from vaultsync.domain.decoding import decode
from vaultsync.domain.markdown import parse
from vaultsync.domain.notes import Heading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultsync.domain.notes import Block, BlockId, Link, ParsedNote, Tag


def read(text: str) -> ParsedNote:
    return parse(decode(text.encode()))


def spans(*kinds: Sequence[Block | Heading | Link | Tag | BlockId]) -> list[tuple[int, int]]:
    return [(found.start, found.end) for kind in kinds for found in kind]


def blocks(text: str) -> list[tuple[str, str]]:
    raw = text.encode()
    return [(block.kind, raw[block.start : block.end].decode()) for block in read(text).blocks]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("a\nb\n\nc", ["paragraph", "paragraph"]),
        ("# a\nb\n\nc\n===\nd\n---", ["heading", "paragraph", "heading", "heading"]),
        ("#tag\n\n#3344:\n", ["paragraph", "paragraph"]),
        ("- a\n  - b\n- c\n* d\n1. e\n2) f", ["list", "list", "list", "list"]),
        ("- a\n\n  b\n\nc", ["list", "paragraph"]),
        ("- [/] a\n- [x] b", ["list"]),
        ("| a |\n|---|\n| b |\n\nc", ["table", "paragraph"]),
        ("x\na | b\n--|--\nc | d\n> e", ["paragraph", "table", "blockquote"]),
        ("a | b\n---", ["heading"]),
        ("```\na\n\nb\n```\n    c\n~~~\nd", ["code", "code", "code"]),
        ("    a\n\n    b\nc", ["code", "paragraph"]),
        ("> a\nb\n\n> [!tip]- T\n> > q", ["blockquote", "callout"]),
        ("> a\n\n> b", ["blockquote", "blockquote"]),
        ("***\n- - -\n___", ["rule", "rule", "rule"]),
        ("<div>\na\n</div>\n\n<!-- a\n\nb -->\nc", ["html", "html", "paragraph"]),
        ("a\n<!-- b -->", ["paragraph", "html"]),
        ("a\n%%\nb\n\n# H", ["paragraph", "comment"]),
        ("%%\n# H\n%%\n# I", ["comment", "heading"]),
        ("%%a%% b", ["paragraph"]),
        ("%% a\nb %% c\nd", ["comment", "paragraph"]),
        ("$$\na\n\nb\n$$\nc", ["math", "paragraph"]),
        ("a\n$$b$$", ["paragraph", "math"]),
        ("$$a$$ b", ["paragraph"]),
        ("$$\na\n\nb", ["paragraph", "paragraph"]),
        ("- a\n$$\n[[x]]\n$$\n- b", ["list", "math", "list"]),
        ("[^1]: a\n[^2]: b\n\n    c\n\nd", ["footnote", "footnote", "paragraph"]),
        ("[a]: b.md\n[c]:\nd.md 'e'\nf", ["definition", "definition", "paragraph"]),
        ("a\n[b]: c", ["paragraph"]),
        ("a\u2028b", ["paragraph"]),
        ("", []),
        (" \n\t\r\n", []),
    ],
)
def test_kinds_of_blocks(text: str, kinds: list[str]) -> None:
    """Each block at the root has its kind, and together they hold all that is not blank."""
    found = blocks(text)
    assert [kind for kind, _ in found] == kinds
    assert "".join("".join(piece for _, piece in found).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "cuts"),
    [
        ("- a\n  - b\n\n- c\n- d", [11, 15]),
        ("| a |\n|---|\n| b |\n| c |", [12, 18]),
        ("> a\nlazy\n> > b", [4, 9]),
        ("> - a\n> - b", [6]),
        ("a\nb", []),
    ],
)
def test_where_a_block_may_be_split(text: str, cuts: list[int]) -> None:
    """At the items of a list, below the head of a table, at the lines of a quote; never at its own start."""
    assert [block.cuts for block in read(text).blocks] == [tuple(cuts)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("## A [[B]] ## ", Heading("A [[B]]", 2, 0, 14)),
        ("  # A", Heading("A", 1, 2, 5)),
        ("#", Heading("", 1, 0, 1)),
        ("# #", Heading("", 1, 0, 3)),
        ("# a#", Heading("a#", 1, 0, 4)),
        ("###### a\t", Heading("a", 6, 0, 9)),
        ("a [[B]]\nc #t\n===", Heading("a [[B]] c #t", 1, 0, 16)),
        ("a\n---  \nb", Heading("a", 2, 0, 7)),
    ],
)
def test_headings(text: str, expected: Heading) -> None:
    """A heading keeps its markup but for closing hashes; its span is the whole line, or lines."""
    assert read(text).headings == (expected,)


@pytest.mark.parametrize(
    "text", ["> # H", "- # H", "> [!note]\n> # H", "[^1]: # H", "####### a", "#a", "    # a", "%%\n# H"]
)
def test_no_headings(text: str) -> None:
    """Only the root of a note has headings."""
    assert read(text).headings == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a ^x", [("x", "a ^x")]),
        ("a\n^x", [("x", "a\n^x")]),
        ("![[i.png]]^v-1", [("v-1", "![[i.png]]^v-1")]),
        ("a^x", []),
        ("a ^x b", []),
        ("a ^x_y", []),
        ("a ^x.", []),
        ("a\n\n^x\n\n^y", [("x", "a"), ("y", "a")]),
        ("- a\n- b\n\n^x", [("x", "- a\n- b")]),
        ("| a |\n|---|\n\n^x", [("x", "| a |\n|---|")]),
        ("```\na\n```\n^x", [("x", "```\na\n```")]),
        ("^x\n\na", [("x", "^x")]),
        ("- a ^x\n  - b ^y\n- c", [("x", "- a ^x"), ("y", "- b ^y")]),
        ("- a\n  ^x", [("x", "- a\n  ^x")]),
        ("- a\n\n  ^x\n- b", [("x", "- a\n\n  ^x")]),
        ("> a\n^x", [("x", "> a\n^x")]),
        ("> a\n> - b\n^x", [("x", "> a\n> - b\n^x")]),
        ("> - b ^x", [("x", "- b ^x")]),
        ("> a\n\n^x", [("x", "> a")]),
        ("- 1. a\n\n  ^x", [("x", "- 1. a")]),
        ("b\n\n- 1. a\n\n  ^x", [("x", "- 1. a")]),
        ("`^x`", []),
    ],
)
def test_block_ids(text: str, expected: list[tuple[str, str]]) -> None:
    """An id names its paragraph, its list item, its quote, or alone the block before it."""
    assert [(found.id, text[found.start : found.end]) for found in read(text).block_ids] == expected


def test_an_id_alone_is_no_block() -> None:
    """A paragraph that is only an id stands between blocks, unless nothing is before it."""
    assert blocks("a\n\n^x\n\nb") == [("paragraph", "a"), ("paragraph", "b")]
    assert blocks("^x\n\nb") == [("paragraph", "^x"), ("paragraph", "b")]


def test_spans_with_a_mark_and_frontmatter() -> None:
    """The byte order mark and the frontmatter count, and the body begins where it is said to."""
    source = decode('\ufeff---\na: "[[X]]"\n---\n# H é\n[[Y]]'.encode())
    note = parse(source, source.text.index("# H"))
    assert spans(note.headings, note.links) == [(22, 28), (29, 34)]


def test_spans_with_crlf() -> None:
    """No span takes in the CR of its line's end."""
    note = read("# H\r\n\r\n> q [[A]]\r\n> r #t\r\n\r\n- x ^id\r\n")
    assert spans(note.headings, note.links, note.tags, note.block_ids) == [
        (0, 3),
        (11, 16),
        (22, 24),
        (28, 35),
    ]
    assert spans(note.blocks) == [(0, 3), (7, 24), (28, 35)]


def test_spans_with_lone_cr() -> None:
    """CR alone ends a line."""
    note = read("# H\r[[A]]\r\r#t")
    assert spans(note.headings, note.links, note.tags) == [(0, 3), (4, 9), (11, 13)]


def test_a_nul_reads_as_no_character() -> None:
    """NUL bytes shift nothing and are handed out as U+FFFD."""
    [link] = read("a\0b [[x\0y]]").links
    assert (link.start, link.end, link.target) == (4, 11, "x\ufffdy")


def test_bytes_that_are_no_utf8() -> None:
    """Offsets count the bytes of a note in another encoding."""
    note = parse(decode(b"\xfd\xfc [[A\xff]] [[B]]"))
    assert [(link.start, link.end) for link in note.links] == [(3, 9), (10, 15)]


def test_lazy_lines_belong_to_the_quote() -> None:
    """A line without `>` goes on with the quote, and its links are found."""
    note = read("> a\n[[B]] #t")
    assert blocks("> a\n[[B]] #t") == [("blockquote", "> a\n[[B]] #t")]
    assert spans(note.links, note.tags) == [(4, 9), (10, 12)]


def test_a_fence_in_a_list_hides_only_its_own() -> None:
    """A fence ends with the item that holds it."""
    assert [link.link for link in read("- a\n  ```\n  [[b]]\n[[c]]").links] == ["c"]
