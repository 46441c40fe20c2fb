"""The titles of a tree's summaries: what each is about, as a reader would say it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from vaultsync.domain.summary_names import VAULT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from vaultsync.domain.notes import NotePath

LONGEST = 48
"""Characters of a note's name in the title of a summary that is told from others by it."""

_FEW: Final = 3
"""Folders that a title names; of more it names the first and the last."""

_TIME: Final = re.compile(r"(\d{4})(?:-(0[1-9]|1[0-2]))?", re.ASCII)
_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


class Member(NamedTuple):
    """A note right under a summary of level 1. `event_date`: ISO."""

    title: str
    path: NotePath
    event_date: str | None


class Titled(NamedTuple):
    """A summary without its title. `parent`: an ordinal of the tree; `members`: at level 1, in order."""

    ordinal: int
    level: int
    shelf: str
    parent: int | None
    members: tuple[Member, ...] = ()


def root_of(summaries: Iterable[Titled]) -> int | None:
    """Return the ordinal of a tree's root; while there are several, the highest's, and of equals the oldest's."""
    tops = (summary for summary in summaries if summary.parent is None)
    found = min(tops, key=lambda summary: (-summary.level, summary.ordinal), default=None)
    return found.ordinal if found else None


def titles(folder: str, summaries: Sequence[Titled]) -> dict[int, str]:
    """Return the title of each summary by its ordinal, no two alike.

    `folder`: the tree's source, "" for the root source, which is called `VAULT`. The root is called as the
    folder; level 1 as its shelf; what is above as its first and last part. Those that would be called alike are
    told apart by the time of the notes under them, by the folders that they are in, or by their names.
    """
    root = root_of(summaries)
    under = _under(summaries)
    subjects = _subjects(folder, [summary for summary in summaries if summary.level == 1])
    plain = {
        ordinal: _joined(subjects[firsts[0].ordinal], subjects[firsts[-1].ordinal], " \u2013 ")
        for ordinal, firsts in under.items()
        if ordinal != root
    }
    whole = _last(folder) or VAULT
    places = {summary.ordinal: _place(folder, summary) or "" for summary in summaries if summary.level == 1}
    told = _told_apart(plain, under, places, whole)
    return told if root is None else {**told, root: whole}


def _under(summaries: Sequence[Titled]) -> dict[int, list[Titled]]:
    """Return for each summary those of level 1 under it, in order; itself where nothing is."""
    children = defaultdict(list)
    for summary in sorted(summaries, key=lambda summary: summary.ordinal):
        children[summary.parent].append(summary)

    def firsts(summary: Titled) -> Iterator[Titled]:
        below = children[summary.ordinal] if summary.level > 1 else []
        if not below:
            yield summary
        for child in below:
            yield from firsts(child)

    return {summary.ordinal: in_time([*firsts(summary)]) for summary in summaries}


def in_time(summaries: list[Titled]) -> list[Titled]:
    """Put months and years in their order, which need not be that in which they were summed up."""
    if all(_TIME.fullmatch(summary.shelf) for summary in summaries):
        return sorted(summaries, key=lambda summary: summary.shelf)
    return summaries


def _subjects(folder: str, shelved: Sequence[Titled]) -> defaultdict[int, str]:
    """Return what summaries of level 1 are about, by ordinal; anything else is about the source."""
    places = {summary.ordinal: _place(folder, summary) for summary in shelved}
    names = Counter(_last(place) for place in {place for place in places.values() if place is not None})
    found = defaultdict(lambda: _last(folder) or VAULT)
    for summary in shelved:
        place = places[summary.ordinal]
        if place is None:
            found[summary.ordinal] = _time(summary.shelf) or _own_title(summary)
        elif place:
            is_one = names[_last(place)] == 1
            found[summary.ordinal] = _last(place) if is_one else _below(folder, place)
    return found


def _place(folder: str, summary: Titled) -> str | None:
    """Return the folder that a shelf is about; None for a time or a note.

    Where the notes of a shelf were moved elsewhere, that is the folder which they have in common now.
    """
    if not summary.shelf.endswith("/"):
        return None
    place = "/".join(part for part in (folder, summary.shelf.strip("/")) if part)
    if not place or all(member.path.startswith(f"{place}/") for member in summary.members):
        return place
    return _common([member.path.split("/")[:-1] for member in summary.members]) or folder


def _common(folders: Sequence[Sequence[str]]) -> str:
    """Return the deepest folder around all."""
    shared = []
    for parts in zip(*folders, strict=False):
        if len(set(parts)) > 1:
            break
        shared.append(parts[0])
    return "/".join(shared)


def _below(folder: str, place: str) -> str:
    """Return a place, or the path of a note, as one who knows the folder around it calls it."""
    return place.removeprefix(f"{folder}/")


def _time(shelf: str) -> str | None:
    """Return `March 2026` for `2026-03`, and a year as it is."""
    found = _TIME.fullmatch(shelf)
    if found is None:
        return None
    return f"{_MONTHS[int(found[2]) - 1]} {found[1]}" if found[2] else found[1]


def _own_title(summary: Titled) -> str:
    return summary.members[0].title if summary.members else summary.shelf


def _told_apart(
    plain: Mapping[int, str],
    under: Mapping[int, Sequence[Titled]],
    places: Mapping[int, str],
    whole: str,
) -> dict[int, str]:
    """Return titles of which none is another's, nor that of the whole."""
    notes = {ordinal: [*_notes(under[ordinal])] for ordinal in plain}
    found = dict(plain)
    ways = (
        _by_time(notes, plain),
        _by_folders(notes, places),
        _by_names(notes),
        lambda ordinal: f" ({ordinal})",
    )
    for tell in ways:
        alike = Counter([*found.values(), whole])
        found = {
            ordinal: f"{title}{tell(ordinal)}" if alike[title] > 1 else title
            for ordinal, title in found.items()
        }
    return found


def _notes(firsts: Iterable[Titled]) -> Iterator[Member]:
    return (member for summary in firsts for member in summary.members)


def _by_time(notes: Mapping[int, Sequence[Member]], plain: Mapping[int, str]) -> Callable[[int], str]:
    """Return what says the time of a summary's notes, where all that are called alike have one."""
    timeless = {
        plain[ordinal]
        for ordinal, members in notes.items()
        if not members or any(member.event_date is None for member in members)
    }

    def tell(ordinal: int) -> str:
        if plain[ordinal] in timeless:
            return ""
        dates = [member.event_date or "" for member in notes[ordinal]]
        return f", {_joined(min(dates), max(dates), ' to ')}"

    return tell


def _by_folders(notes: Mapping[int, Sequence[Member]], places: Mapping[int, str]) -> Callable[[int], str]:
    """Return what says the folders of a summary's notes below its place, where none lies there itself.

    Only of level 1 are these the folders that a reader would name.
    """

    def tell(ordinal: int) -> str:
        parts = [_below(places.get(ordinal, ""), member.path).split("/") for member in notes[ordinal]]
        if ordinal not in places or not parts or any(len(part) == 1 for part in parts):
            return ""
        return f": {_listed([*dict.fromkeys(_brief(part[0]) for part in parts)])}"

    return tell


def _listed(names: Sequence[str]) -> str:
    """Return a few names, or the first and the last."""
    if len(names) > _FEW:
        return f"{names[0]} to {names[-1]}"
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _by_names(notes: Mapping[int, Sequence[Member]]) -> Callable[[int], str]:
    """Return what says the first and the last of a summary's notes."""

    def tell(ordinal: int) -> str:
        members = notes[ordinal]
        if not members:
            return ""
        return f": {_joined(_brief(members[0].title), _brief(members[-1].title), ' to ')}"

    return tell


def _joined(first: str, last: str, between: str) -> str:
    return first if first == last else f"{first}{between}{last}"


def _brief(title: str) -> str:
    """Return a title in at most `LONGEST` characters, cut between words where it has some."""
    if len(title) <= LONGEST:
        return title
    cut = title[: LONGEST - 1]
    return f"{cut.rpartition(' ')[0] or cut}\u2026"


def _last(folder: str) -> str:
    return folder.rpartition("/")[2]
