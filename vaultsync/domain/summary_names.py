"""What our own notes are called: never like anything that a user's link may mean, and writable on any disk."""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

from vaultsync.domain.names import name_key
from vaultsync.domain.notes import NotePath

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

_REFUSED: Final = re.compile(
    '[*"\\\\<>:|?#^\\[\\]\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]|%%'
)
"""Windows and Android refuse the first seven, Obsidian the next four, as no link could name them; the rest is
unseen or no text, and `%%` would begin a comment wherever the name is linked."""

_DEVICES: Final = re.compile(
    "(?:con|prn|aux|nul|conin\\$|conout\\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])[ ]*(?:\\.|\\Z)", re.IGNORECASE
)
"""Names that Windows keeps for devices, whatever stands behind a dot ("Naming Files, Paths, and Namespaces")."""

_LONGEST: Final = 255
"""Bytes of a name on ext4, and no fewer characters elsewhere."""

_VAULT: Final = "Vault"
_UNNAMED: Final = "Folder"
_SUFFIX: Final = ".md"


def summary_path(summaries: str, source: str, ordinal: int | None, names: Container[str]) -> NotePath:
    """Return a free path for a note of the source in that folder: `<summaries>/a/B/B (summary 3).md` of `a/B`.

    `source`: "" is the root source, whose notes are the vault's: `<summaries>/Vault (summary).md`.
    `ordinal`: None for the root of a tree, whose name has no number.
    `names`: what no name may be, as keys: the `name_key` of each name and alias of a note, and of our other
    notes, and the `target_key` of each link that finds nothing; where the name is taken, a counter follows it.
    A name is in NFC, takes at most 255 bytes, and holds nothing that Obsidian or Windows refuses.
    """
    parts = [_writable(part) for part in source.split("/")] if source else []
    folder = "/".join([summaries, *(_shortened(part, _LONGEST) for part in parts)])
    what = " (summary)" if ordinal is None else f" (summary {ordinal})"
    wanted = (NotePath(f"{folder}/{name}{_SUFFIX}") for name in _numbered([_VAULT, *parts][-1], what))
    return next(path for path in wanted if not is_taken(path, names))


def is_taken(path: NotePath, names: Container[str]) -> bool:
    """Tell whether one of these names is that of our note at `path`: taken later by a user, ours is renamed."""
    return name_key(path.rpartition("/")[2]) in names


def _numbered(stem: str, what: str) -> Iterator[str]:
    """Yield the name, then the name with 2, 3 and so on behind it."""
    for number in count(1):
        ending = what if number == 1 else f"{what} {number}"
        yield _shortened(stem, _LONGEST - len(f"{ending}{_SUFFIX}".encode())) + ending


def _writable(part: str) -> str:
    """Return a folder's name without what some disk, or Obsidian, refuses."""
    name = " ".join(_REFUSED.sub(" ", normalize("NFC", part)).split()).strip(". ")
    return f"_{name}" if _DEVICES.match(name) else name or _UNNAMED


def _shortened(name: str, room: int) -> str:
    """Return the name in at most `room` bytes, whole characters, no blank or dot at its end."""
    return name.encode()[:room].decode(errors="ignore").rstrip(". ")
