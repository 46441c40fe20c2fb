"""Leaves: where they begin and end, and what an edit changes."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

import pytest

from vaultsync.domain.chunking import Limits, chunk
from vaultsync.domain.decoding import decode
from vaultsync.domain.markdown import parse
from vaultsync.domain.tokens import estimate

if TYPE_CHECKING:
    from vaultsync.domain.notes import Leaf

SMALL = Limits(target=20, ceiling=30)


def leaves(note: str | bytes, limits: Limits = SMALL, body: int = 0) -> list[Leaf]:
    source = decode(note if isinstance(note, bytes) else note.encode())
    return chunk(source, parse(source, body), limits)


def texts(note: str | bytes, limits: Limits = SMALL) -> list[str]:
    return [leaf.text for leaf in leaves(note, limits)]


def sentences(count: int, seed: int = 1) -> list[str]:
    """Make sentences of about 12 tokens, all different."""
    words = ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "inlet", "jetty"]
    draw = random.Random(seed)
    return [f"{' '.join(draw.choices(words, k=7))} {n} lamps.".capitalize() for n in range(count)]


def test_a_heading_starts_a_leaf() -> None:
    """What stands before the first heading, and each section, are leaves of their own."""
    found = leaves("before\n\n# A\none\n\ntwo\n\n## B\nthree\n\n# C\nfour\n")
    assert [(leaf.text, leaf.heading_path) for leaf in found] == [
        ("before", ()),
        ("# A\none\n\ntwo", ("A",)),
        ("## B\nthree", ("A", "B")),
        ("# C\nfour", ("C",)),
    ]


def test_a_heading_without_text_belongs_to_the_next() -> None:
    """Nested headings accumulate; the path is that of the section whose text the leaf holds."""
    found = leaves("# A\n## B\n### C\ntext\n## D\n# E\nend\n")
    assert [(leaf.text, leaf.heading_path) for leaf in found] == [
        ("# A\n## B\n### C\ntext", ("A", "B", "C")),
        ("## D\n# E\nend", ("E",)),
    ]


def test_headings_at_the_end_are_a_leaf() -> None:
    """Headings behind which no text comes are not lost."""
    assert texts("text\n# A\n## B\n") == ["text", "# A\n## B"]


def test_only_frontmatter_is_no_leaf() -> None:
    """An empty body, or one of blanks, gives no leaf to embed (F98)."""
    note = "---\na: b\n---\n"
    assert leaves(note, body=len(note)) == []
    assert leaves(" \t\r\n\n") == leaves("") == []


def test_blocks_are_packed_whole() -> None:
    """Over the ceiling, a section is cut between blocks when these are small enough."""
    paragraphs = sentences(12)
    found = texts("\n\n".join(paragraphs), Limits(50, 75))
    assert [line for text in found for line in text.split("\n\n")] == paragraphs
    assert all(25 <= estimate(text) <= 75 for text in found)


def test_equal_blocks_pack_to_the_target() -> None:
    """With nothing to choose between the boundaries, leaves come out as long as they aim to be."""
    found = leaves("- one more item of a list\n" * 500, Limits())
    assert all(340 <= leaf.tokens <= 360 for leaf in found[:-2])


@pytest.mark.parametrize(
    ("start", "line"),
    [
        ("- item one\n", "- item\n  goes on\n"),
        ("|a|b|\n|-|-|\n", "|cell|cell|\n"),
        ("> [!tip]\n", "> line\n"),
    ],
    ids=["list", "table", "callout"],
)
def test_a_long_block_is_cut_at_items_rows_or_lines(start: str, line: str) -> None:
    """No item, row or line of a block over the ceiling is torn while it fits."""
    found = texts(start + line * 60)
    assert len(found) > 3
    assert all(text.startswith(line[:4]) for text in found[1:])
    assert "\n".join(found) + "\n" == start + line * 60


def test_a_block_under_the_ceiling_is_not_cut() -> None:
    """A list that fits a leaf stays whole, though a cut in it would make the leaves more even."""
    listing = "- alpha beta\n- gamma delta\n- epsilon\n- zeta"
    assert estimate(listing) <= SMALL.ceiling
    found = texts(f"{sentences(1)[0]}\n\n{listing}\n\n{sentences(1)[0]}\n")
    assert len(found) > 1
    assert any(listing in text for text in found)


def test_prose_is_cut_between_sentences() -> None:
    """A paragraph over the ceiling is cut where a sentence begins."""
    written = sentences(20)
    found = texts(" ".join(written))
    assert len(found) > 5
    assert " ".join(found) == " ".join(written)
    assert all(text.endswith(".") and text[0].isupper() for text in found)


def test_words_are_cut_last() -> None:
    """Without sentences it is cut between words, and a word only when it alone is over the ceiling."""
    assert all(set(text.split()) == {"word"} for text in texts("word " * 400))
    found = texts("x" * 3_000)
    assert "".join(found) == "x" * 3_000
    assert all(estimate(text) <= SMALL.ceiling for text in found)


def test_code_keeps_its_indents() -> None:
    """A leaf begins with its first line's indent, without blank lines before it."""
    lines = [f"    value_{n} = compute({n})\n\n" for n in range(40)]
    found = texts("    first = 1\n\n" + "".join(lines))
    assert all(text.startswith("    ") for text in found)
    assert not any(text.endswith("\n") for text in found)


def test_an_id_below_a_table_goes_with_it() -> None:
    """A lone `^id` names the block before it and lies in its leaf."""
    (leaf,) = leaves("|a|\n|-|\n|b|\n\n^rows\n")
    assert (leaf.text, leaf.block_id) == ("|a|\n|-|\n|b|\n\n^rows", "rows")


def test_a_leaf_has_an_id_if_it_holds_exactly_one() -> None:
    """With two identified blocks, or a part of one, a leaf has no id."""
    assert [leaf.block_id for leaf in leaves("a ^x\n# H\nb ^y\n\nc ^z\n")] == ["x", None]
    long = "- item of a list\n" * 60 + "\n^all\n"
    assert {leaf.block_id for leaf in leaves(long)} == {None}


def test_line_ends_change_no_hash() -> None:
    """CRLF, CR and LF give the same leaves but for their offsets, in UTF-8 and in UTF-16."""
    note = "# A\n\n" + "\n\n".join(sentences(12)) + "\n\n- x\n- y\n\n```\n" + "code()\n" * 40 + "```\n"
    hashes = [leaf.text_hash for leaf in leaves(note)]
    assert len(hashes) > 8
    for end in ("\r\n", "\r"):
        assert [leaf.text_hash for leaf in leaves(note.replace("\n", end))] == hashes
    wide = leaves(note.encode("utf-16"))
    assert [leaf.text_hash for leaf in leaves(note.replace("\n", "\r\n").encode("utf-16"))] == [
        leaf.text_hash for leaf in wide
    ]


def test_spans_count_bytes_of_the_note_s_encoding() -> None:
    """A leaf's span decodes to its text, whatever the encoding, mark and line ends."""
    note = "# Ü\r\n\r\n" + " ".join(sentences(12)) + " 漢字😀。\r\n\r\nend\r\n"
    for raw in (
        note.encode(),
        note.encode("utf-8-sig"),
        note.encode("utf-16"),
        b"\xff caf\xe9 " + b"x " * 99,
    ):
        source = decode(raw)
        found = chunk(source, parse(source), SMALL)
        assert len(found) > 2
        assert all(
            raw[leaf.start : leaf.end].decode(source.encoding, "replace") == leaf.text for leaf in found
        )


def test_an_edit_in_a_section_leaves_all_others() -> None:
    """Leaves of the other sections keep their texts, and those before it their spans too."""
    parts = [f"## Part {n}\n\n" + "\n\n".join(sentences(9, seed=n)) + "\n\n" for n in range(5)]
    before = leaves("".join(parts))
    edited = [*parts[:2], parts[2].replace("Part 2\n", "Part 2\n\nAn added line.\n"), *parts[3:]]
    after = leaves("".join(edited))
    kept = [leaf.text_hash for leaf in before if leaf.heading_path != ("Part 2",)]
    assert [leaf.text_hash for leaf in after if leaf.heading_path != ("Part 2",)] == kept
    assert after[:3] == before[:3]


def test_an_edit_in_a_long_section_moves_few_cuts() -> None:
    """Behind a paragraph put in at the start, the cuts soon fall where they fell before."""
    paragraphs = sentences(2_000)
    before = {leaf.text_hash for leaf in leaves("\n\n".join(paragraphs), Limits())}
    after = {leaf.text_hash for leaf in leaves("\n\n".join(["An added line.", *paragraphs]), Limits())}
    assert len(before) > 40
    assert len(after - before) <= 8


def test_time_grows_with_size_alone() -> None:
    """Four times the blocks, the items or the words of a line take about four times as long."""
    for piece, many in (("para\n\n", 1_500), ("- item\n", 1_500), ("word ", 15_000), ("xyz", 25_000)):
        small, large = (fastest(piece * many * factor) for factor in (1, 4))
        assert large < 12 * small


def fastest(note: str) -> float:
    """Return the processor time of the fastest of three runs."""
    source = decode(note.encode())
    parsed = parse(source)
    times = []
    for _ in range(3):
        begun = time.process_time()
        chunk(source, parsed, Limits())
        times.append(time.process_time() - begun)
    return min(times)
