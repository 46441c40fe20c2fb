"""Leaves of the tree and their notes: in which order they stand, and all that a reader is given of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultsync.store.as_json import to_json
from vaultsync.store.details import STATUS

if TYPE_CHECKING:
    from collections.abc import Collection

    from vaultsync.domain.notes import NotePath, Uid
    from vaultsync.store.connection import Reader


class Stand(NamedTuple):
    """Where a living note stands. `seq`: its order in its tree, that of its first leaf that counts; None in no tree.

    `leaves`: how many it has; `counting`: those that count. `parent_id`: the chunk of its summary.
    """

    uid: Uid
    path: NotePath
    tree_id: int | None
    parent_id: int | None
    seq: int | None
    leaves: int
    counting: int


class LeafRow(NamedTuple):
    """A leaf. `heading_path` is JSON, `places` too: [[path, start, end], ...]; `title`, `event_date`: of its note."""

    chunk_id: int
    uid: Uid
    note: Uid
    path: NotePath
    title: str
    event_date: str | None
    private: bool
    heading_path: str
    places: str
    text: str
    tokens: int
    status: str
    parent: Uid | None


class NoteRow(NamedTuple):
    """A living note."""

    uid: Uid
    path: NotePath
    title: str
    description: str
    event_date: str | None
    private: bool


def notes_under(db: Reader, chunk_ids: Collection[int]) -> list[Stand]:
    """Return where the notes stand that have a leaf right under these summaries (chunks)."""
    under = "SELECT DISTINCT c.node_id FROM json_each(?) o CROSS JOIN chunks c ON c.parent_id = o.value"
    return _stands(db, f"{under} WHERE c.kind = 'leaf'", chunk_ids)


def notes_with_uids(db: Reader, uids: Collection[Uid]) -> list[Stand]:
    """Return where those of these notes stand that have text."""
    return _stands(
        db, "SELECT n.id AS node_id FROM json_each(?) o CROSS JOIN nodes n ON n.uid = o.value", uids
    )


def of_note(db: Reader, uid: Uid) -> list[tuple[int, int, Uid]]:
    """Return of each leaf of a note, in order: its place in that, its id, its uid."""
    rows = db.all(
        """
        SELECT c.chunk_idx, c.id, c.uid FROM nodes n CROSS JOIN chunks c ON c.node_id = n.id
        WHERE n.uid = ? AND n.kind = 'note' ORDER BY c.chunk_idx
        """,
        [uid],
    )
    return [(chunk_idx, chunk_id, leaf) for chunk_idx, chunk_id, leaf in rows]


def with_ids(db: Reader, chunk_ids: Collection[int]) -> list[LeafRow]:
    """Return the leaves with these ids, in this order."""
    return _leaves(db, "c.id", chunk_ids)


def with_uids(db: Reader, uids: Collection[Uid]) -> list[LeafRow]:
    """Return the leaves with these uids, in this order."""
    return _leaves(db, "c.uid", uids)


def notes(db: Reader, uids: Collection[Uid]) -> dict[Uid, NoteRow]:
    """Return those of these notes that live."""
    rows = db.rows(
        """
        SELECT uid, path, title, description, event_date, private FROM node
        WHERE uid IN (SELECT value FROM json_each(?))
        """,
        [to_json(list(uids))],
    )
    return {row[0]: NoteRow._make(row)._replace(private=bool(row[5])) for row in rows}


def _stands(db: Reader, node_ids: str, keys: Collection[int] | Collection[Uid]) -> list[Stand]:
    rows = db.all(
        f"""
        SELECT n.uid, f.path, max(c.tree_id), min(c.parent_id),
               coalesce(min(iif(c.status = 'admitted', c.seq, NULL)), min(c.seq)),
               count(*), sum(c.status IS 'admitted')
        FROM ({node_ids}) o CROSS JOIN nodes n ON n.id = o.node_id CROSS JOIN chunks c ON c.node_id = n.id
        JOIN files f ON f.node_id = n.id
        WHERE n.deleted_at IS NULL AND c.kind = 'leaf' GROUP BY n.id
        """,
        [to_json(list(keys))],
    )
    return [Stand._make(row) for row in rows]


def _leaves(db: Reader, key: str, wanted: Collection[int] | Collection[Uid]) -> list[LeafRow]:
    rows = db.all(
        f"""
        SELECT c.id, c.uid, n.uid, f.path, n.title, n.event_date, n.private OR f.withheld IS NOT NULL, c.heading_path,
               (SELECT json_group_array(json_array(x.path, r.start, r."end")) FROM raw_refs r
                JOIN files x ON x.id = r.file_id WHERE r.chunk_id = c.id),
               c.text, c.token_count, {STATUS}, p.uid
        FROM json_each(?) o CROSS JOIN chunks c ON {key} = o.value JOIN nodes n ON n.id = c.node_id
        JOIN files f ON f.node_id = n.id
        LEFT JOIN chunks p ON p.id = c.parent_id LEFT JOIN summaries s ON s.chunk_id = c.parent_id
        WHERE n.deleted_at IS NULL AND c.kind = 'leaf' ORDER BY o.key
        """,
        [to_json(list(wanted))],
    )
    return [LeafRow._make(row)._replace(private=bool(row[6])) for row in rows]
