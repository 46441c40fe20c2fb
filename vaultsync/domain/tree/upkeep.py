"""What a tree needs next: fill, seal, flush, split, dissolve, remake; each level is done before the one above."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.tree.portions import full_portion, is_thin, least, split_at
from vaultsync.domain.tree.snapshot import Bucket, Spot, Tree
from vaultsync.domain.tree.steps import Dissolve, Step, Turn, Write
from vaultsync.domain.tree.terms import Limits, Summary, digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultsync.domain.tree.terms import Item, Key, State


class Occasion(NamedTuple):
    """What may be done now. Full buckets are always sealed.

    `remake`: what changed below is made again, what is too small or too large mended.
    `flush_before`: seconds, None for no flush: a level-1 bucket with a loose note that arrived by then gets its
    text, and above it every bucket does, so that one root remains; `ANY_AGE` flushes all.
    """

    remake: bool = True
    flush_before: int | None = None


class Upkeep:
    """Says step after step until nothing is left: `while step := upkeep.next(): ...; upkeep.done(step, hash)`.

    The next step follows from the rows alone, so one who is killed goes on where another stopped. If the
    rows have changed when a step is to be committed (`Tree.holds`), begin again from the rows as they are.
    """

    def __init__(self, tree: Tree, occasion: Occasion = Occasion(), limits: Limits = Limits()) -> None:  # noqa: B008 - constants
        self.tree = tree
        self.occasion = occasion
        self._limits = limits
        self._spots = tree.spots()
        self._known = {*self._spots}
        heapify(self._spots)
        tree.touched.clear()

    def next(self) -> Step | None:
        """Return the next step, the same until it is done; None when nothing is left to do."""
        while self._spots:
            if step := self._look(self._spots[0]):
                return step
            self._known.discard(heappop(self._spots))
        return None

    def done(self, step: Step, text_hash: str | None = None) -> None:
        """Do the step in the tree, after it was committed; `text_hash`: of the text, if it needed one."""
        self.tree.apply(step, text_hash)
        for spot in self.tree.touched - self._known:
            heappush(self._spots, spot)
        self._known |= self.tree.touched
        self.tree.touched.clear()

    def _look(self, spot: Spot) -> Step | None:
        if spot.level > self._limits.depth:
            return None
        if spot.is_bucket:
            return self._look_into(Bucket(spot.level, spot.shelf))
        summary = self.tree.summary(spot.ordinal)
        return self._look_at(summary) if summary and self.occasion.remake else None

    def _look_at(self, summary: Summary) -> Step | None:
        """Return what a summary needs that takes no new members."""
        growing = self.tree.growing(Bucket(summary.level, summary.shelf))
        members = self.tree.children(summary.ordinal)
        heir = growing.ordinal if growing else None
        if summary == growing:
            return None
        if summary.state == "open":
            return Turn(summary, "sealed")
        if not members:
            return Dissolve(summary, None)
        if summary.pinned:
            return None
        if len(members) < least(summary.level):
            return Dissolve(summary, heir)
        return self._resize(summary, members, heir) or _remake(summary, members)

    def _resize(self, summary: Summary, members: Sequence[Item], heir: int | None) -> Step | None:
        if is_thin(summary.level, members, self._limits):
            return Turn(summary, "open") if heir is None else Dissolve(summary, heir)
        bucket = Bucket(summary.level, summary.shelf)
        at = split_at(summary.level, members, self._limits)
        return self._make(bucket, "sealed", members[at:], self._beside(summary)) if at else None

    def _beside(self, summary: Summary) -> int | None:
        """Return the parent of what is split off a summary."""
        above = self.tree.summary(summary.parent)
        return above.ordinal if above and not above.pinned else None

    def _look_into(self, bucket: Bucket) -> Step | None:
        """Return what a bucket and its growing summary need."""
        growing = self.tree.growing(bucket)
        count = self.tree.count(bucket, growing)
        held = self.tree.held(bucket, growing)
        if portion := full_portion(bucket.level, count, held, self._limits):
            return self._seal(bucket, growing, portion)
        if not self.occasion.remake:
            return None
        return self._grow(bucket, growing) if growing else self._begin(bucket)

    def _seal(self, bucket: Bucket, growing: Summary | None, portion: Sequence[Item]) -> Write:
        """Seal a portion, as the growing summary where its first member is in it, else as a new one."""
        inside = [item.key for item in self.tree.children(growing.ordinal)] if growing else []
        keys = {item.key for item in portion}
        if growing is None or (inside and inside[0] not in keys):
            return self._make(bucket, "sealed", portion, None)
        leaving = tuple(key for key in inside if key not in keys)
        return _rewrite(growing, portion, leaving, "sealed")

    def _grow(self, bucket: Bucket, growing: Summary) -> Step | None:
        members = [*self.tree.held(bucket, growing)]
        inside = self.tree.children(growing.ordinal)
        if len(members) < least(bucket.level):
            return Dissolve(growing, None)
        if len(inside) < least(bucket.level) or is_stale(growing, inside) or self._is_flushed(bucket):
            return _rewrite(growing, members)
        return None

    def _begin(self, bucket: Bucket) -> Step | None:
        if not self._is_flushed(bucket):
            return None
        loose = self.tree.loose(bucket)
        if len(loose) < least(bucket.level):
            return self._shelter(bucket, loose[0])
        return self._make(bucket, "open", loose, None)

    def _shelter(self, bucket: Bucket, lone: Item) -> Step | None:
        """Find a place for one that can't be summarised alone: the last summary of the level, pinned only if all are.

        Where the level has none, the lone one is the root.
        """
        made = self.tree.made_of(bucket)
        if free := [summary for summary in made if not summary.pinned]:
            return Turn(free[-1], "open")
        if not made:
            return None
        members = sorted([*self.tree.children(made[-1].ordinal), lone], key=lambda item: item.seq)
        return _rewrite(made[-1], members)

    def _is_flushed(self, bucket: Bucket) -> bool:
        """Tell whether the flush takes the loose items of a bucket; above level 1 it takes all."""
        before = self.occasion.flush_before
        loose = self.tree.loose(bucket) if before is not None else []
        return any(bucket.level > 1 or item.arrived_at <= (before or 0) for item in loose)

    def _make(self, bucket: Bucket, state: State, members: Sequence[Item], parent: int | None) -> Write:
        """Return the making of a new summary."""
        made = Summary(
            ordinal=self.tree.next_ordinal,
            level=bucket.level,
            shelf=bucket.shelf,
            state=state,
            parent=parent,
            digest="",
            inputs=inputs_of(members),
            pinned=False,
            arrived_at=min(member.arrived_at for member in members),
        )
        return Write(None, made, tuple(members))


def is_due(tree: Tree, before: int) -> bool:
    """Tell whether something without a summary has arrived by `before`; the root of all has no place to go.

    Asked when a pass without a flush is done, as that may set old members free; only then a pass flushes.
    """
    for bucket in tree.buckets():
        loose = tree.loose(bucket)
        is_root = len(loose) < least(bucket.level) and not tree.made_of(bucket)
        if not is_root and any(item.arrived_at <= before for item in loose):
            return True
    return False


def is_stale(summary: Summary, members: Sequence[Item]) -> bool:
    """Tell whether the summary was made from other texts than those its members have now."""
    return summary.inputs != inputs_of(members)


def inputs_of(members: Sequence[Item]) -> str:
    """Return the digest of what a summary of these members is made from."""
    return digest(member.digest for member in members)


def _remake(summary: Summary, members: Sequence[Item]) -> Write | None:
    return _rewrite(summary, members) if is_stale(summary, members) else None


def _rewrite(
    summary: Summary, members: Sequence[Item], leaving: tuple[Key, ...] = (), state: State | None = None
) -> Write:
    after = summary._replace(inputs=inputs_of(members), state=state or summary.state)
    return Write(summary, after, tuple(members), leaving)
