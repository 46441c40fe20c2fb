"""Notes: what was read of them goes in, in batches; what vanished becomes a tombstone."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from vaultsync.store import chunks, edges, names, paths, text_index, tombstones
from vaultsync.store.as_json import to_json
from vaultsync.store.chunks import NoteLeaves
from vaultsync.store.edges import NoteLinks
from vaultsync.store.files import FileWrite, Touch, allot, find, hold, profile_ids, put, restand, touch
from vaultsync.store.tombstones import sweep

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from vaultsync.domain.notes import Fingerprint, NotePath, Problem, Reading, Role, Uid
    from vaultsync.domain.snapshot import Withheld
    from vaultsync.domain.survey import IndexedFile
    from vaultsync.store.connection import Reader, Writer

    _Batch = Sequence["_Placed[NoteWrite | HeldWrite]"]

__all__ = [
    "HeldWrite", "IgnoredWrite", "NoteWrite", "Touch", "bury", "count_living", "files", "hold",
    "restand", "sweep", "touch", "uids_given", "write_held", "write_ignored", "write_notes",
]  # fmt: skip

files = find


class NoteWrite(NamedTuple):
    """A note that was read. `file`: its row, None for a new one; `profile`: what it was read under."""

    file: IndexedFile | None
    path: NotePath
    fingerprint: Fingerprint
    racy: bool
    role: Role
    withheld: Withheld | None
    uid: Uid
    profile: str
    reading: Reading


class HeldWrite(NamedTuple):
    """A file that could not be read, and why. `title`: for a note that was never read."""

    file: IndexedFile | None
    path: NotePath
    fingerprint: Fingerprint
    role: Role
    withheld: Withheld | None
    uid: Uid
    profile: str
    title: str
    problem: Problem


class IgnoredWrite(NamedTuple):
    """A file whose note asks to be left out, or is ours: then `ours` is its summary's short id."""

    file: IndexedFile | None
    path: NotePath
    fingerprint: Fingerprint
    racy: bool
    profile: str
    content_hash: str
    ours: str | None = None


_Note_co = TypeVar("_Note_co", bound=NoteWrite | HeldWrite, covariant=True)


class _Placed(NamedTuple, Generic[_Note_co]):
    """A note with the ids of its rows."""

    node_id: int
    file_id: int
    note: _Note_co


def count_living(db: Reader) -> int:
    """Return how many notes there are, tombstones not counted."""
    return int(db.value("SELECT count(*) FROM nodes WHERE kind = 'note' AND deleted_at IS NULL"))


def uids_given(db: Reader, uids: Collection[Uid]) -> set[Uid]:
    """Return those of `uids` that a node has or ever had."""
    rows = db.rows(
        """
        SELECT value FROM json_each(?)
        WHERE value IN (SELECT uid FROM nodes) OR value IN (SELECT uid FROM swept)
        """,
        [to_json(list(uids))],
    )
    return {uid for (uid,) in rows}


def write_notes(tx: Writer, batch: Sequence[NoteWrite], now: float) -> None:
    """Write notes as they were read: new, changed or returning ones, also where they take each other's paths.

    Links that are new, or whose possible targets came, went or moved, are due afterwards.
    `now`: when the pass began, in seconds since 1970.
    """
    _make_room(tx, batch, int(now))
    placed = _allot(tx, batch)
    new = [one for one in placed if not _is_known(one.note)]
    known = [one for one in placed if _is_known(one.note)]
    _insert_nodes(tx, new, now)
    returned = _update_nodes(tx, known)
    put(tx, _file_rows(tx, placed))
    keys = names.add(tx, _names(new)) | names.replace(tx, _names(known))
    chunks.write(tx, _leaves(placed))
    edges.add(tx, _links(new))
    edges.replace(tx, _links(known))
    edges.mark_due(tx, keys)
    edges.mark_moved(tx, _moved(known))
    edges.mark_returned(tx, returned)


def write_held(tx: Writer, batch: Sequence[HeldWrite], now: float) -> None:
    """Mark files that could not be read: what is stored of them stays; one never read gets a bare note."""
    _make_room(tx, batch, int(now))
    placed = _allot(tx, batch)
    new = [one for one in placed if not _is_known(one.note)]
    known = [one for one in placed if _is_known(one.note)]
    _insert_nodes(tx, new, now)
    put(tx, _file_rows(tx, new))
    tx.many(
        "UPDATE files SET path = ?, role = ?, withheld = ?, held = ?, ignored = 0, ours = NULL WHERE id = ?",
        [(note.path, note.role, note.withheld, note.problem.code, file_id) for _, file_id, note in placed],
    )
    keys = names.add(tx, _names(new)) | names.rename_files(tx, {one.node_id: one.note.path for one in known})
    edges.mark_due(tx, keys)
    edges.mark_moved(tx, _moved(known))
    edges.mark_returned(tx, _return(tx, known))


def write_ignored(tx: Writer, batch: Sequence[IgnoredWrite], now: float) -> None:
    """Remember files that are no notes by what they say, so that they are not read again; what was a note is buried."""
    _make_room(tx, batch, int(now))
    profiles = profile_ids(tx, {left.profile for left in batch})
    put(
        tx,
        [
            FileWrite(
                file_id=file_id,
                node_id=left.file.node_id if left.file else None,
                path=left.path,
                fingerprint=left.fingerprint,
                racy=left.racy,
                content_hash=left.content_hash,
                profile_id=profiles[left.profile],
                ignored=True,
                ours=left.ours,
            )
            for file_id, left in zip(allot(tx, [left.file for left in batch]), batch, strict=True)
        ],
    )
    tombstones.bury(tx, [left.file.node_id for left in batch if left.file and left.file.node_id], int(now))


def bury(tx: Writer, batch: Sequence[IndexedFile], now: int) -> None:
    """Make tombstones of notes whose files are gone; forget files that were no notes."""
    tx.many("DELETE FROM files WHERE id = ?", [(row.file_id,) for row in batch if row.node_id is None])
    tx.many(
        "UPDATE files SET ignored = 0, ours = NULL WHERE id = ?",
        [(row.file_id,) for row in batch if row.ignored],
    )
    tombstones.bury(tx, [row.node_id for row in batch if row.node_id], now)


def _make_room(tx: Writer, batch: Sequence[NoteWrite | HeldWrite | IgnoredWrite], now: int) -> None:
    paths.make_room(tx, {note.path: note.file.file_id if note.file else None for note in batch}, now)


def _is_known(note: NoteWrite | HeldWrite) -> bool:
    return note.file is not None and note.file.node_id is not None


def _allot(tx: Writer, batch: Sequence[_Note_co]) -> list[_Placed[_Note_co]]:
    free = itertools.count(tx.next_id("nodes"))
    return [
        _Placed((note.file and note.file.node_id) or next(free), file_id, note)
        for note, file_id in zip(batch, allot(tx, [note.file for note in batch]), strict=True)
    ]


def _insert_nodes(tx: Writer, new: _Batch, now: float) -> None:
    tx.many(
        """
        INSERT INTO nodes (id, uid, kind, created_at, updated_at, title, description, aliases, tags, metadata,
                           written, property_text, event_date, private)
        VALUES (?, ?, 'note', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [(node_id, note.uid, now, _mtime(note), *_said(note)) for node_id, _, note in new],
    )
    if new:
        text_index.add_nodes(tx, range(new[0].node_id, new[-1].node_id + 1))


def _update_nodes(tx: Writer, known: Sequence[_Placed[NoteWrite]]) -> set[int]:
    """Return the ids of notes that returned: links from and to them may mean others now."""
    returned = _return(tx, known)
    tx.many(
        """
        UPDATE nodes SET title = ?, description = ?, aliases = ?, tags = ?, metadata = ?, written = ?,
                         property_text = ?, event_date = ?, private = ?
        WHERE id = ?
        """,
        [(*_said(note), node_id) for node_id, _, note in known],
    )
    edited = [
        one for one in known if one.note.file and one.note.file.content_hash != one.note.reading.content_hash
    ]
    tx.many(
        "UPDATE nodes SET updated_at = ? WHERE id = ?",
        [(_mtime(note), node_id) for node_id, _, note in edited],
    )
    text_index.mend_nodes(tx, [one.node_id for one in known])
    return returned


def _return(tx: Writer, known: _Batch) -> set[int]:
    return tombstones.revive(tx, [one.node_id for one in known])


def _moved(known: _Batch) -> set[int]:
    return {node_id for node_id, _, note in known if note.file and note.file.path != note.path}


def _said(note: NoteWrite | HeldWrite) -> tuple[object, ...]:
    """Return what a note says of itself, in the order of the columns from `title` to `private`."""
    if isinstance(note, HeldWrite):
        return (note.title, "", "[]", "[]", "{}", "{}", "", None, False)
    said = note.reading
    lists = (to_json(said.aliases), to_json(said.tags))
    properties = (said.metadata, said.written, said.property_text)
    return (said.title, said.description, *lists, *properties, said.event_date, said.private)


def _mtime(note: NoteWrite | HeldWrite) -> int:
    return note.fingerprint.mtime_ns // 1_000_000_000


def _file_rows(tx: Writer, placed: _Batch) -> list[FileWrite]:
    profiles = profile_ids(tx, {note.profile for _, _, note in placed})
    return [_file_row(node_id, file_id, note, profiles[note.profile]) for node_id, file_id, note in placed]


def _file_row(node_id: int, file_id: int, note: NoteWrite | HeldWrite, profile_id: int) -> FileWrite:
    row = FileWrite(file_id, node_id, note.path, note.fingerprint, profile_id, note.role, note.withheld)
    if isinstance(note, HeldWrite):
        return row._replace(problems=to_json([note.problem]))
    said = note.reading
    return row._replace(
        racy=note.racy,
        content_hash=said.content_hash,
        encoding=said.encoding,
        problems=to_json(said.problems),
        headings=to_json(said.headings),
        block_ids=to_json(said.block_ids),
    )


def _names(batch: _Batch) -> dict[int, names.Names]:
    return {
        node_id: names.names_of(note.path, note.reading.aliases if isinstance(note, NoteWrite) else ())
        for node_id, _, note in batch
    }


def _leaves(batch: Sequence[_Placed[NoteWrite]]) -> list[NoteLeaves]:
    return [NoteLeaves(node_id, note.uid, file_id, note.reading.leaves) for node_id, file_id, note in batch]


def _links(batch: Sequence[_Placed[NoteWrite]]) -> list[NoteLinks]:
    return [NoteLinks(node_id, note.reading.links) for node_id, _, note in batch]
