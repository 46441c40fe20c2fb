"""Explanations: the sentence around a link, as a reader sees it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain.explanations import explain_link, explain_property


def explained(text: str, link: str, encoding: str = "utf-8") -> str:
    start = len(text[: text.index(link)].encode(encoding))
    return explain_link(text, encoding, start, start + len(link.encode(encoding)))


@pytest.mark.parametrize(
    ("text", "link", "sentence"),
    [
        ("First. See [[B#x|b]] *now*. Last.", "[[B#x|b]]", "See b now."),
        ("# Two [[H]]\n\nText.", "[[H]]", "Two H"),
        ("- one [[C]] ^item\n- two [[D]]", "[[C]]", "one C"),
        ("- one [[C]] ^item\n- two [[D]]", "[[D]]", "two D"),
        ("> [!note] Why [[X]]\n> because", "[[X]]", "Why X because"),
        ("| [[a\\|b]] | c |", "[[a\\|b]]", "b | c"),
        ("日本。猫は[[鳥]]を見る。空。", "[[鳥]]", "猫は鳥を見る。"),
    ],
)
def test_a_link_is_explained_by_its_sentence(text: str, link: str, sentence: str) -> None:
    """Without marks, and no further than the sentence, item or heading goes."""
    assert explained(text, link) == sentence


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "cp1252"])
def test_offsets_are_bytes_of_the_notes_encoding(encoding: str) -> None:
    """A chunk's text is text, a link's place is bytes."""
    assert explained("Été. Voilà [[É]] là. Fin.", "[[É]]", encoding) == "Voilà É là."


def test_a_long_sentence_is_cut_on_both_sides() -> None:
    """At blanks, and it says so."""
    found = explained("word " * 200 + "[[B]]" + " word" * 200, "[[B]]")
    assert found.startswith("…word")
    assert " B " in found
    assert found.endswith("word…")
    assert len(found) < 320


def test_a_property_is_explained_by_its_key() -> None:
    """The place in a list says nothing to a reader."""
    assert explain_property("related.0", None, "Y#z") == "related: Y > z"
    assert explain_property("o.p", "shown", "Y") == "o.p: shown"


@given(st.text(), st.integers(0, 300), st.integers(0, 300), st.sampled_from(["utf-8", "utf-16-le", "cp1252"]))
def test_no_span_is_too_odd_to_explain(text: str, start: int, length: int, encoding: str) -> None:
    """In a damaged note bytes and text may differ; an explanation is found all the same."""
    assert "\n" not in explain_link(text, encoding, start, start + length)
