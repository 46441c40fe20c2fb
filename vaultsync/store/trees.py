"""The trees: one a source and privacy, with what was ever given and what has changed since it was tended."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.uids import tree_uid

if TYPE_CHECKING:
    from collections.abc import Collection

    from vaultsync.domain.notes import Uid
    from vaultsync.store.connection import Reader, Writer


class TreeRow(NamedTuple):
    """A tree. `folder`: its source's, "" the root source's; `next_ordinal`: above every one ever given.

    `changes`: counts what happened to its leaves; `tended`: how many of these it had when there was nothing left to do.
    `news`: counts what else happened to it; `told`: both together when its generated notes said all of it.
    """

    id: int
    uid: Uid
    folder: str
    private: bool
    next_ordinal: int
    changes: int
    tended: int
    news: int
    told: int

    @property
    def is_due(self) -> bool:
        """Tell whether something happened to its leaves since it was tended."""
        return self.changes != self.tended

    @property
    def is_told(self) -> bool:
        """Tell whether its generated notes say all that happened to it."""
        return self.changes + self.news == self.told


_COLUMNS = "SELECT id, uid, folder, private, next_ordinal, changes, tended, news, told FROM trees"


def every(db: Reader) -> list[TreeRow]:
    """Return all trees, by folder, the public one of a source first."""
    return [_row(row) for row in db.all(f"{_COLUMNS} ORDER BY folder, private")]


def get(db: Reader, tree_id: int) -> TreeRow:
    """Return the tree with this id; trees are never deleted."""
    return _row(db.all(f"{_COLUMNS} WHERE id = ?", [tree_id])[0])


def get_or_create(
    tx: Writer, vault_id: str, folder: str, *, private: bool, taken: Collection[Uid] = ()
) -> TreeRow:
    """Return the tree of a source, made if there is none. `taken`: uids that trees have in the vault's `tree.tsv`."""
    row = tx.row(f"{_COLUMNS} WHERE folder = ? AND private = ?", [folder, private])
    if row:
        return _row(row)
    counter = 0
    while (uid := tree_uid(vault_id, folder, private=private, counter=counter)) in taken or tx.row(
        "SELECT 1 FROM trees WHERE uid = ?", [uid]
    ):
        counter += 1
    return add(tx, uid, folder, private=private)


def add(tx: Writer, uid: Uid, folder: str, *, private: bool) -> TreeRow:
    """Make a tree that is known by its uid elsewhere; its source must have none here yet."""
    tx.run("INSERT INTO trees (uid, folder, private) VALUES (?, ?, ?)", [uid, folder, private])
    return _row(tx.all(f"{_COLUMNS} WHERE uid = ?", [uid])[0])


def rename(tx: Writer, tree_id: int, folder: str) -> None:
    """Let the source of a tree be another folder, which no tree of its privacy has."""
    tx.run("UPDATE trees SET folder = ? WHERE id = ?", [folder, tree_id])


def raise_ordinal(tx: Writer, tree_id: int, least: int) -> None:
    """Let no ordinal below `least` be given any more."""
    tx.run("UPDATE trees SET next_ordinal = max(next_ordinal, ?) WHERE id = ?", [least, tree_id])


def stir(tx: Writer, tree_ids: Collection[int]) -> None:
    """Let trees be tended again."""
    tx.many("UPDATE trees SET changes = changes + 1 WHERE id = ?", [(tree_id,) for tree_id in tree_ids])


def settle(tx: Writer, tree: TreeRow) -> None:
    """Note that nothing was left to do in a tree as it was loaded; what changed since stays due."""
    tx.run("UPDATE trees SET tended = ? WHERE id = ?", [tree.changes, tree.id])


def tell(tx: Writer, told: Collection[TreeRow]) -> None:
    """Note that generated notes say all of trees as these were loaded; what happened since is still to be told."""
    tx.many("UPDATE trees SET told = ? WHERE id = ?", [(tree.changes + tree.news, tree.id) for tree in told])


def retell(tx: Writer, tree_ids: Collection[int]) -> None:
    """Let the generated notes of trees be made to say all again."""
    tx.many("UPDATE trees SET told = -1 WHERE id = ?", [(tree_id,) for tree_id in tree_ids])


def _row(row: tuple[object, ...]) -> TreeRow:
    found = TreeRow._make(row)
    return found._replace(private=bool(found.private))
