"""On which shelf of its source a note stands: what is summed up with what."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.folders import around, moved_to

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from vaultsync.domain.notes import NotePath, Uid

SOURCE = "/"
"""The shelf of a source's own folder. Others are a folder below it (`Dome/`), a month (`2026-03`), a year (`2026`) of
daily notes, or the uid of a note that fills a summary by itself."""

_FULL = 8_000
"""Tokens that fill a summary: a note with as many is a shelf. A folder becomes one with half of them, and is one down
to a quarter, from which on a month is one too (design, section 6)."""


class Note(NamedTuple):
    """A note of a source. `tokens`: of its leaves that count; `day`: in ISO, of a daily note alone."""

    uid: Uid
    path: NotePath
    tokens: int
    day: str | None


def shelves(
    source: str, notes: Iterable[Note], standing: Collection[str] = (), full: int = _FULL
) -> dict[Uid, str]:
    """Return the shelf of each note of a source (its folder), whatever their order, in linear time.

    `standing`: the shelves that have summaries now; a folder among them takes notes as long as it holds a quarter.
    """
    daily, own, plain = _sorted(notes, full)
    months = Counter[str]()
    for day, note in daily:
        months[day[:7]] += note.tokens
    placed = {note.uid: day[:7] if 4 * months[day[:7]] >= full else day[:4] for day, note in daily}
    placed |= {note.uid: note.uid for note in own}
    tokens = Counter[str]()
    for note in plain:
        tokens[note.path.rpartition("/")[0]] += note.tokens
    folders = {written: _below(source, next(around(f"{written}/"))) for written in tokens}
    below = Counter[str]()
    for written, folder in folders.items():
        below[folder] += tokens[written]
    chosen = _choose(below, standing, full)
    homes = {folder: next(outer for outer in _upward(folder) if outer in chosen) for folder in below}
    return placed | {note.uid: _key(homes[folders[note.path.rpartition("/")[0]]]) for note in plain}


def renamed(source: str, own: Mapping[str, Mapping[str, int]], every: Mapping[str, int]) -> dict[str, str]:
    """Return the new keys, by their old ones, of shelves whose folder was moved as a whole within the source.

    `own`: by shelf that has summaries, how many of the notes in these stand below each folder; `every`: of all notes.
    """
    folders = {shelf: folder for shelf in sorted(own) if (folder := folder_of(source, shelf))}
    taken = set(folders.values())
    found = {}
    for shelf, folder in folders.items():
        there = moved_to(folder, own[shelf], every, taken)
        if there and there != source and _is_below(source, there):
            found[shelf] = _key(_below(source, there))
            taken.add(there)
    return found


def folder_of(source: str, shelf: str) -> str | None:
    """Return the folder of a shelf that is one below its source."""
    if shelf == SOURCE or not shelf.endswith("/"):
        return None
    return f"{source}/{shelf[:-1]}" if source else shelf[:-1]


def _sorted(notes: Iterable[Note], full: int) -> tuple[list[tuple[str, Note]], list[Note], list[Note]]:
    """Return the daily notes with their days, those that fill a summary, and the others."""
    daily: list[tuple[str, Note]] = []
    own: list[Note] = []
    plain: list[Note] = []
    for note in notes:
        if note.day is not None:
            daily.append((note.day, note))
        else:
            (own if note.tokens >= full else plain).append(note)
    return daily, own, plain


def _choose(tokens: Mapping[str, int], standing: Collection[str], full: int) -> set[str]:
    """Return the folders that are shelves: what a deeper shelf holds does not count for those around it."""
    held = Counter(dict.fromkeys((outer for folder in tokens for outer in _upward(folder)), 0))
    held.update(tokens)
    chosen = {""}
    for folder in sorted(held.keys() - chosen, key=lambda folder: folder.count("/"), reverse=True):
        if (4 if _key(folder) in standing else 2) * held[folder] >= full:
            chosen.add(folder)
        else:
            held[folder.rpartition("/")[0]] += held[folder]
    return chosen


def _upward(folder: str) -> Iterator[str]:
    """Yield a folder below the source and those around it, the source ("") last."""
    yield folder
    if folder:
        yield from around(folder)


def _is_below(source: str, folder: str) -> bool:
    return not source or folder == source or folder.startswith(f"{source}/")


def _below(source: str, folder: str) -> str:
    """Return a folder as seen from its source; what is not below it counts as the source's own."""
    if not _is_below(source, folder):
        return ""
    return folder[len(source) :].removeprefix("/") if source else folder


def _key(folder: str) -> str:
    return f"{folder}/"
