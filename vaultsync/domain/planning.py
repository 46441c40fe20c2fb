"""Disk snapshot x index snapshot -> Plan: which notes to read, bury or hold. Pure, so a dry run is free."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultsync.domain.notes import Fingerprint, NotePath, Role, Uid
    from vaultsync.domain.snapshot import DiskNote, DiskSnapshot, Withheld

GUARD_FROM = 20
"""Vaults smaller than this are not guarded against mass removal (design, section 5)."""

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
class Plan:
    """What a pass will do.

    `refusal`: why the removals in `refused` are held back, in words for a person, else None.
    """

    read: tuple[ToRead, ...]
    restand: tuple[Changed, ...]
    bury: tuple[IndexedFile, ...]
    hold: tuple[Held, ...]
    unchanged: int
    refused: tuple[IndexedFile, ...] = ()
    refusal: str | None = None

    @property
    def changes_places(self) -> bool:
        """True when something is to be written that needs no note to be read."""
        return bool(self.restand or self.bury or self.hold)


def plan(
    disk: DiskSnapshot,
    rows: Iterable[IndexedFile],
    *,
    living: int,
    profile: str,
    rehash: bool = False,
    accept_removals: bool = False,
) -> Plan:
    """Decide what a pass does.

    `rows`: what the index knows of the paths that were scanned; `living`: notes alive in the whole index;
    `profile`: what notes are read under now: a row read under another one is read again.
    """
    by_path = {row.path: row for row in rows}
    respelled = _respellings(disk.notes, by_path)
    read: list[ToRead] = []
    restand: list[Changed] = []
    unchanged = 0
    for path, note in disk.notes.items():
        row = by_path.get(path)
        if row is None and path in respelled:
            row = respelled[path]._replace(profile="")  # its title may be the old spelling: read it again
        if row is None or rehash or _must_read(note, row, profile):
            read.append(ToRead(note, row))
            continue
        unchanged += row.alive
        if row.alive and (row.role, row.withheld) != (note.role, note.withheld):
            restand.append(Changed(row, note))
    moved = {row.path for row in respelled.values()}
    missing = [row for row in by_path.values() if row.path not in disk.notes and row.path not in moved]
    hold, gone = _split_missing(disk, missing)
    refusal, refused = (None, []) if accept_removals else _refusal(disk, gone, living)
    kept = {row.file_id for row in refused}
    bury = [row for row in gone if row.file_id not in kept]
    hold += [Held(row, "removal-refused") for row in refused]
    return Plan(
        read=tuple(read),
        restand=tuple(restand),
        bury=tuple(bury),
        hold=tuple(held for held in hold if held.row.held != held.code),
        unchanged=unchanged,
        refused=tuple(refused),
        refusal=refusal,
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
    """Find notes whose path differs from a missing row's only in its Unicode form: the same file (F50)."""
    strangers = [path for path in notes if path not in by_path and not path.isascii()]
    if not strangers:
        return {}
    lost = {
        _nfc(path): row for path, row in sorted(by_path.items()) if path not in notes and not path.isascii()
    }
    found = {}
    for path in sorted(strangers):
        row = lost.pop(_nfc(path), None)
        if row is not None:
            found[path] = row
    return found


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


def _refusal(
    disk: DiskSnapshot, gone: list[IndexedFile], living: int
) -> tuple[str | None, list[IndexedFile]]:
    """Return why removals are held back, and which; what once was held back stays so until a person says."""
    removed = [row for row in gone if row.alive]
    if removed and _looks_empty(disk):
        return f"the vault's folder is empty, but {living} notes are known (is a disk not mounted?)", gone
    if living >= GUARD_FROM and len(removed) * 2 > living:
        return f"{len(removed)} of {living} notes are gone from the disk", gone
    held = [row for row in removed if row.held == "removal-refused"]
    return (f"{len(held)} notes that were held back are still gone" if held else None), held


def _looks_empty(disk: DiskSnapshot) -> bool:
    """Tell if there is neither a note nor a folder such as `.obsidian`: a mount point holds `lost+found` at most."""
    return disk.complete and not disk.notes and all(entry.rule != "dot-folder" for entry in disk.left_out)
