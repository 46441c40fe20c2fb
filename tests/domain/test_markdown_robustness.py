"""Notes that were made to break a parser: none raises, none loses a link, none costs its square."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from vaultsync.domain.decoding import decode
from vaultsync.domain.markdown import parse

if TYPE_CHECKING:
    from vaultsync.domain.notes import ParsedNote

MANY = 2_000

HOSTILE = {
    "quote marks": "> " * MANY + "[[a]]",
    "quote marks without blanks": ">" * MANY + " [[a]]",
    "brackets": "[" * MANY,
    "double brackets": "[[" * MANY,
    "open wikilinks": "[[a" * MANY,
    "closing brackets": "]" * MANY,
    "open links": "[a](" * MANY,
    "open angled links": "[a](<" * MANY,
    "open titles": "[a](b 'c " * MANY,
    "open images": "![" * MANY,
    "nested images": "![" * MANY + "a" + "](b)" * MANY,
    "growing backtick runs": "".join("`" * width + "a" for width in range(1, 200)),
    "open code": "`a" * MANY,
    "open math": "$a" * MANY,
    "open block math": "$$a " * MANY,
    "lines of open math": "$$ a\n\n" * MANY,
    "open tags": "<a " * MANY,
    "open attributes": '<a b="' * MANY,
    "open comments": "a <!--" * MANY,
    "open instructions": "a <?" * MANY,
    "comment marks": "%%" * MANY,
    "lines of comment marks": "%%\n" * MANY,
    "hashes": "#a" * MANY,
    "emphasised hashes": "*#a" * MANY,
    "escapes": "\\(" * MANY,
    "parentheses": "[a](" + "(" * MANY,
    "list markers": "- " * MANY + "[[a]]",
    "nested lists": "".join("  " * depth + "- a\n" for depth in range(400)),
    "blanks": " " * 50 * MANY,
    "blanks in a heading": "# a" + " " * 50 * MANY + "b",
    "blanks in a row of dashes": "|a|\n|-" + " " * 50 * MANY + "x",
    "blanks before a title": "[a](b" + " " * 50 * MANY + "c",
    "blanks in a tag": "a <a" + " " * 50 * MANY + "b",
    "stars": "*" * 10 * MANY,
    "dashes": "-" * 10 * MANY,
    "bars": "|" * 10 * MANY,
    "bars over bars": "|" * MANY + "\n" + "|-" * MANY + "|",
    "lines that may be rows": "a|b\n-\n" * MANY,
    "headings": "# [[a]]\n" * MANY,
    "lazy lines": "> a\n" + "b\n" * MANY,
    "quotes of changing depth": "> a\n> > b\n> > > c\n" * (MANY // 4),
    "loose items": "- a\n\n" * MANY,
    "items with ids": "- a ^b\n" * MANY,
    "ids of one item": "- a\n" + "\n  b ^c\n" * MANY,
    "ids alone": "a\n\n" + "^b\n\n" * MANY,
    "footnotes": "[^1]: a\n" * MANY,
    "footnotes in footnotes": "[^1]: " * MANY + "[[a]]",
    "definitions": "[a]: b 'c\n" * MANY,
    "underlines": "a\n" + "=\n" * MANY,
    "open fence": "```\n" + "a\n" * MANY,
    "fences in a list": "- ```\n  a\n  ```\n" * MANY,
    "open elements": "<div>\n" * MANY,
    "inline elements": "<b>" * MANY,
    "dashed lines": "---\n" * MANY,
    "control characters": "".join(map(chr, range(32))) * 50,
}


def read(text: str) -> ParsedNote:
    return parse(decode(text.encode()))


def seconds(text: str) -> float:
    before = time.process_time()
    read(text)
    return time.process_time() - before


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_note_is_read(name: str) -> None:
    """It neither raises nor loses its link, wherever nesting stops."""
    assert len(read(HOSTILE[name]).links) >= HOSTILE[name].endswith("[[a]]")


def grows_like_a_square(text: str) -> bool:
    """Ten times a note costs less than forty times its time, far from the hundred of a square."""
    return seconds(text.removesuffix("[[a]]") * 10) >= 40 * max(seconds(text), 0.002)


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_twice_the_note_costs_twice_the_time(name: str) -> None:
    """A square would show at each of five looks; a machine that is busy elsewhere does not."""
    assert not all(grows_like_a_square(HOSTILE[name]) for _ in range(5))


@pytest.mark.parametrize("depth", [14, 60, 1_000])
def test_every_link_of_a_deep_list_is_found(depth: int) -> None:
    """Below the depth at which structure is kept, text is still read."""
    text = "".join("  " * level + f"- [[l{level}]]\n" for level in range(depth))
    assert [link.link for link in read(text).links] == [f"l{level}" for level in range(depth)]


def test_what_follows_a_deep_list_is_not_swallowed() -> None:
    """Structure comes back where the deep list ends."""
    text = "".join("  " * level + "- a\n" for level in range(200)) + "\n# H\n"
    assert [heading.text for heading in read(text).headings] == ["H"]


@pytest.mark.slow
def test_a_note_of_twenty_megabytes() -> None:
    """A note at the size limit is read, in time in keeping with its size."""
    section = "## Heading [[Link|text]] #tag\n\nSome words with a [link](Other%20note.md).\n\n- item\n"
    text = section * (20_000_000 // len(section))
    assert len(read(text).links) == 2 * text.count("## ")
