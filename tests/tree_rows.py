"""A store of one memory tree in plain dictionaries: leaves and summaries as rows, steps committed as a store does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vaultsync.domain.tree import (
    Dissolve,
    Leaf,
    Limits,
    Note,
    Occasion,
    Tree,
    Turn,
    Upkeep,
    Write,
    digest,
    gather,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from vaultsync.domain.tree import Bucket, Item, Step, Summary

LIMITS = Limits(tokens=80, leaves=8, children=4, depth=32)
"""A hundredth of the real tokens, so that small trees have high levels: ceiling 100, split over 120, full at 6."""

DAY = 24 * 3600


@dataclass
class Rows:
    """`leaves` by id; `told`: the leaf texts below each summary, or of it, that its text was made of.

    `deaf`: texts say nothing of what they are made of, so that all come out equal.
    """

    limits: Limits = LIMITS
    leaves: dict[int, Leaf] = field(default_factory=dict)
    summaries: dict[int, Summary] = field(default_factory=dict)
    told: dict[int, tuple[str, ...]] = field(default_factory=dict)
    next_ordinal: int = 1
    given: list[int] = field(default_factory=list)
    deaf: bool = False
    seq: int = 0

    def add(self, note: str, *tokens: int, shelf: str = "", arrived_at: int = 0) -> None:
        """Append leaves of a note; those of a placed note go where it is."""
        place = next(
            (leaf.parent for leaf in self.leaves.values() if leaf.note == note and leaf.parent), None
        )
        for count in tokens:
            self.seq += 1
            text = f"text {self.seq}"
            self.leaves[self.seq] = Leaf(note, shelf, self.seq, place, text, count, arrived_at)

    def change(self, leaf: int, **changes: object) -> None:
        """Change a leaf's row."""
        self.leaves[leaf] = self.leaves[leaf]._replace(**changes)  # type: ignore[arg-type]

    def of_note(self, note: str) -> list[int]:
        """Return the ids of a note's leaves."""
        return [id_ for id_, leaf in self.leaves.items() if leaf.note == note]

    def remove(self, note: str) -> None:
        """Bury a note: its leaves keep their place and count for nothing."""
        for leaf in self.of_note(note):
            self.change(leaf, counts=False)

    def withdraw(self, note: str) -> None:
        """Take a note to another tree."""
        for leaf in self.of_note(note):
            del self.leaves[leaf]

    def pin(self, ordinal: int) -> None:
        """Let a summary's text be a person's."""
        self.summaries[ordinal] = self.summaries[ordinal]._replace(pinned=True, digest="a person's")

    def unpin(self, ordinal: int) -> None:
        """Let a summary's text be made again: it is as if it were made of nothing."""
        self.summaries[ordinal] = self.summaries[ordinal]._replace(pinned=False, inputs="")

    def tree(self) -> Tree:
        """Return the rows as a tree."""
        leaves = sorted(self.leaves.values(), key=lambda leaf: (leaf.note, leaf.seq))
        return Tree("", gather(leaves), self.summaries.values(), self.next_ordinal)

    def upkeep(self, occasion: Occasion = Occasion()) -> Upkeep:  # noqa: B008 - a constant
        """Return the upkeep of the rows as they are."""
        return Upkeep(self.tree(), occasion, self.limits)

    def settle(
        self,
        *,
        remake: bool = True,
        before: int | None = None,
        look: Callable[[Upkeep, Step], None] | None = None,
    ) -> list[Step]:
        """Do all that is to be done, looking at each step before it is done; return the steps."""
        upkeep = self.upkeep(Occasion(remake, before))
        steps: list[Step] = []
        most = 20 + 3 * (len(self.leaves) + len(self.summaries))
        while step := upkeep.next():
            if look:
                look(upkeep, step)
            steps.append(step)
            upkeep.done(step, self.commit(step, self.read(step)))
            assert len(steps) <= most, "upkeep has no end"
        return steps

    def read(self, step: Step) -> tuple[str, ...]:
        """Return the texts that a summary is to be made from, as they are now."""
        if not isinstance(step, Write):
            return ()
        return tuple(text for member in step.members for text in self.texts(member))

    def texts(self, member: Item) -> tuple[str, ...]:
        """Return the texts of a member: a note's leaves that count, or a summary's own."""
        if isinstance(member.key, int):
            return (self.summaries[member.key].digest,)
        leaves = (self.leaves[leaf] for leaf in self.of_note(member.key))
        return tuple(leaf.text_hash for leaf in leaves if leaf.counts)

    def commit(self, step: Step, read: tuple[str, ...] = ()) -> str | None:
        """Persist a step if the rows still are as they were; return the text's hash, None if there is none."""
        assert self.tree().holds(step)
        if isinstance(step, Write):
            return self._write(step, read)
        if isinstance(step, Turn):
            self.summaries[step.before.ordinal] = step.before._replace(state=step.state)
        else:
            self._dissolve(step)
        return None

    def _write(self, step: Write, read: tuple[str, ...]) -> str | None:
        ordinal = step.after.ordinal
        self._place(step.leaving, None)
        self._place([member.key for member in step.members], ordinal)
        if step.before is None:
            self.given.append(ordinal)
            self.next_ordinal = max(self.next_ordinal, ordinal + 1)
        text = self._text(read) if step.needs_text else step.after.digest
        self.summaries[ordinal] = step.after._replace(digest=text)
        if step.needs_text:
            self.told[ordinal] = read
        return text if step.needs_text else None

    def _text(self, read: tuple[str, ...]) -> str:
        return "of something" if self.deaf else digest(read)

    def _dissolve(self, step: Dissolve) -> None:
        gone = step.before.ordinal
        for id_, leaf in self.leaves.items():
            if leaf.parent == gone and step.before.level == 1:
                self.change(id_, parent=step.heir)
        for ordinal, summary in self.summaries.items():
            if summary.parent == gone:
                self.summaries[ordinal] = summary._replace(parent=step.heir)
        del self.summaries[gone]

    def _place(self, keys: list[str | int] | tuple[str | int, ...], parent: int | None) -> None:
        for key in keys:
            if isinstance(key, int):
                self.summaries[key] = self.summaries[key]._replace(parent=parent)
            else:
                for leaf in self.of_note(key):
                    self.change(leaf, parent=parent)


def shape(rows: Rows) -> list[tuple[int, int, str, list[str | int]]]:
    """Return each summary's ordinal, level, state and members."""
    tree = rows.tree()
    return [
        (summary.ordinal, summary.level, summary.state, [item.key for item in tree.children(summary.ordinal)])
        for summary in tree.summaries()
    ]


def faults(rows: Rows) -> list[str]:
    """Return what is wrong in rows that a store may never show, whatever work is left."""
    found: list[str] = []
    for leaf in rows.leaves.values():
        above = rows.summaries.get(leaf.parent) if leaf.parent is not None else None
        if leaf.parent is not None and (above is None or above.level != 1):
            found.append(f"leaf {leaf.seq} is under {above}")
        if len({rows.leaves[other].parent for other in rows.of_note(leaf.note)}) > 1:
            found.append(f"note {leaf.note} is cut")
    for summary in rows.summaries.values():
        above = rows.summaries.get(summary.parent) if summary.parent is not None else None
        if summary.parent is not None and (above is None or above.level != summary.level + 1):
            found.append(f"{summary} is under {above}")
    opened = [(row.level, row.shelf) for row in rows.summaries.values() if row.state == "open"]
    if len({*opened}) < len(opened):
        found.append("a bucket has two open summaries")
    if len({*rows.given}) < len(rows.given):
        found.append("an ordinal was given twice")
    return found


def unsettled(rows: Rows) -> list[str]:
    """Return what is left to be wished for after all steps were done with remaking allowed."""
    tree = rows.tree()
    found: list[str] = []
    for summary in tree.summaries():
        members = tree.children(summary.ordinal)
        if not members:
            found.append(f"{summary} is empty")
        if summary.pinned and summary.state == "open":
            found.append(f"{summary} is pinned and open")
        if not summary.pinned:
            found += [f"{summary} {fault}" for fault in _misfits(rows, summary, members)]
    return found + [f"{bucket} is full" for bucket in tree.buckets() if _is_full(rows, bucket)]


def _misfits(rows: Rows, summary: Summary, members: list[Item]) -> Iterator[str]:
    if summary.level > 1 and len(members) == 1:
        yield "is a summary of one"
    if rows.told.get(summary.ordinal) != tuple(text for member in members for text in rows.texts(member)):
        yield "does not tell what is under it"
    tokens, leaves = _sizes(members)
    thin = tokens < 20 and leaves < 2 if summary.level == 1 else len(members) < 1
    swollen = tokens > 120 and len(members) > 1 if summary.level == 1 else len(members) > 6
    if summary.state == "sealed" and (thin or swollen):
        yield "has no fit size"


def _is_full(rows: Rows, bucket: Bucket) -> bool:
    tree = rows.tree()
    members = [*tree.held(bucket, tree.growing(bucket))]
    tokens, leaves = _sizes(members)
    return tokens >= 80 or leaves >= 8 if bucket.level == 1 else len(members) >= 6


def _sizes(members: list[Item]) -> tuple[int, int]:
    notes = [member for member in members if isinstance(member, Note)]
    return sum(note.tokens for note in notes), sum(note.leaves for note in notes)
