"""How much is enough, too little and too much for one summary: what fills a bucket, and where it is split."""

from __future__ import annotations

from itertools import accumulate, islice
from typing import TYPE_CHECKING

from vaultsync.domain.tree.terms import Item, Limits, Note

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

QUARTERS = 4
"""A sealed summary under a quarter of its capacity is thin (design, section 6)."""


def least(level: int) -> int:
    """Return how many members a summary of this level needs: summaries of one summary are never made."""
    return 1 if level == 1 else 2


def full_portion(level: int, count: int, held: Iterable[Item], limits: Limits) -> list[Item]:
    """Return what of a bucket of `count` items is to be sealed now, none while it is not full."""
    if level == 1:
        return _full_of_notes(held, limits)
    return list(islice(held, limits.children)) if count >= limits.enough_children else []


def is_thin(level: int, members: Sequence[Item], limits: Limits) -> bool:
    """Tell what is under a quarter of the capacity; at level 1 in tokens and in leaves, as either fills a bucket."""
    if level > 1:
        return len(members) * QUARTERS < limits.children
    return _tokens(members) * QUARTERS < limits.tokens and _leaves(members) * QUARTERS < limits.leaves


def split_at(level: int, members: Sequence[Item], limits: Limits) -> int | None:
    """Return the index of the first member of the second half, None where nothing is to be split.

    Level 1 splits between two notes, nearest the middle of its tokens.
    """
    if level > 1:
        return len(members) // 2 if len(members) > limits.most_children else None
    if len(members) < 2 or _tokens(members) <= limits.most_tokens:  # noqa: PLR2004 - a split takes two
        return None
    before = list(accumulate(_weight(member) for member in members))
    return min(range(1, len(members)), key=lambda at: abs(2 * before[at - 1] - before[-1]))


def _full_of_notes(held: Iterable[Item], limits: Limits) -> list[Item]:
    """Return the first notes that fill a summary, or a note that fills one by itself, whatever stands before."""
    portion: list[Item] = []
    tokens = leaves = 0
    for note in held:
        if _weight(note) >= limits.tokens:
            return [note]
        if tokens + _weight(note) > limits.ceiling:
            return portion
        portion.append(note)
        tokens += _weight(note)
        leaves += _leaves([note])
        if tokens >= limits.tokens or leaves >= limits.leaves:
            return portion
    return []


def _weight(item: Item) -> int:
    return item.tokens if isinstance(item, Note) else 0


def _tokens(members: Iterable[Item]) -> int:
    return sum(map(_weight, members))


def _leaves(members: Iterable[Item]) -> int:
    return sum(item.leaves for item in members if isinstance(item, Note))
