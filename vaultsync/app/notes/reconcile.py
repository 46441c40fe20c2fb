"""Make the index equal the vault: scan > plan > read, parse and chunk > apply, in short transactions."""

from __future__ import annotations

import itertools
import os
import time
from contextlib import closing
from typing import TYPE_CHECKING

from vaultsync.app.notes import resolve
from vaultsync.app.notes.apply import Read, apply_batch, apply_places, sort_reads, sweep
from vaultsync.app.notes.planning import make_plan
from vaultsync.app.notes.readers import Wanted, read_all, read_batch
from vaultsync.app.notes.report import Report
from vaultsync.app.notes.scope import Scope, find_scope
from vaultsync.app.notes.telling import tell
from vaultsync.app.progress import silent
from vaultsync.store import counts, generated, nodes
from vaultsync.vault.scanner import scan

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from vaultsync.app.memory import Memory
    from vaultsync.app.progress import Progress
    from vaultsync.domain.notes import NotePath
    from vaultsync.domain.survey import ToRead

BATCH_NOTES = 400
"""Notes a write transaction: enough to spare commits, few enough that a reader or a kill loses little."""


def reconcile(
    memory: Memory,
    *,
    only: Sequence[NotePath] | None = None,
    rehash: bool = False,
    accept_removals: bool = False,
    progress: Progress = silent,
) -> Report:
    """Run one pass over the vault, or over the paths in `only`.

    Raises VaultError when the vault can't be read, StateError when the store can't be written.
    """
    started, now = time.perf_counter(), memory.clock()
    report = Report()
    scope = find_scope(memory, only)
    disk = scan(memory.root, scope.rules, only=only, step=lambda: progress("looking", 0, 0))
    progress("looking", 0, 0)
    report.unreadable, report.placeholders = disk.unreadable, tuple(sorted(disk.placeholders))
    todo = make_plan(
        memory, scope, disk, only=only, rehash=rehash, accept_removals=accept_removals, progress=progress
    )
    if only is not None and len(todo.bury) >= (nodes.count_living(memory.db.read()) or 1):
        # The last note goes: whether its disk does too can be told only from the whole vault (F38).
        return reconcile(memory, rehash=rehash, accept_removals=accept_removals, progress=progress)
    progress("looking", 0, 0)
    report.count_plan(todo)
    if todo.changes_places:
        apply_places(memory.db, todo, scope.options, now, progress)
    known = "" if rehash else scope.profile
    with closing(_read(memory, todo.read, scope, known, progress)) as read:
        for reads in _batched(read, BATCH_NOTES):
            batch = sort_reads(reads)
            report.count_batch(batch)
            apply_batch(memory, scope.profile, batch, todo.given, now)
    report.links = resolve.resolve_due(memory.db, progress)
    sweep(memory)
    progress("telling", 0, 0)
    report.generated &= generated.unlike_written(memory.db.read(), report.generated)
    tell(memory, report, todo, now, is_whole=only is None)
    progress("telling", 0, 0)
    report.problems = counts.problems(memory.db.read())
    report.seconds = time.perf_counter() - started
    return report


def _read(
    memory: Memory, tasks: Sequence[ToRead], scope: Scope, known: str, progress: Progress
) -> Generator[Read, None, None]:
    """Yield what comes of each note; bytes that were read under the profile `known` before are not parsed again."""
    tasks = sorted(tasks, key=lambda task: task.note.path)
    wanted = [Wanted(task.note.path, task.note.fingerprint.size, _known(task, known)) for task in tasks]
    processes = memory.settings.workers or os.cpu_count() or 1
    with closing(read_all(memory.root, wanted, scope.options, processes, read_batch)) as outcomes:
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
