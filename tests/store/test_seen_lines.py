"""What is kept between passes: marks, the lines of the ledger that were seen, and whose they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from notebook import write_of

from vaultsync.domain.ledger import Line, Note
from vaultsync.domain.notes import NotePath, Uid
from vaultsync.store import ledger, marks, paths, tombstones

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultsync.store.connection import Database


def lines(*paths: str) -> frozenset[Line]:
    return frozenset(Line(Uid(f"uid of {path}"), NotePath(path)) for path in paths)


def test_a_mark_stays_until_another_takes_its_place(written: Callable[..., Database]) -> None:
    """None is no mark."""
    db = written()
    assert marks.find(db.read(), "here") is None
    for value in ("one", "two", "two"):
        with db.write() as tx:
            marks.put(tx, {"here": value})
        assert marks.find(db.read(), "here") == value
    with db.write() as tx:
        marks.put(tx, {"here": None})
    assert marks.find(db.read(), "here") is None


def test_the_lines_that_were_seen(written: Callable[..., Database]) -> None:
    """The last word counts."""
    db = written()
    for seen in (lines("a.md", "b.md"), lines("b.md", "c.md"), lines()):
        with db.write() as tx:
            ledger.remember(tx, seen)
        assert ledger.seen(db.read()) == seen


def test_the_notes_that_lines_speak_of(written: Callable[..., Database]) -> None:
    """By uid or by path however spelled, the private, the vanished and the swept among them."""
    db = written(
        write_of("a.md"),
        write_of("É.md"),
        write_of("secret.md", private=True),
        write_of("gone.md"),
        write_of("swept.md"),
    )
    with db.write() as tx:
        (swept,) = tx.all("SELECT id FROM nodes WHERE title = 'swept'")[0]
        tombstones.bury(tx, [swept], 1)
        tombstones.sweep(tx, 2)
        (gone,) = tx.all("SELECT id FROM nodes WHERE title = 'gone'")[0]
        tombstones.bury(tx, [gone], 3)
    uids = {path: write_of(path).uid for path in ("a.md", "É.md", "secret.md", "gone.md", "swept.md")}
    everything = {
        Note(uids["a.md"], NotePath("a.md"), private=False, alive=True),
        Note(uids["É.md"], NotePath("É.md"), private=False, alive=True),
        Note(uids["secret.md"], NotePath("secret.md"), private=True, alive=True),
        Note(uids["gone.md"], NotePath("gone.md"), private=False, alive=False),
        Note(uids["swept.md"], NotePath(""), private=False, alive=False),
    }
    assert set(ledger.all_notes(db.read())) == everything
    asked = ledger.notes(db.read(), [uids["swept.md"], uids["a.md"]], [NotePath("E\u0301.md")])
    assert {note.path for note in asked} == {"", "a.md", "É.md"}
    assert ledger.notes(db.read(), [], []) == []


def test_a_vanished_note_is_known_by_the_path_that_another_took(written: Callable[..., Database]) -> None:
    """What the store puts behind such a path is its own affair."""
    db = written(write_of("a.md"))
    with db.write() as tx:
        tombstones.bury(tx, [1], 1)
        paths.make_room(tx, {NotePath("a.md"): None}, 2)
    assert [note.path for note in ledger.all_notes(db.read())] == ["a.md"]
