"""Whatever happens to notes, and wherever upkeep is killed, a tree holds each leaf once and tells what is in it."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tree_rows import DAY, LIMITS, Rows, faults, shape, unsettled

from vaultsync.domain.tree import ANY_AGE, Bucket, Occasion, Write, is_due

if TYPE_CHECKING:
    from vaultsync.domain.tree import Step, Upkeep

MOST_NOTES = 120

SHELVES = ("x", "y", "z")

numbers = st.integers(0, 1000)
sizes = st.sampled_from([1, 5, 10, 19, 20, 40, 61, 79, 80, 130])
few_sizes = st.lists(sizes, min_size=1, max_size=3)
shelves = st.sampled_from(SHELVES)
occasions = st.sampled_from(
    [Occasion(remake=False), Occasion(), Occasion(flush_before=0), Occasion(flush_before=ANY_AGE)]
)


class Keeping(RuleBasedStateMachine):
    """Notes that come, change and go, and upkeep that is done in full, in part, or while something changes."""

    @initialize(deaf=st.booleans(), notes=st.lists(st.tuples(few_sizes, shelves), max_size=40))
    def begin(self, deaf: bool, notes: list[tuple[list[int], str]]) -> None:
        self.rows = Rows(deaf=deaf)
        self.now, self.names, self.edits, self.highest = 0, 0, 0, 0
        for tokens, shelf in notes:
            self.append(tokens, shelf)

    def append(self, tokens: list[int], shelf: str) -> None:
        self.names += 1
        self.rows.add(f"n{self.names}", *tokens, shelf=shelf, arrived_at=self.now)

    def some_leaf(self, number: int) -> int:
        return sorted(self.rows.leaves)[number % len(self.rows.leaves)]

    def some_note(self, number: int) -> str:
        return self.rows.leaves[self.some_leaf(number)].note

    def notes(self) -> int:
        return len({leaf.note for leaf in self.rows.leaves.values()})

    @precondition(lambda self: self.notes() < MOST_NOTES)
    @rule(notes=st.lists(few_sizes, min_size=1, max_size=12), shelf=shelves)
    def arrive(self, notes: list[list[int]], shelf: str) -> None:
        for tokens in notes:
            self.append(tokens, shelf)

    @precondition(lambda self: self.notes() < MOST_NOTES)
    @rule(count=st.integers(6, 30))
    def arrive_in_bulk(self, count: int) -> None:
        """Each fills a summary by itself, so that the tree grows high."""
        for number in range(count):
            self.append([80], SHELVES[number % len(SHELVES)])

    @precondition(lambda self: self.rows.leaves)
    @rule(number=numbers, tokens=sizes)
    def write_more(self, number: int, tokens: int) -> None:
        self.rows.add(self.some_note(number), tokens, shelf="x", arrived_at=self.now)

    @precondition(lambda self: self.rows.leaves)
    @rule(number=numbers, tokens=sizes)
    def edit(self, number: int, tokens: int) -> None:
        self.edits += 1
        self.rows.change(self.some_leaf(number), text_hash=f"edit {self.edits}", tokens=tokens)

    @precondition(lambda self: self.rows.leaves)
    @rule(number=numbers, count=st.integers(5, 40), tokens=sizes)
    def edit_many(self, number: int, count: int, tokens: int) -> None:
        for at in range(count):
            self.edit(number + at, tokens)

    @precondition(lambda self: self.rows.leaves)
    @rule(number=numbers, counts=st.booleans())
    def admit_or_drop(self, number: int, counts: bool) -> None:
        self.rows.change(self.some_leaf(number), counts=counts)

    @precondition(lambda self: self.rows.leaves)
    @rule(number=numbers, count=st.integers(1, 25))
    def remove(self, number: int, count: int) -> None:
        for at in range(count):
            self.rows.remove(self.some_note(number + at))

    @precondition(lambda self: self.rows.leaves)
    @rule(number=numbers)
    def restore(self, number: int) -> None:
        for leaf in self.rows.of_note(self.some_note(number)):
            self.rows.change(leaf, counts=True)

    @precondition(lambda self: self.rows.leaves)
    @rule(number=numbers, count=st.integers(1, 25))
    def withdraw(self, number: int, count: int) -> None:
        for at in range(count):
            if self.rows.leaves:
                self.rows.withdraw(self.some_note(number + at))

    @precondition(lambda self: self.rows.leaves)
    @rule(number=numbers, shelf=shelves)
    def shelve_elsewhere(self, number: int, shelf: str) -> None:
        for leaf in self.rows.of_note(self.some_note(number)):
            self.rows.change(leaf, shelf=shelf)

    @precondition(lambda self: self.rows.leaves)
    @rule(number=numbers, other=numbers)
    def move_leaf(self, number: int, other: int) -> None:
        """A chunk that moves to another note is where that is."""
        there = self.rows.leaves[self.some_leaf(other)]
        self.rows.change(self.some_leaf(number), note=there.note, shelf=there.shelf, parent=there.parent)

    @precondition(lambda self: self.rows.summaries)
    @rule(number=numbers, pinned=st.booleans())
    def pin_or_unpin(self, number: int, pinned: bool) -> None:
        ordinal = sorted(self.rows.summaries)[number % len(self.rows.summaries)]
        if pinned:
            self.rows.pin(ordinal)
        elif self.rows.summaries[ordinal].pinned:
            self.rows.unpin(ordinal)

    @rule()
    def wait(self) -> None:
        self.now += DAY

    @rule()
    def seal(self) -> None:
        self.rows.settle(remake=False, look=self.is_next)

    @rule()
    def settle(self) -> None:
        self.rows.settle(look=self.is_next)
        self.is_settled()

    @rule()
    def flush(self) -> None:
        self.rows.settle(before=ANY_AGE, look=self.is_next)
        self.is_settled()
        self.has_one_root()
        assert self.rows.settle(before=ANY_AGE) == []

    @rule()
    def flush_what_is_due(self) -> None:
        before = self.now - DAY
        self.rows.settle(look=self.is_next)
        if is_due(self.rows.tree(), before):
            self.rows.settle(before=before, look=self.is_next)
            assert len(self.rows.tree().roots()) == 1
        self.is_settled()
        assert not is_due(self.rows.tree(), before)

    @rule(occasion=occasions, count=st.integers(1, 9))
    def be_killed(self, occasion: Occasion, count: int) -> None:
        """Some steps are done; who comes next reads the rows anew, and ends where one goes who does all."""
        whole = deepcopy(self.rows)
        whole.settle(remake=occasion.remake, before=occasion.flush_before)
        upkeep = self.rows.upkeep(occasion)
        for _ in range(count):
            if step := upkeep.next():
                upkeep.done(step, self.rows.commit(step, self.rows.read(step)))
        halfway = deepcopy(self.rows)
        halfway.settle(remake=occasion.remake, before=occasion.flush_before)
        assert shape(halfway) == shape(whole)
        assert halfway.summaries == whole.summaries

    @precondition(lambda self: self.rows.leaves)
    @rule(occasion=occasions, number=numbers, change=st.sampled_from("eadwp"), skipped=st.integers(0, 4))
    def change_meanwhile(self, occasion: Occasion, number: int, change: str, skipped: int) -> None:
        """A text is being written while its note, or another, changes."""
        upkeep = self.rows.upkeep(occasion)
        for _ in range(skipped):
            if step := upkeep.next():
                upkeep.done(step, self.rows.commit(step, self.rows.read(step)))
        if step := upkeep.next():
            read = self.rows.read(step)
            self.change(change, number)
            if self.rows.tree().holds(step):
                assert self.rows.read(step) == read, "summed up unseen"
                self.rows.commit(step, read)

    def change(self, kind: str, number: int) -> None:
        match kind:
            case "e":
                self.edit(number, 20)
            case "a":
                self.write_more(number, 20)
            case "d":
                self.admit_or_drop(number, False)
            case "w":
                self.withdraw(number, 1)
            case _ if self.rows.summaries:
                self.pin_or_unpin(number, True)

    @precondition(lambda self: self.rows.leaves)
    @rule(number=numbers)
    def edit_one_leaf_of_a_settled_tree(self, number: int) -> None:
        """At most one summary a level is made again, and none above one that came out equal."""
        self.flush()
        leaf = self.some_leaf(number)
        self.edit(number, self.rows.leaves[leaf].tokens)
        steps = self.rows.settle(look=self.is_next)
        levels = [step.after.level for step in steps if isinstance(step, Write)]
        assert len(levels) == len(steps)
        assert levels == [*range(1, len(levels) + 1)]
        assert len(levels) <= 1 or not self.rows.deaf
        self.is_settled()

    def is_next(self, upkeep: Upkeep, step: Step) -> None:
        """The next step follows from the rows alone."""
        assert self.rows.tree().holds(step)
        anew = self.rows.upkeep(upkeep.occasion)
        assert anew.next() == step

    def is_settled(self) -> None:
        assert unsettled(self.rows) == []
        assert self.rows.settle() == []

    def has_one_root(self) -> None:
        """Every leaf that counts is under it."""
        counting = [leaf for leaf in self.rows.leaves.values() if leaf.counts]
        assert len(self.rows.tree().roots()) == bool(counting)
        assert all(leaf.parent is not None for leaf in counting)

    @invariant()
    def is_sound(self) -> None:
        if not hasattr(self, "rows"):
            return
        assert faults(self.rows) == []
        assert self.rows.given == sorted(self.rows.given)
        tree = self.rows.tree()
        level_1 = [summary.ordinal for summary in tree.summaries() if summary.level == 1]
        placed = [item.key for ordinal in level_1 for item in tree.children(ordinal)]
        waiting = [item.key for bucket in tree.buckets() if bucket.level == 1 for item in tree.loose(bucket)]
        counting = {leaf.note for leaf in self.rows.leaves.values() if leaf.counts}
        assert sorted([*placed, *waiting]) == sorted(counting)


LONG = settings(max_examples=150, stateful_step_count=40, suppress_health_check=list(HealthCheck))

TestKeeping = Keeping.TestCase
TestKeeping.settings = settings(
    max_examples=10, stateful_step_count=20, suppress_health_check=list(HealthCheck)
)


@pytest.mark.slow
def test_for_longer() -> None:
    """The same with more and longer lives."""
    run_state_machine_as_test(Keeping, settings=LONG)


def test_one_shelf_above_level_0() -> None:
    """Summaries of all shelves meet in one bucket."""
    rows = Rows(LIMITS)
    for shelf in SHELVES:
        rows.add(shelf, 10, shelf=shelf)
    rows.settle(before=ANY_AGE)
    tree = rows.tree()
    assert tree.buckets() == [*(Bucket(1, shelf) for shelf in SHELVES), Bucket(2, ""), Bucket(3, "")]
