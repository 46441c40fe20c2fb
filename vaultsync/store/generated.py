"""Generated notes as the disk has them beside summaries as the store has them, and what one takes from the other."""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.tree import digest
from vaultsync.store import places, summaries
from vaultsync.store.as_json import to_json
from vaultsync.store.paths import DISPLACED

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from vaultsync.domain.notes import NotePath, Problem, Uid
    from vaultsync.store.connection import Reader, Writer


class MarkedFile(NamedTuple):
    """A file with our mark. `ours`: short id of its summary; `problems`: as JSON, what an earlier look found."""

    path: NotePath
    content_hash: str
    ours: str
    problems: str


class Standing(NamedTuple):
    """A public summary, and where its note is to be with which bytes."""

    uid: Uid
    tree_id: int
    ordinal: int
    path: NotePath | None
    written_hash: str | None
    missing: str | None


class NoteRow(NamedTuple):
    """A note that a generated one may name, living or not. `tree`: a public one; `parent`: an ordinal of it.

    `is_open`: its leaves belong in a public tree; `is_withheld`: it is not to be seen, here or elsewhere.
    """

    uid: Uid
    tree: Uid | None
    parent: int | None
    is_open: bool
    is_withheld: bool


def files_below(db: Reader, folder: str) -> list[MarkedFile]:
    """Return the files with our mark in a folder, by path."""
    rows = db.all(
        """
        SELECT path, lower(hex(content_hash)), ours, problems FROM files
        WHERE path > ?1 || '/' AND path < ?1 || '0' AND ours IS NOT NULL AND instr(path, ?2) = 0 -- '0' comes after '/'
        ORDER BY path
        """,
        [folder, DISPLACED],
    )
    return [MarkedFile._make(row) for row in rows]


def standing(db: Reader) -> list[Standing]:
    """Return all summaries of public trees."""
    rows = db.all(
        """
        SELECT c.uid, s.tree_id, s.ordinal, s.path, s.written_hash, s.missing
        FROM trees t JOIN summaries s ON s.tree_id = t.id JOIN chunks c ON c.id = s.chunk_id
        WHERE t.private = 0
        """
    )
    return [Standing._make(row) for row in rows]


def unlike_written(db: Reader, paths: Collection[NotePath]) -> set[NotePath]:
    """Return those of the paths where no file is, or one whose bytes are not those that we last wrote or took."""
    rows = db.all(
        """
        SELECT value FROM json_each(?) WHERE value NOT IN (
            SELECT f.path FROM files f JOIN summaries s ON s.path = f.path
            WHERE s.written_hash = lower(hex(f.content_hash)))
        """,
        [to_json(list(paths))],
    )
    return {path for (path,) in rows}


def absent(db: Reader) -> list[tuple[Uid, int]]:
    """Return the summaries whose notes went with git, by their trees and ordinals."""
    rows = db.rows(
        "SELECT t.uid, s.ordinal FROM summaries s JOIN trees t ON t.id = s.tree_id WHERE s.missing = 'absent'"
    )
    return [(tree, ordinal) for tree, ordinal in rows]


def withheld_pins(db: Reader) -> frozenset[Uid]:
    """Return the public summaries that a person wrote and that are not to be seen."""
    rows = db.rows(
        """
        SELECT c.uid FROM summaries s JOIN chunks c ON c.id = s.chunk_id JOIN trees t ON t.id = s.tree_id
        WHERE s.pinned = 1 AND s.withdrawn = 1 AND t.private = 0
        """
    )
    return frozenset(uid for (uid,) in rows)


def void(db: Reader) -> list[Standing]:
    """Return the summaries whose notes went with git and that are none of what their tree is now.

    Where other notes of a tree are there, these say what it is: one that is not under any of them. And one that has
    nothing below it that counts.
    """
    every = standing(db)
    there = {(row.tree_id, row.ordinal) for row in every if row.written_hash and row.missing is None}
    told = {tree_id for tree_id, _ in there}
    absent = [row for row in every if row.missing == "absent"]
    known = summaries.with_uids(db, [row.uid for row in absent])
    return [
        row
        for row in absent
        if (row.tree_id in told and (row.tree_id, known[row.uid].parent) not in there)
        or not summaries.members(db, row.uid)
    ]


def forget(tx: Writer, paths: Collection[NotePath]) -> None:
    """Forget files with our mark that we removed; what was a note before can come back."""
    gone = [(path,) for path in paths]
    tx.many("DELETE FROM files WHERE path = ? AND node_id IS NULL", gone)
    tx.many("UPDATE files SET ignored = 0, ours = NULL WHERE path = ?", gone)


def complain(tx: Writer, found: Mapping[NotePath, Problem | None]) -> None:
    """Note what is wrong with generated notes, or that nothing is."""
    tx.many(
        "UPDATE files SET problems = ?1 WHERE path = ?2 AND problems <> ?1",
        [(to_json([problem] if problem else []), path) for path, problem in found.items()],
    )


def notes(db: Reader, uids: Collection[str]) -> list[NoteRow]:
    """Return those notes of these that are known here."""
    rows = db.all(
        """
        SELECT n.uid, t.uid, min(p.ordinal), f.role = 'note' AND f.ignored = 0,
               n.private OR f.withheld IS NOT NULL OR f.ignored
        FROM json_each(?) o JOIN nodes n ON n.uid = o.value JOIN files f ON f.node_id = n.id
        LEFT JOIN chunks c ON c.node_id = n.id AND c.tree_id IS NOT NULL
        LEFT JOIN trees t ON t.id = c.tree_id AND t.private = 0
        LEFT JOIN summaries p ON p.chunk_id = c.parent_id AND p.tree_id = t.id
        WHERE n.kind = 'note' GROUP BY n.id
        """,
        [to_json(list(uids))],
    )
    return [
        NoteRow(uid, tree, parent, has_role == 1 and not withheld, withheld == 1)
        for uid, tree, parent, has_role, withheld in rows
    ]


def notes_by_digest(db: Reader) -> dict[str, list[Uid]]:
    """Return the living notes by the hash of their admitted leaves' hashes, as generated notes name them."""
    rows = db.rows(
        """
        SELECT n.uid, lower(hex(c.text_hash)) FROM nodes n JOIN chunks c ON c.node_id = n.id
        WHERE n.kind = 'note' AND n.deleted_at IS NULL AND c.status = 'admitted' ORDER BY n.id, c.chunk_idx
        """
    )
    found: defaultdict[str, list[Uid]] = defaultdict(list)
    for uid, leaves in groupby(rows, key=itemgetter(0)):
        found[digest(text_hash for _, text_hash in leaves)].append(uid)
    return found


def relabel(tx: Writer, tree_id: int, uid: Uid) -> None:
    """Give a tree that has no summaries the uid by which the other machines know it."""
    tx.run("UPDATE trees SET uid = ? WHERE id = ?", [uid, tree_id])


def unseat(tx: Writer, uids: Collection[Uid]) -> None:
    """Let nothing be below these summaries; notes keep their tree."""
    tx.run(
        """
        UPDATE chunks SET parent_id = NULL
        WHERE parent_id IN (SELECT id FROM chunks WHERE uid IN (SELECT value FROM json_each(?)))
        """,
        [to_json(list(uids))],
    )


def seat(tx: Writer, tree_id: int, summary: Uid, members: Sequence[str], now: int) -> None:
    """Let notes be below a summary of a tree, in this order. `now`: seconds since 1970."""
    rows = tx.all(
        "SELECT n.id FROM json_each(?) o JOIN nodes n ON n.uid = o.value ORDER BY o.key",
        [to_json(list(members))],
    )
    nodes = [node_id for (node_id,) in rows]
    above = tx.value("SELECT id FROM chunks WHERE uid = ?", [summary])
    before = {node: place for node, place in places.of(tx, nodes).items() if place.tree_id == tree_id}
    seqs = [before[node].seq for node in nodes if node in before]
    if len(seqs) < len(nodes) or seqs != sorted(seqs):
        free = 1 + (tx.value("SELECT max(seq) FROM chunks WHERE tree_id = ?", [tree_id]) or 0)
        seqs = list(range(free, free + len(nodes)))
    ages = (before[node].arrived_at if node in before else now for node in nodes)
    places.give(
        tx,
        {
            node: places.Place(tree_id, above, seq, age)
            for node, seq, age in zip(nodes, seqs, ages, strict=True)
        },
    )


def withhold(tx: Writer, uids: Collection[Uid]) -> None:
    """Withhold summaries that may quote what is not to be seen, with all above them and above others that are."""
    tx.run(
        """
        WITH RECURSIVE above (id) AS (
            SELECT id FROM chunks WHERE uid IN (SELECT value FROM json_each(?))
            UNION
            SELECT chunk_id FROM summaries WHERE withdrawn
            UNION
            SELECT c.parent_id FROM above a JOIN chunks c ON c.id = a.id WHERE c.parent_id IS NOT NULL)
        UPDATE summaries SET withdrawn = 1 WHERE chunk_id IN (SELECT id FROM above)
        """,
        [to_json(list(uids))],
    )
