"""What is indexed, what is missing, and what needs a person: the index held against the disk as it is now."""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultsync.app.asking import model_calls
from vaultsync.app.finding.tree_status import find_tree_status
from vaultsync.app.machines import trust
from vaultsync.app.notes.planning import make_plan
from vaultsync.app.notes.scope import find_scope
from vaultsync.domain.survey import ToRead, looks_changed
from vaultsync.store import attempts, counts, job_runs
from vaultsync.vault.scanner import scan

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultsync.app.finding.tree_status import TreeStatus
    from vaultsync.app.memory import Memory
    from vaultsync.domain.notes import NotePath, Problem
    from vaultsync.domain.planning import Plan
    from vaultsync.domain.snapshot import DiskSnapshot, LeftOut
    from vaultsync.store.attempts import Attempt
    from vaultsync.store.counts import Counts
    from vaultsync.store.job_runs import JobRun


LEAST_FREE_BYTES = 4_000_000
"""One batch of a first sync writes more than this."""


@dataclass(frozen=True, slots=True)
class Status:
    """`todo`: what a sync would do now; a flag set by events could lie, a look at the disk can't (F23).

    `runs`: the last run of each of the daemon's jobs; `calls_today`: what a model was asked since midnight (UTC).
    `free_bytes`: room on the disk of the state. `untrusted`: settings of the vault's own (key -> value) that name a
    model and that the user has not accepted, as they may be shown.
    """

    counts: Counts
    todo: Plan
    new: int
    changed: int
    renamed: int
    gone: int
    problems: list[tuple[NotePath, Problem]]
    held: list[tuple[NotePath, str]]
    failures: list[Attempt]
    left_out: dict[str, int]
    conflicts: list[LeftOut]
    unreadable: tuple[str, ...]
    database_bytes: int
    free_bytes: int
    tree: TreeStatus
    untrusted: Mapping[str, object]
    runs: Mapping[str, JobRun]
    calls_today: int

    @property
    def is_full(self) -> bool:
        """Tell whether there is hardly room to remember more."""
        return self.free_bytes < LEAST_FREE_BYTES

    @property
    def is_current(self) -> bool:
        """True when a sync would find nothing new; notes that are held do not count."""
        return not (self.new or self.changed or self.todo.changes_places or self.counts.due)


def find_status(memory: Memory) -> Status:
    """Look at the disk and at the index. Raises VaultError when the vault can't be read."""
    scope = find_scope(memory)
    disk = scan(memory.root, scope.rules)
    with memory.db.snapshot() as index:
        todo = make_plan(memory, scope, disk)
        moved = {move.note.path for move in todo.moves}
        to_read = [task for task in todo.read if task.note.path not in moved]
        return Status(
            counts=counts.count_all(index),
            todo=todo,
            new=sum(_is_new(task) for task in to_read),
            changed=sum(_is_changed(task, scope.profile) for task in to_read),
            renamed=len(todo.moves),
            gone=sum(row.alive for row in todo.bury),
            problems=counts.problems(index),
            held=counts.held(index),
            failures=attempts.pending(index),
            left_out=dict(sorted(Counter(entry.rule for entry in disk.left_out).items())),
            conflicts=_conflicts(disk),
            unreadable=disk.unreadable,
            database_bytes=sum(path.stat().st_size for path in memory.state.glob("index.db*")),
            free_bytes=shutil.disk_usage(memory.state).free,
            tree=find_tree_status(memory, index),
            untrusted=trust.masked(trust.held(memory)),
            runs=job_runs.last(index),
            calls_today=model_calls.of_today(memory),
        )


def _is_new(task: ToRead) -> bool:
    return task.known is None or not (task.known.alive or task.known.ignored)


def _is_changed(task: ToRead, profile: str) -> bool:
    row = task.known
    return row is not None and row.alive and not row.held and looks_changed(task.note, row, profile)


def _conflicts(disk: DiskSnapshot) -> list[LeftOut]:
    return [entry for entry in disk.left_out if entry.rule == "conflict-copy"]
