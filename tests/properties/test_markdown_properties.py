"""What holds of every note, whatever its bytes: spans are in range, on characters, in order, and shift exactly."""

from __future__ import annotations

import codecs
from itertools import chain, pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from vaultsync.domain.markdown import Source, decode, parse
from vaultsync.domain.notes import ParsedNote

BLANK = " \t\r\n"
SYNTAX = [
    "# ", "## ", "- ", "1. ", "> ", "> [!note] ", "\t", "    ", "| a | b |\n|---|---|\n", "|", "```\n", "~~~", "`", "``",
    "$", "$$\n", "$$", "%%\n", "%%", "[[", "]]", "[[a]]", "![[b|c]]", "[t](u%20v.md)", "![i](j.png)", "[", "](", ")", "!",
    "#tag", "#", "^id", " ^id", "\n^id\n", "[^1]: ", "[r]: d.md", "<!--", "-->", "<div>", "</div>", "<b>", "===\n", "---\n",
    "\\", "**", "==", "a", "word ", "é", "漢字", "😀", "\u2028", "\x0b", "\0", "\u200b", "\n", "\n\n", " ", "- [ ] ", "key:: ",
]  # fmt: skip

markdown = st.lists(st.sampled_from(SYNTAX) | st.text(max_size=4), max_size=40).map("".join)
raw_notes = st.binary(max_size=200) | markdown.map(lambda text: text.encode("utf-8", "replace"))


def spans(note: ParsedNote) -> list[tuple[int, int]]:
    found = chain(note.blocks, note.headings, note.links, note.tags, note.block_ids, note.definitions)
    return [(piece.start, piece.end) for piece in found]


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
    for kind in (note.blocks, note.headings, note.links, note.tags, note.block_ids, note.definitions):
        starts = [piece.start for piece in kind]
        assert starts == sorted(starts)
    for string in strings(note):
        string.encode()


@given(raw_notes)
def test_blocks_tile_the_body(raw: bytes) -> None:
    """Blocks do not overlap, cuts lie inside in order, and only ids of the block before stand between blocks."""
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
    expected = [(start + plain.count(b"\n", 0, start), end + plain.count(b"\n", 0, end)) for start, end in spans(note)]
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
    assert [wide.piece(*span) for span in spans(parse(wide))] == [plain.piece(*span) for span in spans(parse(plain))]


@given(markdown, st.integers(0, 5))
def test_a_body_may_begin_later(text: str, lines: int) -> None:
    """What stands before the body is not read, and moves what is read by its length."""
    before = "# [[before]] #before\n" * lines
    body = text.encode("utf-8", "replace").decode().lstrip("\ufeff")
    moved = [(start + len(before), end + len(before)) for start, end in spans(parse(decode(body.encode())))]
    assert spans(parse(decode((before + body).encode()), len(before))) == moved
