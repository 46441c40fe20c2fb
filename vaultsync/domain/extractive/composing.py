"""Sets the chosen sentences as paragraphs, in the order of their notes."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from vaultsync.domain.extractive.values import Line, Summary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PARAGRAPH: Final = 200
"""Tokens of a good paragraph: a note with twice as many has two, which part where a section ends."""

_WIDE_STOPS: Final = "。！？」』）】"  # noqa: RUF001 -- as written
"""No blank stands behind them."""


class Taken(NamedTuple):
    """A chosen sentence, as markdown, and where it stands: number of its note, section there, place."""

    source: int
    section: int
    place: int
    text: str
    tokens: int


def composed(taken: Sequence[Taken]) -> Summary:
    """Return the summary of these sentences: a paragraph a note, several of a note with much to say."""
    ordered = sorted(taken, key=lambda each: (each.source, each.place))
    notes = [list(run) for _, run in groupby(ordered, key=lambda each: each.source)]
    lines = tuple(Line(_joined(run), run[0].source) for note in notes for run in _paragraphs(note))
    return Summary("\n\n".join(line.text for line in lines), sum(each.tokens for each in taken), lines)


def _paragraphs(note: Sequence[Taken]) -> Iterator[Sequence[Taken]]:
    """Yield the sentences of each paragraph, of which none is much shorter than the others."""
    left = sum(each.tokens for each in note)
    share = left // max(1, left // _PARAGRAPH)
    start = length = 0
    for at, each in enumerate(note):
        is_end = at > 0 and note[at - 1].section != each.section
        if is_end and 4 * length >= 3 * share and 2 * left >= share:
            yield note[start:at]
            start, length = at, 0
        length += each.tokens
        left -= each.tokens
    yield note[start:]


def _joined(run: Sequence[Taken]) -> str:
    text = run[0].text
    for before, after in pairwise(run):
        text += ("" if before.text[-1] in _WIDE_STOPS else " ") + after.text
    return text
