"""Disk snapshot x index snapshot -> Survey: what stands, what must be read, what is missing, what nobody claims."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from vaultsync.domain.notes import Fingerprint, NotePath, Role, Uid
    from vaultsync.domain.snapshot import DiskNote, DiskSnapshot, Withheld

RACY_SLACK_NS = 2_000_000_000
"""The coarsest mtime of a common file system (FAT): within it, an edit can leave all timestamps alone."""


class IndexedFile(NamedTuple):
    """What the store knows of a file. `alive`: no tombstone. `profile`: what it was read under."""

    file_id: int
    node_id: int | None
    uid: Uid | None
    path: NotePath
    fingerprint: Fingerprint
    racy: bool
    content_hash: str
    role: Role
    withheld: Withheld | None
    held: str | None
    ignored: bool
    alive: bool
    profile: str


class ToRead(NamedTuple):
    """A file whose bytes must be looked at; `known` is its row, if it has one."""

    note: DiskNote
    known: IndexedFile | None


class Held(NamedTuple):
    """A row that is kept on purpose although the disk does not show it."""

    row: IndexedFile
    code: str


class Changed(NamedTuple):
    """A row whose file is the same but for what its path says (role, privacy)."""

    row: IndexedFile
    note: DiskNote


@dataclass(frozen=True, slots=True)
class Survey:
    """What a look at the disk says of each path, before it is asked which missing note is which new file.

    `read`: files with a row whose bytes must be looked at. `come`: files without one. `gone`: rows without a file.
    `is_empty`: the vault's folder holds nothing of a vault.
    """

    read: tuple[ToRead, ...]
    come: tuple[DiskNote, ...]
    gone: tuple[IndexedFile, ...]
    restand: tuple[Changed, ...]
    hold: tuple[Held, ...]
    unchanged: frozenset[NotePath]
    is_empty: bool

    def vacate(self, paths: Collection[NotePath]) -> Survey:
        """Let these paths no longer speak for the notes that stood there: their files belong to no note yet."""
        leaving = [task for task in self.read if task.note.path in paths]
        rows = [task.known for task in leaving if task.known and task.known.alive]
        return replace(
            self,
            read=tuple(task for task in self.read if task.note.path not in paths),
            come=(*self.come, *(task.note for task in leaving)),
            gone=(*self.gone, *rows),
        )


def survey(disk: DiskSnapshot, rows: Iterable[IndexedFile], *, profile: str, rehash: bool = False) -> Survey:
    """Hold the disk against what the index knows of the paths that were scanned.

    `profile`: what notes are read under now: a row read under another one is read again.
    """
    by_path = {row.path: row for row in rows}
    respelled = _respellings(disk.notes, by_path)
    read: list[ToRead] = []
    come: list[DiskNote] = []
    restand: list[Changed] = []
    unchanged: list[NotePath] = []
    for path, note in disk.notes.items():
        row = by_path.get(path)
        if path in respelled:
            row = respelled[path]._replace(profile="")  # its title may be the old spelling: read it again
        if row is None:
            come.append(note)
        elif rehash or _must_read(note, row, profile):
            read.append(ToRead(note, row))
        elif row.alive:
            unchanged.append(path)
            if (row.role, row.withheld) != (note.role, note.withheld):
                restand.append(Changed(row, note))
    moved = {row.path for row in respelled.values()}
    missing = [row for row in by_path.values() if row.path not in disk.notes and row.path not in moved]
    hold, gone = _split_missing(disk, missing)
    return Survey(
        tuple(read),
        tuple(come),
        tuple(gone),
        tuple(restand),
        tuple(hold),
        frozenset(unchanged),
        _is_empty(disk),
    )


def is_racy(fingerprint: Fingerprint, read_ns: int) -> bool:
    """Tell if the file was so young when read that a later edit may leave its timestamps as they are.

    git's rule for a racy index entry; such a file is read once more by the next pass (F100).
    """
    return max(fingerprint.mtime_ns, fingerprint.ctime_ns) >= read_ns - RACY_SLACK_NS


def looks_changed(note: DiskNote, row: IndexedFile, profile: str) -> bool:
    """Tell if the file is not the one that was read, or was read in another way than today's."""
    return row.profile != profile or row.fingerprint != note.fingerprint


def _must_read(note: DiskNote, row: IndexedFile, profile: str) -> bool:
    if row.racy or row.held or looks_changed(note, row, profile):
        return True
    return not (row.alive or row.ignored)


def _respellings(
    notes: Mapping[NotePath, DiskNote], by_path: Mapping[NotePath, IndexedFile]
) -> dict[NotePath, IndexedFile]:
    """Find notes whose path differs from a missing row's only in its Unicode form: the same file (F50).

    A living note goes before a tombstone, also before one that has the very spelling.
    """
    strangers = [path for path in notes if not path.isascii() and not _stands(by_path.get(path))]
    if not strangers:
        return {}
    missing = [row for path, row in by_path.items() if path not in notes and not path.isascii()]
    lost = {_nfc(row.path): row for row in sorted(missing, key=lambda row: (row.alive, row.path))}
    found = {}
    for path in sorted(strangers):
        row = lost.get(_nfc(path))
        if row is not None and (row.alive or path not in by_path):
            found[path] = lost.pop(_nfc(path))
    return found


def _stands(row: IndexedFile | None) -> bool:
    return row is not None and (row.alive or row.ignored)


def _nfc(path: str) -> str:
    return unicodedata.normalize("NFC", path)


def _split_missing(disk: DiskSnapshot, missing: list[IndexedFile]) -> tuple[list[Held], list[IndexedFile]]:
    """Rows whose file can't be seen now are held; the rest of the living is gone."""
    held: list[Held] = []
    gone: list[IndexedFile] = []
    for row in missing:
        if not (row.alive or row.ignored):
            continue
        if row.path in disk.placeholders:
            held.append(Held(row, "placeholder"))
        elif any(_is_below(row.path, folder) for folder in disk.unreadable):
            held.append(Held(row, "unreadable"))
        else:
            gone.append(row)
    return held, gone


def _is_below(path: str, folder: str) -> bool:
    return folder in ("", path) or path.startswith(folder + "/")


def _is_empty(disk: DiskSnapshot) -> bool:
    """Tell if there is neither a note nor a folder such as `.obsidian`: a mount point holds `lost+found` at most."""
    return disk.complete and not disk.notes and all(entry.rule != "dot-folder" for entry in disk.left_out)
