"""Climbing the tree, up to the root and down to the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from grown_trees import grow, plant

from vaultsync.app.finding.climbing import Deadline
from vaultsync.app.finding.traverse import drill_down
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.domain.errors import AmbiguousRef, UnknownRef
from vaultsync.store import summaries
from vaultsync.store.leaves import LeafRow, NoteRow
from vaultsync.store.summaries import SummaryRow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from vaultsync.app.finding.traverse import Branch
    from vaultsync.app.memory import Memory

    Write = Callable[[str, str], Path]


@pytest.fixture
def garden(memory: Memory) -> Memory:
    """Nine notes under three summaries under one."""
    plant(memory)
    return memory


def walk(branch: Branch) -> Iterator[Branch]:
    yield branch
    for child in branch.children:
        yield from walk(child)


def titles(branch: Branch) -> list[str]:
    return [child.item.title for child in branch.children]


def test_from_a_note_the_way_leads_up_to_the_root(garden: Memory) -> None:
    """Nearest first, and the note's own text below it."""
    found = drill_down(garden, "Bed 3")
    assert [row.title for row in found.above] == ["Garden 1.1", "Garden 2.4"]
    assert isinstance(found.node.item, NoteRow)
    (leaf,) = found.node.children
    assert isinstance(leaf.item, LeafRow)
    assert leaf.item.text.startswith("Bed 3 holds crop number 3.")
    assert not found.truncated


def test_from_the_root_each_step_down_says_more(garden: Memory) -> None:
    """Summaries, then notes, then leaves; no step shows more than was asked for."""
    assert titles(drill_down(garden, "Garden 2.4").node) == ["Garden 1.1", "Garden 1.2", "Garden 1.3"]
    kinds = {
        depth: {type(branch.item) for branch in walk(drill_down(garden, "Garden 2.4", depth).node)}
        for depth in range(5)
    }
    assert kinds[0] == kinds[1] == {SummaryRow}
    assert kinds[2] == {SummaryRow, NoteRow}
    assert kinds[3] == kinds[4] == {SummaryRow, NoteRow, LeafRow}


def test_every_note_is_reached_once_and_in_order(garden: Memory) -> None:
    """What a summary says is all there, in the order in which it was summed up."""
    every = [
        branch.item.title
        for branch in walk(drill_down(garden, "Garden 2.4", 2).node)
        if isinstance(branch.item, NoteRow)
    ]
    assert every == [f"Bed {number}" for number in range(1, 10)]


def test_a_summary_is_meant_by_uid_title_or_path(garden: Memory) -> None:
    """As a note is; a prefix of the uid will do."""
    row = summaries.every(garden.db.read())[0]
    with garden.db.write() as tx:
        summaries.stand(tx, row.uid, row.path, None)
        tx.run("UPDATE summaries SET path = '_summaries/Garden/One.md' WHERE ordinal = 1")
    for ref in (
        row.uid,
        row.uid[:13],
        "garden 1.1",
        "_summaries/Garden/One.md",
        "_summaries/garden/one",
        "One",
    ):
        assert drill_down(garden, ref).node.item.uid == row.uid


def test_a_note_goes_before_a_summary_of_its_name(garden: Memory, note: Write) -> None:
    """The name is the user's."""
    note("Garden 1.1.md", "Mine.")
    reconcile(garden)
    assert isinstance(drill_down(garden, "Garden 1.1").node.item, NoteRow)


def test_a_title_of_several_summaries_is_ambiguous(garden: Memory) -> None:
    """They are told apart by path or uid."""
    with garden.db.write() as tx:
        summaries.name(tx, {row.uid: "Same" for row in summaries.every(tx)})
    with pytest.raises(
        AmbiguousRef, match=r'"Same" may mean 4 summaries: .*Say which one by its path or uid'
    ):
        drill_down(garden, "Same")
    with pytest.raises(UnknownRef):
        drill_down(garden, "Other")


def test_a_withdrawn_summary_keeps_its_text_to_itself(garden: Memory) -> None:
    """It may quote what is to be seen no more; that it is there may be seen."""
    with garden.db.write() as tx:
        summaries.withdraw(tx, [tx.value("SELECT id FROM node WHERE title = 'Bed 3'")])
    found = drill_down(garden, "Garden 2.4", 3)
    rows = [branch.item for branch in walk(found.node) if isinstance(branch.item, SummaryRow)]
    assert {row.title: row.text for row in rows if row.withdrawn} == {"Garden 2.4": "", "Garden 1.1": ""}
    assert all(row.text for row in rows if not row.withdrawn)
    assert [row.text for row in drill_down(garden, "Bed 3").above] == ["", ""]


def test_a_note_in_no_tree_has_nothing_above_it(garden: Memory, note: Write) -> None:
    """A blank one has nothing below either."""
    note("Blank.md", "")
    reconcile(garden)
    found = drill_down(garden, "Blank")
    assert (found.above, found.node.children) == ((), ())
    assert drill_down(garden, "2026-03-01").above == ()


def test_a_note_whose_leaves_all_say_nothing_is_no_child(garden: Memory) -> None:
    """What was dropped is under no summary's word."""
    with garden.db.write() as tx:
        tx.run("UPDATE chunks SET status = 'dropped' WHERE text LIKE 'Bed 2 %'")
    assert titles(drill_down(garden, "Garden 1.1").node) == ["Bed 1", "Bed 3", "Bed 4"]


def test_a_walk_that_takes_too_long_says_so(garden: Memory) -> None:
    """It ends with what it has."""
    found = drill_down(garden, "Bed 3", deadline=Deadline(0))
    assert found.truncated
    assert found.above == ()
    assert drill_down(garden, "Garden 2.4", 9, Deadline(0)).truncated


def test_private_trees_are_climbed_as_others(garden: Memory, note: Write) -> None:
    """On this machine they are shown, and say that they are private."""
    note("Diary.md", "---\nprivate: true\n---\nA secret of mine.")
    note("Diary 2.md", "---\nprivate: true\n---\nAnother secret of mine.")
    reconcile(garden)
    grow(garden, private=True)
    (above,) = drill_down(garden, "Diary").above
    assert above.private
