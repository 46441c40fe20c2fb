"""A query is read as terms; any string is one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain.query import MAX_TERMS, parse, pieces


def texts(query: str) -> list[str]:
    return [term.text for term in parse(query).terms]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("budget review", ["budget", "review"]),
        ('"budget review" plan', ["budget review", "plan"]),
        ("“budget review” «plan b»", ["budget review", "plan b"]),
        ('an "unclosed quote', ["an", "unclosed", "quote"]),
        ("NEAR(a b) OR title:x NOT y*", ["NEAR(a", "b", "OR", "title:x", "NOT", "y"]),
        ("(why, where?)", ["why", "where"]),
        ("[[A Note]] **bold** `code`", ["A", "Note", "bold", "code"]),
        ("C++ C# .NET v1.2.3", ["C++", "C#", ".NET", "v1.2.3"]),
        ("same SAME same", ["same"]),
        ("昨日の会議、明日の予定。", ["昨日の会議", "明日の予定"]),
        ("nul\x00 and half \ud800", ["nul", "and", "half"]),
    ],
)
def test_only_quotes_mean_something(query: str, expected: list[str]) -> None:
    """Quoted words stay together; operators are words; punctuation around words falls off."""
    assert texts(query) == expected


@pytest.mark.parametrize("query", ["", "   ", "\t\n", "\x00"])
def test_a_blank_query_has_nothing(query: str) -> None:
    """Blanks and controls are neither words nor signs."""
    read = parse(query)
    assert (read.terms, read.signs) == ((), "")


@pytest.mark.parametrize("query", ["🚀", "->", "?!", "  ✅ "])
def test_signs_without_a_word_are_sought_as_they_are(query: str) -> None:
    """No index keeps signs, so they are kept as text."""
    read = parse(query)
    assert (read.terms, read.signs) == ((), query.strip())


def test_signs_inside_words_make_them_literal() -> None:
    """`C++` says more than `C`; an apostrophe or hyphen does not, since there are several of each."""
    literal = {term.text: term.literal for term in parse("C++ v1.2.3 foo_bar don’t e-mail plain").terms}
    assert literal == {
        "C++": True, "v1.2.3": True, "foo_bar": True, "don’t": False, "e-mail": False, "plain": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("meetings", "meeting"),
        ("meeting", "meeting"),
        ("categories", "categor"),
        ("boxes", "box"),
        ("churches", "church"),
        ("class", "class"),
        ("status", "status"),
        ("cat", None),
        ("v1.2.3", None),
        ("会議", None),
        ("회의록을", None),
    ],
)
def test_a_stem_is_what_other_forms_begin_with(word: str, stem: str | None) -> None:
    """A plural loses its ending; short words and scripts without blanks have no stem."""
    assert parse(word).terms[0].stem == stem


def test_fillers_of_a_question_are_known() -> None:
    """What a question is put with is told from what it asks."""
    said = [
        term.text for term in parse("Wie hoch ist das Budget für Küche und Bad?").terms if not term.filler
    ]
    assert said == ["hoch", "Budget", "Küche", "Bad"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("会议讨论", ["会议", "议讨", "讨论"]),
        ("Pythonの会議", ["Python", "の会", "会議"]),
        ("会", ["会"]),
        ("plain words", ["plain", "words"]),
        ("กขคงจ", ["กขคง", "ขคงจ"]),
    ],
)
def test_text_without_blanks_is_cut_into_pieces(query: str, expected: list[str]) -> None:
    """Pieces are about a word long and overlap, so that every word is in one; other words stay whole."""
    assert [piece.text for piece in pieces(parse(query).terms)] == expected


def test_a_pasted_page_is_cut_short() -> None:
    """Only the first terms count, and it is said how many were left out."""
    read = parse(" ".join(f"word{n}" for n in range(100)))
    assert (len(read.terms), read.dropped) == (MAX_TERMS, 100 - MAX_TERMS)


@given(st.text())
def test_every_term_has_a_letter_or_digit(query: str) -> None:
    """Whatever is typed, a term can be looked up, and a query with terms has no signs."""
    read = parse(query)
    assert all(any(char.isalnum() for char in term.text) for term in read.terms)
    assert not (read.terms and read.signs)
