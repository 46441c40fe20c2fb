"""The rows that the tree engine is given cost what is asked for, and come a note at a time."""

from __future__ import annotations

from contextlib import closing
from itertools import groupby
from typing import TYPE_CHECKING

import apsw
from notebook import write_of

from vaultsync.domain.tree import Summary, gather
from vaultsync.store import tree_rows, tree_steps, trees
from vaultsync.store.connection import Database, Reader
from vaultsync.store.tree_steps import Text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Written = Callable[..., Database]

MEMBERS = 10
"""Summaries right under another."""


def grow(database: Database, count: int) -> int:
    """Make so many summaries of level 1, each ten of them under one of level 2; return the tree's id."""
    with database.write() as tx:
        tree = trees.get_or_create(tx, "vault", "", private=False)
        for ordinal in range(1, count // MEMBERS + 1):
            above = Summary(ordinal, 2, "/", "sealed", None, "", "", pinned=False, arrived_at=1)
            tree_steps.put(tx, tree, above, Text("Above.", "test"), 1)
        for nth in range(count):
            parent = 1 + nth // MEMBERS
            below = Summary(count + nth, 1, "a/", "sealed", parent, "", "", pinned=False, arrived_at=1)
            tree_steps.put(tx, tree, below, Text("Below.", "test"), 1)
    return tree.id


def cost(place: Path, count: int) -> int:
    """Return the instructions that SQLite takes to find two of so many summaries, with what is above them."""
    with closing(Database.open(place, write=True)) as database:
        tree_id = grow(database, count)
    taken = 0

    def take() -> bool:
        nonlocal taken
        taken += 1
        return False

    with closing(apsw.Connection(str(place))) as connection:
        connection.set_progress_handler(take, 1)
        found = tree_rows.summaries(Reader(connection), tree_id, {count + 2, count + 13})
    assert [summary.ordinal for summary in found] == [1, 2, count + 2, count + 13]
    return taken


def test_a_few_summaries_cost_no_more_in_a_large_tree(tmp_path: Path) -> None:
    """Each step of the engine asks for a few, so a large tree would else take time with its square."""
    assert cost(tmp_path / "large.db", 400) <= 2 * cost(tmp_path / "small.db", 40)


def test_leaves_come_a_note_at_a_time(written: Written) -> None:
    """Also where notes stand at one place in the order, as after a merge; a note's are in its order."""
    database = written(*(write_of(f"{name}.md", f"{name} one", f"{name} two") for name in ("A", "B", "C")))
    with database.write() as tx:
        tree = trees.get_or_create(tx, "vault", "", private=False)
        tx.run("UPDATE chunks SET status = 'admitted', tree_id = ?, seq = 1, arrived_at = 1", [tree.id])
    leaves = [*tree_rows.leaves(database.read(), tree.id, {})]
    assert [len([*of_note]) for _, of_note in groupby(leaves, key=lambda leaf: leaf.note)] == [2, 2, 2]
    assert [note.leaves for note in gather(leaves)] == [2, 2, 2]
