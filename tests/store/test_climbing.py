"""Ways up and down the tree on rows that no tree should have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from notebook import write_of

from vaultsync.domain.tree import Summary
from vaultsync.store import climbing, summaries, tree_steps, trees
from vaultsync.store.filters import days_between
from vaultsync.store.tree_steps import Text

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultsync.domain.notes import Uid
    from vaultsync.store.connection import Database

    Written = Callable[..., Database]


@pytest.fixture
def chain(written: Written) -> tuple[Database, list[Uid]]:
    """Two notes under three summaries, one above the other; the uids from the lowest up."""
    database = written(
        write_of("A.md", "Alpha.", event_date="2026-03-02"),
        write_of("B.md", "Beta.", event_date="2026-04-02"),
    )
    with database.write() as tx:
        tree = trees.get_or_create(tx, "vault", "", private=False)
        tx.run("UPDATE chunks SET status = 'admitted', tree_id = ?, seq = id, arrived_at = 1", [tree.id])
        for level in (3, 2, 1):
            parent = level + 1 if level < 3 else None
            made = Summary(level, level, "", "sealed", parent, "", "", pinned=False, arrived_at=1)
            tree_steps.put(tx, tree, made, Text(f"Level {level}.", "test"), 1)
        tree_steps.place(tx, tree, [uid for (uid,) in tx.all("SELECT uid FROM nodes WHERE kind = 'note'")], 1)
    return database, [row.uid for row in summaries.of_tree(database.read(), tree.id)]


def note(database: Database, path: str) -> Uid:
    uid: Uid = database.read().value("SELECT uid FROM node WHERE path = ?", [path])
    return uid


def close_loop(database: Database, uids: list[Uid]) -> None:
    """Let the lowest summary be above the highest."""
    with database.write() as tx:
        tx.run(
            "UPDATE chunks SET parent_id = (SELECT id FROM chunks WHERE uid = ?) WHERE uid = ?",
            [uids[0], uids[-1]],
        )


def test_the_way_up_is_nearest_first(chain: tuple[Database, list[Uid]]) -> None:
    """From a note as from a summary; a root has nothing above it."""
    database, uids = chain
    reader = database.read()
    assert [*climbing.above(reader, note(database, "A.md"))] == uids
    assert [*climbing.above(reader, uids[0])] == uids[1:]
    assert [*climbing.above(reader, uids[-1])] == []


def test_the_way_down_stops_at_a_level(chain: tuple[Database, list[Uid]]) -> None:
    """Parents come before what is below them, each thing once, even if a summary is asked for besides its parent."""
    database, uids = chain
    reader = database.read()
    every = [*climbing.below(reader, [uids[2], uids[0]])]
    assert sorted(rung.uid for rung in every) == sorted(uids)
    assert every.index(next(rung for rung in every if rung.uid == uids[1])) > 0
    assert [rung.uid for rung in climbing.below(reader, [uids[2]], 2)] == [uids[2], uids[1]]
    assert [rung.uid for rung in climbing.below(reader, [note(database, "A.md")])] == []


def test_a_loop_of_parents_ends(chain: tuple[Database, list[Uid]]) -> None:
    """Every way visits each thing once, whatever the rows say."""
    database, uids = chain
    close_loop(database, uids)
    reader = database.read()
    assert [*climbing.above(reader, note(database, "A.md"))] == uids
    assert sorted(climbing.above(reader, uids[0])) == sorted(uids)
    assert len([*climbing.below(reader, uids)]) == 3
    assert len(climbing.pairs_above(reader, [1, 2])) == 6
    assert len(climbing.over_notes(reader, "TRUE", {})) == 3


def test_summaries_are_of_the_days_of_their_notes(chain: tuple[Database, list[Uid]]) -> None:
    """A summary is found where one of the notes below it is."""
    database, _ = chain
    reader = database.read()
    assert len(climbing.over_notes(reader, *days_between("2026-04", None))) == 3
    assert len(climbing.over_notes(reader, *days_between("2026-03", "2026-03"))) == 3
    assert climbing.over_notes(reader, *days_between("2026-05", None)) == []
