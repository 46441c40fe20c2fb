"""Where notes are in the trees. A place belongs to a note: all its leaves have the same tree, parent, seq and age."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.folders import around, holdings
from vaultsync.domain.sources import Weight
from vaultsync.store import trees
from vaultsync.store.as_json import to_json
from vaultsync.store.paths import DISPLACED

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Collection, Mapping, Sequence

    from vaultsync.domain.notes import NotePath, Uid
    from vaultsync.store.connection import Reader, Writer


class NoteRow(NamedTuple):
    """A living note. `usual`: no template or aside; `extracted`: a leaf of it was; `tree_id`: None without a place."""

    node_id: int
    uid: Uid
    path: NotePath
    event_date: str | None
    private: bool
    usual: bool
    extracted: bool
    tree_id: int | None


class Place(NamedTuple):
    """Of a note: `parent_id`: chunk of the summary above it; `seq`: its order in the tree; `arrived_at`: seconds."""

    tree_id: int
    parent_id: int | None
    seq: int
    arrived_at: int


_PUBLIC = """
    n.deleted_at IS NULL AND n.kind = 'note' AND f.role = 'note' AND NOT n.private AND f.withheld IS NULL
"""


def notes(db: Reader) -> list[NoteRow]:
    """Return all living notes, in the order of their ids."""
    rows = db.all(
        """
        SELECT n.id, n.uid, f.path, n.event_date, n.private OR f.withheld IS NOT NULL, f.role = 'note',
               c.status IS NOT NULL, c.tree_id
        FROM nodes n JOIN files f ON f.node_id = n.id
        LEFT JOIN chunks c ON c.node_id = n.id AND c.chunk_idx = 0 AND c.kind = 'leaf' -- any leaf would say the same
        WHERE n.deleted_at IS NULL AND n.kind = 'note' ORDER BY n.id
        """
    )
    return [
        NoteRow(node_id, uid, path, event_date, private == 1, usual == 1, extracted == 1, tree_id)
        for node_id, uid, path, event_date, private, usual, extracted, tree_id in rows
    ]


def has_public(db: Reader) -> bool:
    """Tell whether there is a living public note that is no template or aside."""
    return (
        db.row(f"SELECT 1 FROM nodes n JOIN files f ON f.node_id = n.id WHERE {_PUBLIC} LIMIT 1") is not None
    )


def has_unplaced(db: Reader) -> bool:
    """Tell whether a living note whose text was extracted is in no tree."""
    row = db.row(
        """
        SELECT 1 FROM chunks c JOIN nodes n ON n.id = c.node_id JOIN files f ON f.node_id = n.id
        WHERE c.tree_id IS NULL AND c.kind = 'leaf' AND c.chunk_idx = 0 AND c.status IS NOT NULL
          AND n.deleted_at IS NULL AND f.role = 'note'
        LIMIT 1
        """
    )
    return row is not None


def weights(db: Reader) -> list[Weight]:
    """Return the living public notes that are no templates or asides, with what they have to say in tokens."""
    rows = db.all(
        f"""
        SELECT f.path, (SELECT coalesce(sum(c.token_count), 0) FROM chunks c
                        WHERE c.node_id = n.id AND c.kind = 'leaf' AND c.status = 'admitted')
        FROM nodes n JOIN files f ON f.node_id = n.id
        WHERE {_PUBLIC}
        """
    )
    return [Weight._make(row) for row in rows]


def tokens(db: Reader) -> dict[int, int]:
    """Return how much text that counts notes (ids) have, those that have some."""
    rows = db.all(
        "SELECT node_id, sum(token_count) FROM chunks WHERE kind = 'leaf' AND status = 'admitted' GROUP BY node_id"
    )
    return dict(rows)


def below_shelves(db: Reader, tree_id: int) -> dict[str, Counter[str]]:
    """Return of each shelf of a tree with summaries how many of the notes in these stand below each folder."""
    rows = db.all(
        """
        SELECT s.shelf, f.path
        FROM summaries s JOIN chunks p ON p.id = s.chunk_id LEFT JOIN chunks c ON c.parent_id = p.id
        LEFT JOIN nodes n ON n.id = c.node_id AND n.deleted_at IS NULL LEFT JOIN files f ON f.node_id = n.id
        WHERE s.tree_id = ? AND p.level = 1 GROUP BY s.shelf, f.path
        """,
        [tree_id],
    )
    paths: dict[str, list[str]] = {shelf: [] for shelf, _ in rows}
    for shelf, path in rows:
        if path is not None:
            paths[shelf].append(path)
    return {shelf: holdings(of_shelf) for shelf, of_shelf in paths.items()}


def private_folders(db: Reader) -> set[str]:
    """Return the folders with living notes below them of which none is public; the vault's root is never one."""
    rows = db.all(
        """
        SELECT f.path, n.private OR f.withheld IS NOT NULL
        FROM nodes n JOIN files f ON f.node_id = n.id WHERE n.deleted_at IS NULL AND n.kind = 'note'
        """
    )
    public = {folder for path, private in rows if not private for folder in around(path)}
    return {folder for path, private in rows if private for folder in around(path)} - public - {""}


def standing(db: Reader, tree_id: int) -> set[str]:
    """Return the shelves of a tree that have summaries."""
    rows = db.all(
        """
        SELECT DISTINCT s.shelf FROM summaries s JOIN chunks c ON c.id = s.chunk_id
        WHERE s.tree_id = ? AND c.level = 1
        """,
        [tree_id],
    )
    return {shelf for (shelf,) in rows}


def summed_up(db: Reader) -> set[str]:
    """Return the folders of sources with public summaries."""
    rows = db.all(
        "SELECT folder FROM trees t WHERE NOT private AND EXISTS (SELECT 1 FROM summaries s WHERE s.tree_id = t.id)"
    )
    return {folder for (folder,) in rows}


def highest_shown(db: Reader) -> dict[int, int]:
    """Return the highest ordinal of a tree (id) that a note in the vault shows, or is about to."""
    return dict(db.all("SELECT tree_id, max(ordinal) FROM summaries WHERE missing IS NULL GROUP BY tree_id"))


def buried(db: Reader) -> list[tuple[int, NotePath, bool]]:
    """Return the tombstones below a summary: id, path, and whether the note asks to be left out.

    Those are left out whose path another note has.
    """
    rows = db.all(
        """
        SELECT n.id, f.path, f.ignored FROM nodes n JOIN files f ON f.node_id = n.id
        WHERE n.deleted_at IS NOT NULL AND n.kind = 'note' AND instr(f.path, ?) = 0
          AND EXISTS (SELECT 1 FROM chunks c WHERE c.node_id = n.id AND c.parent_id IS NOT NULL)
        """,
        [DISPLACED],
    )
    return [(node_id, path, ignored == 1) for node_id, path, ignored in rows]


def is_hidden_quoted(db: Reader, paths: Collection[NotePath] | None) -> bool:
    """Tell whether public summaries may quote notes that are private now, or ask to be left out.

    `paths`: of the notes in question, None for all.
    """
    row = db.row(
        """
        SELECT 1 FROM files f JOIN nodes n ON n.id = f.node_id
        JOIN chunks c ON c.node_id = n.id AND c.chunk_idx = 0 AND c.kind = 'leaf' JOIN trees t ON t.id = c.tree_id
        WHERE (?1 IS NULL OR f.path IN (SELECT value FROM json_each(?1))) AND c.parent_id IS NOT NULL AND NOT t.private
          AND (n.private OR f.withheld IS NOT NULL OR f.ignored)
        """,
        [None if paths is None else to_json(list(paths))],
    )
    return row is not None


def of(db: Reader, node_ids: Collection[int]) -> dict[int, Place]:
    """Return the places of those of the notes that have one."""
    rows = db.all(
        """
        SELECT node_id, tree_id, min(parent_id), min(seq), min(arrived_at) FROM chunks
        WHERE node_id IN (SELECT value FROM json_each(?)) AND kind = 'leaf' AND tree_id IS NOT NULL GROUP BY node_id
        """,
        [to_json(list(node_ids))],
    )
    return {node_id: Place(*place) for node_id, *place in rows}


def give(tx: Writer, given: Mapping[int, Place]) -> None:
    """Give notes these places, with all the leaves that they have now."""
    tx.many(
        """
        UPDATE chunks SET tree_id = ?2, parent_id = ?3, seq = ?4, arrived_at = ?5
        WHERE node_id = ?1 AND kind = 'leaf' AND (tree_id, parent_id, seq, arrived_at) IS NOT (?2, ?3, ?4, ?5)
        """,
        [(node_id, *place) for node_id, place in given.items()],
    )
    trees.stir(tx, {place.tree_id for place in given.values()})


def append(tx: Writer, tree_id: int, node_ids: Sequence[int], now: int) -> None:
    """Let notes be the last of a tree, in this order and under no summary. `now`: seconds since 1970."""
    free = 1 + (tx.value("SELECT max(seq) FROM chunks WHERE tree_id = ?", [tree_id]) or 0)
    give(tx, {node_id: Place(tree_id, None, seq, now) for seq, node_id in enumerate(node_ids, free)})


def end(tx: Writer, node_ids: Collection[int]) -> None:
    """Take notes out of their trees."""
    tx.many(
        """
        UPDATE chunks SET tree_id = NULL, parent_id = NULL, seq = NULL, arrived_at = NULL
        WHERE node_id = ? AND kind = 'leaf'
        """,
        [(node_id,) for node_id in node_ids],
    )


def relabel(tx: Writer, tree_id: int, shelves: Mapping[str, str]) -> None:
    """Give shelves of a tree, which are folders, other keys."""
    tx.many(
        """
        UPDATE summaries SET shelf = ?3 WHERE tree_id = ?1 AND shelf = ?2
            AND (SELECT level FROM chunks WHERE id = summaries.chunk_id) = 1
        """,
        [(tree_id, old, new) for old, new in shelves.items()],
    )
