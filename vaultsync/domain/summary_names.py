"""What our own notes are called: never like anything that a user's link may mean, and writable on any disk."""

from __future__ import annotations

import re
from itertools import count, islice
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

from vaultsync.domain.names import caseless, name_key
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

VAULT: Final = "Vault"
"""What the root source is called: the name of the vault's folder may differ from machine to machine."""

_UNNAMED: Final = "Folder"
_SUFFIX: Final = ".md"
_ROOT_ENDING: Final = " (summary)"
_ROOT_NAME: Final = re.compile(r"(.* \(summary\)(?: ([2-9]|[1-9][0-9]{1,3}))?)\.md", re.DOTALL)


def summary_path(summaries: str, source: str, ordinal: int | None, names: Container[str]) -> NotePath:
    """Return a free path for a note of the source in that folder: `<summaries>/a/B/B (summary 3).md` of `a/B`.

    `source`: "" is the root source, whose notes are the vault's: `<summaries>/Vault (summary).md`.
    `ordinal`: None for the root of a tree, whose name has no number.
    `names`: what no name may be, as keys: the `name_key` of each name and alias of a note, and of our other
    notes, and the `target_key` of each link that finds nothing; where the name is taken, a counter follows it.
    A name is in NFC, takes at most 255 bytes, and holds nothing that Obsidian or Windows refuses.
    """
    what = _ROOT_ENDING if ordinal is None else f" (summary {ordinal})"
    wanted = _numbered(_stem(source), what)
    folder = _folder(summaries, source)
    paths = (NotePath(f"{folder}/{name}{_SUFFIX}") for name in wanted)
    return next(path for path in paths if not is_taken(path, names))


def may_stay(path: NotePath, summaries: str, source: str, *, is_root: bool) -> bool:
    """Tell whether our note at `path` is where and what a note of the source is to be; case does not count.

    Only the root of a tree is called as one; any other name is for life.
    """
    folder, _, name = path.rpartition("/")
    found = _ROOT_NAME.fullmatch(name)
    if caseless(folder) != caseless(_folder(summaries, source)) or is_root != bool(found):
        return False
    numbered = _numbered(_stem(source), _ROOT_ENDING)
    return not found or caseless(found[1]) == caseless(next(islice(numbered, int(found[2] or 1) - 1, None)))


def is_root_name(path: NotePath) -> bool:
    """Tell whether our note at `path` is called as the root of a tree."""
    return _ROOT_NAME.fullmatch(path.rpartition("/")[2]) is not None


def moved_path(path: NotePath, summaries: str, source: str, names: Container[str]) -> NotePath:
    """Return where our note at `path` goes when its source is another folder: its own name stays.

    `names`: as `summary_path` takes them.
    """
    name = path.rpartition("/")[2].removesuffix(_SUFFIX)
    folder = _folder(summaries, source)
    paths = (NotePath(f"{folder}/{stem}{_SUFFIX}") for stem in _numbered(name, ""))
    return next(path for path in paths if not is_taken(path, names))


def is_writable(folder: str) -> bool:
    """Tell whether every disk and Obsidian take a folder's path, and none hides it."""
    return all(_writable(part) == part and len(part.encode()) <= _LONGEST for part in folder.split("/"))


def is_taken(path: NotePath, names: Container[str]) -> bool:
    """Tell whether one of these names is that of our note at `path`: taken later by a user, ours is renamed."""
    return name_key(path.rpartition("/")[2]) in names


def _folder(summaries: str, source: str) -> str:
    return "/".join([summaries, *(_shortened(part, _LONGEST) for part in _parts(source))])


def _stem(source: str) -> str:
    return [VAULT, *_parts(source)][-1]


def _parts(source: str) -> list[str]:
    return [_writable(part) for part in source.split("/")] if source else []


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
