"""The ledger: which note has which uid, where its path does not say it, for machines that did not see why."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.merged_lines import merged_lines
from vaultsync.domain.names import is_utf8
from vaultsync.domain.notes import NotePath, Uid
from vaultsync.domain.table_paths import composed, from_field, to_field
from vaultsync.domain.uids import note_uid

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

_UID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


class Line(NamedTuple):
    """A note's uid, and its path in NFC."""

    uid: Uid
    path: NotePath


class Lines(NamedTuple):
    """What a ledger says; `skipped`: how many of its lines say nothing that can be understood."""

    lines: frozenset[Line]
    skipped: int


class Note(NamedTuple):
    """What the index knows of a note. `alive`: it stands at `path`; else it vanished while we looked."""

    uid: Uid
    path: NotePath
    private: bool
    alive: bool


@dataclass(frozen=True, slots=True)
class Facts:
    """Which path has which uid, paths spelled as on the disk.

    `new`: by lines that this machine has not seen; they go before all that it would find out by itself.
    `old`: by lines that it has seen; they help only where a new file is given a uid that no other note holds.
    """

    new: Mapping[NotePath, Uid] = field(default_factory=dict)
    old: Mapping[NotePath, Uid] = field(default_factory=dict)


def read(text: str) -> Lines:
    """Read a ledger, whoever wrote or merged it; of a conflict the lines of both sides count."""
    found = [_line(written) for written in merged_lines(text)]
    return Lines(frozenset(line for line in found if line), found.count(None))


def render(lines: Iterable[Line]) -> str:
    """Return the ledger that says these lines, sorted."""
    return "".join(f"{uid}\t{to_field(path)}\n" for uid, path in sorted(lines))


def facts(lines: frozenset[Line], seen: frozenset[Line], on_disk: Collection[NotePath]) -> Facts:
    """Return what the lines say of the files that are there.

    `on_disk`: all paths, as spelled on the disk, in something that tells quickly what is in it. A uid goes to
    the smallest path that claims it, a path takes the smallest uid that is free for it: the same on every
    machine that reads the same lines and files.
    """
    spelled = _spellings(lines, on_disk)
    settled = _settle(lines, spelled)
    new = {path for path, uid in settled.items() if Line(uid, path) not in seen}
    return Facts(
        {spelled[path]: uid for path, uid in settled.items() if path in new},
        {spelled[path]: uid for path, uid in settled.items() if path not in new},
    )


def undone(lines: frozenset[Line], seen: frozenset[Line], notes: Collection[Note]) -> frozenset[Line]:
    """Return the new facts of files that are there, but not with that uid: the next pass has to see to them.

    `notes`: those that the lines name by uid or path, as they are now.
    """
    if lines <= seen:
        return frozenset()
    standing = _standing(notes)
    untrue = {Line(uid, path) for path, uid in _settle(lines, standing).items() if standing[path] != uid}
    return frozenset(untrue - seen)


def seen_after(lines: frozenset[Line], seen: frozenset[Line], notes: Collection[Note]) -> frozenset[Line]:
    """Return the lines that are new no more: those of before, and those that came true or lost against another.

    A line whose file is not there yet stays new, unless its uid stands elsewhere by another line: a merge by
    union brings old lines back. `notes`: as for `undone`.
    """
    if lines <= seen:
        return lines
    standing = _standing(notes)
    at_home = set(_settle(lines, standing).values())
    over = {line for line in lines if line.path in standing or line.uid in at_home}
    return frozenset(lines & seen | over - undone(lines, seen, notes))


def rewrite(
    vault_id: str,
    lines: frozenset[Line],
    seen: frozenset[Line],
    notes: Collection[Note],
    doubtful: Collection[Uid],
) -> frozenset[Line]:
    """Return the lines that the writer leaves behind, when nothing is `undone`.

    `seen`: what this machine saw, now and before. `notes`: all, or those that may have changed and those that
    `lines` name by uid or path. `doubtful`: uids of notes that another machine may have taken for others, as new
    ones are while others vanish.

    A note that ever had a line keeps one: a machine that saw the first and misses the way back would be wrong.
    Lines of private notes go, and those of notes that vanished here; what is not ours to judge stays.
    """
    known = {line.uid for line in lines | seen} | set(doubtful)
    ours = {
        Line(note.uid, composed(note.path))
        for note in notes
        if note.alive and not note.private and is_utf8(note.path)
        if note.uid in known or note.uid != note_uid(vault_id, note.path)
    }
    return frozenset(ours | _others(lines, seen, notes))


def _others(lines: frozenset[Line], seen: frozenset[Line], notes: Collection[Note]) -> set[Line]:
    """Return the lines of which this machine knows nothing better."""
    standing = {note.uid for note in notes if note.alive}
    buried = {note.uid for note in notes} - standing
    judged = {composed(note.path) for note in notes if note.alive or note.private}
    return {
        line
        for line in lines
        if line.path not in judged and line.uid not in standing
        if line.uid not in buried or line not in seen
    }


def _standing(notes: Iterable[Note]) -> dict[NotePath, Uid]:
    return {composed(note.path): note.uid for note in notes if note.alive}


def _line(written: str) -> Line | None:
    uid, tab, place = written.partition("\t")
    path = from_field(place) if tab and _UID.fullmatch(uid) else None
    return Line(Uid(uid), path) if path is not None else None


def _spellings(lines: Iterable[Line], on_disk: Collection[NotePath]) -> dict[NotePath, NotePath]:
    """Return how the paths of the lines that are on the disk are spelled there."""
    spelled = {line.path: line.path for line in lines if line.path in on_disk}
    missing = {line.path for line in lines if not line.path.isascii()} - spelled.keys()
    if missing:
        others = sorted(path for path in on_disk if not path.isascii() and composed(path) in missing)
        spelled |= {composed(path): path for path in reversed(others)}
    return spelled


def _settle(lines: Iterable[Line], present: Collection[NotePath]) -> dict[NotePath, Uid]:
    """Give each path that is present at most one uid, and each uid at most one path, smallest first."""
    settled: dict[NotePath, Uid] = {}
    given = set()
    for uid, path in sorted(lines):
        if path in present and path not in settled and uid not in given:
            settled[path] = uid
            given.add(uid)
    return settled
