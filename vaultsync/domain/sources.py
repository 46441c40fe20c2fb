"""Which folders are sources, with a tree each, and of which a note is."""

from __future__ import annotations

from collections import Counter
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.folders import around, holdings
from vaultsync.domain.names import caseless

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

ROOT = ""
"""The source of all notes that stand in no other."""

_NEARLY_ALL = 4, 5
_STEPS = 3
_FEWEST_NOTES = 5
_FEWEST_TOKENS = 2_000
"""Over which share of all notes a folder gives way to those in it, how often, and what a source holds at least
(design, section 6)."""


class Weight(NamedTuple):
    """A public note at its usual place. `tokens`: of its leaves that count."""

    path: str
    tokens: int


def choose(
    notes: Iterable[Weight], globs: Sequence[str] = (), fewest_tokens: int = _FEWEST_TOKENS
) -> tuple[str, ...]:
    """Return the folders that get trees of their own, sorted; what stands in none is of the root source.

    They are the folders at the top with enough in them; one that holds nearly all notes gives way to those in it,
    three times at most. `globs` choose instead, whatever the size: folder by folder, `**` for any number of them, in
    any case.
    """
    weights = [*notes]
    held = holdings(note.path for note in weights)
    if globs:
        return tuple(sorted(folder for folder in held if folder and _fits_any(folder, globs)))
    tokens = Counter[str]()
    for note in weights:
        tokens.update(dict.fromkeys(around(note.path), note.tokens))
    return tuple(
        sorted(
            folder
            for folder in _candidates(held)
            if held[folder] >= _FEWEST_NOTES and tokens[folder] >= fewest_tokens
        )
    )


def sources_of(paths: Iterable[str], sources: Collection[str]) -> list[str]:
    """Return for each path the deepest source around it; `sources`: a set, or what else is quickly looked into."""
    folders = [path.rpartition("/")[0] for path in paths]
    found = {
        folder: next((outer for outer in around(f"{folder}/") if outer in sources), ROOT)
        for folder in set(folders)
    }
    return [found[folder] for folder in folders]


def _candidates(held: Counter[str]) -> set[str]:
    share, whole = _NEARLY_ALL
    found = _inside(held, ROOT)
    for _ in range(_STEPS):
        too_large = {folder for folder in found if whole * held[folder] > share * held[ROOT]}
        for folder in too_large:
            found = found - {folder} | _inside(held, folder)
    return found


def _inside(folders: Iterable[str], outer: str) -> set[str]:
    return {folder for folder in folders if folder and folder.rpartition("/")[0] == outer}


def _fits_any(folder: str, globs: Sequence[str]) -> bool:
    parts = caseless(folder).split("/")
    return any(_fits(parts, caseless(glob).strip("/").split("/")) for glob in globs)


def _fits(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    if not pattern:
        return not parts
    if pattern[0] == "**":
        return _fits(parts, pattern[1:]) or (bool(parts) and _fits(parts[1:], pattern))
    return bool(parts) and fnmatchcase(parts[0], pattern[0]) and _fits(parts[1:], pattern[1:])
