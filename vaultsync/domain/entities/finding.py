"""All entities of a leaf."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Final

from vaultsync.domain.entities.days import days
from vaultsync.domain.entities.hiding import without_hidden
from vaultsync.domain.entities.proper import names
from vaultsync.domain.entities.signs import addressed, linked, urls
from vaultsync.domain.entities.values import Mention

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from vaultsync.domain.markdown.lines import Span

_START: Final = attrgetter("start")


def find(texts: Iterable[str]) -> Iterator[list[Mention]]:
    """Yield for each leaf of a note, which are given in order, its mentions in order; none in code, comments or math.

    All leaves are to be given, however few have changed: where a fence is longer than a leaf, only those before one
    say that it is code. Mentions overlap in two cases alone: a link to a daily note (`[[2026-03-05]]`) is also a
    mention of its day, and a link may hold an embed.
    """
    fence = ""
    for text in texts:
        seen, fence = without_hidden(text, fence)
        found = [] if seen.isspace() else _mentions(seen)
        yield [Mention(entity, text[start:end], start, end, score) for entity, _, start, end, score in found]


def _mentions(seen: str) -> list[Mention]:
    found, spans = linked(seen)
    found += [day for mention in found for day in _days_of(mention)]
    rest = _without(seen, spans)
    for kind in (urls, addressed, days, names):
        more = list(kind(rest))
        rest = _without(rest, [(mention.start, mention.end) for mention in more])
        found += more
    return sorted(found, key=_START)


def _days_of(mention: Mention) -> list[Mention]:
    """Return the day that is a link's whole target."""
    if mention.entity.kind != "link":
        return []
    found = list(days(mention.entity.canonical))
    whole = len(found) == 1 and found[0].surface == mention.entity.canonical
    return [mention._replace(entity=found[0].entity)] if whole else []


def _without(text: str, spans: Sequence[Span]) -> str:
    """Return the text with blanks for what is found already, so that it is not found as something else too."""
    if not spans:
        return text
    pieces, at = [], 0
    for start, end in sorted(spans):
        pieces += [text[at:start], " " * (end - max(at, start))]
        at = max(at, end)
    return "".join([*pieces, text[at:]])
