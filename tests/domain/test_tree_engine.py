"""The tree engine: buckets fill, seal, cascade and are flushed; what changes below is made again above."""

from __future__ import annotations

import pytest
from tree_rows import DAY, LIMITS, Rows, faults, shape, unsettled

from vaultsync.domain.tree import (
    ANY_AGE,
    Bucket,
    Dissolve,
    Leaf,
    Limits,
    Note,
    Occasion,
    Summary,
    Tree,
    Turn,
    Upkeep,
    Write,
    gather,
    is_due,
)


def filled(*tokens: int, shelf: str = "", limits: Limits = LIMITS) -> Rows:
    """Rows with a note of one leaf for each count of tokens, named a, b, c, ..."""
    rows = Rows(limits)
    for number, count in enumerate(tokens):
        rows.add(chr(ord("a") + number), count, shelf=shelf)
    return rows


def built(sealed: int, before: int | None = ANY_AGE) -> Rows:
    """Rows with so many sealed summaries of one note each, flushed."""
    rows = Rows()
    for number in range(sealed):
        rows.add(f"n{number:02}", 90)
    rows.settle(before=before)
    return rows


def kinds(rows: Rows, before: int | None = None) -> list[str]:
    return [type(step).__name__ for step in rows.settle(before=before)]


def test_the_limits_are_those_of_the_design() -> None:
    """8,000 tokens or 200 leaves, never past 10,000, split over 12,000; 10 of 12, split over 15."""
    limits = Limits()
    assert (limits.tokens, limits.leaves, limits.ceiling, limits.most_tokens) == (8_000, 200, 10_000, 12_000)
    assert (limits.children, limits.enough_children, limits.most_children, limits.depth) == (10, 12, 15, 32)


class TestSeal:
    def test_a_bucket_below_its_limit_waits(self) -> None:
        """Nothing is summarised before there is enough of it."""
        rows = filled(40, 39)
        assert rows.settle() == []

    def test_at_the_limit_it_seals(self) -> None:
        """The note that reaches the limit is in the summary."""
        rows = filled(40, 40, 30)
        rows.settle()
        assert shape(rows) == [(1, 1, "sealed", ["a", "b"])]
        assert [leaf.parent for leaf in rows.leaves.values()] == [1, 1, None]

    def test_before_the_note_that_would_pass_the_ceiling(self) -> None:
        """A note that does not fit waits whole for the next summary."""
        rows = filled(40, 61)
        rows.settle()
        assert shape(rows) == [(1, 1, "sealed", ["a"])]

    def test_up_to_the_ceiling_a_note_fits(self) -> None:
        """100 of 100 is not past it."""
        rows = filled(40, 60)
        rows.settle()
        assert shape(rows) == [(1, 1, "sealed", ["a", "b"])]

    def test_many_small_leaves_seal_by_their_number(self) -> None:
        """Eight leaves fill a summary, however short; and it is not thin for being short."""
        rows = filled(*[1] * 9)
        rows.settle()
        assert shape(rows) == [(1, 1, "sealed", [*"abcdefgh"])]
        assert rows.settle() == []

    def test_a_note_that_fills_a_summary_is_alone_in_it(self) -> None:
        """What stands before it in the bucket is not sealed for its sake."""
        rows = filled(10, 80, 10)
        rows.settle()
        assert shape(rows) == [(1, 1, "sealed", ["b"])]

    def test_all_leaves_of_a_note_are_sealed_together(self) -> None:
        """The limit is looked at between two notes, not between two leaves."""
        rows = Rows()
        rows.add("a", 30, 30, 15)
        rows.add("b", 5, 5, 5, 5)
        rows.settle()
        assert shape(rows) == [(1, 1, "sealed", ["a", "b"])]
        assert {leaf.parent for leaf in rows.leaves.values()} == {1}

    def test_shelves_do_not_mix(self) -> None:
        """Each shelf has buckets of its own at level 1."""
        rows = filled(50, shelf="x")
        rows.add("z", 50, shelf="y")
        assert rows.settle() == []
        rows.settle(before=ANY_AGE)
        assert shape(rows)[:2] == [(1, 1, "open", ["a"]), (2, 1, "open", ["z"])]

    def test_an_open_summary_seals_with_its_id(self) -> None:
        """What a bucket was called when it was small it is called when it is full."""
        rows = filled(40)
        rows.settle(before=ANY_AGE)
        rows.add("b", 45)
        rows.settle()
        assert shape(rows) == [(1, 1, "sealed", ["a", "b"])]

    def test_what_does_not_fit_leaves_the_open_summary(self) -> None:
        """A member that grew past the ceiling waits in the bucket."""
        rows = filled(40, 30)
        rows.settle(before=ANY_AGE)
        rows.change(2, tokens=70)
        rows.settle()
        assert shape(rows) == [(1, 1, "sealed", ["a"])]
        assert rows.leaves[2].parent is None

    def test_a_note_that_fills_one_by_itself_leaves_the_others_theirs(self) -> None:
        """The open summary keeps its id and its first member."""
        rows = filled(10)
        rows.settle(before=ANY_AGE)
        rows.add("b", 85)
        rows.settle()
        assert shape(rows) == [(1, 1, "open", ["a"]), (2, 1, "sealed", ["b"])]


class TestCascade:
    def test_the_first_of_twelve_seal_and_two_remain(self) -> None:
        """Here four of six, so that what remains can be summarised too."""
        rows = built(5, before=None)
        assert [level for _, level, _, _ in shape(rows)] == [1] * 5
        rows = built(6, before=None)
        assert shape(rows)[6] == (7, 2, "sealed", [1, 2, 3, 4])
        assert [summary.ordinal for summary in rows.tree().roots()] == [5, 6, 7]

    def test_it_goes_on_upward_until_a_bucket_is_not_full(self) -> None:
        """Of 26 full summaries 24 are under six of level 2, of which four are under one of level 3."""
        rows = built(26, before=None)
        counts = [sum(level == at for _, level, _, _ in shape(rows)) for at in (1, 2, 3, 4)]
        assert counts == [26, 6, 1, 0]

    def test_no_level_is_above_the_cap(self) -> None:
        """A tree that would grow higher keeps several roots."""
        rows = Rows(LIMITS._replace(depth=2))
        for number in range(40):
            rows.add(f"n{number:02}", 90)
        rows.settle(before=ANY_AGE)
        assert max(level for _, level, _, _ in shape(rows)) == 2
        assert len(rows.tree().roots()) > 1


class TestFlush:
    def test_what_waits_gets_its_text_and_stays_open(self) -> None:
        """A flushed bucket goes on growing under its id."""
        rows = filled(10)
        rows.settle(before=ANY_AGE)
        rows.add("b", 10)
        rows.settle(before=ANY_AGE)
        assert shape(rows) == [(1, 1, "open", ["a", "b"])]

    def test_the_young_wait(self) -> None:
        """A bucket is flushed once one of its notes has waited long enough, and then as a whole."""
        rows = Rows()
        rows.add("a", 10, shelf="x", arrived_at=0)
        rows.add("b", 10, shelf="x", arrived_at=DAY)
        rows.add("c", 10, shelf="y", arrived_at=DAY)
        rows.settle(before=1)
        assert shape(rows) == [(1, 1, "open", ["a", "b"])]

    @pytest.mark.parametrize("sealed", [*range(1, 27), 40, 59])
    def test_one_root_remains(self, sealed: int) -> None:
        """However many there are, and no summary has only one child."""
        rows = built(sealed)
        assert len(rows.tree().roots()) == 1
        assert unsettled(rows) == []

    def test_one_root_remains_while_notes_come_and_go_one_by_one(self) -> None:
        """Flushed after each, the newest first to go, then the oldest."""
        rows = Rows()
        for number in range(30):
            rows.add(f"n{number:02}", 90)
            rows.settle(before=ANY_AGE)
            assert len(rows.tree().roots()) == 1
        for number in [*range(29, 14, -1), *range(15)]:
            rows.withdraw(f"n{number:02}")
            rows.settle(before=ANY_AGE)
            assert len(rows.tree().roots()) == (number != 14)
            assert unsettled(rows) == []

    def test_a_lone_newcomer_joins_the_last_summary_of_the_level_above(self) -> None:
        """A summary of one summary is never made, nor are there two roots; the sealed one opens for it."""
        rows = built(6)
        for leaf in rows.of_note("n05"):
            rows.change(leaf, counts=False)
        rows.settle(before=ANY_AGE)
        assert (7, 2, "open", [1, 2, 3, 4, 5]) in shape(rows)
        assert len(rows.tree().roots()) == 1

    def test_a_lone_newcomer_joins_a_pinned_one_only_where_all_are(self) -> None:
        """The person's text stays, and the tree has one root."""
        rows = built(2)
        rows.pin(3)
        rows.add("new", 90)
        steps = rows.settle(before=ANY_AGE)
        assert isinstance(steps[-1], Write)
        assert not steps[-1].needs_text
        assert shape(rows)[2] == (3, 2, "sealed", [1, 2, 4])
        assert rows.summaries[3].digest == "a person's"

    def test_what_is_below_a_due_summary_is_due(self) -> None:
        """A flush that was killed half way is taken up, as its summaries have waited as long as their notes."""
        rows = Rows()
        rows.add("a", 10, shelf="x")
        rows.add("b", 10, shelf="y", arrived_at=5)
        upkeep = rows.upkeep(Occasion(flush_before=9))
        for _ in range(2):
            step = upkeep.next()
            assert isinstance(step, Write)
            upkeep.done(step, rows.commit(step, rows.read(step)))
        assert is_due(rows.tree(), 9)
        rows.settle(before=9)
        assert not is_due(rows.tree(), ANY_AGE)

    def test_nothing_is_due_before_its_time(self) -> None:
        """Due is what arrived at the time, not what arrives after it."""
        rows = Rows()
        rows.add("a", 10, arrived_at=7)
        assert not is_due(rows.tree(), 6)
        assert is_due(rows.tree(), 7)


class TestCost:
    @pytest.mark.parametrize("notes", [1, 5, 6, 11, 40])
    @pytest.mark.parametrize("in_two_passes", [False, True])
    def test_a_first_build_writes_each_summary_once(self, notes: int, in_two_passes: bool) -> None:
        """As many texts as summaries, whether the flush comes with the first pass or after it."""
        rows = Rows()
        for number in range(notes):
            rows.add(f"n{number:02}", 50, shelf="xyz"[number % 3])
        steps = rows.settle() if in_two_passes else []
        steps += rows.settle(before=ANY_AGE)
        assert [type(step) for step in steps] == [Write] * len(rows.summaries)

    def test_twelve_summaries_of_real_size(self) -> None:
        """With the design's limits: ten are sealed, two remain, and one root is above."""
        rows = filled(*[8_000] * 12, limits=Limits())
        rows.settle(before=ANY_AGE)
        assert [(level, state, len(below)) for _, level, state, below in shape(rows)[12:]] == [
            (2, "sealed", 10),
            (2, "open", 2),
            (3, "open", 2),
        ]


class TestPlace:
    def test_new_leaves_of_a_placed_note_are_where_it_is(self) -> None:
        """Also where that is sealed: it is made again with them."""
        rows = filled(40, 40)
        rows.settle()
        rows.add("a", 5)
        (step,) = rows.settle()
        assert isinstance(step, Write)
        assert step.after.ordinal == 1
        assert rows.told[1] == ("text 1", "text 3", "text 2")

    def test_another_shelf_is_no_other_place(self) -> None:
        """A placed note whose shelf changes stays."""
        rows = filled(40, 40)
        rows.settle()
        rows.change(1, shelf="elsewhere")
        assert rows.settle() == []

    def test_what_does_not_count_is_in_no_bucket(self) -> None:
        """Dropped leaves fill nothing and are summarised by nothing."""
        rows = filled(40, 40)
        rows.change(1, counts=False)
        assert rows.settle() == []
        rows.settle(before=ANY_AGE)
        assert rows.told[1] == ("text 2",)

    def test_a_buried_note_keeps_its_place(self) -> None:
        """It returns to where it was, and the text made before is right again: no rewording of others."""
        rows = filled(40, 40)
        rows.settle()
        first = rows.summaries[1].digest
        rows.remove("a")
        rows.settle()
        rows.change(1, counts=True)
        rows.settle()
        assert rows.leaves[1].parent == 1
        assert rows.summaries[1].digest == first

    def test_a_withdrawn_note_is_told_no_more(self) -> None:
        """The next text is made without it."""
        rows = filled(40, 40)
        rows.settle()
        rows.withdraw("a")
        rows.settle()
        assert rows.told[1] == ("text 2",)

    def test_a_parent_of_the_wrong_level_is_none(self) -> None:
        """Levels never skip, whatever the rows say."""
        rows = built(2)
        rows.change(1, parent=3)
        rows.change(2, parent=77)
        tree = rows.tree()
        assert [item.key for item in tree.loose(Bucket(1, ""))] == ["n00", "n01"]


class TestSplitAndDissolve:
    def test_a_swollen_summary_splits_nearest_its_middle(self) -> None:
        """The second half goes to a new summary beside it, at the boundary between two notes."""
        rows = filled(30, 30, 30, limits=LIMITS)
        rows.settle()
        rows.change(3, tokens=70)
        rows.settle()
        rows.change(1, tokens=65)
        rows.change(2, tokens=60)
        before = len(rows.summaries)
        steps = rows.settle()
        assert [type(step) for step in steps] == [Write, Write]
        assert len(rows.summaries) == before + 1
        assert shape(rows)[0] == (1, 1, "sealed", ["a"])

    def test_the_new_half_is_under_the_same_parent(self) -> None:
        """A root stays the one root when a summary below it splits."""
        rows = Rows()
        for note in "abcd":
            rows.add(note, 40)
        rows.settle(before=ANY_AGE)
        rows.change(1, tokens=70)
        rows.change(2, tokens=70)
        rows.settle()
        assert len(rows.tree().roots()) == 1
        assert rows.summaries[4].parent == rows.summaries[1].parent == 3

    def test_a_single_note_is_never_split(self) -> None:
        """It has no boundary."""
        rows = filled(90)
        rows.settle()
        rows.change(1, tokens=500)
        assert rows.settle() == []

    def test_many_children_split_in_the_middle(self) -> None:
        """Over six children here: three stay, the rest are beside them."""
        summaries = [
            Summary(number, 1, str(number), "sealed", 9, "", Tree("", []).shelf, True, 0)
            for number in range(1, 8)
        ]
        notes = [Note(f"n{number}", str(number), number, number, "", 1, 90, 0) for number in range(1, 8)]
        top = Summary(9, 2, "", "sealed", None, "", "", False, 0)
        step = Upkeep(Tree("", notes, [*summaries, top]), limits=LIMITS).next()
        assert isinstance(step, Write)
        assert step.before is None
        assert [member.key for member in step.members] == [4, 5, 6, 7]

    def test_a_thin_one_goes_to_the_open_one(self) -> None:
        """Its members are told there, and it is gone."""
        rows = filled(40, 40, 10)
        rows.settle(before=ANY_AGE)
        rows.remove("a")
        rows.change(2, tokens=19)
        steps = rows.settle()
        assert isinstance(steps[0], Dissolve)
        assert shape(rows) == [(2, 1, "open", ["b", "c"])]
        assert rows.leaves[1].parent == 2, "a buried note goes with the others"

    def test_a_thin_one_reopens_where_none_is_open(self) -> None:
        """It keeps its id and takes new members."""
        rows = filled(80)
        rows.settle()
        rows.change(1, tokens=19)
        assert kinds(rows) == ["Turn"]
        rows.add("b", 10)
        rows.settle(before=ANY_AGE)
        assert shape(rows) == [(1, 1, "open", ["a", "b"])]

    def test_a_quarter_is_not_thin(self) -> None:
        """Under it, not at it."""
        rows = filled(80)
        rows.settle()
        rows.change(1, tokens=20)
        assert rows.settle() == []

    def test_an_open_one_is_never_too_small(self) -> None:
        """It only grows."""
        rows = filled(1)
        rows.settle(before=ANY_AGE)
        assert rows.settle(before=ANY_AGE) == []

    def test_a_summary_left_with_one_child_dissolves(self) -> None:
        """The child is the root then."""
        rows = built(2)
        rows.withdraw("n00")
        rows.settle()
        assert shape(rows) == [(2, 1, "sealed", ["n01"])]

    def test_a_summary_left_with_one_child_takes_what_waits(self) -> None:
        """An open one with a loose item beside it keeps its id."""
        rows = built(2)
        rows.add("new", 90)
        rows.settle()
        rows.withdraw("n00")
        rows.settle()
        assert shape(rows) == [(2, 1, "sealed", ["n01"]), (3, 2, "open", [2, 4]), (4, 1, "sealed", ["new"])]

    def test_an_empty_tree_has_no_summaries(self) -> None:
        """The last note takes them all with it."""
        rows = built(9)
        for number in range(9):
            rows.remove(f"n{number:02}")
        rows.settle()
        assert rows.summaries == {}
        assert faults(rows) == []


class TestPinned:
    def test_it_takes_no_new_members(self) -> None:
        """An open one seals, and a new one grows."""
        rows = filled(10)
        rows.settle(before=ANY_AGE)
        rows.pin(1)
        rows.add("b", 10)
        assert kinds(rows) == ["Turn"]
        rows.settle(before=ANY_AGE)
        assert shape(rows)[:2] == [(1, 1, "sealed", ["a"]), (2, 1, "open", ["b"])]

    def test_it_is_never_remade_nor_mended_for_its_size(self) -> None:
        """The text is a person's, whatever becomes of the notes."""
        rows = filled(40, 40)
        rows.settle()
        rows.pin(1)
        for tokens in (1, 200):
            rows.change(1, tokens=tokens, text_hash=f"{tokens} words")
            rows.change(2, tokens=tokens)
            assert rows.settle() == []

    def test_it_dissolves_when_empty(self) -> None:
        """Of nothing nothing is told."""
        rows = filled(80)
        rows.settle()
        rows.pin(1)
        rows.remove("a")
        assert kinds(rows) == ["Dissolve"]

    def test_what_is_above_tells_the_persons_text(self) -> None:
        """A pinned summary is a child as any other."""
        rows = built(2)
        rows.pin(1)
        rows.settle()
        assert rows.told[3] == ("a person's", rows.summaries[2].digest)


class TestStale:
    def test_one_edit_remakes_one_summary_a_level(self) -> None:
        """Exactly those above the leaf, bottom up."""
        rows = built(40)
        rows.change(rows.of_note("n20")[0], text_hash="edited")
        steps = rows.settle()
        levels = [step.after.level for step in steps if isinstance(step, Write)]
        assert levels == sorted({level for _, level, _, _ in shape(rows)}) == [1, 2, 3, 4]
        assert len(levels) == len(steps)

    def test_equal_text_stops_the_climb(self) -> None:
        """Where the summary came out as it was, nothing above it is made again."""
        rows = Rows(deaf=True)
        for number in range(40):
            rows.add(f"n{number:02}", 90)
        rows.settle(before=ANY_AGE)
        rows.change(rows.of_note("n20")[0], text_hash="edited")
        assert kinds(rows) == ["Write"]

    def test_later_members_join_at_the_next_remake(self) -> None:
        """An open summary that is made again takes what waits, of any age."""
        rows = filled(10)
        rows.settle(before=ANY_AGE)
        rows.add("b", 10, arrived_at=DAY)
        assert rows.settle() == []
        rows.change(1, text_hash="edited")
        rows.settle()
        assert shape(rows) == [(1, 1, "open", ["a", "b"])]

    def test_between_saves_only_full_buckets_are_sealed(self) -> None:
        """What is stale waits until its source is quiet."""
        rows = filled(80)
        rows.settle()
        rows.change(1, text_hash="edited")
        rows.add("b", 80)
        assert len(rows.settle(remake=False)) == 1
        assert len(rows.settle()) == 1


class TestCommit:
    def test_a_change_while_it_is_summarised_is_seen(self) -> None:
        """A text made from what is no more is not committed."""
        rows = filled(40, 40)
        step = rows.upkeep().next()
        assert step
        rows.change(1, text_hash="edited")
        assert not rows.tree().holds(step)

    def test_another_status_or_another_place_is_seen(self) -> None:
        """Nor a text of what was dropped, withdrawn or placed elsewhere meanwhile."""
        for change in ({"counts": False}, {"parent": 5}):
            rows = filled(40, 40, 90)
            step = rows.upkeep().next()
            assert step
            rows.summaries[5] = Summary(5, 1, "", "sealed", None, "", "", False, 0)
            rows.next_ordinal = 1
            rows.change(1, **change)
            assert not rows.tree().holds(step)
        rows = filled(40, 40)
        step = rows.upkeep().next()
        assert step
        rows.withdraw("a")
        assert not rows.tree().holds(step)

    def test_a_note_that_arrives_meanwhile_stays_for_the_next_time(self) -> None:
        """It is neither lost nor in the summary that has not seen it."""
        rows = filled(40, 40)
        step = rows.upkeep().next()
        assert step
        read = rows.read(step)
        rows.add("c", 40)
        assert rows.tree().holds(step)
        rows.commit(step, read)
        assert rows.leaves[3].parent is None

    def test_a_leaf_that_arrives_in_a_note_being_summarised_is_seen(self) -> None:
        """The place belongs to the note, so its text is read again."""
        rows = filled(40, 40)
        step = rows.upkeep().next()
        assert step
        rows.add("a", 1)
        assert not rows.tree().holds(step)

    def test_a_pin_set_meanwhile_is_seen(self) -> None:
        """A person's text is never overwritten by one that was under way."""
        rows = filled(40)
        rows.settle(before=ANY_AGE)
        rows.change(1, text_hash="edited")
        step = rows.upkeep().next()
        assert step
        rows.pin(1)
        assert not rows.tree().holds(step)

    def test_an_ordinal_given_meanwhile_is_seen(self) -> None:
        """Two summaries never get one id."""
        rows = filled(80)
        step = rows.upkeep().next()
        assert step
        rows.next_ordinal = 2
        assert not rows.tree().holds(step)

    def test_an_heir_gone_meanwhile_is_seen(self) -> None:
        """Nobody's children go nowhere."""
        rows = filled(80, 10)
        rows.settle(before=ANY_AGE)
        rows.change(1, tokens=5)
        step = rows.upkeep().next()
        assert isinstance(step, Dissolve)
        del rows.summaries[2]
        assert not rows.tree().holds(step)

    def test_a_step_is_the_same_until_it_is_done(self) -> None:
        """Asking does nothing."""
        upkeep = filled(80).upkeep()
        assert upkeep.next() == upkeep.next()


class TestMending:
    def test_of_two_open_summaries_of_a_shelf_one_remains(self) -> None:
        """Two machines may each have opened one; the other seals, and being thin goes to the first."""
        rows = filled(10, 10)
        for ordinal in (1, 2):
            rows.summaries[ordinal] = Summary(ordinal, 1, "", "open", None, "x", "y", False, 0)
            rows.change(ordinal, parent=ordinal)
        steps = rows.settle()
        assert [type(step) for step in steps] == [Turn, Dissolve, Write]
        assert shape(rows) == [(1, 1, "open", ["a", "b"])]

    def test_a_note_under_two_summaries_is_in_the_lower(self) -> None:
        """Of two claims the lower ordinal wins."""
        leaves = [
            Leaf("a", "", 1, 3, "x", 1, 0),
            Leaf("a", "", 2, 2, "y", 1, 0),
            Leaf("a", "", 3, None, "z", 1, 0),
        ]
        (note,) = gather(leaves)
        assert (note.parent, note.leaves, note.seq) == (2, 3, 1)
