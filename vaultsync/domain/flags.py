"""The line by which a summary says which names in it are in none of its notes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from vaultsync.domain.summary_note import inert

if TYPE_CHECKING:
    from collections.abc import Sequence

_MARK: Final = "*Not in the notes: "
_FLAG: Final = re.compile(r"(?:\n\n|\A)\*Not in the notes: (.+)\.\*\Z")
"""It stands in the text, so it is there wherever that is."""


def flag(text: str, names: Sequence[str]) -> str:
    """Return a text that says which names are in none of its notes."""
    shown = [inert(name.replace("*", "").replace(",", " ")) for name in names]
    return f"{text}\n\n{_MARK}{', '.join(shown)}.*" if names else text


def flagged(text: str) -> tuple[str, ...]:
    """Return the names that a text says are in none of its notes."""
    found = _FLAG.search(text)
    return tuple(found[1].split(", ")) if found else ()


def unflagged(text: str) -> str:
    """Return a text without what it says of such names, as a summary above is to read it."""
    return _FLAG.sub("", text)
