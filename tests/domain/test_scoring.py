"""A leaf is summed up if it has something to say, whatever links to it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain.scoring import ADMITTED, MOST_LINKS, MOST_WORDS, is_admitted, score
from vaultsync.domain.tokens import estimate


def admitted(text: str, *headings: str) -> bool:
    return is_admitted(score(text, headings, estimate(text)))


@pytest.mark.parametrize(
    "text",
    [
        "", "-", "- [ ] ", "---", "#seed #bean #pea #kale", "![[Chart.base]]", "![a chart of the island](chart.png)",
        "https://example.org/one/two/three/four/five", "%% a word to myself, with many words %%",
        "<!-- made by a program, do not edit this line -->",
        "[wind:: ] [rain:: ] [ferry:: ]", "author::\nyear::\npages::",
        "{{date}} <% tp.file.title %> {{title of the note}}", "```tasks\n```",
        "the and of it is", "<img src='a b c d e'>",
    ],
)  # fmt: skip
def test_what_says_nothing_is_dropped(text: str) -> None:
    """Tags, embeds, addresses, comments, empty fields, placeholders, fillers are no words; a heading isn't enough."""
    assert not admitted(text)
    assert not admitted(f"## What comes next\n\n{text}", "Plan", "What comes next")


@pytest.mark.parametrize(
    "text",
    [
        "Kale froze overnight.",
        "今日は雨が降った",
        "Вчера замёрзла капуста",
        "[[Nell]] brought [[Kale|seed kale]]",
        "- [ ] mend shutter motor",
        "```sh\ntar xf seeds.tar backup\n```",
        "| plot | seed |\n|---|---|\n| north | kale |",
        "rain:: 12 mm\nwind:: SE gale",
    ],
)
def test_three_words_are_enough(text: str) -> None:
    """In any script, in a task, a table, code or a field, with or without links."""
    assert admitted(text)


@pytest.mark.parametrize(
    ("text", "headings", "enough"),
    [
        ("Chain hoist.", (), False),
        ("Chain hoist.", ("Other business",), True),
        ("Chain hoist.", ("The",), False),
        ("==Chain== hoist.", (), True),
        ("**Chain** hoist.", (), True),
        ("> [!tip]\n> Chain hoist.", (), True),
        ("Chain hoist. #a #b #c", (), True),
        ("Chain hoist. #a #b", (), False),
        ("Hoist.", ("Other business",), False),
        ("# Chain\n\n## Motor\n\n## Shutter", ("Chain", "Shutter"), True),
        ("# Chain\n\n## Motor", ("Chain", "Motor"), False),
        ("# How salt spray ruined every chain hoist near Landing", (), True),
        ("# How salt spray ruined every chain hoist", (), False),
    ],
)
def test_less_is_enough_with_a_heading_a_mark_or_tags(
    text: str, headings: tuple[str, ...], enough: bool
) -> None:
    """Each weight lies on either side of the threshold somewhere."""
    assert admitted(text, *headings) == enough


def test_links_only_rank() -> None:
    """More links never admit a leaf; they put it before its equal."""
    bare = score("the #tag", (), 3)
    linked = score("the #tag" + " [[the]]" * 40, (), 3)
    assert not is_admitted(linked)
    assert (bare.value, bare.rank) == (linked.value, linked.rank - MOST_LINKS)


def test_length_without_words_is_none() -> None:
    """A long address or a long row of dashes has no points of length."""
    assert score("https://example.org/" + "a/" * 900, (), 900).value == 0
    assert score("-" * 900, (), 900).value == 0


def test_a_comment_longer_than_the_beginning_says_nothing() -> None:
    """What ends far behind is looked for to its end."""
    assert not admitted("%% " + "kale froze overnight here " * 60 + "%%")
    assert not admitted("<!-- " + "kale froze overnight here " * 60 + "-->")


def test_words_behind_the_beginning_count() -> None:
    """A leaf that begins with a long address is read to its end."""
    assert admitted("https://example.org/" + "a/" * 900 + "\n\nKale froze overnight.")


texts = st.lists(
    st.sampled_from([
        "kale ", "froze ", "the ", "#tag ", "**", "==", "[[", "]]", "%%", "<!--", "-->", "```\n", "\n", "# ", "東",
        "a::", "> ",
    ])
    | st.text(max_size=3),
    max_size=30,
).map("".join)  # fmt: skip


@given(texts, st.lists(texts, max_size=3), st.integers(0, 600))
def test_points_are_what_they_add_up_to(text: str, headings: list[str], tokens: int) -> None:
    """No part is below 0, words keep to their most, and the threshold decides."""
    leaf = score(text, headings, tokens)
    assert min(leaf.parts) >= 0
    assert leaf.rank == sum(leaf.parts) == leaf.value + leaf.parts.links
    assert leaf.parts.words <= MOST_WORDS
    assert is_admitted(leaf) == (leaf.value >= ADMITTED)


@given(texts)
def test_line_ends_make_no_difference(text: str) -> None:
    """The same note from Windows has the same leaves admitted."""
    text = text.replace("\r", "")
    assert score(text, (), 9) == score(text.replace("\n", "\r\n"), (), 9)


@pytest.mark.parametrize(
    "unit",
    ["a", "#", "# a\n", "**", "==a", "[!", "[[", "![[", "![a](", "https://", "www.", "{{", "<%", "a::", "\n", "%%"],
)  # fmt: skip
def test_time_grows_with_the_text(unit: str) -> None:
    """Ten thousand characters of any one sign, several times the longest leaf, take less than a second."""
    started = time.process_time()
    score(unit * (10_000 // len(unit)), (), 500)
    assert time.process_time() - started < 1
