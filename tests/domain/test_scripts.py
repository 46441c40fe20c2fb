"""Text of scripts without blanks is made ready for an index that looks for blanks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain.scripts import spaced, unspaced


@pytest.mark.parametrize(
    "text", ["", "plain words", "caffè, naïve", "привет мир", "🚀 ship it", "नमस्ते", "“quoted”"]
)
def test_text_with_blanks_needs_none(text: str) -> None:
    """Scripts that set blanks are left to the plain index."""
    assert spaced(text) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("会議", ["会", "議"]),
        ("Pythonの会議v2", ["Python", "の", "会", "議", "v2"]),
        ("กขค", ["ก", "ข", "ค"]),
        ("회의를 했다", ["회", "의", "를", "했", "다"]),
        ("𠀀𠮷", ["𠀀", "𠮷"]),
        ("ភាសា", ["ភ", "ា", "ស", "ា"]),
    ],
)
def test_each_character_stands_alone(text: str, words: list[str]) -> None:
    """Each character of such a script becomes a word; Latin words between them stay whole."""
    assert (spaced(text) or "").split() == words


def test_forms_of_one_character_are_one() -> None:
    """Decomposed syllables, narrow kana and wide letters are found by their usual form."""
    assert (spaced("か\u3099") or "").split() == ["が"]
    assert (spaced("ｶﾞＡ１") or "").split() == ["ガ", "A1"]
    assert (spaced("\u1112\u116c") or "").split() == ["회"]


@given(st.text())
def test_no_word_holds_two_such_characters(text: str) -> None:
    """Whatever the text, a character of such a script is a word of its own."""
    twin = spaced(text)
    assert (twin is not None) == unspaced(text)
    assert twin is None or not any(unspaced(word) and len(word) > 1 for word in twin.split())
