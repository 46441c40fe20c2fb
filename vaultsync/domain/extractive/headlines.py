"""The line of a note in which no sentence is found: its title and headings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from vaultsync.domain.extractive.boilerplate import shape
from vaultsync.domain.extractive.cleanness import debris, legible
from vaultsync.domain.extractive.escaping import escaped
from vaultsync.domain.extractive.words import words
from vaultsync.domain.prose import plain
from vaultsync.domain.tokens import estimate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultsync.domain.extractive.values import Source

_LONGEST: Final = 40
"""Tokens of such a line with headings: as much as a sentence."""


def title(source: Source) -> str:
    """Return a note's title as markdown on one line."""
    return escaped(" ".join(source.title.split()))


def headline(source: Source, boilerplate: frozenset[str]) -> str:
    """Return the title, and behind it the headings that are not boilerplate, as far as they fit, as markdown."""
    line, between = " ".join(source.title.split()), ": "
    for heading in _headings(source, boilerplate):
        longer = f"{line}{between}{heading}" if line else heading
        if estimate(longer) > _LONGEST:
            break
        line, between = longer, ", "
    return escaped(line)


def _headings(source: Source, boilerplate: frozenset[str]) -> Iterator[str]:
    """Yield each heading once, without those that repeat the title or hold no plain text."""
    titled = _gist(source.title) | {""}
    told: set[frozenset[str]] = set()
    for written in source.headings:
        text = plain(written).rstrip(":：")  # noqa: RUF001 -- the wide one
        gist = _gist(text)
        is_news = gist not in told and not gist <= titled and shape([text.casefold()]) not in boilerplate
        if is_news and not debris(written) and legible(text):
            told.add(gist)
            yield text


def _gist(text: str) -> frozenset[str]:
    """Return what makes two headings the same."""
    return words(text) or frozenset({text.casefold()})
