"""Sets the chosen sentences as paragraphs, in the order of their notes."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from vaultsync.domain.extractive.values import Line, Summary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PARAGRAPH: Final = 80
"""Tokens from which on a paragraph ends where the note's section does."""

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
    lines = tuple(Line(_joined(run), run[0].source) for run in _runs(ordered))
    return Summary("\n\n".join(line.text for line in lines), sum(each.tokens for each in taken), lines)


def _runs(ordered: Sequence[Taken]) -> Iterator[Sequence[Taken]]:
    """Yield the sentences of each paragraph."""
    run: list[Taken] = []
    for each in ordered:
        if run and (run[-1].source != each.source or _is_full(run, each)):
            yield run
            run = []
        run.append(each)
    if run:
        yield run


def _is_full(run: Sequence[Taken], following: Taken) -> bool:
    return run[-1].section != following.section and sum(each.tokens for each in run) >= _PARAGRAPH


def _joined(run: Sequence[Taken]) -> str:
    text = run[0].text
    for before, after in pairwise(run):
        glue = "" if before.text[-1] in _WIDE_STOPS and not after.text[0].isascii() else " "
        text += glue + after.text
    return text
