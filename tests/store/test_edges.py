"""Links are written as they stand, keep their rows through edits, and are due when they may mean another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from readings import NOW, assert_sound, link_all, put, read, row, targets

from vaultsync.domain.notes import Link
from vaultsync.domain.wikilinks import wiki_parts
from vaultsync.store import details, edges, nodes
from vaultsync.store.connection import Database
from vaultsync.store.names import key_hash

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


TEXT = '{"text":"the plan"}'
KEY = '{"key":"related.0"}'

SIGNS = st.text("ab|\\# .", max_size=6)
LINKS = st.builds(
    Link,
    st.sampled_from(["wikilink", "embed", "markdown", "property"]),
    SIGNS,
    SIGNS,
    st.none() | SIGNS,
    st.just(0),
    st.just(0),
) | st.builds(lambda target: Link("wikilink", *wiki_parts(target), 0, 0), SIGNS)


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    database = Database.open(tmp_path / "index.db", write=True)
    yield database
    assert_sound(database)
    database.close()


def due(db: Database) -> list[tuple[str, str]]:
    return [(edge.from_path, edge.link) for edge in edges.due(db.read(), 100)]


def put_links(db: Database, *links: Link) -> None:
    """Write a note that has these links, at the bytes 0, 10, 20 ..."""
    write = read("a.md", links=[link.target for link in links])
    placed = [
        link._replace(start=place.start, end=place.end)
        for place, link in zip(write.reading.links, links, strict=True)
    ]
    put(db, write._replace(reading=replace(write.reading, links=tuple(placed))))


def test_a_link_is_written_as_it_stands(db: Database) -> None:
    """Nothing of a link is lost; what its target says is not said again."""
    put_links(
        db,
        Link("wikilink", "B#Plan|the plan", "B#Plan", "the plan", 0, 0),
        Link("markdown", "B%20c.md", "B c.md", "the plan", 0, 0),
        Link("property", "B", "B", None, 0, 0, "related.0"),
    )
    columns = 'kind, target, link, target_hash, start, "end", explanation, context, source, due'
    assert list(db.read().rows(f"SELECT {columns} FROM edges ORDER BY id")) == [  # noqa: S608 - a constant
        (*said, None, 1)
        for said in (
            ("wikilink", "B#Plan|the plan", None, key_hash("b"), 0, 9, None, None),
            ("markdown", "B%20c.md", "B c.md", key_hash("b c"), 10, 19, None, TEXT),
            ("property", "B", None, key_hash("b"), 20, 29, None, KEY),
        )
    ]


def test_a_link_without_a_context_has_none(db: Database) -> None:
    """Most links show what their target says, and stand in no property."""
    put(db, read("a.md", links=["b"]))
    assert db.read().row("SELECT link, context FROM edges") == (None, None)


@settings(max_examples=30, deadline=None)
@given(targets=st.lists(LINKS, min_size=1, max_size=5))
def test_what_a_link_points_at_and_shows_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, targets: list[Link]
) -> None:
    """Whatever a target looks like, and whatever it says of itself."""
    db = Database.open(tmp_path_factory.mktemp("links") / "index.db", write=True)
    put_links(db, *targets)
    read_back = [
        (row.kind, row.target, row.around.link, row.around.text) for row in details.links(db.read(), 1)
    ]
    assert read_back == [(link.kind, link.target, link.link, link.text) for link in targets]
    assert [edge.link for edge in edges.due(db.read(), 9)] == [link.link for link in targets]
    db.close()


def test_what_stands_around_a_link_is_its_chunk(db: Database) -> None:
    """They are a view: what stands in no chunk, as a property, has none."""
    write = read("a.md", links=["b", "c", "d"])
    leaves = read("a.md", "0123456789", "0123456789", headings=("Up", "Überblick")).reading.leaves
    put(db, write._replace(reading=replace(write.reading, leaves=leaves)))
    places = "SELECT edge_id, heading_path, text, start FROM link_places ORDER BY edge_id"
    above = '["Up","Überblick"]'
    assert list(db.read().rows(places)) == [(1, above, "0123456789", 0), (2, above, "0123456789", 0)]


def test_new_links_are_due_until_they_are_resolved(db: Database) -> None:
    """Oldest first, with all that resolving asks for."""
    put(db, read("a.md", links=["b", "#top", "pic.png"]), read("x/b.md"))
    assert list(edges.due(db.read(), 2)) == [
        (1, "b", "wikilink", "a.md", 1, "b"),
        (2, "#top", "wikilink", "a.md", 1, None),
    ]
    assert edges.count_due(db.read()) == 3
    link_all(db)
    assert (due(db), edges.count_due(db.read())) == ([], 0)
    assert targets(db, "a.md") == [("b", "x/b.md"), ("#top", "a.md"), ("pic.png", None)]


def test_a_link_that_only_moved_stays_resolved(db: Database) -> None:
    """Text above it costs no resolution; its place is that of the file."""
    put(db, read("a.md", links=["b", "c", "b"]), read("b.md"))
    link_all(db)
    ids = "SELECT id, target, start FROM edges ORDER BY start"
    before = list(db.read().rows(ids))
    put(db, read("a.md", links=["b", "c", "b"], offset=7, file=row(db, "a.md")))
    assert list(db.read().rows(ids)) == [(edge_id, target, start + 7) for edge_id, target, start in before]
    assert due(db) == []


def test_only_new_links_of_an_edit_are_due(db: Database) -> None:
    """Links that went are gone, those that stayed keep what they mean."""
    put(db, read("a.md", links=["b", "c", "b"]), read("b.md"))
    link_all(db)
    put(db, read("a.md", links=["d", "b"], file=row(db, "a.md")))
    assert due(db) == [("a.md", "d")]
    assert targets(db, "a.md") == [("d", None), ("b", "b.md")]


def test_stated_edges_outlive_an_edit(db: Database) -> None:
    """Only what the note itself says is compared with the note."""
    put(db, read("a.md", links=["b"]))
    with db.write() as tx:
        tx.run(
            """
            INSERT INTO edges (from_node_id, kind, target, start, "end", explanation, source)
            VALUES (1, 'stated', 'b', 0, 0, 'because', 'ledger')
            """
        )
    put(db, read("a.md", file=row(db, "a.md")))
    assert list(db.read().rows("SELECT kind FROM edges")) == [("stated",)]


@pytest.mark.parametrize("alias", [False, True])
def test_a_name_that_comes_or_goes_makes_its_links_due(db: Database, *, alias: bool) -> None:
    """By file name and by alias; links with other names are left alone."""
    put(db, read("a.md", links=["new", "other"]), read("other.md"))
    link_all(db)
    put(db, read("b.md", aliases=["New"]) if alias else read("New.md"))
    assert due(db) == [("a.md", "new")]
    link_all(db)
    path = "b.md" if alias else "New.md"
    assert targets(db, "a.md")[0] == ("new", path)
    if alias:
        put(db, read(path, file=row(db, path)))
    else:
        with db.write() as tx:
            nodes.bury(tx, [row(db, path)], NOW)
    assert due(db) == [("a.md", "new")]
    link_all(db)
    assert targets(db, "a.md")[0] == ("new", None)


def test_an_edit_that_keeps_its_names_makes_no_link_due(db: Database) -> None:
    """The usual save resolves nothing."""
    put(db, read("a.md", links=["b"]), read("b.md", "one", aliases=["Bee"]))
    link_all(db)
    put(db, read("b.md", "two", aliases=["Bee"], file=row(db, "b.md")))
    assert due(db) == []


def test_a_move_makes_links_to_and_from_the_note_due(db: Database) -> None:
    """Of notes with one name the nearest is meant, so each path counts."""
    put(db, read("a.md", links=["b", "q"]), read("y/b.md", links=["c", "q"]), read("x/c.md"), read("q.md"))
    put(db, read("b.md"), read("c.md"))
    link_all(db)
    put(db, read("z/b.md", links=["c", "q"], file=row(db, "y/b.md")))
    assert due(db) == [("a.md", "b"), ("z/b.md", "c")]


def test_a_move_leaves_bare_links_to_the_only_note_of_a_name_alone(db: Database) -> None:
    """They lead there from everywhere; those that name a folder are due."""
    put(db, read("a.md", links=["b", "y/b"]), read("y/b.md", links=["a"]))
    link_all(db)
    put(db, read("z/b.md", links=["a"], file=row(db, "y/b.md")))
    assert due(db) == [("a.md", "y/b")]


def test_a_broken_link_remembers_where_it_pointed(db: Database) -> None:
    """Until it is whole again."""
    put(db, read("a.md", links=["b"]), read("b.md"))
    link_all(db)
    last = "SELECT to_node_id, last_node_id, match FROM edges"
    assert db.read().row(last) == (2, None, "name")
    with db.write() as tx:
        nodes.bury(tx, [row(db, "b.md")], NOW)
    assert db.read().row(last) == (None, 2, None)
    link_all(db)
    assert db.read().row(last) == (None, 2, None)
    put(db, read("b.md", file=row(db, "b.md")))
    link_all(db)
    assert db.read().row(last) == (2, None, "name")


def test_tombstones_are_no_candidates_and_wait_with_their_own_links(db: Database) -> None:
    """What counts for nothing is neither found nor resolved."""
    put(db, read("a.md", links=["b"]), read("b.md", aliases=["Bee"]))
    named = edges.candidates(db.read(), ["b", "bee", "z"])
    assert named == {"b": [(2, "b.md", False, False)], "bee": [(2, "b.md", True, False)]}
    with db.write() as tx:
        nodes.bury(tx, [row(db, "a.md"), row(db, "b.md")], NOW)
    assert edges.candidates(db.read(), ["b", "bee"]) == {}
    assert due(db) == []
