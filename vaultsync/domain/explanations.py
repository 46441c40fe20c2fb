"""Why a link is there, in a reader's words: the sentence around it."""

from __future__ import annotations

from typing import Final

from vaultsync.domain.prose import plain
from vaultsync.domain.sentences import sentence_around

_BESIDE: Final = 150
"""Characters of the sentence on each side of its link."""


def explain_link(text: str, encoding: str, start: int, end: int) -> str:
    """Return the sentence that holds a link, in plain reading, cut on both sides where it is long.

    `text`: the chunk around the link; `start`, `end`: the link in it, in bytes of `encoding`.
    """
    raw = text.encode(encoding, "replace")
    first = len(raw[:start].decode(encoding, "replace"))
    last = first + len(raw[start:end].decode(encoding, "replace"))
    return plain(sentence_around(text, first, last, _BESIDE))


def explain_property(key: str, shown: str | None, link: str) -> str:
    """Return `key: what the link shows` for a property's link; of `related.0`, the key is `related`."""
    name = ".".join(part for part in key.split(".") if not part.isdigit())
    return f"{name}: {shown or plain(f'[[{link}]]')}"
