"""Every leaf under summaries, page after page, while the tree goes on changing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from grown_trees import grow, place, plant, tend

from vaultsync.app.finding.climbing import Deadline
from vaultsync.app.finding.leaves import fetch_leaves
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.domain.errors import UsageError
from vaultsync.domain.tree import Limits
from vaultsync.store import summaries

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vaultsync.app.memory import Memory

    Write = Callable[[str, str], Path]

BEDS = [f"Bed {number}" for number in range(1, 10)]


@pytest.fixture
def garden(memory: Memory) -> Memory:
    """Nine notes under three summaries under one, and four notes in no tree."""
    plant(memory)
    return memory


def titles(memory: Memory, *refs: str) -> list[str]:
    return [leaf.title for leaf in fetch_leaves(memory, refs).leaves]


def test_all_leaves_come_in_order_with_their_places(garden: Memory) -> None:
    """Every byte they name is their text."""
    page = fetch_leaves(garden, ["Garden 2.4"])
    assert [leaf.title for leaf in page.leaves] == BEDS
    assert (page.next, page.total, page.truncated) == (None, 9, False)
    for leaf in page.leaves:
        ((path, start, end),) = json.loads(leaf.places)
        assert (garden.root / path).read_bytes()[start:end].decode() == leaf.text


def test_a_leaf_that_several_refs_hold_is_given_once(garden: Memory) -> None:
    """A summary, one below it, and a note below that."""
    assert titles(garden, "Garden 1.1", "Garden 2.4", "Bed 3") == BEDS
    assert titles(garden, "Bed 3", "Bed 2") == ["Bed 2", "Bed 3"]
    assert titles(garden, "2026-03-02", "Bed 9", "2026-03-01") == ["Bed 9", "2026-03-01", "2026-03-02"]


@pytest.mark.parametrize("limit", [1, 2, 4, 9, 100])
def test_pages_are_the_whole(garden: Memory, limit: int) -> None:
    """Whatever their length, and none is empty."""
    found, cursor = [], None
    while True:
        page = fetch_leaves(garden, ["Garden 2.4"], limit, cursor)
        assert page.leaves
        assert page.total == 9
        found += [leaf.title for leaf in page.leaves]
        if (cursor := page.next) is None:
            break
    assert found == BEDS


def test_pages_stay_right_while_the_tree_changes(garden: Memory, note: Write) -> None:
    """Other summaries, a note more: what comes is what had not come, in the same order."""
    first = fetch_leaves(garden, ["Garden 2.4"], 4)
    note("Garden/Bed 0.md", "Bed 0 came late. It is small.")
    reconcile(garden)
    tend(garden, place(garden, "Garden"), Limits(tokens=90, leaves=4, children=2))
    root = next(row for row in summaries.every(garden.db.read()) if row.parent is None)
    second = fetch_leaves(garden, [root.uid], 100, first.next)
    assert [leaf.title for leaf in (*first.leaves, *second.leaves)] == [*BEDS, "Bed 0"]


def test_a_page_goes_on_where_its_last_leaf_was(garden: Memory) -> None:
    """Also if that is gone by then."""
    first = fetch_leaves(garden, ["Garden 2.4"], 4)
    (garden.root / "Garden/Bed 4.md").unlink()
    reconcile(garden)
    second = fetch_leaves(garden, ["Garden 2.4"], 100, first.next)
    assert [leaf.title for leaf in second.leaves] == BEDS[4:]


def test_a_note_of_several_leaves_keeps_together(memory: Memory, note: Write) -> None:
    """Also if one of them came to the tree after the notes behind it."""
    long = "".join(f"## Part {part}\n\n{'Words and more words. ' * 60}\n\n" for part in range(3))
    note("G/Alpha.md", long)
    note("G/Beta.md", "Beta is short. It has no parts.")
    reconcile(memory)
    grow(memory, "G", limits=Limits())
    with memory.db.write() as tx:
        tx.run("UPDATE chunks SET seq = 100 WHERE chunk_idx = 1")
    found = fetch_leaves(memory, ["G 1.1"]).leaves
    assert [leaf.title for leaf in found] == ["Alpha"] * (len(found) - 1) + ["Beta"]
    assert [leaf.text for leaf in found[:-1]] == sorted(leaf.text for leaf in found[:-1])
    assert len(found) > 2


def test_leaves_say_how_far_they_are(garden: Memory) -> None:
    """Sealed, admitted under an open summary, not extracted yet."""
    with garden.db.write() as tx:
        tx.run("UPDATE chunks SET status = 'dropped' WHERE text LIKE 'Bed 2 %'")
    found = {leaf.title: leaf.status for leaf in fetch_leaves(garden, ["Garden 2.4", "2026-03-01"]).leaves}
    assert (found["Bed 1"], found["Bed 2"], found["Bed 9"], found["2026-03-01"]) == (
        "sealed",
        "dropped",
        "admitted",
        "pending_extraction",
    )


@pytest.mark.parametrize("cursor", ["x", "é", "W10", "eyJhIjogMX0", "AAAA"])
def test_what_is_no_cursor_is_refused(garden: Memory, cursor: str) -> None:
    """In words, not by a traceback."""
    with pytest.raises(UsageError, match="cursor"):
        fetch_leaves(garden, ["Garden 2.4"], 4, cursor)


def test_a_search_for_leaves_that_takes_too_long_says_so(garden: Memory) -> None:
    """No silent cut."""
    page = fetch_leaves(garden, ["Garden 2.4"], deadline=Deadline(0))
    assert page.truncated
    assert not page.leaves
