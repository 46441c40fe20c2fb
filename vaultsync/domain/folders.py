"""The folders around notes, and how many notes each holds."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING
from unicodedata import normalize

from vaultsync.domain.names import is_utf8

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

_MOST = 4, 5
"""The share of its notes that a source, or a shelf, goes along with (design, section 6)."""


def around(path: str) -> Iterator[str]:
    """Yield the folders around a path, the deepest first, the vault's own ("") last.

    In NFC, so that all machines name them alike; those whose names are no text, which no table can hold, are left out.
    """
    folder = path if path.isascii() else normalize("NFC", path)
    while folder:
        folder = folder.rpartition("/")[0]
        if is_utf8(folder):
            yield folder


def holdings(paths: Iterable[str]) -> Counter[str]:
    """Return how many of these notes stand below each folder; below "" stand all."""
    return Counter(folder for path in paths for folder in around(path))


def moved_to(
    folder: str, own: Mapping[str, int], every: Mapping[str, int], taken: Collection[str]
) -> str | None:
    """Return the folder to which the notes of a folder went as a whole, None if they did not.

    `own`: holdings of the notes that belonged to it; `every`: of all notes; `taken`: folders that it can't become.
    Four fifths of them stand in a folder whose notes are mostly they, and hardly any note in the old one. Of several
    the one of the old name is meant, else the uppermost.
    """
    share, whole = _MOST
    count = own.get("", 0)
    if not folder or whole * every.get(folder, 0) > (whole - share) * count:
        return None
    before = {"", folder, *around(folder)}
    found = [
        there
        for there, held in own.items()
        if there not in before and whole * held >= share * count and 2 * held > every.get(there, 0)
    ]
    name = folder.rpartition("/")[2]
    best = min(
        found, key=lambda there: (there.rpartition("/")[2] != name, there.count("/"), there), default=None
    )
    return None if best in taken else best
