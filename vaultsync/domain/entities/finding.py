"""All entities of a leaf, and those that are one because a note has the name."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Final

from vaultsync.domain.entities.days import days
from vaultsync.domain.entities.hiding import without_hidden
from vaultsync.domain.entities.proper import names
from vaultsync.domain.entities.signs import addressed, linked, urls
from vaultsync.domain.entities.values import Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_START: Final = attrgetter("start")
_NAMING: Final = frozenset({"name", "link", "handle"})
"""Kinds that a note's name or alias may stand for."""


def find(texts: Iterable[str]) -> Iterator[list[Mention]]:
    """Yield for each leaf of a note, which are given in order, its mentions in order; none in code, comments or math.

    All leaves are to be given, however few have changed: where a fence is longer than a leaf, only those before one
    say that it is code. No two mentions overlap, but that a link to a daily note (`[[2026-03-05]]`) is also a mention
    of its day.
    """
    fence = ""
    for text in texts:
        seen, fence = without_hidden(text, fence)
        yield _mentions(seen) if not seen.isspace() else []


def with_aliases(mentions: Iterable[Mention], keys: Mapping[str, str]) -> list[Mention]:
    """Return the mentions, those of a name, link or handle that `keys` holds as mentions of the note it leads to.

    `keys`: from `name_key` of a note's names and aliases to `target_key` of the note. An alias that several notes
    have is not to be in it.
    """
    return [
        mention._replace(entity=Entity("link", keys[mention.entity.canonical]))
        if mention.entity.kind in _NAMING and mention.entity.canonical in keys
        else mention
        for mention in mentions
    ]


def _mentions(seen: str) -> list[Mention]:
    links, tags = linked(seen)
    rest = _without(seen, links + tags)
    pages = list(urls(rest))
    rest = _without(rest, pages)
    addresses = list(addressed(rest))
    rest = _without(rest, addresses)
    dates = list(days(rest))
    daily = [day for link in links for day in _days_of(link)]
    named = names(_without(rest, dates))
    return sorted([*links, *tags, *pages, *addresses, *dates, *daily, *named], key=_START)


def _days_of(link: Mention) -> list[Mention]:
    """Return the day that is a link's whole target."""
    found = list(days(link.entity.canonical))
    whole = len(found) == 1 and found[0].surface == link.entity.canonical
    return [link._replace(entity=found[0].entity)] if whole else []


def _without(text: str, mentions: Sequence[Mention]) -> str:
    """Return the text with blanks for what is found already, so that it is not found as something else too."""
    if not mentions:
        return text
    pieces, at = [], 0
    for mention in sorted(mentions, key=_START):
        pieces += [text[at : mention.start], " " * (mention.end - mention.start)]
        at = max(at, mention.end)
    return "".join([*pieces, text[at:]])
