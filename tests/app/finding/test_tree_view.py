"""The trees as they stand, and what each source has to tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from grown_trees import NOW, grow, place, plant

from vaultsync.app.finding.query_source import query_source
from vaultsync.app.finding.status import find_status
from vaultsync.app.finding.tree import Branch, find_trees
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.domain.errors import AmbiguousRef, UnknownRef, UsageError
from vaultsync.store import summaries
from vaultsync.store.leaves import LeafRow

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vaultsync.app.finding.query_source import SourceAnswer
    from vaultsync.app.finding.tree import Member
    from vaultsync.app.finding.tree_status import SourceStatus
    from vaultsync.app.memory import Memory

    Write = Callable[[str, str], Path]


@pytest.fixture
def garden(memory: Memory) -> Memory:
    """A tree of nine notes, and one of four that waits for its first summary."""
    plant(memory)
    place(memory, "Log")
    return memory


def names(children: tuple[Branch | Member, ...]) -> list[str]:
    return [child.summary.title if isinstance(child, Branch) else child.title for child in children]


def test_a_tree_is_told_from_its_roots_down(garden: Memory) -> None:
    """Children in order; a tree without summaries tells its notes."""
    grown, waiting = find_trees(garden)
    (root,) = grown.roots
    assert names(root.children) == ["Garden 1.1", "Garden 1.2", "Garden 1.3"]
    assert names(root.children[0].children) == [f"Bed {nth}" for nth in range(1, 5)]  # type: ignore[union-attr]
    assert (grown.source, grown.loose, waiting.source, waiting.roots) == ("Garden", (), "Log", ())
    assert [note.path for note in waiting.loose] == [f"Log/2026-03-0{day}.md" for day in range(1, 5)]


def test_what_says_something_else_now_is_stale(garden: Memory, note: Write) -> None:
    """The summary right above an edited note; those above wait for its text."""
    note("Garden/Bed 3.md", "Bed 3 was given up.")
    reconcile(garden)
    with garden.db.write() as tx:
        tx.run("UPDATE chunks SET status = 'admitted' WHERE text LIKE 'Bed 3 was%'")
    (root,) = find_trees(garden, "Garden")[0].roots
    below = [child for child in root.children if isinstance(child, Branch)]
    assert [child.is_stale for child in below] == [True, False, False]
    assert not root.is_stale


def test_private_trees_say_so(garden: Memory, note: Write) -> None:
    """Beside the public one of their source."""
    note("Garden/Mine.md", "---\nprivate: true\n---\nWhat nobody is to know. It stays here.")
    reconcile(garden)
    grow(garden, "Garden", private=True)
    assert [(tree.source, tree.private) for tree in find_trees(garden)] == [
        ("Garden", False),
        ("Garden", True),
        ("Log", False),
    ]


@pytest.mark.parametrize("name", ["Garden", "garden", "GARDEN/", "./Garden"])
def test_a_source_is_meant_by_its_folder(garden: Memory, name: str) -> None:
    """In any case, with or without a slash."""
    assert [tree.source for tree in find_trees(garden, name)] == ["Garden"]


def test_a_source_is_meant_by_the_end_of_its_path(garden: Memory) -> None:
    """If that is one's alone; the root source by the vault's name."""
    with garden.db.write() as tx:
        tx.run("UPDATE trees SET folder = 'A/Garden' WHERE folder = 'Garden'")
    assert [tree.source for tree in find_trees(garden, "garden")] == ["A/Garden"]
    with garden.db.write() as tx:
        tx.run("UPDATE trees SET folder = 'B/Garden' WHERE folder = 'Log'")
    with pytest.raises(AmbiguousRef, match="A/Garden, B/Garden"):
        find_trees(garden, "garden")
    with pytest.raises(UnknownRef, match='No source is called "Attic"'):
        find_trees(garden, "Attic")
    for root in ("", "/", garden.root.name, garden.root.name.upper()):
        assert find_trees(garden, root) == []


def told(found: SourceAnswer) -> tuple[list[str], list[str]]:
    return [one.item.title for one in found.summaries], [one.item.title for one in found.leaves]


def test_a_source_tells_its_newest_first(garden: Memory) -> None:
    """Summaries, and leaves that have none yet; it says how many there are besides."""
    found = query_source(garden, "Log", k=3)
    assert told(found) == ([], ["2026-03-04", "2026-03-03", "2026-03-02"])
    assert found.left_out == (0, 1)
    grow(garden, "Log")
    found = query_source(garden, "log")
    assert found.leaves == ()
    days = [one.day for one in found.summaries]
    assert days == sorted(days, reverse=True)
    assert days[0] == "2026-03-04"


def test_a_source_is_asked_for_some_days(garden: Memory) -> None:
    """A summary is of the days of its notes; what is no day is refused."""
    assert told(query_source(garden, "Log", since="2026-03-02", until="2026-03-03"))[1] == [
        "2026-03-03",
        "2026-03-02",
    ]
    grow(garden, "Log")
    early = query_source(garden, "Log", until="2026-03-01").summaries
    assert early
    assert {one.day for one in early} == {"2026-03-01"}
    assert query_source(garden, "Log", since="2027").summaries == ()
    with pytest.raises(UsageError, match="since"):
        query_source(garden, "Log", since="soon")


def test_a_source_answers_a_question(garden: Memory) -> None:
    """With the summaries and the leaves that answer it best, and with no others' words."""
    summed = query_source(garden, "Garden", "crop number 7")
    assert "crop number 7" in summed.summaries[0].item.text
    assert summed.leaves == ()
    waiting = query_source(garden, "Log", "heavy rain of day 3")
    leaf = waiting.leaves[0]
    assert isinstance(leaf.item, LeafRow)
    assert leaf.item.title == "2026-03-03"
    assert leaf.hit
    assert "day 3" in leaf.hit.snippet.text
    assert (waiting.summaries, waiting.left_out) == ((), None)
    assert told(query_source(garden, "Log", "crop number 7")) == ([], [])


def test_a_source_tells_nothing_that_is_withdrawn(garden: Memory) -> None:
    """Neither among the newest nor in answer to a question."""
    with garden.db.write() as tx:
        summaries.withdraw(tx, [tx.value("SELECT id FROM node WHERE title = 'Bed 7'")])
    for found in (query_source(garden, "Garden"), query_source(garden, "Garden", "crop number 7")):
        assert not any("number 7" in one.item.text for one in found.summaries)
        assert "Garden 1.2" not in told(found)[0]


def test_status_tells_how_each_source_stands(garden: Memory) -> None:
    """What is there, what waits, and what a person should look at."""
    with garden.db.write() as tx:
        rows = summaries.every(tx)
        summaries.pin(tx, rows[0].uid, pinned=True)
        summaries.pin(tx, rows[2].uid, pinned=True)
        summaries.withdraw(tx, [tx.value("SELECT id FROM node WHERE title = 'Bed 9'")])
        summaries.miss(tx, rows[1].uid, "deleted")
    found = find_status(garden).tree
    grown, waiting = found.sources
    assert counted(grown) == (9, 0, 4, 0, 2, 2, 1)
    assert counted(waiting) == (4, 4, 0, 0, 0, 0, 0)
    assert [row.title for row in found.pinned] == [rows[2].title, rows[0].title]
    assert [row.text for row in found.pinned] == ["", rows[0].text]
    assert found.duty is not None
    assert (found.pending, found.is_on, found.duty.rests) == (0, True, False)


def counted(source: SourceStatus) -> tuple[int, ...]:
    return (
        source.notes,
        source.waiting,
        source.summaries,
        source.stale,
        source.pinned,
        source.withdrawn,
        source.deleted,
    )


def test_status_counts_what_is_stale_and_what_is_to_be_extracted(garden: Memory, note: Write) -> None:
    """Until an edited note is extracted it counts for nothing."""
    note("Garden/Bed 3.md", "Bed 3 was given up.")
    reconcile(garden)
    found = find_status(garden).tree
    assert (found.pending, found.sources[0].stale) == (1, 1)


def test_the_time_at_which_trees_grew_is_no_matter(garden: Memory) -> None:
    """The same notes, placed later: the same view."""
    before = find_trees(garden)
    with garden.db.write() as tx:
        tx.run("UPDATE chunks SET arrived_at = ?, seq = seq + 100 WHERE kind = 'leaf'", [NOW + 9])
    assert find_trees(garden) == before
