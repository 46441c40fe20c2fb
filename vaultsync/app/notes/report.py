"""What a pass did, counted note by note."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app.outcomes import Adopted, Refined, Tended, Written

if TYPE_CHECKING:
    from vaultsync.app.notes.apply import Batch
    from vaultsync.domain.identity import Evidence
    from vaultsync.domain.notes import NotePath, Problem, Uid
    from vaultsync.domain.planning import Move, Plan
    from vaultsync.domain.survey import ToRead


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
    `generated`: files with our mark, and others that ask to be left out, that somebody else changed or removed.
    `moved`: where renamed and returned notes stand. `refusal`: why removals are held back, in words.
    `seconds`: wall time. Of the stages after reading: `extracted` leaves, and what was `adopted`, `tended`, `written`
    and `refined`. `stuck`: what is in the way of generated
    notes since an earlier pass, and why. `is_first_build`: no summary was there before.
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
    generated: set[NotePath] = field(default_factory=set)
    extracted: int = 0
    adopted: Adopted = field(default_factory=Adopted)
    tended: Tended = field(default_factory=Tended)
    written: Written = field(default_factory=Written)
    stuck: list[tuple[str, str]] = field(default_factory=list)
    is_first_build: bool = False
    refined: Refined = field(default_factory=Refined)

    @property
    def changed(self) -> set[NotePath]:
        """Return all paths that are not as they were, those that a note left among them."""
        renamed = (path for note in self.renamed for path in (note.old, note.new))
        return {*self.added, *self.modified, *self.removed, *self.returned, *renamed, *self.generated}

    @property
    def needs_a_person(self) -> bool:
        """Tell whether something was left undone that a person should look at."""
        stages = self.tended.failed or self.written.refused or self.adopted.problems or self.stuck
        return bool(self.refusal or self.failures or self.unreadable or self.placeholders or stages)

    @property
    def failed(self) -> int:
        """Return how many notes, sources, summaries and generated notes a stage failed at."""
        unwritten = {*dict(self.stuck), *dict(self.written.refused)}
        return len(self.failures) + len(self.tended.failed) + self.refined.failed + len(unwritten)

    def count_written(self, written: Written) -> None:
        """Count what was written; what was wrong with a file that is another or gone since needs nobody."""
        self.written.add(written)
        left = (found for found in self.adopted.problems if found[0] not in written.touched)
        self.adopted = self.adopted._replace(problems=tuple(left))

    def count_plan(self, todo: Plan) -> None:
        """Count what is known before a note is read."""
        self.unchanged = todo.unchanged
        self.renamed = [_renamed(move) for move in todo.moves if move.row.alive]
        self.returned = [move.note.path for move in todo.moves if not move.row.alive]
        self.moved = {move.note.path for move in todo.moves}
        self.removed = [row.path for row in todo.bury if row.alive]
        self.generated = {row.path for row in todo.bury if row.ignored}
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
        self.generated |= {
            task.note.path
            for task, fresh in batch.ignored
            if task.known is None or task.known.content_hash != fresh.reading.content_hash
        }
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


def _renamed(move: Move) -> Renamed:
    assert move.row.uid is not None  # noqa: S101 - only notes move
    return Renamed(move.row.uid, move.row.path, move.note.path, move.by)
