"""From every generated note a link leads to each note and summary right below it."""

from __future__ import annotations

from vaultsync.domain.notes import NotePath
from vaultsync.domain.summary_maps import maps, sources_map
from vaultsync.domain.summary_note import Entry, Section
from vaultsync.domain.summary_titles import Member, Titled

BEANS = Member("Beans", NotePath("G/Beans.md"), None)
PEAS = Member("Peas", NotePath("G/Peas.md"), None)
TREE = [
    Titled(1, 1, "/", 3, (PEAS, BEANS)),
    Titled(2, 1, "/", 4),
    Titled(3, 2, "/", 5),
    Titled(4, 2, "/", 5),
    Titled(5, 3, "/", 6),
    Titled(6, 4, "/", None),
]
TITLES = {ordinal: f"title {ordinal}" for ordinal in range(1, 7)}
PATHS = {ordinal: NotePath(f"_summaries/{ordinal}.md") for ordinal in range(1, 7)}


def entry(ordinal: int, depth: int = 0) -> Entry:
    return Entry(PATHS[ordinal], TITLES[ordinal], depth)


def test_level_one_links_its_notes_in_order() -> None:
    """In the order in which they are summed up."""
    found = maps(TREE, TITLES, PATHS)
    assert found[1] == Section("Notes", (Entry(PEAS.path, "Peas"), Entry(BEANS.path, "Beans")))


def test_above_each_child_is_linked_and_from_the_root_what_is_below_it_too() -> None:
    """So the root's note is a map of the tree, yet an edit of a note never changes it."""
    found = maps(TREE, TITLES, PATHS)
    assert found[3] == Section("Contents", (entry(1),))
    assert found[5] == Section("Contents", (entry(3), entry(4)))
    assert found[6] == Section("Contents", (entry(5), entry(3, 1), entry(4, 1)))


def test_what_has_no_note_is_no_links_target() -> None:
    """A link to it would offer to make one."""
    paths = {ordinal: path for ordinal, path in PATHS.items() if ordinal != 3}
    assert maps(TREE, TITLES, paths)[5] == Section("Contents", (entry(4),))


def test_months_stand_in_order_of_time() -> None:
    """Whichever was summed up first."""
    tree = [Titled(1, 1, "2026-03", 3), Titled(2, 1, "2026-01", 3), Titled(3, 2, "/", None)]
    assert maps(tree, TITLES, PATHS)[3].entries == (entry(2), entry(1))


def test_the_sources_are_linked_by_their_names() -> None:
    """Two of one name are told apart by where they are."""
    roots = {name: NotePath(f"{name} (summary).md") for name in ("B", "x/A", "y/A")}
    assert [entry.label for entry in sources_map(roots).entries] == ["B", "x/A", "y/A"]
    assert [entry.label for entry in sources_map({"x/A": NotePath("p.md")}).entries] == ["A"]
