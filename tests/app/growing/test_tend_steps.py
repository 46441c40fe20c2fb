"""A step is committed only onto the rows that it was planned from, found without reading the whole tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from grown_vaults import about, grow
from small_vaults import memory_of

from vaultsync.app.growing.gardener import SOURCE_SHELF, _named_rows
from vaultsync.domain.tree import Dissolve, Tree, Turn, Write, gather
from vaultsync.store import tree_rows, tree_steps, trees

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from vaultsync.domain.tree import Item, Step
    from vaultsync.store.connection import Reader, Writer
    from vaultsync.store.trees import TreeRow

    Make = Callable[[Mapping[str, str | bytes]], Path]

NAMES = ("apple", "birch", "clover", "daisy", "elder", "fern", "gorse", "hazel")


@pytest.fixture
def garden(vault: Make) -> Path:
    """One tree with several summaries at level 1 and a root above them."""
    root = vault({**about(*NAMES), **about("ivy", "juniper", folder="Woods")})
    grow(root)
    return root


def tree_of(db: Reader) -> TreeRow:
    """Return the garden's tree."""
    return next(row for row in trees.every(db) if row.folder == "Garden")


def whole(db: Reader, row: TreeRow) -> Tree:
    """Return the tree with all its rows."""
    notes = gather(tree_rows.leaves(db, row.id, {}))
    return Tree(SOURCE_SHELF, notes, tree_rows.summaries(db, row.id), row.next_ordinal)


def steps(tree: Tree) -> list[Step]:
    """Return a step of each kind for each summary, and the making of a new one of its members."""
    found: list[Step] = []
    for summary in tree.summaries():
        members = tuple(tree.children(summary.ordinal))
        new = summary._replace(ordinal=tree.next_ordinal)
        others = [other.ordinal for other in tree.summaries() if other.level == summary.level]
        found += [Write(summary, summary, members), Write(None, new, members[:1]), Turn(summary, "open")]
        found += [Write(summary, summary, members[1:], (members[0].key,)), Dissolve(summary, others[-1])]
    return found


def test_what_stands_is_seen(garden: Path) -> None:
    """Without news, each step that can be planned holds."""
    with memory_of(garden, write=True) as memory, memory.db.write() as tx:
        row = tree_of(tx)
        tree = whole(tx, row)
        assert len(tree.summaries()) > 4
        for step in steps(tree):
            assert tree.holds(step)
            assert _named_rows(tx, row, step).holds(step)


def test_what_changed_is_seen(garden: Path) -> None:
    """Wherever an item went meanwhile, also above or below what no step names, a step is refused as all rows say."""
    refused = 0
    with memory_of(garden, write=True) as memory, memory.db.write() as tx:
        row = tree_of(tx)
        before = whole(tx, row)
        items: list[Item] = [item for top in before.summaries() for item in before.children(top.ordinal)]
        for item in items:
            for parent in (None, *(summary.ordinal for summary in before.summaries())):
                refused += _differences(tx, row, item, parent, steps(before))
    assert refused > 100


def _differences(tx: Writer, row: TreeRow, item: Item, parent: int | None, planned: list[Step]) -> int:
    """Move an item, hold each step against all rows and against those it names, move it back; count the refused."""
    tree_steps.place(tx, row, [item.key], parent)
    now = whole(tx, row)
    held = [now.holds(step) for step in planned]
    assert held == [_named_rows(tx, row, step).holds(step) for step in planned]
    tree_steps.place(tx, row, [item.key], item.parent)
    return held.count(False)


def test_rows_of_some_summaries(garden: Path) -> None:
    """Those that are asked for come with what is right above them, and no others."""
    with memory_of(garden) as memory:
        index = memory.db.read()
        row = tree_of(index)
        every = {summary.ordinal: summary for summary in tree_rows.summaries(index, row.id)}
        low = next(summary for summary in every.values() if summary.level == 1)
        found = tree_rows.summaries(index, row.id, [low.ordinal])
        assert {summary.ordinal for summary in found} == {low.ordinal, low.parent}
        assert all(summary == every[summary.ordinal] for summary in found)
