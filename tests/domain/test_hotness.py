"""Hotness is the sum that is written down, over thirty days and no more."""

from __future__ import annotations

from math import isclose, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain.hotness import Activity, Mentioning, Named, Read, hotness, of_entity, recency

TODAY = 20_000

days = st.integers(TODAY - 60, TODAY + 5)
activities = st.builds(
    Activity,
    st.none() | days,
    st.lists(st.builds(Named, days, st.sampled_from("abc")), max_size=8).map(tuple),
    st.lists(st.builds(Read, days, st.integers(0, 5)), max_size=8).map(tuple),
    st.integers(0, 50),
)


def test_the_parts_add_up() -> None:
    """Three mentions from two sources, changed a week ago, four links in, one read."""
    mentions = (Named(TODAY - 7, "a"), Named(TODAY - 9, "a"), Named(TODAY - 20, "b"))
    warm = Activity(TODAY - 7, mentions, (Read(TODAY - 1, 1),), 4)
    assert isclose(hotness(warm, TODAY), log(4) + 0.5 * 2 + 0.5 + log(5) + 2)


def test_what_nothing_happened_to_is_cold() -> None:
    """No mention, link, read or change: 0."""
    assert hotness(Activity(None), TODAY) == 0


@pytest.mark.parametrize(
    ("age", "worth"),
    [(0, 1), (1, 1), (4, 0.75), (7, 0.5), (18, 0.5 * 12 / 23), (29, 0.5 / 23), (30, 0), (900, 0)],
)
def test_recency_falls_along_two_lines(age: int, worth: float) -> None:
    """It is 1 to a day, 0.5 at seven, 0 at thirty."""
    assert isclose(recency(age), worth, abs_tol=1e-12)


@pytest.mark.parametrize(("age", "counts"), [(-1, False), (0, True), (29, True), (30, False), (31, False)])
def test_the_window_is_thirty_days(age: int, counts: bool) -> None:
    """Today and the 29 days before it are in the window; tomorrow isn't."""
    read = Activity(None, (), (Read(TODAY - age, 3),))
    named = Activity(None, (Named(TODAY - age, "a"),))
    assert hotness(read, TODAY) == (6 if counts else 0)
    assert (hotness(named, TODAY) > 0) == counts


def test_an_entity_is_as_hot_as_the_nodes_that_mention_it() -> None:
    """Their mentions, sources, reads and links in are its own; the newest of them makes it recent."""
    nodes = [
        Mentioning(2, "work", Activity(TODAY - 1, (), (Read(TODAY, 1),), 3)),
        Mentioning(1, "home", Activity(TODAY - 29, (), (Read(TODAY - 40, 9),), 1)),
        Mentioning(4, "old", Activity(TODAY - 31)),
        Mentioning(1, "undated", Activity(None)),
    ]
    assert isclose(hotness(of_entity(nodes), TODAY), log(4) + 0.5 * 2 + 1 + log(5) + 2)


@given(activities, days)
def test_more_is_never_colder(activity: Activity, day: int) -> None:
    """One mention, read or link in more never makes a node colder."""
    before = hotness(activity, TODAY)
    assert hotness(activity._replace(mentions=(*activity.mentions, Named(day, "z"))), TODAY) >= before
    assert hotness(activity._replace(reads=(*activity.reads, Read(day, 1))), TODAY) >= before
    assert hotness(activity._replace(links_in=activity.links_in + 1), TODAY) >= before


@given(activities, st.integers(1, 40))
def test_it_cools_when_nothing_happens(activity: Activity, later: int) -> None:
    """A later day finds the same past no hotter; what is still to come is left out of both."""
    past = activity._replace(
        changed=activity.changed if activity.changed is None else min(activity.changed, TODAY),
        mentions=tuple(named for named in activity.mentions if named.day <= TODAY),
        reads=tuple(read for read in activity.reads if read.day <= TODAY),
    )
    assert hotness(past, TODAY + later) <= hotness(past, TODAY)
