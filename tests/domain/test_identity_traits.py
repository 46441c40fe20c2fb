"""The traits of a note are the same however it was stored, cut or encoded."""

from __future__ import annotations

import pickle
from array import array
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vanishings import read, words

from vaultsync.domain.identity import Traits, traits_of
from vaultsync.domain.identity.overlap import Overlap, overlap, shingles_of

PARTS = st.lists(
    st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("日本ก。- \r\n"), max_size=20)
)


def of_body(*texts: str) -> Traits:
    return traits_of("{}", "", (), texts)


@given(PARTS, st.integers(0, 9))
def test_cuts_do_not_matter(parts: list[str], cut: int) -> None:
    """A note cut at other blanks has the same traits."""
    whole = " ".join(parts).split()
    assert of_body(*whole[:cut], " ".join(whole[cut:])) == of_body(" ".join(whole))


@given(PARTS)
def test_shingles_are_sorted_and_each_is_once(parts: list[str]) -> None:
    """In `front` or in `body`, never in both."""
    traits = traits_of('{"a": "b c d e f"}', "", (), parts)
    both = [*traits.front, *traits.body]
    assert len(set(both)) == len(both) == traits.size
    assert [*traits.front] == sorted(traits.front)
    assert [*traits.body] == sorted(traits.body)


def test_a_shingle_is_the_same_in_any_process() -> None:
    """The hash is the CRC of three words, in lower case and with one blank between them."""
    assert [*of_body("One, two - THREE!").body] == [crc32(b"one two three")]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("line one\nline two\n", "\ufeffline one\r\nline two\r\n"),
        ("Ein Bäcker", "Ein Ba\u0308cker  "),
        ("---\na: 1\n---\n\ntext", "---\na: 1\n---\ntext\n\n"),
        ("- a\n- b", "-  a\n\n-  b"),
    ],
)
def test_equal_contents(one: str, other: str) -> None:
    """BOM, line ends, composition and blanks are no content."""
    assert read(one)[1] == read(other)[1]
    assert read(one)[1].content


@pytest.mark.parametrize(
    ("one", "other"),
    [("a b", "a c"), ("a", "A"), ("text", "---\na: 1\n---\ntext"), ("- [ ] a", "- [x] a"), ("🌲", "🌳")],
)
def test_other_contents(one: str, other: str) -> None:
    """Any other character is."""
    assert read(one)[1].content != read(other)[1].content


@pytest.mark.parametrize("text", ["", "\n", " \t\r\n", "\ufeff", "---\n---\n"])
def test_blank_notes(text: str) -> None:
    """A note without a word or sign has neither content nor shingles."""
    assert read(text)[1] == Traits(b"", array("I"), array("I"), (), ())


def test_a_note_of_two_words_has_one_shingle() -> None:
    """So that it can be like another; a note of signs alone has none, but is not blank."""
    assert of_body("Oak trees").size == 1
    signs = of_body("$ -- !")
    assert signs.size == 0
    assert signs.content


def test_scripts_without_blanks_are_read_by_the_character() -> None:
    """Each character is a word, and Latin words between them stay whole."""
    assert of_body("木の下でPythonを") == of_body("木 の 下 で Python を")._replace(
        content=of_body("木の下でPythonを").content
    )
    assert of_body("ต้นไม้").size == len("ต้นไม้") - 2


def test_frontmatter_counts_by_its_words() -> None:
    """Keys and values are words, an empty value is none; numbers stay as they are spelled."""
    metadata = '{"kind": "Oak tree", "class": null, "height": 12.50, "in": ["park", {"since": true}]}'
    assert (
        traits_of(metadata, "", (), ["and more"]).front
        == of_body("kind oak tree class height 12 50 in park since true and more").body
    )


def test_frontmatter_that_is_no_yaml_counts_as_text() -> None:
    """The property text stands for metadata that could not be read, and only then."""
    assert traits_of("{}", "a: b: c", (), []).front == of_body("a b c").body
    assert traits_of('{"a": "b c"}', "else", (), []).front == of_body("a b c").body


@pytest.mark.parametrize(
    ("metadata", "ids"),
    [
        ('{"id": "moss-17"}', ("moss-17",)),
        ('{"UID": 20230329145808, "uuid": " f00d-cafe "}', ("20230329145808", "f00d-cafe")),
        ('{"id": "moss-17", "uid": "moss-17"}', ("moss-17",)),
        ('{"id": "12345"}', ()),
        ('{"id": ["moss-17"], "ids": "moss-17", "x": {"id": "moss-17"}}', ()),
    ],
)
def test_ids(metadata: str, ids: tuple[str, ...]) -> None:
    """`id`, `uid` and `uuid` in any case, as one value of six characters or more."""
    assert traits_of(metadata, "", (), []).ids == ids


def test_traits_travel_between_processes() -> None:
    """They are small: four bytes a shingle."""
    traits = of_body(words("w", 500))
    packed = pickle.dumps(traits)
    assert pickle.loads(packed) == traits  # noqa: S301 -- our own bytes
    assert len(packed) < 4 * traits.size + 300


def test_overlap() -> None:
    """Shared shingles of all and of the bodies; lost ones weigh three quarters, added ones a quarter."""
    old = traits_of('{"a": "b c"}', "", (), ["one two three four"])
    new = traits_of('{"a": "b c"}', "", (), ["one two three five six"])
    assert overlap(old, shingles_of(new)) == Overlap(4, 1, 5, 6)
    assert Overlap(4, 1, 5, 6).likeness == 4 / (4 + 0.75 * 1 + 0.25 * 2)
    assert Overlap(4, 1, 5, 6).jaccard == 4 / 7
    assert Overlap(4, 1, 5, 6).kept == 4 / 5
    assert Overlap(0, 0, 0, 0).likeness == Overlap(0, 0, 0, 0).jaccard == Overlap(0, 0, 0, 0).kept == 0
