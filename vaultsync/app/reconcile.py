"""Make the index equal the vault: scan > plan > read, parse and chunk > apply, in short transactions."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vaultsync.app import readers, resolve
from vaultsync.app.apply import Batch, Read, apply_batch, apply_places, sort_reads, sweep
from vaultsync.app.readers import Outcome, Wanted
from vaultsync.app.scope import Scope, find_scope
from vaultsync.domain.planning import Plan, ToRead, plan
from vaultsync.store import counts, nodes
from vaultsync.vault.scanner import scan

if TYPE_CHECKING:
    from pathlib import Path

    from vaultsync.app.memory import Memory
    from vaultsync.domain.notes import NotePath, Problem, ReadOptions
    from vaultsync.domain.snapshot import DiskSnapshot

BATCH_NOTES = 400
"""Notes a write transaction: enough to spare commits, few enough that a reader or a kill loses little."""

PARALLEL_FROM = 600
"""Below this many notes, starting processes costs more than they save (measured in bench/first_sync.py)."""

Progress = Callable[[str, int, int], None]
"""Told a stage, how much of it is done, and of how much."""


@dataclass(slots=True)
class Report:
    """What a pass did, in notes. `parsed`: notes whose bytes were parsed; `links`: links resolved (again).

    `failures`: notes that could not be read now. `problems`: those of every note, old and new.
    `unreadable`: folders ("" is the root) and files that could not be looked at; what is known of them stays.
    `placeholders`: notes that a cloud keeps and has not downloaded.
    `refusal`: why removals are held back, in words. `seconds`: wall time.
    """

    added: list[NotePath] = field(default_factory=list)
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

    def count_plan(self, todo: Plan) -> None:
        """Count what is known before a note is read."""
        self.unchanged = todo.unchanged
        self.removed = [row.path for row in todo.bury if row.alive]
        self.refusal = todo.refusal
        self.held_removals = sum(row.alive for row in todo.refused)

    def count_batch(self, batch: Batch) -> None:
        """Count what came of a batch of read notes."""
        self.parsed += len(batch.fresh) + len(batch.ignored)
        self.unchanged += sum(task.known is not None and task.known.alive for task, _ in batch.same)
        self.failures += [(task.note.path, failed.problem) for task, failed in batch.failed]
        self.removed += [task.note.path for task, _ in batch.ignored if task.known and task.known.alive]
        for task, fresh in batch.fresh:
            self._count_fresh(task, fresh.reading.content_hash)

    def _count_fresh(self, task: ToRead, content_hash: str) -> None:
        row, path = task.known, task.note.path
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
    started = time.perf_counter()
    report = Report()
    scope = find_scope(memory)
    disk = scan(memory.root, scope.rules, only=only)
    report.unreadable, report.placeholders = disk.unreadable, tuple(sorted(disk.placeholders))
    todo = _plan(memory, disk, scope, only, rehash=rehash, accept_removals=accept_removals)
    report.count_plan(todo)
    if not dry_run and todo.changes_places:
        apply_places(memory.db, todo)
    known = "" if rehash else scope.profile
    for reads in _batched(_read(memory, todo.read, scope, known, progress), BATCH_NOTES):
        batch = sort_reads(reads)
        report.count_batch(batch)
        if not dry_run:
            apply_batch(memory.db, memory.vault_id, scope.profile, batch)
    if not dry_run:
        report.links = resolve.resolve_due(memory.db, progress)
        sweep(memory.db, memory.settings.tombstone_days)
    report.problems = counts.problems(memory.db.read())
    report.seconds = time.perf_counter() - started
    return report


def _plan(
    memory: Memory,
    disk: DiskSnapshot,
    scope: Scope,
    only: Sequence[NotePath] | None,
    *,
    rehash: bool,
    accept_removals: bool,
) -> Plan:
    index = memory.db.read()
    return plan(
        disk,
        nodes.files(index, None if only is None else {*only, *disk.notes}),
        living=nodes.count_living(index),
        profile=scope.profile,
        rehash=rehash,
        accept_removals=accept_removals,
    )


def _read(
    memory: Memory, tasks: Sequence[ToRead], scope: Scope, known: str, progress: Progress
) -> Iterator[Read]:
    """Yield what comes of each note; bytes that were read under the profile `known` before are not parsed again."""
    tasks = sorted(tasks, key=lambda task: task.note.path)
    wanted = [Wanted(task.note.path, task.note.fingerprint.size, _known_hash(task, known)) for task in tasks]
    outcomes = _read_all(memory.root, wanted, scope.options, memory.settings.workers or os.cpu_count() or 1)
    for done, (task, outcome) in enumerate(zip(tasks, outcomes, strict=True), 1):
        yield Read(task, outcome)
        progress("reading", done, len(tasks))


def _read_all(
    root: Path, wanted: Sequence[Wanted], options: ReadOptions, processes: int
) -> Iterator[Outcome]:
    """Read notes in order: here when they are few, in several processes when they are many."""
    batches = readers.batches(wanted)
    if processes == 1 or len(wanted) < PARALLEL_FROM:
        return itertools.chain.from_iterable(readers.read_batch(root, batch, options) for batch in batches)
    from vaultsync.app.reader_pool import read_in_pool  # noqa: PLC0415 - 30 ms that a small pass need not pay

    return read_in_pool(root, batches, options, processes)


def _known_hash(task: ToRead, profile: str) -> str:
    """Return the hash of the bytes that need no parsing: what a standing row was read from, as today."""
    row = task.known
    if row is None or not profile or row.profile != profile or not (row.alive or row.ignored):
        return ""
    return row.content_hash


def _batched(reads: Iterable[Read], size: int) -> Iterator[list[Read]]:
    """Batches of at most `size` (itertools.batched came with Python 3.12)."""
    reads = iter(reads)
    while batch := list(itertools.islice(reads, size)):
        yield batch
