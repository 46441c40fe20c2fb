"""What chunks were before: equal text, then what wandered, then what was edited in its place."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain.lineage import Piece, Place, equal, trace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ONE = "The heron stands still in shallow water"
TWO = "Bread needs flour, salt, yeast and patience"
THREE = "Our train leaves platform nine before dawn"
EDITED = "Bread needs flour, salt, yeast and much more patience"

Note = list[str]
TEXTS = st.sampled_from(["a", "b", "b c", "b c d", ONE, TWO, THREE, EDITED])
NOTES = st.dictionaries(st.integers(1, 4), st.lists(TEXTS, max_size=7), max_size=4)


def pieces(*texts: str, headings: Sequence[str] = ()) -> list[Piece]:
    """Return chunks whose texts are their hashes; `headings`: one each."""
    return [Piece(text, headings[at] if headings else "", text) for at, text in enumerate(texts)]


def traced(before: Mapping[int, Note], now: Mapping[int, Note]) -> dict[Place, Place]:
    return trace(*({note: pieces(*texts) for note, texts in side.items()} for side in (before, now)))


def lineage(before: Note, now: Note) -> list[int | None]:
    """Return, for each chunk of one note, which it was."""
    found = traced({1: before}, {1: now})
    return [found[Place(1, at)].at if Place(1, at) in found else None for at in range(len(now))]


def test_one_edited_section_leaves_the_others_as_they_are() -> None:
    """The edited one goes on too: the most similar text at its place."""
    assert lineage([ONE, TWO, THREE], [ONE, EDITED, THREE]) == [0, 1, 2]


def test_moved_sections_are_themselves() -> None:
    """However they are ordered anew."""
    assert lineage([ONE, TWO, THREE], [THREE, ONE, TWO]) == [2, 0, 1]


def test_of_repeated_texts_the_removed_one_goes() -> None:
    """Neighbours tell them apart."""
    assert lineage(["a", ONE, "a", TWO, "a"], ["a", ONE, TWO, "a"]) == [0, 1, 3, 4]
    assert lineage(["a", "a", "a"], ["a", "a"]) == [0, 2]


def test_repeated_texts_follow_their_headings() -> None:
    """Two sections of one form that change places take their parts along."""
    before = pieces("a", "log", "b", "log", headings=["A", "A/Log", "B", "B/Log"])
    now = pieces("b", "log", "a", "log", headings=["B", "B/Log", "A", "A/Log"])
    assert equal(before, now) == {0: 2, 1: 3, 2: 0, 3: 1}


def test_text_that_moved_and_changed_is_new() -> None:
    """Similar text counts between neighbours that stayed, nowhere else."""
    assert lineage([TWO, ONE, THREE], [ONE, THREE, EDITED]) == [1, 2, None]


def test_a_moved_section_is_no_border() -> None:
    """What was edited in place goes on, though a section from elsewhere came before it."""
    assert lineage([ONE, TWO, "x", "y", THREE], [ONE, THREE, EDITED, "x", "y"]) == [0, 4, 1, 2, 3]


def test_a_rewritten_note_is_new() -> None:
    """Nothing goes on where nothing is alike."""
    assert lineage([ONE, TWO], [THREE, "Quite other words stand here"]) == [None, None]


def test_a_split_section_goes_on_in_its_larger_part() -> None:
    """And of two that were merged one goes on."""
    first, second = "flour salt yeast", "water butter sugar eggs milk"
    whole = f"{first} {second}"
    assert lineage([ONE, whole, THREE], [ONE, first, second, THREE]) == [0, None, 1, 2]
    assert lineage([ONE, first, second, THREE], [ONE, whole, THREE]) == [0, 2, 3]


def test_a_selection_that_is_extracted_to_a_new_note_is_itself() -> None:
    """Whichever note is named first, and though a link stands in its place."""
    for note, other in ((1, 2), (2, 1)):
        found = traced({note: [ONE, TWO, THREE]}, {note: [ONE, "[[Bread]]", THREE], other: [TWO]})
        assert found == {
            Place(note, 0): Place(note, 0),
            Place(note, 2): Place(note, 2),
            Place(other, 0): Place(note, 1),
        }


def test_text_moves_between_notes_that_stay() -> None:
    """A section cut from one note and pasted into another; what is left over finds no other heir."""
    found = traced({1: [ONE, TWO], 2: [THREE]}, {1: [ONE], 2: [THREE, TWO]})
    assert found[Place(2, 1)] == Place(1, 1)


def test_a_copy_is_new() -> None:
    """Text that still stands where it stood goes nowhere."""
    assert traced({1: [ONE, TWO]}, {1: [ONE, TWO], 2: [ONE, TWO]}).keys() == {Place(1, 0), Place(1, 1)}


def test_a_copy_is_new_though_its_original_is_edited() -> None:
    """The original's chunk goes on as what it became, not as the copy of what it was."""
    found = traced({1: [ONE, TWO]}, {1: [ONE, EDITED], 2: [ONE, TWO]})
    assert found == {Place(1, 0): Place(1, 0), Place(1, 1): Place(1, 1)}


def test_text_that_says_little_does_not_wander() -> None:
    """A bare heading or task is no other note's."""
    assert traced({1: [ONE, "## Tasks\n- [ ] call"]}, {1: [ONE], 2: ["## Tasks\n- [ ] call"]}).keys() == {
        Place(1, 0)
    }


def test_text_with_rivals_does_not_wander() -> None:
    """Nobody can say which of two it became, or which of two it was."""
    assert not traced({1: [TWO]}, {1: [], 2: [TWO], 3: [TWO]})
    assert not traced({1: [TWO], 2: [TWO]}, {1: [], 2: [], 3: [TWO]})


@given(NOTES, NOTES)
def test_lineage_is_one_to_one(before: dict[int, Note], now: dict[int, Note]) -> None:
    """No chunk has two origins, none two heirs, and all of them exist."""
    found = traced(before, now)
    assert len(set(found.values())) == len(found)
    assert found.keys() <= {Place(note, at) for note, texts in now.items() for at in range(len(texts))}
    assert set(found.values()) <= {
        Place(note, at) for note, texts in before.items() for at in range(len(texts))
    }


@given(NOTES, NOTES)
def test_equal_text_is_always_kept(before: dict[int, Note], now: dict[int, Note]) -> None:
    """As many of each text as its note had and has."""
    found = traced(before, now)
    for note, texts in now.items():
        kept = Counter(
            text
            for at, text in enumerate(texts)
            if (was := found.get(Place(note, at))) and was.note == note and before[note][was.at] == text
        )
        assert kept == Counter(texts) & Counter(before.get(note, []))


@given(NOTES, NOTES)
def test_chunks_between_notes_have_equal_text(before: dict[int, Note], now: dict[int, Note]) -> None:
    """What is only similar stays in its note."""
    for new, old in traced(before, now).items():
        if new.note != old.note:
            assert now[new.note][new.at] == before[old.note][old.at]


@given(NOTES)
def test_what_did_not_change_is_itself(notes: dict[int, Note]) -> None:
    """Each chunk is the one at its place, repeated ones too."""
    assert all(new == old for new, old in traced(notes, notes).items())
    assert len(traced(notes, notes)) == sum(map(len, notes.values()))


@given(NOTES, NOTES)
def test_lineage_does_not_depend_on_the_order_of_notes(before: dict[int, Note], now: dict[int, Note]) -> None:
    """The same notes, the same lineage."""
    turned = [dict(reversed(side.items())) for side in (before, now)]
    assert traced(before, now) == traced(*turned)
