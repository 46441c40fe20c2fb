"""The order in which new leaves are appended to a tree, the same on every machine and after every kill."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

_NUMBER = re.compile("([0-9]+)")

DATED_SHARE = (4, 5)
"""Of a shelf's notes that must have a date for dates to order them (design, section 6)."""


class Arrival(NamedTuple):
    """A leaf to be appended: of which note, on which shelf. `event_date`: ISO; `chunk_idx`: its place in the note."""

    note: str
    shelf: str
    path: str
    event_date: str | None
    chunk_idx: int


def in_order(arrivals: Iterable[Arrival]) -> list[Arrival]:
    """Sort by shelf, where most of a shelf's notes have a date by that, then by path and place in the note.

    Undated notes of a dated shelf come after the others; numbers in paths are compared as numbers.
    """
    ordered: list[Arrival] = []
    for _, shelf in groupby(
        sorted(arrivals, key=lambda arrival: arrival.shelf), key=lambda arrival: arrival.shelf
    ):
        every = list(shelf)
        dated = _is_dated(every)
        ordered += sorted(every, key=lambda arrival: _place(arrival, dated=dated))
    return ordered


def _is_dated(shelf: Iterable[Arrival]) -> bool:
    dates = {arrival.note: arrival.event_date for arrival in shelf}
    share, whole = DATED_SHARE
    return whole * sum(date is not None for date in dates.values()) >= share * len(dates)


def _place(arrival: Arrival, *, dated: bool) -> tuple[bool, str, list[tuple[int, str]], str, int]:
    date = arrival.event_date if dated else ""
    return date is None, date or "", natural(arrival.path), arrival.path, arrival.chunk_idx


def natural(path: str) -> list[tuple[int, str]]:
    """Return a key that sorts `Part 9` before `Part 10`; numbers may have any length."""
    parts = _NUMBER.split(path)
    numbers = [part.lstrip("0") for part in parts[1::2]]
    return [
        pair
        for text, number in zip(parts[::2], [*numbers, ""], strict=True)
        for pair in ((0, text), (len(number), number))
    ]
