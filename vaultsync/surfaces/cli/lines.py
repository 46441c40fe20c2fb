"""Lines for people, put together from words of notes; what a note holds never drives the terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from vaultsync.app.finding.climbing import note_path
from vaultsync.domain.prose import plain
from vaultsync.domain.sentences import first_sentence, shorten
from vaultsync.store.leaves import LeafRow, NoteRow
from vaultsync.store.summaries import SummaryRow
from vaultsync.surfaces import wire
from vaultsync.surfaces.cli import screen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from rich.style import Style
    from rich.text import Text

WITHHELD: Final = "withheld until it is made again"

_HEADINGS: Final = re.compile(r"\A(?:\s*#{1,6}[ \t][^\n]*)+\s*")

GIST: Final = 200
"""Characters shown of a text that may be long."""


def text(*parts: str | tuple[str, str | Style]) -> Text:
    """Assemble parts, some with a style."""
    from rich.text import Text  # noqa: PLC0415 - 60 ms that --json need not pay

    return Text.assemble(
        *(
            screen.printable(part) if isinstance(part, str) else (screen.printable(part[0]), part[1])
            for part in parts
        )
    )


def row(*parts: str | tuple[str, str]) -> Text:
    """Return parts with some room between them, a little indented."""
    return text("  ", *_between(parts))


def title(root: Path, item: SummaryRow | NoteRow | LeafRow) -> tuple[str, str | Style]:
    """Return the title of what is in the tree, linked to its note in the vault at `root`."""
    from rich.style import Style  # noqa: PLC0415 - as above

    path = note_path(item) if isinstance(item, SummaryRow) else item.path
    return item.title, Style(bold=True, link=wire.uri(root, path) if path else None)


def facts(row: SummaryRow, *, is_stale: bool = False) -> str:
    """Return in words what a summary is like, but for the usual."""
    words = {
        f"level {row.level}": True,
        "open": row.state == "open",
        "pinned": row.pinned,
        "stale": is_stale,
        WITHHELD: row.withdrawn,
    }
    return ", ".join(word for word, holds in words.items() if holds)


def gist(item: SummaryRow | NoteRow | LeafRow) -> str:
    """Return the first sentence of a summary or leaf, behind its headings; of a note, its description."""
    if isinstance(item, NoteRow):
        return item.description
    said = _HEADINGS.sub("", item.text, count=1) or item.text
    return shorten(plain(first_sentence(said, 2 * GIST)), GIST)


def _between(parts: Iterable[str | tuple[str, str]]) -> Iterator[str | tuple[str, str]]:
    for number, part in enumerate(parts):
        if number:
            yield "  "
        yield part
