"""One tree in memory: its items, which bucket or summary each is in, and what a step changes of that."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from heapq import merge
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.tree.steps import Dissolve, Step, Turn, Write
from vaultsync.domain.tree.terms import Item, Key, Note, Summary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Bucket(NamedTuple):
    """Where items wait to become, or to join, the open summary of this level and shelf."""

    level: int
    shelf: str


class Spot(NamedTuple):
    """A place where there may be work: a summary, or a bucket (`ordinal` 0). They sort in the order of work."""

    level: int
    is_bucket: bool
    shelf: str
    ordinal: int


class Tree:
    """The rows of one tree; steps change it in time that goes with the items they touch, not with the tree.

    `shelf`: of all items above level 0. `next_ordinal`: above every one ever given, also of summaries now gone.
    A parent that is not there, or not one level up, is none. `touched`: spots that steps have changed since
    somebody emptied it.
    """

    def __init__(
        self, shelf: str, notes: Iterable[Note], summaries: Iterable[Summary] = (), next_ordinal: int = 1
    ) -> None:
        self.shelf = shelf
        self.next_ordinal = next_ordinal
        self.touched: set[Spot] = set()
        self._items: dict[Key, Item] = {}
        self._children: dict[int, list[tuple[int, Key]]] = {}
        self._loose: defaultdict[Bucket, list[tuple[int, Key]]] = defaultdict(list)
        self._made: defaultdict[Bucket, list[int]] = defaultdict(list)
        self._open: defaultdict[Bucket, list[int]] = defaultdict(list)
        for summary in sorted(summaries, key=lambda summary: (-summary.level, summary.ordinal)):
            self._add(self._rightly_placed(summary))
        for note in sorted(notes, key=lambda note: note.seq):
            self._add(self._rightly_placed(note))

    def find(self, key: Key) -> Item | None:
        """Return the item of this key."""
        return self._items.get(key)

    def summary(self, ordinal: int | None) -> Summary | None:
        """Return the summary of this ordinal."""
        found = self._items.get(ordinal) if ordinal is not None else None
        return found if isinstance(found, Summary) else None

    def summaries(self) -> list[Summary]:
        """Return all summaries in order of their ordinals."""
        found = [item for item in self._items.values() if isinstance(item, Summary)]
        return sorted(found, key=lambda summary: summary.ordinal)

    def roots(self) -> list[Summary]:
        """Return the summaries without a parent."""
        return [summary for summary in self.summaries() if summary.parent is None]

    def children(self, ordinal: int) -> list[Item]:
        """Return the members of a summary in order."""
        return [self._items[key] for _, key in self._children[ordinal]]

    def loose(self, bucket: Bucket) -> list[Item]:
        """Return the items of a bucket that are under no summary, in order."""
        return [self._items[key] for _, key in self._loose[bucket]]

    def buckets(self) -> list[Bucket]:
        """Return the buckets that hold loose items or have summaries."""
        rows = [*self._loose.items(), *self._made.items()]
        return sorted({bucket for bucket, row in rows if row})

    def made_of(self, bucket: Bucket) -> list[Summary]:
        """Return the summaries of a level and shelf in order, open and sealed."""
        return [*self._found(self._made[bucket])]

    def growing(self, bucket: Bucket) -> Summary | None:
        """Return the open summary that takes the bucket's items; a pinned one takes none."""
        return next((summary for summary in self._found(self._open[bucket]) if not summary.pinned), None)

    def count(self, bucket: Bucket, growing: Summary | None) -> int:
        """Return how many items a bucket has."""
        return len(self._loose[bucket]) + (len(self._children[growing.ordinal]) if growing else 0)

    def held(self, bucket: Bucket, growing: Summary | None) -> Iterator[Item]:
        """Yield the items of a bucket in order: those of the growing summary and the loose ones."""
        inside = self._children[growing.ordinal] if growing else []
        return (self._items[key] for _, key in merge(inside, self._loose[bucket]))

    def spots(self) -> list[Spot]:
        """Return every place where there may be work."""
        buckets = [Spot(bucket.level, True, bucket.shelf, 0) for bucket in self.buckets()]
        return [*buckets, *(_spot(summary) for summary in self.summaries())]

    def holds(self, step: Step) -> bool:
        """Tell whether all that the step was planned from is still so in these rows.

        The rows need be no more than those the step names. Leaves that came meanwhile, and are not of a
        member, stay for the next time.
        """
        if step.before is not None and self.summary(step.before.ordinal) != step.before:
            return False
        if isinstance(step, Dissolve):
            return step.heir is None or self.summary(step.heir) is not None
        return isinstance(step, Turn) or self._has_members(step)

    def apply(self, step: Step, text_hash: str | None = None) -> None:
        """Do a step here; `text_hash`: of the text that was written, None where the text stays as it is."""
        if isinstance(step, Write):
            self._write(step, text_hash)
        elif isinstance(step, Turn):
            self._put(step.before._replace(state=step.state))
        else:
            self._dissolve(step)

    def _has_members(self, step: Write) -> bool:
        if step.before is None and step.after.ordinal < self.next_ordinal:
            return False
        now = [self._items.get(member.key) for member in step.members]
        as_before = all(
            item and (item.parent, item.digest) == (member.parent, member.digest)
            for item, member in zip(now, step.members, strict=True)
        )
        gone = (self._items.get(key) for key in step.leaving)
        return as_before and all(item is None or item.parent == step.after.ordinal for item in gone)

    def _write(self, step: Write, text_hash: str | None) -> None:
        for key in step.leaving:
            self._move(key, None)
        self._put(step.after if text_hash is None else step.after._replace(digest=text_hash))
        for member in step.members:
            if member.parent != step.after.ordinal:
                self._move(member.key, step.after.ordinal)

    def _dissolve(self, step: Dissolve) -> None:
        for _, key in [*self._children[step.before.ordinal]]:
            self._move(key, step.heir)
        self._remove(step.before)
        del self._children[step.before.ordinal]

    def _put(self, summary: Summary) -> None:
        if old := self.summary(summary.ordinal):
            self._remove(old)
        self._add(summary)

    def _move(self, key: Key, parent: int | None) -> None:
        item = self._items[key]
        self._remove(item)
        self._add(item._replace(parent=parent))

    def _add(self, item: Item) -> None:
        self._items[item.key] = item
        insort(self._row(item), (item.seq, item.key))
        self._touch_above(item)
        if isinstance(item, Summary):
            for ordinals in self._lists_of(item):
                insort(ordinals, item.ordinal)
            self._children.setdefault(item.ordinal, [])
            self.next_ordinal = max(self.next_ordinal, item.ordinal + 1)
            self._touch(item)

    def _remove(self, item: Item) -> None:
        row = self._row(item)
        del row[bisect_left(row, (item.seq, item.key))]
        del self._items[item.key]
        self._touch_above(item)
        if isinstance(item, Summary):
            for ordinals in self._lists_of(item):
                ordinals.remove(item.ordinal)
            self._touch(item)

    def _row(self, item: Item) -> list[tuple[int, Key]]:
        """Return the list that an item stands in."""
        return self._loose[self._waits_in(item)] if item.parent is None else self._children[item.parent]

    def _lists_of(self, summary: Summary) -> list[list[int]]:
        """Return the lists of ordinals that a summary is in."""
        bucket = Bucket(summary.level, summary.shelf)
        return [self._made[bucket], self._open[bucket]] if summary.state == "open" else [self._made[bucket]]

    def _found(self, ordinals: Iterable[int]) -> Iterator[Summary]:
        return (found for ordinal in ordinals if (found := self.summary(ordinal)))

    def _waits_in(self, item: Item) -> Bucket:
        return Bucket(item.level + 1, item.shelf if item.level == 0 else self.shelf)

    def _rightly_placed(self, item: Item) -> Item:
        above = self.summary(item.parent)
        return item if above and above.level == item.level + 1 else item._replace(parent=None)

    def _touch_above(self, item: Item) -> None:
        if above := self.summary(item.parent):
            self._touch(above)
        else:
            bucket = self._waits_in(item)
            self.touched.add(Spot(bucket.level, True, bucket.shelf, 0))

    def _touch(self, summary: Summary) -> None:
        self.touched |= {_spot(summary), Spot(summary.level, True, summary.shelf, 0)}


def _spot(summary: Summary) -> Spot:
    return Spot(summary.level, False, "", summary.ordinal)
