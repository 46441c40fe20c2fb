"""Survey and moves -> Plan: what a pass moves, reads, buries and holds. Pure, so a dry run is free."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.survey import Held, ToRead

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from vaultsync.domain.claims import Relabel
    from vaultsync.domain.identity import Evidence
    from vaultsync.domain.notes import NotePath, Uid
    from vaultsync.domain.snapshot import DiskNote
    from vaultsync.domain.survey import Changed, IndexedFile, Survey

REMOVAL_REFUSED = "removal-refused"
"""What holds a note whose removal waits for a person."""

GUARD_FROM = 20
"""Vaults smaller than this are not guarded against mass removal (design, section 5)."""


class Move(NamedTuple):
    """A note, living or a tombstone, whose file is now `note`, and what says so.

    `same`: the bytes are those that were read; `racy`: a later edit may have left the fingerprint as it is.
    """

    row: IndexedFile
    note: DiskNote
    by: Evidence
    same: bool
    racy: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """What a pass will do.

    `given`: the uids by which other machines know files that are new here.
    `refusal`: why the removals in `refused` are held back, in words for a person, else None.
    """

    moves: tuple[Move, ...]
    read: tuple[ToRead, ...]
    restand: tuple[Changed, ...]
    bury: tuple[IndexedFile, ...]
    hold: tuple[Held, ...]
    unchanged: int
    refused: tuple[IndexedFile, ...] = ()
    refusal: str | None = None
    relabels: tuple[Relabel, ...] = ()
    given: Mapping[NotePath, Uid] = field(default_factory=dict)

    @property
    def changes_places(self) -> bool:
        """True when something is to be written that needs no note to be read."""
        return bool(self.moves or self.relabels or self.restand or self.bury or self.hold)


def plan(
    seen: Survey,
    moves: Sequence[Move] = (),
    *,
    living: int,
    accept_removals: bool = False,
    excused: Collection[NotePath] = (),
) -> Plan:
    """Decide what a pass does.

    `living`: notes alive in the whole index; `excused`: paths that git took away, which no guard holds.
    """
    moved = {move.row.file_id for move in moves}
    gone = [row for row in seen.gone if row.file_id not in moved]
    refusal, refused = (None, []) if accept_removals else _refusal(seen, gone, living, excused)
    kept = {row.file_id for row in refused}
    hold = [*seen.hold, *(Held(row, REMOVAL_REFUSED) for row in refused)]
    taken = {move.note.path for move in moves}
    return Plan(
        moves=tuple(moves),
        read=tuple(_reads(seen, moves, taken)),
        restand=tuple(change for change in seen.restand if change.note.path not in taken),
        bury=tuple(row for row in gone if row.file_id not in kept),
        hold=tuple(held for held in hold if held.row.held != held.code),
        unchanged=len(seen.unchanged - taken),
        refused=tuple(refused),
        refusal=refusal,
    )


def _reads(seen: Survey, moves: Iterable[Move], taken: Collection[NotePath]) -> Iterable[ToRead]:
    """Yield what is to be read; a moved note only if its bytes are new."""
    yield from (task for task in seen.read if task.note.path not in taken)
    yield from (ToRead(note, None) for note in seen.come if note.path not in taken)
    for move in moves:
        if not move.same:
            yield ToRead(move.note, move.row._replace(path=move.note.path))


def _refusal(
    seen: Survey, gone: list[IndexedFile], living: int, excused: Collection[NotePath]
) -> tuple[str | None, list[IndexedFile]]:
    """Return why removals are held back, and which; what once was held back stays so until a person says."""
    removed = [row for row in gone if row.alive and row.path not in excused]
    if removed and seen.is_empty:
        return f"the vault's folder is empty, but {living} notes are known (is a disk not mounted?)", gone
    if living >= GUARD_FROM and len(removed) * 2 > living:
        return f"{len(removed)} of {living} notes are gone from the disk", [
            row for row in gone if row.path not in excused
        ]
    held = [row for row in removed if row.held == REMOVAL_REFUSED]
    return (f"{len(held)} notes that were held back are still gone" if held else None), held
