"""Links are written as they stand, keep their rows through edits, and are due when they may mean another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from readings import NOW, assert_sound, link_all, put, read, row, targets

from vaultsync.store import edges, nodes
from vaultsync.store.connection import Database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    database = Database.open(tmp_path / "index.db", write=True)
    yield database
    assert_sound(database)
    database.close()


def due(db: Database) -> list[tuple[str, str]]:
    return [(edge.from_path, edge.link) for edge in edges.due(db.read(), 100)]


def test_a_link_is_written_as_it_stands(db: Database) -> None:
    """Nothing of a mention is lost; what is missing is left out of the context."""
    write = read("a.md", links=["B#Plan"])
    mention = write.reading.mentions[0]
    shown = mention._replace(
        link=mention.link._replace(kind="property", text="the plan", key="related.0"),
        heading_path=("Up", "Überblick"),
        block_id="q3",
    )
    put(db, write._replace(reading=replace(write.reading, mentions=(mention, shown))))
    columns = 'kind, target, link, target_key, start, "end", explanation, context, source, due'
    context = '{"heading_path":["Up","Überblick"],"block":"q3","text":"the plan","key":"related.0"}'
    assert list(db.read().rows(f"SELECT {columns} FROM edges ORDER BY id")) == [  # noqa: S608 - a constant
        ("wikilink", "B#Plan", "B#Plan", "b", 0, 9, "See B#Plan.", "{}", "note", 1),
        ("property", "B#Plan", "B#Plan", "b", 0, 9, "See B#Plan.", context, "note", 1),
    ]


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
    ids = "SELECT id, link, start FROM edges ORDER BY start"
    before = list(db.read().rows(ids))
    put(db, read("a.md", links=["b", "c", "b"], offset=7, file=row(db, "a.md")))
    assert list(db.read().rows(ids)) == [(edge_id, link, start + 7) for edge_id, link, start in before]
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
            INSERT INTO edges (from_node_id, kind, target, link, start, "end", explanation, source)
            VALUES (1, 'stated', 'b', 'b', 0, 0, 'because', 'ledger')
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
    put(db, read("a.md", links=["b"]), read("y/b.md", links=["c"]), read("x/c.md"))
    link_all(db)
    put(db, read("z/b.md", links=["c"], file=row(db, "y/b.md")))
    assert due(db) == [("a.md", "b"), ("z/b.md", "c")]


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
