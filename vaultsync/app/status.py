"""What is indexed, what is missing, and what needs a person: the index held against the disk as it is now."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultsync.app.scope import find_scope
from vaultsync.domain.planning import Plan, ToRead, looks_changed, plan
from vaultsync.store import attempts, counts, nodes
from vaultsync.vault.scanner import scan

if TYPE_CHECKING:
    from vaultsync.app.memory import Memory
    from vaultsync.domain.notes import NotePath, Problem
    from vaultsync.domain.snapshot import DiskSnapshot, LeftOut
    from vaultsync.store.attempts import Attempt
    from vaultsync.store.counts import Counts


@dataclass(frozen=True, slots=True)
class Status:
    """`todo`: what a sync would do now; a flag set by events could lie, a look at the disk can't (F23)."""

    counts: Counts
    todo: Plan
    new: int
    changed: int
    gone: int
    problems: list[tuple[NotePath, Problem]]
    held: list[tuple[NotePath, str]]
    failures: list[Attempt]
    left_out: dict[str, int]
    conflicts: list[LeftOut]
    unreadable: tuple[str, ...]
    database_bytes: int

    @property
    def is_current(self) -> bool:
        """True when a sync would find nothing new; notes that are held do not count."""
        return not (self.new or self.changed or self.todo.changes_places or self.counts.due)


def find_status(memory: Memory) -> Status:
    """Look at the disk and at the index. Raises VaultError when the vault can't be read."""
    scope = find_scope(memory)
    disk = scan(memory.root, scope.rules)
    with memory.db.snapshot() as index:
        total = counts.count_all(index)
        todo = plan(disk, nodes.files(index), living=total.notes, profile=scope.profile)
        new = [
            task for task in todo.read if task.known is None or not (task.known.alive or task.known.ignored)
        ]
        return Status(
            counts=total,
            todo=todo,
            new=len(new),
            gone=sum(row.alive for row in todo.bury),
            changed=sum(_is_changed(task, scope.profile) for task in todo.read),
            problems=counts.problems(index),
            held=counts.held(index),
            failures=attempts.pending(index),
            left_out=dict(sorted(Counter(entry.rule for entry in disk.left_out).items())),
            conflicts=_conflicts(disk),
            unreadable=disk.unreadable,
            database_bytes=sum(path.stat().st_size for path in memory.state.glob("index.db*")),
        )


def _is_changed(task: ToRead, profile: str) -> bool:
    row = task.known
    return row is not None and row.alive and not row.held and looks_changed(task.note, row, profile)


def _conflicts(disk: DiskSnapshot) -> list[LeftOut]:
    return [entry for entry in disk.left_out if entry.rule == "conflict-copy"]
