"""Notes cut to what a model can read at once: their best sentences, in their order."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from vaultsync.domain.extractive import Source, summarise
from vaultsync.domain.tokens import estimate

if TYPE_CHECKING:
    from collections.abc import Sequence


def trim(sources: Sequence[Source], most: int) -> Sequence[Source]:
    """Return the sources if they have at most so many tokens, else what is best in each of their texts.

    Every text is weighed as a note of its own, so that a long note keeps something of each of its parts.
    """
    if sum(estimate(text) for source in sources for text in source.texts) <= most:
        return sources
    parts = [
        (nth, Source(source.title, (), (text,)))
        for nth, source in enumerate(sources)
        for text in source.texts
    ]
    kept = summarise([part for _, part in parts], most, most)
    by_source = groupby(kept.lines, key=lambda line: parts[line.source][0])
    texts = {nth: tuple(dict.fromkeys(map(attrgetter("text"), lines))) for nth, lines in by_source}
    return [source._replace(texts=texts.get(nth, ())) for nth, source in enumerate(sources)]
