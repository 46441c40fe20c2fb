"""Matching is one to one, depends on no order, and stays far from comparing each note with each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vanishings import come, found, gone, shingles

from vaultsync.domain.identity import Inode, certain, match, returning
from vaultsync.domain.identity.matching import candidates
from vaultsync.domain.identity.overlap import shingles_of
from vaultsync.domain.identity.sketches import Sketches
from vaultsync.domain.identity.unmatched import Unmatched
from vaultsync.domain.notes import NotePath

if TYPE_CHECKING:
    from vaultsync.domain.identity import Come, Gone, Pair, Traits

IDS = ["moss-17", "fern-42"]
PATHS = st.builds("{}{}.md".format, st.sampled_from(["", "a/", "b/", "a/b/"]), st.sampled_from(
    ["Oak", "oak", "Oaken", "Oakens", "Index", "Elm 1", "Elm 2", "Elmwood"]
))  # fmt: skip
BODIES = st.builds(
    lambda first, count, step: range(first, first + count * step, step),
    st.sampled_from([0, 3, 10]),
    st.sampled_from([0, 2, 5, 13, 45]),
    st.sampled_from([1, 2]),
)
CONTENTS = st.builds(
    lambda body, front, ids: shingles(body, range(900, 900 + front), ids=tuple(ids)),
    BODIES,
    st.sampled_from([0, 0, 9, 36]),
    st.lists(st.sampled_from(IDS), max_size=1),
)
SIDES = st.dictionaries(PATHS, CONTENTS, max_size=8)
INODES = st.dictionaries(
    PATHS, st.builds(Inode, st.just(1), st.integers(1, 4), st.integers(1, 2)), max_size=8
)


@given(SIDES, SIDES, INODES, INODES, st.data())
def test_no_order_matters(
    old: dict[str, Traits],
    new: dict[str, Traits],
    was: dict[str, Inode],
    now: dict[str, Inode],
    data: st.DataObject,
) -> None:
    """In whatever order notes and files are given, the pairs are the same."""
    notes, files = gone(old, was), come(new, now)
    shuffled = data.draw(st.permutations(notes)), data.draw(st.permutations(files))
    for one, other in zip(_all_pairs(notes, files), _all_pairs(*shuffled), strict=True):
        assert set(one) == set(other)


@given(SIDES, SIDES, INODES, INODES)
def test_one_to_one(
    old: dict[str, Traits],
    new: dict[str, Traits],
    was: dict[str, Inode],
    now: dict[str, Inode],
) -> None:
    """No note gets two files and no file two notes, and all come from those that were given."""
    notes, files = gone(old, was), come(new, now)
    for pairs in _all_pairs(notes, files):
        ids, paths = [pair.node_id for pair in pairs], [pair.path for pair in pairs]
        assert len(set(ids)) == len(ids)
        assert len(set(paths)) == len(paths)
        assert {note.node_id for note in notes}.issuperset(ids)
        assert set(new).issuperset(paths)


@given(SIDES)
def test_a_moved_folder_keeps_all_that_can_be_told(old: dict[str, Traits]) -> None:
    """Moved whole and unchanged, each note that is joined at all is joined with its own file or an equal one."""
    notes, files = gone(old), come({f"moved/{path}": content for path, content in old.items()})
    contents = {file.path: file.traits for file in files}
    for pair in match(notes, files, [], [], lone=False):
        assert contents[pair.path] == notes[pair.node_id - 1].traits


def _all_pairs(notes: list[Gone], files: list[Come]) -> tuple[list[Pair], ...]:
    standing = [NotePath("z/Elmwood.md")]
    lone = len(notes) == len(files) == 1
    return (
        certain(notes, files),
        match(notes, files, standing, IDS[:1], lone=lone),
        returning(notes, files, standing, IDS[:1]),
    )


def test_equal_scores_go_by_path() -> None:
    """Two files that a note is like alike: the first path gets it."""
    old = {"m/Fir.md": shingles(range(40))}
    new = {f"{name}.md": shingles([*range(40), 100 + at]) for at, name in enumerate(("Yew", "Box"))}
    assert found(old, new) == {"m/Fir.md": ("Box.md", "similarity")}


def test_who_was_hidden_is_found_in_a_second_round() -> None:
    """A file shares most with eight other notes; once those have their files, the ninth note is seen."""
    common = range(32)
    old = {f"{at}.md": shingles([*common, *range(at * 1000, at * 1000 + 200)]) for at in range(1, 9)}
    new = {
        f"x{path}": shingles([*content.body, 90_000 + at]) for at, (path, content) in enumerate(old.items())
    }
    old["Last.md"] = shingles([*range(20), *range(500, 510)])
    new["Other.md"] = shingles([*common, *range(600, 610)])
    sketches = Sketches([*_left(old, new).gone.values()])
    hidden = sketches.find("other", shingles_of(new["Other.md"]))
    assert "Last.md" not in [note.path for note in hidden]
    assert found(old, new)["Last.md"] == ("Other.md", "similarity")


@pytest.mark.parametrize(("owners", "is_found"), [(64, True), (65, False)])
def test_boilerplate_finds_no_one(owners: int, is_found: bool) -> None:
    """A shingle, or a name, of more than 64 notes is no way to a note."""
    template, last = range(10), shingles(range(10))
    by_text = {f"{at}.md": last for at in range(owners)}
    by_name = {f"{at}/Index.md": shingles([at + 100]) for at in range(owners)}
    assert bool(Sketches([*_left(by_text, {}).gone.values()]).find("x", shingles_of(last))) is is_found
    named = Sketches([*_left(by_name, {}).gone.values()]).find("index", shingles_of(shingles(template)))
    assert len(named) == (owners if is_found else 0)


@pytest.mark.parametrize(("shared", "is_found"), [(31, True), (32, False)])
def test_a_note_is_found_by_its_32_smallest_shingles(shared: int, is_found: bool) -> None:
    """Few enough that thousands of notes can be looked through."""
    sketches = Sketches([*_left({"Oak.md": shingles(range(100))}, {}).gone.values()])
    assert bool(sketches.find("elm", shingles_of(shingles(range(shared, 100))))) is is_found


def test_eight_notes_are_compared_in_full() -> None:
    """Those that share most; of more that share as much, the first by path."""
    notes = {f"{at}.md": shingles(range(20)) for at in range(8)} | {"x.md": shingles(range(21))}
    sketches = Sketches([*_left(notes, {}).gone.values()])
    best = [note.path for note in sketches.find("elm", shingles_of(shingles(range(30))))]
    assert best == ["x.md", *(f"{at}.md" for at in range(7))]


def test_notes_of_one_template_are_compared_with_few() -> None:
    """2,000 notes with three quarters of their text in common: few are compared, and all are joined rightly."""
    notes = 2_000
    old = {f"a/{at}.md": _of_template(at, 10) for at in range(notes)}
    new = {f"b/{at * 7 % notes} new.md": _of_template(at, 9) for at in range(notes)}
    left = _left(old, new)
    sketches = Sketches([*left.gone.values()])
    compared = sum(len(sketches.find(file.name, shingles_of(file.traits))) for file in left.come.values())
    assert notes <= compared <= 2 * notes
    assert len([*candidates(left)]) <= compared
    assert found(old, new) == {
        f"a/{at}.md": (f"b/{at * 7 % notes} new.md", "similarity") for at in range(notes)
    }


def _of_template(number: int, own: int) -> Traits:
    first = 1_000 + 16 * number
    return shingles([*range(100, 130), *range(first, first + own)])


def _left(old: dict[str, Traits], new: dict[str, Traits]) -> Unmatched:
    return Unmatched(gone(old), come(new), [])
