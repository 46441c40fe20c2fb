"""An excerpt shows where the words of a query meet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain.query import parse
from vaultsync.domain.snippets import LENGTH, Matcher, Snippet

DULL = "Lorem ipsum dolor sit amet. " * 20


def marked(snippet: Snippet) -> list[str]:
    return [snippet.text[start:end] for start, end in snippet.marks]


def shown(query: str, text: str) -> Snippet:
    return Matcher(parse(query).terms).snippet(text)


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("meeting", "Two Meetings, one MEETING; no meet", ["Meetings", "MEETING"]),
        ("cafe", "Un Café, CAFE\u0301, cafes, cafard", ["Café", "CAFE\u0301", "cafes"]),
        ("ete", "L’été passé, complètement", ["été"]),
        ("cat", "cat concat category", ["cat"]),
        ('"green tea"', "green, tea; green\ntea; green hot tea", ["green, tea", "green tea"]),
        ("会議", "今日の会議は会社の会議室で", ["会議", "会議"]),
        ("Python", "のPythonで", ["Python"]),
        ("C++", "C++ and C", ["C++", "C"]),
        ("v1.2.3", "v1.2.3 or v1 2 3", ["v1.2.3", "v1 2 3"]),
        ("नमस्ते", "कहो नमस्ते सब", ["नमस्ते"]),
    ],
)
def test_words_are_marked_as_the_index_finds_them(query: str, text: str, expected: list[str]) -> None:
    """Case, diacritics and endings do not matter; parts of words do."""
    assert marked(shown(query, text)) == expected


def test_the_place_where_most_terms_meet_is_shown() -> None:
    """One place with both words says more than many with one of them."""
    text = "tea tea tea tea. " + DULL + "The best green tea grows in shade. " + DULL
    assert marked(shown("green tea", text)) == ["green", "tea"]


def test_an_excerpt_is_one_line_cut_at_blanks() -> None:
    """Blanks collapse, `…` says where it was cut, and no word is cut."""
    snippet = shown("needle", DULL + "A\n\n  needle\there. " + DULL)
    assert (snippet.text[0], snippet.text[-1]) == ("…", "…")
    assert "A needle here." in snippet.text
    assert set(snippet.text.strip("…").split()) <= {*DULL.split(), "A", "needle", "here."}


def test_without_a_hit_the_beginning_is_shown() -> None:
    """A note may be found by its name alone."""
    assert shown("absent", DULL).text.startswith("Lorem ipsum")
    assert shown("absent", "short\ntext") == Snippet("short text")


@given(st.text(), st.text(max_size=2000))
def test_marks_lie_in_the_excerpt_in_order(query: str, text: str) -> None:
    """Marks never overlap nor leave the text, and an excerpt stays short."""
    snippet = Matcher(parse(query).terms).snippet(text)
    edges = [edge for mark in snippet.marks for edge in mark]
    assert edges == sorted(edges)
    assert all(0 <= start < end <= len(snippet.text) for start, end in snippet.marks)
    assert len(snippet.text) <= max(LENGTH, len(query)) + 2
    assert snippet.text.isprintable() or not text.isprintable()


@given(st.text(alphabet="abé \n", max_size=400), st.text(alphabet="abé", min_size=1, max_size=3))
def test_what_is_marked_is_what_was_asked(text: str, word: str) -> None:
    """A marked word is the word, folded."""
    plain = str.maketrans("é", "e")
    for mark in marked(shown(word, text)):
        assert mark.translate(plain).startswith(word.translate(plain))
