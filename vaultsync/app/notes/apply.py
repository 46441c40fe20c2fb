"""Write what a pass found: the plan's own changes, then batches of read notes, each in one transaction."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app import dues
from vaultsync.app.notes import ledger
from vaultsync.app.notes.readers import Failed, Fresh, Outcome, Same
from vaultsync.domain.dates import date_of_name
from vaultsync.domain.uids import note_uid
from vaultsync.store import attempts, files, identities, moves, nodes, tombstones
from vaultsync.store.moves import MoveWrite
from vaultsync.store.nodes import HeldWrite, IgnoredWrite, NoteWrite, Touch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vaultsync.app.memory import Memory
    from vaultsync.app.progress import Progress
    from vaultsync.domain.notes import NotePath, ReadOptions, Uid
    from vaultsync.domain.planning import Move, Plan
    from vaultsync.domain.survey import ToRead
    from vaultsync.store.connection import Database


STAGE = "read"
"""The name of this work in `attempts`."""


class Read(NamedTuple):
    """A note that a pass looked at, and what came of it."""

    task: ToRead
    outcome: Outcome


@dataclass(slots=True)
class Batch:
    """Read notes by what is to be written of them; those that vanished since the scan are in none."""

    same: list[tuple[ToRead, Same]] = field(default_factory=list)
    fresh: list[tuple[ToRead, Fresh]] = field(default_factory=list)
    ignored: list[tuple[ToRead, Fresh]] = field(default_factory=list)
    failed: list[tuple[ToRead, Failed]] = field(default_factory=list)


def sort_reads(reads: Sequence[Read]) -> Batch:
    """Sort a batch by what is to be written of each note."""
    batch = Batch()
    for task, outcome in reads:
        if isinstance(outcome, Same):
            batch.same.append((task, outcome))
        elif isinstance(outcome, Failed):
            if outcome.problem.code != "vanished":
                batch.failed.append((task, outcome))
        elif outcome.reading.ignored:
            batch.ignored.append((task, outcome))
        else:
            batch.fresh.append((task, outcome))
    return batch


def apply_places(db: Database, todo: Plan, options: ReadOptions, now: float, progress: Progress) -> None:
    """Write all that the plan knows without reading a note: removals, moves, holds, and what paths say.

    One transaction, so that no note is ever between two paths; what `progress` raises undoes it.
    """
    said = _said_by_paths(db, todo.moves, options)
    moved = [_moved(move, said.get(move.row.path)) for move in todo.moves]
    with db.write() as tx:
        attempts.clear(tx, STAGE, [row.path for row in (*todo.bury, *(move.row for move in todo.moves))])
        ledger.owe(tx, now)
        dues.owe(tx, moved=bool(moved))
        nodes.bury(tx, todo.bury, int(now))
        progress("moving", 0, 0)
        moves.move(tx, moved, int(now))
        progress("moving", 0, 0)
        moves.relabel(tx, todo.relabels)
        nodes.restand(
            tx, [(change.row.file_id, change.note.role, change.note.withheld) for change in todo.restand]
        )
        nodes.hold(tx, [(held.row.file_id, held.code) for held in todo.hold])


def sweep(memory: Memory) -> None:
    """Forget tombstones that are older than the settings say."""
    before = int(memory.clock()) - memory.settings.tombstone_days * 86_400
    if tombstones.count_before(memory.db.read(), before):
        with memory.db.write() as tx:
            tombstones.sweep(tx, before)


def apply_batch(
    memory: Memory, profile: str, batch: Batch, given: Mapping[NotePath, Uid], now: float
) -> None:
    """Write one batch in one transaction.

    `profile`: the signature under which it was read; `given`: the uids by which other machines know new files;
    `now`: when the pass began, in seconds since 1970.
    """
    db = memory.db
    read = [task.note.path for task, _ in (*batch.same, *batch.ignored, *batch.fresh)]
    held = [(task, failed) for task, failed in batch.failed if not (task.known and task.known.ignored)]
    uids = _mint(memory, given, [task for task, _ in (*batch.fresh, *held)])
    with db.write() as tx:
        ledger.owe(tx, now)
        if _is_news(batch):
            dues.owe(tx)
        attempts.clear(tx, STAGE, read)
        attempts.record(
            tx, STAGE, [(task.note.path, failed.problem.message) for task, failed in batch.failed], int(now)
        )
        nodes.touch(tx, [_touch(task, same) for task, same in batch.same])
        nodes.write_held(tx, [_held(task, failed, uids, profile) for task, failed in held], now)
        nodes.write_ignored(tx, [_ignored(task, fresh, profile) for task, fresh in batch.ignored], now)
        nodes.write_notes(tx, [_note(task, fresh, uids, profile) for task, fresh in batch.fresh], now)


def _is_news(batch: Batch) -> bool:
    """Tell whether more was read than generated notes, and notes that are what they were."""
    of_notes = (task for task, fresh in batch.ignored if not (fresh.reading.ours and _was_none(task)))
    return (
        bool(batch.fresh or batch.failed)
        or any(of_notes)
        or any(_stands_anew(task) for task, _ in batch.same)
    )


def _was_none(task: ToRead) -> bool:
    return task.known is None or task.known.ignored


def _stands_anew(task: ToRead) -> bool:
    """Tell whether a note's path says something else of it than before."""
    row, note = task.known, task.note
    return row is None or (row.role, row.withheld, row.held) != (note.role, note.withheld, None)


def _said_by_paths(
    db: Database, todo: Sequence[Move], options: ReadOptions
) -> dict[NotePath, tuple[str, str | None]]:
    """Return the titles and event dates, by old path, of notes whose new path may say others; no folder's does."""
    renamed = {
        move.row.node_id: move
        for move in todo
        if _said_by(move.row.path, options) != _said_by(move.note.path, options) and move.row.node_id
    }
    if not renamed:
        return {}
    from vaultsync.domain.reading import said_by_path  # noqa: PLC0415 - loads the parser

    kept = identities.frontmatter(db.read(), renamed)
    return {
        move.row.path: said_by_path(move.note.path, *kept[node_id], options)
        for node_id, move in renamed.items()
    }


def _said_by(path: NotePath, options: ReadOptions) -> tuple[str, str | None]:
    """Return all that a path says of a note."""
    return path.rpartition("/")[2], date_of_name(path, options.daily_format, options.daily_folder)


def _moved(move: Move, said: tuple[str, str | None] | None) -> MoveWrite:
    row, note = move.row, move.note
    touch = Touch(row.file_id, note.fingerprint, move.racy, note.role, note.withheld) if move.same else None
    return MoveWrite(row, note.path, note.role, note.withheld, touch, said)


def _touch(task: ToRead, same: Same) -> Touch:
    assert task.known is not None  # noqa: S101 - only a row's hash can make bytes the known ones
    return Touch(task.known.file_id, same.fingerprint, same.racy, task.note.role, task.note.withheld)


def _note(task: ToRead, fresh: Fresh, uids: dict[NotePath, Uid], profile: str) -> NoteWrite:
    note = task.note
    return NoteWrite(
        file=task.known,
        path=note.path,
        fingerprint=fresh.fingerprint,
        racy=fresh.racy,
        role=note.role,
        withheld=note.withheld,
        uid=uids[note.path],
        profile=profile,
        reading=fresh.reading,
    )


def _ignored(task: ToRead, fresh: Fresh, profile: str) -> IgnoredWrite:
    return IgnoredWrite(
        task.known,
        task.note.path,
        fresh.fingerprint,
        fresh.racy,
        profile,
        fresh.reading.content_hash,
        fresh.reading.ours,
    )


def _held(task: ToRead, failed: Failed, uids: dict[NotePath, Uid], profile: str) -> HeldWrite:
    note = task.note
    return HeldWrite(
        file=task.known,
        path=note.path,
        fingerprint=note.fingerprint,
        role=note.role,
        withheld=note.withheld,
        uid=uids[note.path],
        profile=profile,
        title=PurePosixPath(note.path).stem,
        problem=failed.problem,
    )


def _mint(memory: Memory, given: Mapping[NotePath, Uid], tasks: Sequence[ToRead]) -> dict[NotePath, Uid]:
    """Return each note's uid: its own, else the one it has elsewhere, else one never given before (section 5)."""
    index = memory.db.read()
    uids = {task.note.path: task.known.uid for task in tasks if task.known and task.known.uid}
    told = {path: given[path] for task in tasks if (path := task.note.path) not in uids and path in given}
    held = files.with_uids(index, told.values()) if told else {}
    uids |= {path: uid for path, uid in told.items() if uid not in held}
    nameless = [task.note.path for task in tasks if task.note.path not in uids]
    counter = 0
    while nameless:
        wished = {path: note_uid(memory.vault_id, path, counter) for path in nameless}
        taken = nodes.uids_given(index, list(wished.values())) | set(uids.values())
        for path, uid in wished.items():
            if uid not in taken:
                uids[path] = uid
                taken.add(uid)
        nameless = [path for path in nameless if path not in uids]
        counter += 1
    return uids
