"""What notes are called and what links seek is known by name, so that none of our notes is called so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from readings import link_all, put, read

from vaultsync.domain.notes import NotePath
from vaultsync.store import claimed_names, nodes
from vaultsync.store.claimed_names import OurFile
from vaultsync.store.connection import Database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    database = Database.open(tmp_path / "index.db", write=True)
    yield database
    database.close()


def test_a_link_that_finds_nothing_seeks_a_name(db: Database) -> None:
    """Whatever stands around the name in it; one that finds its note seeks none."""
    put(db, read("a.md", links=["Folder/Plan A#Part|the plan", "b", "pic.png"]), read("b.md"))
    link_all(db)
    index = db.read()
    assert claimed_names.is_sought(index, "plan a")
    assert not any(claimed_names.is_sought(index, key) for key in ("b", "pic.png", "plan", "the plan"))


def test_a_name_is_borne_by_living_notes(db: Database) -> None:
    """A vanished note's is free, but links to it still seek it."""
    put(db, read("Plan B.md"), read("a.md", links=["Plan B"]))
    link_all(db)
    assert claimed_names.borne(db.read(), ["plan b", "plan c"]) == {"plan b"}
    with db.write() as tx:
        tx.run("UPDATE nodes SET deleted_at = 1 WHERE title = 'Plan B'")
        tx.run("UPDATE edges SET to_node_id = NULL, last_node_id = to_node_id")
    assert not claimed_names.borne(db.read(), ["plan b"])
    assert claimed_names.is_sought(db.read(), "plan b")


def test_files_with_our_mark_are_listed(db: Database) -> None:
    """With the short id of their summary, wherever they lie."""
    note = read("_summaries/G (summary).md")
    ours = nodes.IgnoredWrite(None, note.path, note.fingerprint, False, "test", "00" * 16, "short-id")
    with db.write() as tx:
        nodes.write_ignored(tx, [ours, ours._replace(path=NotePath("x.md"), ours=None)], 1)
    assert claimed_names.our_files(db.read()) == [OurFile(note.path, "short-id")]
