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

_DRAWING: Final = ".excalidraw"
"""The end of the names of notes that are drawings, which nobody says."""

_SILENT: Final = frozenset({
    "to do", "to-do", "todo", "doing", "in progress", "done", "archive", "backlog", "excalidraw data", "text elements",
    "element links", "embedded files", "drawing", "introduction", "overview", "contents", "table of contents",
    "index", "related", "related pages", "see also", "references", "links", "external links", "further reading",
    "notes", "目录", "目錄", "参考", "参考资料", "延伸阅读", "inhalt", "einleitung", "sommaire", "introducción",
})  # fmt: skip
"""Headings, casefolded, of boards, of drawings and of any note: they say nothing of this one."""


def title(source: Source) -> str:
    """Return a note's title as markdown on one line."""
    return escaped(_called(source))


def headline(source: Source, boilerplate: frozenset[str]) -> str:
    """Return the title, and behind it the headings that are not boilerplate, as far as they fit, as markdown."""
    line, between = _called(source), ": "
    for heading in _headings(source, boilerplate):
        longer = f"{line}{between}{heading}" if line else heading
        if estimate(longer) > _LONGEST:
            break
        line, between = longer, ", "
    return escaped(line)


def _called(source: Source) -> str:
    return " ".join(source.title.removesuffix(_DRAWING).split())


def _headings(source: Source, boilerplate: frozenset[str]) -> Iterator[str]:
    """Yield each heading once, without those that repeat the title or hold no plain text."""
    titled = _gist(source.title) | {""}
    told: set[frozenset[str]] = set()
    for written in source.headings:
        text = plain(written).rstrip(":：")  # noqa: RUF001 -- the wide one
        gist = _gist(text)
        is_news = gist not in told and not gist <= titled and text.casefold() not in _SILENT
        is_news = is_news and shape([text.casefold()]) not in boilerplate
        if is_news and not debris(written) and legible(text):
            told.add(gist)
            yield text


def _gist(text: str) -> frozenset[str]:
    """Return what makes two headings the same."""
    return words(text) or frozenset({text.casefold()})
