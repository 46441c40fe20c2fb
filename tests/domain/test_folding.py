"""Texts are compared without case and diacritics, and offsets survive it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain.folding import bare, fold


@given(st.text())
def test_folding_keeps_the_length(text: str) -> None:
    """So that an offset into the folded text is one into the text."""
    assert len(fold(text)) == len(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Café", "CAFE\u0301"), ("naïve", "NAIVE"), ("Ωμέγα", "ωμεγα"), ("ＷＩＤＥ", "wide"), ("Ёлка", "елка")],
)
def test_spellings_of_one_word_are_equal(one: str, other: str) -> None:
    """Case, diacritics, their decomposed form and width make no difference."""
    assert bare(one) == bare(other)


@pytest.mark.parametrize(("one", "other"), [("が", "か"), ("회", "하"), ("ø", "o"), ("会", "議")])
def test_other_letters_stay_other(one: str, other: str) -> None:
    """A voiced kana, a syllable or a letter of its own is not the one that it looks like."""
    assert bare(one) != bare(other)
