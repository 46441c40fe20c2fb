"""Make the index equal the vault: scan > plan > read, parse and chunk > apply, in short transactions."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app import ledger, origin, resolve, writer
from vaultsync.app.apply import Batch, Read, apply_batch, apply_places, sort_reads, sweep
from vaultsync.app.planning import make_plan
from vaultsync.app.readers import Wanted, read_all, read_batch
from vaultsync.app.scope import Scope, find_scope
from vaultsync.store import counts, identities
from vaultsync.vault.scanner import scan

if TYPE_CHECKING:
    from vaultsync.app.memory import Memory
    from vaultsync.domain.identity import Evidence
    from vaultsync.domain.notes import NotePath, Problem, Uid
    from vaultsync.domain.planning import Move, Plan
    from vaultsync.domain.survey import ToRead

BATCH_NOTES = 400
"""Notes a write transaction: enough to spare commits, few enough that a reader or a kill loses little."""

Progress = Callable[[str, int, int], None]
"""Told a stage, how much of it is done, and of how much."""


class Renamed(NamedTuple):
    """A note whose file has another path than at the last pass, and the evidence for it."""

    uid: Uid
    old: NotePath
    new: NotePath
    by: Evidence


@dataclass(slots=True)
class Report:
    """What a pass did, in notes. `parsed`: notes whose bytes were parsed; `links`: links resolved (again).

    `failures`: notes that could not be read now. `problems`: those of every note, old and new.
    `unreadable`: folders ("" is the root) and files that could not be looked at; what is known of them stays.
    `placeholders`: notes that a cloud keeps and has not downloaded.
    `moved`: where renamed and returned notes stand. `refusal`: why removals are held back, in words.
    `seconds`: wall time.
    """

    added: list[NotePath] = field(default_factory=list)
    renamed: list[Renamed] = field(default_factory=list)
    modified: list[NotePath] = field(default_factory=list)
    removed: list[NotePath] = field(default_factory=list)
    returned: list[NotePath] = field(default_factory=list)
    failures: list[tuple[NotePath, Problem]] = field(default_factory=list)
    problems: list[tuple[NotePath, Problem]] = field(default_factory=list)
    unreadable: tuple[str, ...] = ()
    placeholders: tuple[NotePath, ...] = ()
    unchanged: int = 0
    parsed: int = 0
    links: int = 0
    held_removals: int = 0
    refusal: str | None = None
    seconds: float = 0.0
    moved: set[NotePath] = field(default_factory=set)

    def count_plan(self, todo: Plan) -> None:
        """Count what is known before a note is read."""
        self.unchanged = todo.unchanged
        self.renamed = [_renamed(move) for move in todo.moves if move.row.alive]
        self.returned = [move.note.path for move in todo.moves if not move.row.alive]
        self.moved = {move.note.path for move in todo.moves}
        self.removed = [row.path for row in todo.bury if row.alive]
        self.refusal = todo.refusal
        self.held_removals = sum(row.alive for row in todo.refused)

    def count_batch(self, batch: Batch) -> None:
        """Count what came of a batch of read notes."""
        self.parsed += len(batch.fresh) + len(batch.ignored)
        self.unchanged += sum(
            task.known is not None and task.known.alive and task.note.path not in self.moved
            for task, _ in batch.same
        )
        self.failures += [(task.note.path, failed.problem) for task, failed in batch.failed]
        self.removed += [task.note.path for task, _ in batch.ignored if task.known and task.known.alive]
        for task, fresh in batch.fresh:
            self._count_fresh(task, fresh.reading.content_hash)

    def _count_fresh(self, task: ToRead, content_hash: str) -> None:
        row, path = task.known, task.note.path
        if path in self.moved:
            return  # counted with the plan, whether its text is another or not
        if row is None or row.node_id is None or not row.content_hash:  # the last was never read
            self.added.append(path)
        elif not row.alive:
            self.returned.append(path)
        elif row.content_hash != content_hash:
            self.modified.append(path)
        else:
            self.unchanged += 1


def reconcile(
    memory: Memory,
    *,
    only: Sequence[NotePath] | None = None,
    rehash: bool = False,
    accept_removals: bool = False,
    dry_run: bool = False,
    progress: Progress = lambda _stage, _done, _total: None,
) -> Report:
    """Run one pass over the vault, or over the paths in `only`; with `dry_run` change nothing.

    Raises VaultError when the vault can't be read, StateError when the store can't be written.
    """
    started, now = time.perf_counter(), time.time()
    report = Report()
    scope = find_scope(memory)
    disk = scan(memory.root, scope.rules, only=only)
    report.unreadable, report.placeholders = disk.unreadable, tuple(sorted(disk.placeholders))
    todo = make_plan(memory, scope, disk, only=only, rehash=rehash, accept_removals=accept_removals)
    report.count_plan(todo)
    if not dry_run and todo.changes_places:
        apply_places(memory.db, todo, scope.options, now)
    known = "" if rehash else scope.profile
    for reads in _batched(_read(memory, todo.read, scope, known, progress), BATCH_NOTES):
        batch = sort_reads(reads)
        report.count_batch(batch)
        if not dry_run:
            apply_batch(memory, scope.profile, batch, todo.given, now)
    if not dry_run:
        report.links = resolve.resolve_due(memory.db, progress)
        sweep(memory.db, memory.settings.tombstone_days)
        _tell_others(memory, report, todo, now, is_whole=only is None)
    report.problems = counts.problems(memory.db.read())
    report.seconds = time.perf_counter() - started
    return report


def _tell_others(memory: Memory, report: Report, todo: Plan, now: float, *, is_whole: bool) -> None:
    """Let the vault's other machines know what this pass decided, unless git is at work or has just been."""
    renamed = [path for note in report.renamed for path in (note.old, note.new)]
    changed = {*report.added, *report.modified, *report.removed, *report.returned, *renamed}
    origin.remember(memory, changed, is_whole=is_whole)
    new = dict(identities.first_seen_at(memory.db.read(), now)) if report.added else {}
    doubtful = _doubtful(memory, report, todo, new, now)
    rows = [*(move.row for move in todo.moves), *todo.bury, *(change.row for change in todo.restand)]
    rows += [task.known for task in todo.read if task.known]
    ledger.save(
        memory,
        writer.settle(memory),
        touched={
            *new,
            *doubtful,
            *(row.uid for row in rows if row.uid),
            *(note.uid for note in todo.relabels),
        },
        doubtful=doubtful,
        may_write=not origin.is_resting(memory),
    )


def _doubtful(memory: Memory, report: Report, todo: Plan, new: Mapping[Uid, str], now: float) -> set[Uid]:
    """Return the notes that a machine which saw more of the steps to here, or fewer, may take for others.

    New ones near the loss of another: seen at once, that may be a rename. And a new one that has the bytes of a
    note which now says something else, with that note: it may have moved, and left its place to another.
    `new`: the content hashes of the new ones.
    """
    if not (new or todo.bury):
        return set()
    since = now - memory.settings.move_minutes * 60
    near_a_loss = identities.first_seen_near_a_loss(memory.db.read(), since)
    modified = set(report.modified) if new else ()
    said = {
        row.content_hash: row.uid
        for task in todo.read
        if task.note.path in modified and (row := task.known) and row.uid and row.fingerprint.size
    }
    handed = {uid for uid, content_hash in new.items() if content_hash in said}
    return {*near_a_loss, *handed, *(said[new[uid]] for uid in handed)}


def _renamed(move: Move) -> Renamed:
    assert move.row.uid is not None  # noqa: S101 - only notes move
    return Renamed(move.row.uid, move.row.path, move.note.path, move.by)


def _read(
    memory: Memory, tasks: Sequence[ToRead], scope: Scope, known: str, progress: Progress
) -> Iterator[Read]:
    """Yield what comes of each note; bytes that were read under the profile `known` before are not parsed again."""
    tasks = sorted(tasks, key=lambda task: task.note.path)
    wanted = [Wanted(task.note.path, task.note.fingerprint.size, _known(task, known)) for task in tasks]
    processes = memory.settings.workers or os.cpu_count() or 1
    outcomes = read_all(memory.root, wanted, scope.options, processes, read_batch)
    for done, (task, outcome) in enumerate(zip(tasks, outcomes, strict=True), 1):
        yield Read(task, outcome)
        progress("reading", done, len(tasks))


def _known(task: ToRead, profile: str) -> tuple[str, ...]:
    """Return the hash of the bytes that need no parsing: what a standing row was read from, as today."""
    row = task.known
    if row is None or not profile or row.profile != profile or not (row.alive or row.ignored):
        return ()
    return (row.content_hash,)


def _batched(reads: Iterable[Read], size: int) -> Iterator[list[Read]]:
    """Batches of at most `size` (itertools.batched came with Python 3.12)."""
    reads = iter(reads)
    while batch := list(itertools.islice(reads, size)):
        yield batch
