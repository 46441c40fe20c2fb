"""Which missing note is which new file: gathers what `domain.identity` asks for, and turns its pairs into moves."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app.notes.readers import Look, Wanted, glance, look_batch, read_all
from vaultsync.app.progress import silent
from vaultsync.domain import identity
from vaultsync.domain.identity import Come, Gone, Inode, Pair, Rewritten, Traits, Young
from vaultsync.domain.identity.resemblance import loose_name
from vaultsync.domain.planning import Move
from vaultsync.domain.snapshot import DiskNote
from vaultsync.store import files, identities

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from vaultsync.app.memory import Memory
    from vaultsync.app.notes.scope import Scope
    from vaultsync.app.progress import Progress
    from vaultsync.domain.notes import Fingerprint, NotePath
    from vaultsync.domain.survey import IndexedFile, Survey, ToRead
    from vaultsync.store.connection import Reader

    Rows = dict[int, IndexedFile]
    """The files of notes, by node."""


class Seen(NamedTuple):
    """A file that no note claims, and what a look at its bytes said."""

    note: DiskNote
    look: Look


def find_moves(
    memory: Memory,
    scope: Scope,
    seen: Survey,
    settled: Collection[int] = (),
    progress: Progress = silent,
) -> tuple[Survey, list[Move]]:
    """Return where missing notes and tombstones stand now, and the survey as that leaves it.

    `settled`: files (ids) whose notes are known to stand where they do, as are those that stand at their own paths.

    No file is looked at and no text loaded unless a note is missing, or a tombstone may return.
    """
    seen = seen.vacate(_vacated(memory, seen))
    gone = {row.node_id: row for row in seen.gone if row.alive and row.node_id}
    at_home = {*settled, *(task.known.file_id for task in seen.read if task.known)}
    left_out = [row for row in seen.gone if not row.alive]
    graves, come = _tombstones(memory, seen.come, left_out, at_home)
    if not (gone or graves):
        return seen, []
    rows = gone | graves
    looked_at = _look(memory, scope, seen.come if gone else come, rows, progress)
    moves = [
        _move(scope, rows[pair.node_id], looked_at[pair.path], pair)
        for pair in _Search(memory, gone, graves, looked_at).pairs()
    ]
    moved = {move.row.node_id for move in moves}
    left = {node_id: row for node_id, row in gone.items() if node_id not in moved}
    return seen, [*moves, *_moved_in_two_steps(memory, seen, left)]


class _Search:
    """The steps of the rule in their order, each with what the ones before it left."""

    def __init__(self, memory: Memory, gone: Rows, graves: Rows, come: dict[NotePath, Seen]) -> None:
        self.index = memory.db.read()
        self.gone = gone
        self.graves = graves
        self.come = come
        self.traits: dict[str, Traits] = {}
        self.found: list[Pair] = []

    def pairs(self) -> list[Pair]:
        """Return which notes are which files."""
        blank = identities.blank(self.index, self.gone)
        self.found += identity.certain([_gone(row, blank) for row in self._missing()], self._files())
        if self._files() and (missing := self._with_traits(self._missing())):
            rest = self._files()
            held = self._held_ids(missing, rest)
            lone = len(self.gone) == len(self.come) == 1
            self.found += identity.match(missing, rest, self._standing(), held, lone=lone)
        if self._files() and (graves := self._with_traits(self.graves.values())):
            rest = self._files()
            self.found += identity.returning(graves, rest, self._standing(), self._held_ids(graves, rest))
        return self.found

    def _missing(self) -> list[IndexedFile]:
        found = {pair.node_id for pair in self.found}
        return [row for node_id, row in self.gone.items() if node_id not in found]

    def _files(self) -> list[Come]:
        found = {pair.path for pair in self.found}
        return [self._come(seen) for path, seen in self.come.items() if path not in found]

    def _come(self, seen: Seen) -> Come:
        """Bytes that a note had are not parsed again: their traits are that note's."""
        look = seen.look
        return Come(
            seen.note.path,
            look.content_hash,
            _inode(seen.note.fingerprint),
            look.traits or self.traits.get(look.content_hash),
        )

    def _with_traits(self, rows: Iterable[IndexedFile]) -> list[Gone]:
        by_node = {row.node_id: row for row in rows if row.node_id}
        loaded = dict(traits_of_notes(self.index, by_node))
        self.traits |= {by_node[node_id].content_hash: traits for node_id, traits in loaded.items()}
        blank = identities.blank(self.index, by_node)
        return [_gone(row, blank, loaded[node_id]) for node_id, row in by_node.items()]

    def _standing(self) -> list[NotePath]:
        """Return where the notes stand that are not missing, those that were found among them."""
        stay = [path for node, path in identities.paths(self.index).items() if node not in self.gone]
        return [*stay, *(pair.path for pair in self.found)]

    def _held_ids(self, missing: Sequence[Gone], come: Sequence[Come]) -> set[str]:
        """Return those of the ids in question that another note has too."""
        old = {kept for note in missing if note.traits for kept in note.traits.ids}
        asked = old & {kept for file in come if file.traits for kept in file.traits.ids}
        if not asked:
            return set()
        absent = {row.node_id for row in self._missing()}
        others = (text for node_id, text in identities.with_ids(self.index) if node_id not in absent)
        return asked & {kept for metadata in others for kept in identity.traits_of(metadata, "", (), ()).ids}


def traits_of_notes(index: Reader, node_ids: Collection[int]) -> Iterator[tuple[int, Traits]]:
    """Yield what identity sees in the text that is stored of each note."""
    for kept in identities.contents(index, node_ids):
        yield (
            kept.node_id,
            identity.traits_of(kept.metadata, kept.property_text, kept.aliases, kept.texts),
        )


def _vacated(memory: Memory, seen: Survey) -> set[NotePath]:
    """Return the paths whose file now holds what another note held: swaps, chains, a note moved over another.

    Only a file with the size that another one had is read for it.
    """
    rewritten = [task for task in seen.read if task.known and task.known.node_id and _is_rewritten(task)]
    holders = [row for row in seen.gone if row.alive]
    holders += [task.known for task in rewritten if task.known and task.known.alive]
    sizes = Counter(row.fingerprint.size for row in holders)
    suspects = [task for task in rewritten if sizes[task.note.fingerprint.size] > _has_size_of_old(task)]
    changes = [
        Rewritten(note.path, known.content_hash, look.content_hash)
        for note, known in suspects
        if known and (look := glance(memory.root, note.path))
    ]
    bytes_now = {change.new_hash for change in changes}
    was = {row.node_id: row for row in holders if row.node_id and row.content_hash in bytes_now}
    if not was:
        return set()
    index = memory.db.read()
    blank = identities.blank(index, was)
    notes = [_gone(was[node_id], blank, traits) for node_id, traits in traits_of_notes(index, was)]
    gone = {row.path for row in seen.gone}
    standing = [path for path in identities.paths(index).values() if path not in gone]
    sizes_now = {task.note.fingerprint.size for task in suspects}
    alike = [note.path for note in seen.come if note.fingerprint.size in sizes_now]
    unclaimed = {look.content_hash for path in alike if (look := glance(memory.root, path))}
    return identity.vacated(changes, notes, gone, standing, unclaimed)


def _has_size_of_old(task: ToRead) -> bool:
    known = task.known
    return known is not None and known.alive and known.fingerprint.size == task.note.fingerprint.size


def _is_rewritten(task: ToRead) -> bool:
    return task.known is not None and task.known.fingerprint != task.note.fingerprint


def _tombstones(
    memory: Memory, come: Sequence[DiskNote], left_out: Sequence[IndexedFile], at_home: Collection[int]
) -> tuple[Rows, Sequence[DiskNote]]:
    """Return the tombstones that may return, and the files that may be one: by name, or by an id of the user's.

    `left_out`: missing files that asked to be left out, and were notes before.
    """
    index = memory.db.read()
    buried = [*files.tombstones(index), *left_out] if come else []
    rows = {row.node_id: row for row in buried if row.node_id and row.file_id not in at_home}
    if not rows:
        return {}, ()
    with_ids = {node_id for node_id, _ in identities.with_ids(index, buried=True)}
    names = {loose_name(note.path) for note in come}
    graves = {node: row for node, row in rows.items() if node in with_ids or loose_name(row.path) in names}
    if not with_ids.isdisjoint(graves):
        return graves, come
    sought = {loose_name(row.path) for row in graves.values()}
    return graves, [note for note in come if loose_name(note.path) in sought]


def _look(
    memory: Memory, scope: Scope, come: Sequence[DiskNote], rows: Rows, progress: Progress
) -> dict[NotePath, Seen]:
    """Look into files; one with the bytes of a note in question (so of its size) is not parsed."""
    hashes: defaultdict[int, set[str]] = defaultdict(set)
    for row in rows.values():
        hashes[row.fingerprint.size].add(row.content_hash)
    looks: dict[NotePath, Look] = {}
    for done, note in enumerate(come):
        progress("comparing", done, len(come))
        if (
            note.fingerprint.size in hashes
            and (look := glance(memory.root, note.path))
            and look.content_hash in hashes[note.fingerprint.size]
        ):
            looks[note.path] = look
    wanted = [Wanted(note.path, note.fingerprint.size) for note in come if note.path not in looks]
    processes = memory.settings.workers or os.cpu_count() or 1
    with closing(read_all(memory.root, wanted, scope.options, processes, look_batch)) as read:
        for done, (file, found) in enumerate(zip(wanted, read, strict=True), 1):
            progress("comparing", len(come) - len(wanted) + done, len(come))
            if found:
                looks[file.path] = found
    return {note.path: Seen(note, looks[note.path]) for note in come if note.path in looks}


def _gone(row: IndexedFile, blank: Collection[int], traits: Traits | None = None) -> Gone:
    assert row.node_id is not None  # noqa: S101 - only notes are looked for
    is_blank = row.node_id in blank
    return Gone(row.node_id, row.path, row.content_hash, _inode(row.fingerprint), is_blank, traits)


def _inode(fingerprint: Fingerprint) -> Inode | None:
    """Return what the file system says of a file; some file systems have no inodes, and say 0."""
    return Inode(fingerprint.device, fingerprint.inode, fingerprint.mtime_ns) if fingerprint.inode else None


def _move(scope: Scope, row: IndexedFile, seen: Seen, pair: Pair) -> Move:
    same = seen.look.content_hash == row.content_hash and row.profile == scope.profile
    note = seen.note._replace(fingerprint=seen.look.fingerprint) if same else seen.note
    return Move(row, note, pair.by, same, seen.look.racy)


def _moved_in_two_steps(memory: Memory, seen: Survey, gone: Rows) -> list[Move]:
    """Return the notes whose copy was seen shortly before they vanished: that was a move, the new file first."""
    if not gone:
        return []
    since = memory.clock() - memory.settings.move_minutes * 60
    elsewhere = {task.note.path for task in seen.read if _is_rewritten(task)}
    elsewhere |= {row.path for row in seen.gone}
    index = memory.db.read()
    found = [
        (original, copy) for original, copy in files.copies(index, gone, since) if copy.path not in elsewhere
    ]
    if not found:
        return []
    originals = {node_id for node_id, _ in found}
    blank = identities.blank(index, originals)
    notes = [_gone(gone[node_id], blank, traits) for node_id, traits in traits_of_notes(index, originals)]
    copies = {copy.path: copy for _, copy in found}
    young = [Young(copy.node_id, path, copy.content_hash) for path, copy in copies.items() if copy.node_id]
    pairs = identity.moved_in_two_steps(notes, young)
    return [_onto_copy(gone[pair.node_id], copies[pair.path], pair) for pair in pairs]


def _onto_copy(row: IndexedFile, copy: IndexedFile, pair: Pair) -> Move:
    note = DiskNote(copy.path, copy.fingerprint, copy.role, copy.withheld)
    return Move(row, note, pair.by, same=row.profile == copy.profile, racy=copy.racy)
