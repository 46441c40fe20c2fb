"""The files behind the notes, as the index knows them."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.notes import Fingerprint, NotePath, Role, Uid
from vaultsync.domain.planning import REMOVAL_REFUSED
from vaultsync.domain.survey import IndexedFile
from vaultsync.store.as_json import to_json
from vaultsync.store.paths import DISPLACED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from vaultsync.domain.snapshot import Withheld
    from vaultsync.store.connection import Reader, Writer


class Touch(NamedTuple):
    """A file whose bytes are the known ones, as it stands now."""

    file_id: int
    fingerprint: Fingerprint
    racy: bool
    role: Role
    withheld: Withheld | None


class FileWrite(NamedTuple):
    """A row of `files` as it shall be, held by nothing; the last three are JSON as the schema says."""

    file_id: int
    node_id: int | None
    path: NotePath
    fingerprint: Fingerprint
    profile_id: int
    role: Role = "note"
    withheld: Withheld | None = None
    ignored: bool = False
    ours: str | None = None
    racy: bool = False
    content_hash: str = ""
    encoding: str = "utf-8"
    problems: str = "[]"
    headings: str = "[]"
    block_ids: str = "[]"


def find(db: Reader, only: Collection[NotePath] | None = None) -> list[IndexedFile]:
    """Return all known files, or those at or below the paths `only`; tombstones and ignored ones too.

    A tombstone whose path another note took has that path still, and stands before the other.
    """
    where, params = ("", []) if only is None else (_AT_PATHS, [to_json(list(only))])
    found = _find(db, where, params)
    displaced = [row for row in found if DISPLACED in row.path]
    if not displaced:
        return found
    standing = [row for row in found if DISPLACED not in row.path]
    return [_at_its_path(row) for row in displaced] + standing


def tombstones(db: Reader) -> list[IndexedFile]:
    """Return the files of all notes that vanished and may come back."""
    found = _find(db, "WHERE n.deleted_at IS NOT NULL AND f.ignored = 0 ORDER BY f.id", [])
    return [_at_its_path(row) for row in found]


def with_uids(db: Reader, uids: Collection[Uid]) -> dict[Uid, IndexedFile]:
    """Return the files of the notes, living or not, that have these uids."""
    found = _find(db, "WHERE n.uid IN (SELECT value FROM json_each(?))", [to_json(list(uids))])
    return {row.uid: _at_its_path(row) for row in found if row.uid}


def copies(db: Reader, node_ids: Collection[int], since: float) -> list[tuple[int, IndexedFile]]:
    """Return the living file with the bytes of one of these notes that was first seen later than the note.

    Before it stands the note; `since` is when it was first seen at the earliest, in seconds since 1970. Bytes that
    two of the notes or two such files have are left out.
    """
    pairs = db.all(
        """
        WITH lost AS (
            SELECT n.id, n.created_at, f.content_hash
            FROM json_each(?) o JOIN nodes n ON n.id = o.value JOIN files f ON f.node_id = n.id
            GROUP BY f.content_hash HAVING count(*) = 1)
        SELECT lost.id, c.node_id
        FROM lost CROSS JOIN files c ON c.content_hash = lost.content_hash JOIN nodes n ON n.id = c.node_id
        WHERE n.deleted_at IS NULL AND n.created_at > max(lost.created_at, ?)
        GROUP BY lost.id HAVING count(*) = 1
        """,
        [to_json(list(node_ids)), since],
    )
    found = _find(
        db, "WHERE n.id IN (SELECT value FROM json_each(?))", [to_json([copy for _, copy in pairs])]
    )
    by_node = {row.node_id: row for row in found}
    return [(original, by_node[copy]) for original, copy in pairs]


def is_removal_refused(db: Reader) -> bool:
    """Tell whether notes are gone whose removal waits for a person."""
    return db.row("SELECT 1 FROM files WHERE held = ? LIMIT 1", [REMOVAL_REFUSED]) is not None


def _find(db: Reader, where: str, params: Sequence[object]) -> list[IndexedFile]:
    return [
        IndexedFile(
            file_id, node_id, uid, path, Fingerprint(size, mtime, ctime, inode, device), racy == 1,
            content_hash, role, withheld, held, ignored == 1, alive == 1, profile,
        )
        for file_id, node_id, uid, path, size, mtime, ctime, inode, device, racy, content_hash, role,
            withheld, held, ignored, alive, profile in db.all(_FILES + where, params)
    ]  # fmt: skip


def _at_its_path(row: IndexedFile) -> IndexedFile:
    return row._replace(path=NotePath(row.path.partition(DISPLACED)[0]))


_FILES = """
    SELECT f.id, f.node_id, n.uid, f.path, f.size, f.mtime_ns, f.ctime_ns, f.inode, f.device, f.racy,
           lower(hex(f.content_hash)), f.role, f.withheld, f.held, f.ignored, n.id IS NOT NULL AND n.deleted_at IS NULL,
           coalesce(p.signature, '')
    FROM files f LEFT JOIN nodes n ON n.id = f.node_id LEFT JOIN profile p ON p.id = f.profile_id
"""
_AT_PATHS = """
    WHERE f.id IN (
        SELECT b.id FROM json_each(?) o JOIN files b
        ON b.path = o.value OR (b.path > o.value || '/' AND b.path < o.value || '0') -- '0' comes after '/'
           OR (b.path > o.value || char(0) AND b.path < o.value || char(1)) -- tombstones whose path others took
    )
"""


def allot(tx: Writer, rows: Sequence[IndexedFile | None]) -> list[int]:
    """Return the id of each row, and a new one for each None."""
    free = itertools.count(tx.next_id("files"))
    return [row.file_id if row else next(free) for row in rows]


def profile_ids(tx: Writer, signatures: Iterable[str]) -> dict[str, int]:
    """Return the ids of what notes are read under, by signature."""
    found = {}
    for signature in set(signatures):
        tx.run("INSERT OR IGNORE INTO profile (stage, signature) VALUES ('read', ?)", [signature])
        found[signature] = tx.value(
            "SELECT id FROM profile WHERE stage = 'read' AND signature = ?", [signature]
        )
    return found


def put(tx: Writer, rows: Iterable[FileWrite]) -> None:
    """Write rows, new or known by their id."""
    tx.many(
        """
        INSERT INTO files (id, node_id, path, size, mtime_ns, ctime_ns, inode, device, profile_id, role,
                           withheld, ignored, ours, racy, content_hash, encoding, problems, headings, block_ids)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, unhex(?), ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET
            node_id = excluded.node_id, path = excluded.path, size = excluded.size,
            mtime_ns = excluded.mtime_ns, ctime_ns = excluded.ctime_ns, inode = excluded.inode,
            device = excluded.device,
            profile_id = excluded.profile_id, role = excluded.role, withheld = excluded.withheld, held = NULL,
            ignored = excluded.ignored, ours = excluded.ours, racy = excluded.racy,
            content_hash = excluded.content_hash, encoding = excluded.encoding, problems = excluded.problems,
            headings = excluded.headings, block_ids = excluded.block_ids
        """,
        [(*row[:3], *row.fingerprint, *row[4:]) for row in rows],
    )


def touch(tx: Writer, batch: Iterable[Touch]) -> None:
    """Take over what `stat` says of files whose bytes are the known ones; nothing holds them any more."""
    tx.many(
        """
        UPDATE files SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, device = ?, racy = ?, role = ?,
                         withheld = ?, held = NULL
        WHERE id = ?
        """,
        [(*seen.fingerprint, seen.racy, seen.role, seen.withheld, seen.file_id) for seen in batch],
    )


def restand(tx: Writer, batch: Iterable[tuple[int, Role, Withheld | None]]) -> None:
    """Take over what the places of files (ids) say of them."""
    tx.many(
        "UPDATE files SET role = ?, withheld = ? WHERE id = ?",
        [(role, withheld, file_id) for file_id, role, withheld in batch],
    )


def hold(tx: Writer, batch: Iterable[tuple[int, str]]) -> None:
    """Say of files (ids) by a code why what is stored of them may be older than the disk."""
    tx.many("UPDATE files SET held = ? WHERE id = ?", [(code, file_id) for file_id, code in batch])
