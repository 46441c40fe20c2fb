"""A note is followed onto a path that stands, and through a copy; a copy that stays is a new note."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from vanishings import gone, named, shingles, words

from vaultsync.domain.identity import Rewritten, Young, match, moved_in_two_steps, vacated
from vaultsync.domain.identity.terms import Come
from vaultsync.domain.notes import NotePath

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vanishings import Content, Found

    from vaultsync.domain.identity.terms import Gone

LONG = {name: words(name, 42) for name in "abcdx"}
"""Texts of 40 shingles."""


def overwritten(
    was: Mapping[str, Content], now: Mapping[str, str], unclaimed: tuple[str, ...] = ()
) -> set[str]:
    """Return which paths are vacated; `now` says whose bytes of before each path holds that still stands."""
    notes = {note.path: note for note in gone(was)}
    hashes = {path: note.content_hash for path, note in notes.items()}
    rewritten = [
        Rewritten(NotePath(path), hashes[NotePath(path)], hashes.get(NotePath(source), source))
        for path, source in now.items()
        if path != source
    ]
    meant = {file.new_hash for file in rewritten}
    changed = {file.path for file in rewritten}
    known = [note for note in notes.values() if note.content_hash in meant and _moved(note, changed, now)]
    vanished = {path for path in notes if path not in now}
    standing = [NotePath(path) for path in now]
    return {*vacated(rewritten, known, vanished, standing, {hashes[NotePath(path)] for path in unclaimed})}


def _moved(note: Gone, changed: set[NotePath], now: Mapping[str, str]) -> bool:
    return note.path in changed or note.path not in now


def test_a_swap() -> None:
    """Two notes that changed places are both followed."""
    was = {"a.md": LONG["a"], "b.md": LONG["b"]}
    assert overwritten(was, {"a.md": "b.md", "b.md": "a.md"}) == {"a.md", "b.md"}


def test_a_cycle() -> None:
    """So are three."""
    was = {f"{name}.md": LONG[name] for name in "abc"}
    assert overwritten(was, {"a.md": "b.md", "b.md": "c.md", "c.md": "a.md"}) == {"a.md", "b.md", "c.md"}


def test_a_chain() -> None:
    """One took the place of the next, and so on: those whose path was taken are followed."""
    was = {f"{name}.md": LONG[name] for name in "abc"}
    assert overwritten(was, {"b.md": "a.md", "c.md": "b.md"}) == {"b.md", "c.md"}


def test_a_chain_that_begins_with_a_copy() -> None:
    """What stays at its path moved nowhere, and neither did those behind it."""
    was = {f"{name}.md": LONG[name] for name in "abc"}
    assert overwritten(was, {"a.md": "a.md", "b.md": "a.md", "c.md": "b.md"}) == set()


def test_a_chain_that_begins_with_an_edit() -> None:
    """A path with new bytes of its own is not vacated, so its old bytes elsewhere are a copy."""
    was = {f"{name}.md": LONG[name] for name in "ab"}
    assert overwritten(was, {"a.md": "new bytes", "b.md": "a.md"}) == set()


def test_a_note_that_was_only_touched() -> None:
    """A path with the bytes that it had is not vacated, and what is copied from it moved nowhere."""
    notes = gone({"a.md": LONG["a"], "b.md": LONG["b"]})
    a, b = notes
    touched = Rewritten(a.path, a.content_hash, a.content_hash)
    copied = Rewritten(b.path, b.content_hash, a.content_hash)
    assert vacated([touched, copied], notes, [], [a.path, b.path]) == set()
    assert vacated([touched], notes, [], [a.path, b.path]) == set()


def test_a_move_over_another_note() -> None:
    """The note is followed to the path that it took, whose own note is gone."""
    assert overwritten({"a.md": LONG["a"], "b.md": LONG["b"]}, {"b.md": "a.md"}) == {"b.md"}


def test_two_takers_or_two_sources_leave_doubt() -> None:
    """Nothing is followed where more than one note or path may be meant."""
    was = {f"{name}.md": LONG[name] for name in "abc"}
    assert overwritten(was, {"b.md": "a.md", "c.md": "a.md"}) == set()
    assert overwritten({**was, "d.md": LONG["a"]}, {"b.md": "a.md", "c.md": "c.md"}) == set()
    assert overwritten(was, {"b.md": "a.md", "c.md": "c.md"}, unclaimed=("a.md",)) == set()


@pytest.mark.parametrize(
    ("old", "new", "is_followed"),
    [
        ("x/Oak.md", "y/Oak.md", True),
        ("x/Oak.md", "y/Elm.md", False),
        ("x/Index.md", "y/Index.md", False),
    ],
)
def test_a_short_note_needs_its_name(old: str, new: str, is_followed: bool) -> None:
    """Under 40 shingles only a name that its two paths alone bear tells."""
    was = {old: shingles(range(39)), new: shingles(range(100, 139))}
    assert overwritten(was, {new: old}) == ({new} if is_followed else set())
    assert overwritten({**was, "z/Oak.md": "else"}, {new: old, "z/Oak.md": "z/Oak.md"}) == set()
    assert overwritten({**was, old: shingles(range(40))}, {new: old}) == {new}


def test_blank_bytes_are_no_ones() -> None:
    """A note that was emptied did not become the blank one that vanished."""
    assert overwritten({"x/Oak.md": "", "y/Oak.md": LONG["a"]}, {"y/Oak.md": "x/Oak.md"}) == set()


def test_a_swap_is_matched_by_content() -> None:
    """The vacated paths join both sides, and each note goes where its text is."""
    notes = gone({"a.md": LONG["a"], "b.md": LONG["b"]})
    swapped = zip(notes, reversed(notes), strict=True)
    files = [Come(there.path, note.content_hash, None, note.traits) for note, there in swapped]
    assert named(notes, match(notes, files, [], [], lone=False)) == {
        "a.md": ("b.md", "hash"),
        "b.md": ("a.md", "hash"),
    }


def two_steps(old: Mapping[str, Content], copies: Mapping[str, Content]) -> Found:
    notes = gone(old)
    young = [Young(100 + copy.node_id, copy.path, copy.content_hash) for copy in gone(copies)]
    return named(notes, moved_in_two_steps(notes, young))


def test_a_move_in_two_steps() -> None:
    """The copy was seen first, then its original vanished."""
    assert two_steps({"a.md": LONG["a"]}, {"x/b.md": LONG["a"]}) == {"a.md": ("x/b.md", "hash")}


def test_a_move_in_two_steps_has_one_candidate() -> None:
    """Not blank, and no other copy or original with the same bytes."""
    assert two_steps({"a.md": LONG["a"]}, {"b.md": LONG["b"]}) == {}
    assert two_steps({"a.md": ""}, {"x/a.md": ""}) == {}
    assert two_steps({"a.md": LONG["a"]}, {"b.md": LONG["a"], "c.md": LONG["a"]}) == {}
    assert two_steps({"a.md": LONG["a"], "d.md": LONG["a"]}, {"b.md": LONG["a"]}) == {}


def test_an_unfilled_template_is_no_copy() -> None:
    """A note made from the template that the vanished one was made from, too, is another note."""
    form = "---\ntags: daily\n---\n# To do\n"
    assert two_steps({"2025-02-14.md": form}, {"2025-02-15.md": form}) == {}
    assert two_steps({"2025-02-14.md": form}, {"x/2025-02-14.md": form}) == {
        "2025-02-14.md": ("x/2025-02-14.md", "hash")
    }
