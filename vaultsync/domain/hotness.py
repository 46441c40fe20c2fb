"""How much a note or an entity is on a person's mind, by what happened to it in the last thirty days."""

from __future__ import annotations

from math import log1p
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

WINDOW: Final = 30
"""Days, today's among them, in which a mention or a read counts."""

SOURCE_WEIGHT: Final = 0.5
READ_WEIGHT: Final = 2

_RECENCY: Final = ((1, 1.0), (7, 0.5), (30, 0.0))
"""Days of age and what they are worth; a straight line leads from each to the next."""


class Named(NamedTuple):
    """One mention: the day of the note that makes it, and the source (the tree) that this note is in."""

    day: int
    source: str


class Read(NamedTuple):
    """How often a note was read on a day."""

    day: int
    times: int


class Activity(NamedTuple):
    """What happened to a node; days are counted from any one day, mentions and reads come in any order.

    `changed`: the day its own text last changed, None for what has none. `links_in`: links to it, however old.
    """

    changed: int | None
    mentions: tuple[Named, ...] = ()
    reads: tuple[Read, ...] = ()
    links_in: int = 0


class Mentioning(NamedTuple):
    """A node that mentions an entity: how often, what source it is in, and what happened to itself."""

    times: int
    source: str
    activity: Activity


def hotness(activity: Activity, today: int) -> float:
    """Return ln(1 + mentions) + half the distinct sources + recency + ln(1 + links in) + twice the reads, >= 0.

    Mentions, sources and reads are those of the window; a day after `today` is not in it. Recency goes by the
    newest of the node's change and its mentions. It breaks ties, and is no relevance.
    """
    named = [mention for mention in activity.mentions if _in_window(mention.day, today)]
    reads = sum(read.times for read in activity.reads if _in_window(read.day, today))
    sources = len({mention.source for mention in named})
    newest = _newest(activity, today)
    return (
        log1p(len(named))
        + SOURCE_WEIGHT * sources
        + (0.0 if newest is None else recency(today - newest))
        + log1p(activity.links_in)
        + READ_WEIGHT * reads
    )


def of_entity(nodes: Iterable[Mentioning]) -> Activity:
    """Return an entity's activity, which is that of the nodes that mention it: their days, sources, reads, links in.

    A node without a day of its own mentions it on none.
    """
    mentions: list[Named] = []
    reads: list[Read] = []
    links_in = 0
    for times, source, activity in nodes:
        if activity.changed is not None:
            mentions += [Named(activity.changed, source)] * times
        reads += activity.reads
        links_in += activity.links_in
    return Activity(None, tuple(mentions), tuple(reads), links_in)


def recency(age: int) -> float:
    """Return 1 up to a day of age, 0.5 at 7 days, 0 from 30 on, and what lies between."""
    young, most = _RECENCY[0]
    for old, least in _RECENCY:
        if age <= old:
            return least if age <= young else most - (most - least) * (age - young) / (old - young)
        young, most = old, least
    return 0.0


def _in_window(day: int, today: int) -> bool:
    return 0 <= today - day < WINDOW


def _newest(activity: Activity, today: int) -> int | None:
    days = [mention.day for mention in activity.mentions]
    if activity.changed is not None:
        days.append(activity.changed)
    return max((day for day in days if day <= today), default=None)
