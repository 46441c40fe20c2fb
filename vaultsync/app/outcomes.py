"""What each stage after reading did in a pass."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.tree import Dissolve, Turn

if TYPE_CHECKING:
    from vaultsync.domain.notes import NotePath, Problem, Uid
    from vaultsync.domain.tree import Step


class Adopted(NamedTuple):
    """What a pass took from generated notes, and what became of those that are gone, as uids of summaries.

    `adopted`: written by a machine; `pinned`: by a person. `absent`: gone with git; `deleted`: by a person. `removed`:
    from the store, since a note says so, or is gone where another machine writes. `problems`: of files, as far as they
    are new. `off`: a person took the whole folder away, so that no notes are to be written.
    """

    adopted: tuple[Uid, ...] = ()
    pinned: tuple[Uid, ...] = ()
    absent: tuple[Uid, ...] = ()
    deleted: tuple[Uid, ...] = ()
    removed: tuple[Uid, ...] = ()
    problems: tuple[tuple[NotePath, Problem], ...] = ()
    off: bool = False


@dataclass(slots=True)
class Tended:
    """What was done, in summaries: sealed, flushed (made or grown, still open), made again, taken away.

    `failed`: sources whose tree could not be tended, with what went wrong in words.
    """

    sealed: int = 0
    flushed: int = 0
    remade: int = 0
    dissolved: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)

    @property
    def changed(self) -> int:
        """Return how many summaries are not what they were."""
        return self.sealed + self.flushed + self.remade + self.dissolved

    def add(self, more: Tended) -> None:
        """Count what was done besides."""
        self.sealed += more.sealed
        self.flushed += more.flushed
        self.remade += more.remade
        self.dissolved += more.dissolved
        self.failed += more.failed

    def count(self, step: Step) -> None:
        """Count a step that was done."""
        if isinstance(step, Dissolve):
            self.dissolved += 1
        elif isinstance(step, Turn):
            self.sealed += step.state == "sealed"
        elif step.after.state == "sealed" and (step.before is None or step.before.state == "open"):
            self.sealed += 1
        elif step.before and {member.key for member in step.members if member.parent != step.after.ordinal}:
            self.flushed += 1
        elif step.before:
            self.remade += 1
        else:
            self.flushed += 1


@dataclass(slots=True)
class Written:
    """What was done in the vault. `moved`: from, to; `refused`: why a note was not written, in words."""

    written: list[NotePath] = field(default_factory=list)
    removed: list[NotePath] = field(default_factory=list)
    moved: list[tuple[NotePath, NotePath]] = field(default_factory=list)
    refused: list[tuple[NotePath, str]] = field(default_factory=list)
    bytes: int = 0

    def add(self, more: Written) -> None:
        """Count what was done besides."""
        self.written = sorted({*self.written, *more.written})
        self.removed += more.removed
        self.moved += more.moved
        self.refused = more.refused
        self.bytes += more.bytes

    @property
    def touched(self) -> list[NotePath]:
        """Return all paths where something is other than before."""
        return sorted({*self.written, *self.removed, *(path for move in self.moved for path in move)})


@dataclass(slots=True)
class Refined:
    """`calls` that were made; summaries that were `replaced` (by the cache too) and `failed`.

    `left`: those that may get a text in another round: after their children, or with another day's share.
    `invented`: texts that name somebody or something that is in none of their notes. `stopped`: why no more were asked
    for, in words.
    """

    calls: int = 0
    replaced: int = 0
    failed: int = 0
    left: int = 0
    invented: int = 0
    stopped: str | None = None

    def add(self, more: Refined) -> None:
        """Count what was done in another round."""
        self.calls += more.calls
        self.replaced += more.replaced
        self.failed += more.failed
        self.invented += more.invented
        self.left, self.stopped = more.left, more.stopped
