"""The order of append: by date where a shelf has dates, else by path as a person would count."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain.tree import Arrival, in_order
from vaultsync.domain.tree.arrivals import natural


def arrival(path: str, date: str | None = None, idx: int = 0, shelf: str = "") -> Arrival:
    return Arrival(path, shelf, path, date, idx)


def paths(*arrivals: Arrival) -> list[str]:
    return [found.path for found in in_order(arrivals)]


def test_numbers_are_in_order() -> None:
    """Part 9 stands before Part 10, in folders too."""
    wanted = ["2/x.md", "10/Part 9.md", "10/Part 10.md", "10/Part 0011 b.md"]
    assert paths(*map(arrival, reversed(wanted))) == wanted


def test_four_fifths_of_dates_order_a_shelf() -> None:
    """The rest comes last."""
    dated = [
        arrival("d", "2024-01-01"),
        arrival("c", "2024-01-02"),
        arrival("b", "2024-01-03"),
        arrival("a", "2024-01-04"),
    ]
    assert paths(*dated, arrival("0")) == ["d", "c", "b", "a", "0"]


def test_fewer_dates_order_nothing() -> None:
    """Then the path does."""
    dated = [arrival("d", "2024-01-01"), arrival("c", "2024-01-02"), arrival("b", "2024-01-03")]
    assert paths(*dated, arrival("0")) == ["0", "b", "c", "d"]


def test_the_share_is_of_notes_not_of_leaves() -> None:
    """A long undated note weighs no more than a short one."""
    dated = [arrival(str(day), f"2024-01-0{day}") for day in range(4, 0, -1)]
    long = [arrival("0 long", idx=idx) for idx in range(20)]
    assert paths(*long, *dated)[:4] == ["1", "2", "3", "4"]


def test_leaves_of_a_note_stay_together_in_their_order() -> None:
    """Also on a day that has several notes."""
    found = in_order([arrival(path, "2024-01-01", idx) for idx in (1, 0) for path in "ba"])
    assert [(one.path, one.chunk_idx) for one in found] == [("a", 0), ("a", 1), ("b", 0), ("b", 1)]


def test_each_shelf_is_ordered_by_itself() -> None:
    """Dates of one shelf say nothing of another."""
    found = paths(
        arrival("b", "2024-01-01", shelf="x"), arrival("a", "2024-01-02", shelf="x"), arrival("c", shelf="w")
    )
    assert found == ["c", "b", "a"]


@given(
    st.lists(
        st.builds(arrival, st.text("a01 /", max_size=6), st.sampled_from([None, "2024-01-01"])),
        unique_by=lambda one: one.path,
    )
)
def test_the_order_asked_in_is_of_no_matter(arrivals: list[Arrival]) -> None:
    """A killed first sync appends in the same order."""
    shuffled = Random(0).sample(arrivals, len(arrivals))
    assert in_order(shuffled) == in_order(arrivals)


@given(st.text("0123456789", min_size=1), st.text("0123456789", min_size=1))
def test_numbers_compare_as_numbers(one: str, other: str) -> None:
    """Of any length, with zeros before them or not."""
    assert (natural(one) < natural(other)) == (int(one) < int(other))
