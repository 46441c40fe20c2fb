"""Sentences are found where a reader would find them."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain.sentences import boundaries, first_sentence, sentence_around


def split(text: str) -> list[str]:
    cuts = [0, *boundaries(text), len(text)]
    return [text[a:b].strip() for a, b in pairwise(cuts)]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One here. Two there! Three?", ["One here.", "Two there!", "Three?"]),
        ("Dr. Doe met J. R. Smith. They left.", ["Dr. Doe met J. R. Smith.", "They left."]),
        ("Pi is 3.14 or so. See e.g. Knuth.", ["Pi is 3.14 or so.", "See e.g. Knuth."]),
        ('She said "no." Then she left.', ['She said "no."', "Then she left."]),
        ("**Bold end.** Next one.", ["**Bold end.**", "Next one."]),
        ("Wait... what? Yes.", ["Wait... what?", "Yes."]),
        ("Am 3. Mai kam er. Dann ging er.", ["Am 3. Mai kam er.", "Dann ging er."]),
        ("今天很好。我们走吧！「好。」他说", ["今天很好。", "我们走吧！", "「好。」", "他说"]),
        ("यह एक है। यह दो है।", ["यह एक है।", "यह दो है।"]),
        ("هل هذا صحيح؟ نعم.", ["هل هذا صحيح؟", "نعم."]),
        ("ฉันชื่อมานี ฉันชอบแมว", ["ฉันชื่อมานี", "ฉันชอบแมว"]),
        ("Он жил на ул. Ленина. Потом уехал.", ["Он жил на ул. Ленина.", "Потом уехал."]),
        ("no stop\n\nnext paragraph", ["no stop", "next paragraph"]),
        ("a line\ngoes on", ["a line\ngoes on"]),
        ("- one\n- two\r\n  3. three", ["- one", "- two", "3. three"]),
        ("", [""]),
        ("Only one.", ["Only one."]),
    ],
)
def test_a_text_falls_into_the_sentences_a_reader_sees(text: str, sentences: list[str]) -> None:
    """Abbreviations, initials and decimals end no sentence; wide stops, blank lines and items do."""
    assert split(text) == sentences


@given(st.text(alphabet=st.sampled_from(list('aB.!?。 \n\r>-1#|"ก…'))))
def test_boundaries_ascend_inside_the_text(text: str) -> None:
    """Every boundary lies strictly inside the text, and each comes after the one before."""
    found = list(boundaries(text))
    assert found == sorted(set(found))
    assert all(0 < offset < len(text) for offset in found)


@pytest.mark.parametrize("unit", [".", "a. ", "\n", '!"', " ", "> \n", "ก ", "1. ", "。"])
def test_time_grows_with_the_text_and_no_faster(unit: str) -> None:
    """A megabyte of any one pattern takes about a second of CPU; a quadratic scan would need hours."""
    started = time.process_time()
    list(boundaries(unit * (1_000_000 // len(unit))))
    assert time.process_time() - started < 5


def test_the_first_sentence_is_cut_between_words() -> None:
    """What is over the limit ends at a word and says with an ellipsis that more follows."""
    assert first_sentence("  Short\n one. Then more.") == "Short one."
    assert first_sentence("alpha beta gamma delta", limit=13) == "alpha beta…"
    assert first_sentence("字" * 30, limit=10) == "字" * 9 + "…"


@given(st.text(), st.integers(min_value=1, max_value=50))
def test_the_first_sentence_keeps_its_limit(text: str, limit: int) -> None:
    """Whatever the text, no more than `limit` characters come back."""
    assert len(first_sentence(text, limit)) <= limit


def test_the_sentence_around_a_link_stops_at_its_neighbours() -> None:
    """Neither the sentence before nor the one after is in it; a stop inside the link ends nothing."""
    text = "Before this. It is [[St. Ives. A town]] that\nI mean. After that."
    at = text.index("[["), text.index("]]") + 2
    found = sentence_around(text, *at, beside=150)
    assert found == "It is [[St. Ives. A town]] that\nI mean. "


def test_the_sentence_around_a_link_in_a_list_is_its_item() -> None:
    """Neighbouring items are sentences of their own."""
    text = "- one\n- see [[B]] here\n- three"
    assert sentence_around(text, 12, 17, beside=150).strip() == "- see [[B]] here"


def test_a_sentence_that_goes_on_too_long_is_cut_around_the_link() -> None:
    """Only half of the limit is looked at on each side, and the cuts fall between words."""
    text = "word " * 100 + "[[B]]" + " word" * 100
    assert sentence_around(text, 500, 505, beside=12) == "…word word [[B]] word word…"


def test_a_line_is_searched_near_the_link_alone() -> None:
    """Ten thousand links in one line take as long as in as many lines."""
    text = "see [[B]] and " * 10_000
    started = time.process_time()
    for at in range(4, len(text), 14):
        sentence_around(text, at, at + 5, beside=150)
    assert time.process_time() - started < 2


@given(st.text(), st.integers(0, 40), st.integers(0, 10), st.integers(1, 20))
def test_the_span_stays_in_its_sentence(text: str, start: int, length: int, beside: int) -> None:
    """Wherever a span lies, its words are in the sentence around it."""
    start = min(start, len(text))
    end = min(start + length, len(text))
    assert text[start:end] in sentence_around(text, start, end, beside)
