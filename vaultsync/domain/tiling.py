"""Whether the leaves of a note stand where they say, and together hold its body."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain import fences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Stand(NamedTuple):
    """What a leaf says of itself: bytes [start, end) of the file, and the text that they are."""

    start: int
    end: int
    text: str


def find_fault(raw: bytes, encoding: str, leaves: Sequence[Stand]) -> str | None:
    """Return the first thing wrong with `leaves` (in order of `start`) of a file with these bytes, else None.

    Each leaf's bytes are its text; none overlap; between, before and behind them is nothing but blanks and,
    before the first, the frontmatter (design, section 4).
    """
    return next(_faults(raw, encoding, leaves), None)


def _faults(raw: bytes, encoding: str, leaves: Sequence[Stand]) -> Iterator[str]:
    at = 0
    for leaf in leaves:
        if leaf.start < at:
            yield f"two chunks hold bytes {leaf.start} to {at}"
        elif _says_something(raw[at : leaf.start], encoding, is_head=at == 0):
            yield f"no chunk holds bytes {at} to {leaf.start}"
        if raw[leaf.start : leaf.end].decode(encoding, "replace") != leaf.text:
            yield f"bytes {leaf.start} to {leaf.end} are not their chunk's text"
        at = max(at, leaf.end)
    if _says_something(raw[at:], encoding, is_head=at == 0):
        yield f"no chunk holds bytes {at} to {len(raw)}"


def _says_something(piece: bytes, encoding: str, *, is_head: bool) -> bool:
    text = piece.decode(encoding, "replace")
    if is_head:
        text = text.removeprefix("\ufeff")
        fence = fences.split(text)
        text = text[fence.body :] if fence else text
    return bool(text.strip())
