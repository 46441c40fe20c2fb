"""Markup reads as a reader sees it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain.prose import plain


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("see [[a|b]] and [[Beta#Plan]]", "see b and Beta > Plan"),
        ("[[#Here]] ![[pic.png|300]]", "Here pic.png"),
        ("[t](x.md) ![i](y_(z).png) [u](<a b.md>)", "t i u"),
        ("**bold** and *it* and ==mark== and ~~gone~~ `code`", "bold and it and mark and gone code"),
        ("他**很**好", "他很好"),
        ("snake_case a = b and 2 * 3 for $5", "snake_case a = b and 2 * 3 for $5"),
        ("_so_ __so__", "so so"),
        ("> [!note]+ Title\n> body", "Title body"),
        ("- [x] done\n2. two", "done two"),
        ("## Head ##x", "Head ##x"),
        ("-5 degrees", "-5 degrees"),
        ("a %%hidden%% b <b>c</b> d[^1] <!-- x --> e ^id-1", "a b c d e"),
        (r"\*no\* \[\[x\]\]", "*no* [[x]]"),
        ("| a | [[b]] |", "a | b"),
        ("plain words", "plain words"),
    ],
)
def test_marks_are_gone(text: str, seen: str) -> None:
    """Links show their text, emphasis and quote marks vanish, and what marks nothing stays."""
    assert plain(text) == seen


@given(st.text(alphabet=st.sampled_from(list("a *_[]()|#>%<-!\\`=~\n^"))))
def test_any_text_reads_on_one_line(text: str) -> None:
    """Whatever stands in it, the reading is one line without blanks at its ends."""
    seen = plain(text)
    assert seen == " ".join(seen.split())


@pytest.mark.parametrize(
    "unit", ["[", "![", "[[", "[a](", "%%", "<!--", "<a", "*", "* ", "|", " |", ">", "- ", "[^", " ^a"]
)
def test_time_grows_with_the_text(unit: str) -> None:
    """A hundred thousand characters of any one mark take less than a second or two."""
    started = time.process_time()
    plain(unit * (100_000 // len(unit)))
    assert time.process_time() - started < 3
