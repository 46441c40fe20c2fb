"""Mentions are kept as they were found, and read as of the note that has the name today."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from readings import assert_sound, put, read, row

from vaultsync.domain.entities import Entity
from vaultsync.store import entities, mending, tombstones
from vaultsync.store.connection import Database
from vaultsync.store.entities import Spot

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from vaultsync.domain.entities import EntityKind

NELL = Entity("link", "nell ayre")


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    """A diary of two leaves, and a note of a person with an alias."""
    database = Database.open(tmp_path / "index.db", write=True)
    put(database, read("Diary.md", "one", "two"), read("Nell Ayre.md", "who", aliases=["Nelly", "@nell"]))
    yield database
    assert_sound(database)
    database.close()


def node(db: Database, path: str) -> int:
    found = row(db, path).node_id
    assert found
    return found


def leaf(db: Database, text: str) -> int:
    return int(db.read().value("SELECT id FROM chunks WHERE text = ?", [text]))


def spot(db: Database, text: str, kind: EntityKind, form: str, start: int = 0) -> Spot:
    return Spot(leaf(db, text), kind, form, start, start + 4, 0.7)


def write(db: Database, spots: Sequence[Spot], *, renewed: Sequence[str] = ()) -> None:
    """Let both leaves of the diary have these mentions."""
    with db.write() as tx:
        tx.run("UPDATE chunks SET status = 'admitted'")
        entities.put(tx, [leaf(db, "one"), leaf(db, "two")], [leaf(db, text) for text in renewed], spots)


def forms(db: Database) -> list[Entity]:
    leaves = [leaf(db, "one"), leaf(db, "two")]
    return [Entity(spot.kind, spot.canonical) for spot in entities.of_leaves(db.read(), leaves)]


def test_mentions_are_replaced_leaf_by_leaf(db: Database) -> None:
    """What is gone goes, what is new comes, in the order of the text; an entity is written once."""
    first = [
        spot(db, "one", "name", "wren"),
        spot(db, "one", "tag", "pea", 9),
        spot(db, "two", "name", "wren"),
    ]
    write(db, first)
    assert entities.of_leaves(db.read(), [leaf(db, "one"), leaf(db, "two")]) == first
    second = [first[1], first[1]._replace(start=20, end=26), spot(db, "two", "name", "wren", 5)]
    write(db, second)
    assert entities.of_leaves(db.read(), [leaf(db, "one"), leaf(db, "two")]) == second
    assert db.read().value("SELECT count(*) FROM entities") == 2


def test_two_entities_with_one_hash_stay_two(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hash only leads to them."""
    monkeypatch.setattr(entities, "_hash", lambda _kind, _form: 7)
    spots = [
        spot(db, "one", "name", "wren"),
        spot(db, "one", "tag", "wren", 9),
        spot(db, "two", "name", "pea"),
    ]
    write(db, spots)
    assert entities.of_leaves(db.read(), [leaf(db, "one"), leaf(db, "two")]) == spots
    assert entities.nodes_with(db.read(), Entity("name", "wren")) == {node(db, "Diary.md"): 1}


def test_what_a_model_found_lasts_as_long_as_the_text(db: Database) -> None:
    """A look at a leaf whose neighbour changed leaves it; another text of its own ends it."""
    write(db, [spot(db, "one", "name", "wren"), spot(db, "two", "name", "wren")])
    with db.write() as tx:
        tx.run("UPDATE mentions SET by_model = 1")
    write(db, [], renewed=["two"])
    assert [
        found.chunk_id for found in entities.of_leaves(db.read(), [leaf(db, "one"), leaf(db, "two")])
    ] == [leaf(db, "one")]


def test_a_name_that_a_note_has_is_the_note(db: Database) -> None:
    """Its file's name and its aliases, whether named, linked or as a handle; a tag never is."""
    kinds: list[tuple[EntityKind, str]] = [
        ("name", "nell ayre"), ("link", "nelly"), ("handle", "@nell"), ("tag", "nelly"), ("name", "wren"),
    ]  # fmt: skip
    write(db, [spot(db, "one", kind, form, 9 * at) for at, (kind, form) in enumerate(kinds)])
    assert forms(db) == [NELL, NELL, NELL, Entity("tag", "nelly"), Entity("name", "wren")]
    assert entities.nodes_with(db.read(), NELL) == {node(db, "Diary.md"): 1}
    assert entities.nodes_with(db.read(), Entity("name", "nelly")) == {}


def test_an_alias_that_comes_or_goes_changes_no_mention(db: Database) -> None:
    """Mentions that were written before read as the note's from then on, and no longer when it drops the name."""
    write(db, [spot(db, "one", "name", "nellie")])
    assert forms(db) == [Entity("name", "nellie")]
    put(db, read("Nell Ayre.md", "who", aliases=["Nellie"], file=row(db, "Nell Ayre.md")))
    assert forms(db) == [NELL]
    assert entities.nodes_with(db.read(), NELL) == {node(db, "Diary.md"): 1}
    put(db, read("Nell Ayre.md", "who", file=row(db, "Nell Ayre.md")))
    assert forms(db) == [Entity("name", "nellie")]
    assert entities.nodes_with(db.read(), NELL) == {}


def test_an_alias_of_two_notes_is_neither(db: Database) -> None:
    """Until one of them is gone; a file's own name comes before another note's alias."""
    write(db, [spot(db, "one", "name", "nelly"), spot(db, "two", "name", "nell ayre")])
    put(db, read("Nora.md", "she", aliases=["Nelly", "Nell Ayre"]))
    assert forms(db) == [Entity("name", "nelly"), NELL]
    with db.write() as tx:
        tombstones.bury(tx, [node(db, "Nell Ayre.md")], 7)
    assert forms(db) == [Entity("link", "nora")] * 2


def test_a_tombstone_mentions_nothing(db: Database) -> None:
    """Its mentions are kept for its return, and count again then."""
    write(db, [spot(db, "one", "name", "wren")])
    wren = Entity("name", "wren")
    diary = node(db, "Diary.md")
    with db.write() as tx:
        tombstones.bury(tx, [diary], 7)
    assert entities.nodes_with(db.read(), wren) == {}
    with db.write() as tx:
        tombstones.revive(tx, [diary])
    assert entities.nodes_with(db.read(), wren) == {diary: 1}


def test_a_mention_of_nothing_is_found_again(db: Database) -> None:
    """Mending lets the leaf be looked at once more, and keeps the others."""
    write(db, [spot(db, "one", "name", "wren"), spot(db, "two", "name", "pea")])
    with db.write() as tx:
        tx.run("PRAGMA defer_foreign_keys = ON")
        tx.run("UPDATE mentions SET entity_id = 99 WHERE chunk_id = ?", [leaf(db, "one")])
        mending.drop_dangling(tx)
    assert forms(db) == [Entity("name", "pea")]
    assert db.read().value("SELECT count(*) FROM mentions") == 1
    assert db.read().all("SELECT text FROM chunks WHERE status IS NULL") == [("one",)]


def test_a_leaf_that_waits_mentions_nothing_yet(db: Database) -> None:
    """Its text may be another than the one in which the mentions were found."""
    write(db, [spot(db, "one", "name", "wren"), spot(db, "two", "name", "wren")])
    with db.write() as tx:
        tx.run("UPDATE chunks SET status = NULL WHERE text = 'one'")
    assert [
        found.chunk_id for found in entities.of_leaves(db.read(), [leaf(db, "one"), leaf(db, "two")])
    ] == [leaf(db, "two")]
    assert entities.nodes_with(db.read(), Entity("name", "wren")) == {node(db, "Diary.md"): 1}
