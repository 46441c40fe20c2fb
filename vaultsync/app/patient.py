"""What the doctor looks at besides the database: the vault's bytes and folders, and the machine around."""

from __future__ import annotations

import itertools
import sys
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app.machines import own_files
from vaultsync.app.notes.planning import make_plan
from vaultsync.app.notes.scope import Scope, find_scope
from vaultsync.domain import ledger, links
from vaultsync.domain.errors import VaultError
from vaultsync.domain.surroundings import MARKS, access_advice, synced_by
from vaultsync.domain.survey import looks_changed
from vaultsync.domain.tiling import find_fault
from vaultsync.store import checks, counts, edges, generated
from vaultsync.vault import access, files, git
from vaultsync.vault.files import ReadFailure, content_hash
from vaultsync.vault.scanner import scan

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultsync.app.memory import Memory
    from vaultsync.domain.links import Candidate
    from vaultsync.domain.planning import Plan
    from vaultsync.domain.snapshot import DiskSnapshot
    from vaultsync.store.checks import ReadFile, Settled

BATCH_LINKS = 4000
"""Links whose candidates are asked for at once."""


class Fault(NamedTuple):
    """Something wrong with the row of this id, in words."""

    row_id: int
    words: str


class Proof(NamedTuple):
    """`unseen`: files with other bytes under the same fingerprint; `misplaced`: files with wrong leaves."""

    unseen: list[Fault]
    misplaced: list[Fault]


class Patient:
    """A memory and what is found out about it, each thing at most once."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    @cached_property
    def scope(self) -> Scope:
        """What counts as a note now."""
        return find_scope(self.memory)

    @cached_property
    def disk(self) -> DiskSnapshot:
        """The vault's folders as they are. Raises VaultError."""
        return scan(self.memory.root, self.scope.rules)

    @cached_property
    def proof(self) -> Proof:
        """What is stored of each note, held against its bytes, if they are still those that were read."""
        found = Proof([], [])
        for file in checks.read_files(self.memory.db.read()):
            self._prove(file, found)
        return found

    @cached_property
    def misresolved(self) -> list[Fault]:
        """Links whose stored target is not what they mean now."""
        settled = checks.settled_links(self.memory.db.read())
        return [fault for batch in _batched(settled) for fault in self._misresolved(batch)]

    def _prove(self, file: ReadFile, found: Proof) -> None:
        try:
            raw, fingerprint = files.read(self.memory.root, file.path)
        except ReadFailure:
            return  # other checks tell of what is gone or can't be read
        if content_hash(raw) != file.content_hash:
            if fingerprint == file.fingerprint:
                found.unseen.append(Fault(file.file_id, file.path))
            return
        fault = find_fault(raw, file.encoding, checks.stands(self.memory.db.read(), file.file_id))
        if fault:
            found.misplaced.append(Fault(file.file_id, f"{file.path}: {fault}"))

    def _misresolved(self, batch: Sequence[Settled]) -> Iterator[Fault]:
        keys = {link.edge.target_key for link in batch if link.edge.target_key is not None}
        candidates = edges.candidates(self.memory.db.read(), keys)
        for link in batch:
            if (link.to_node_id, link.match) != _meaning(link, candidates):
                yield Fault(link.edge.edge_id, f"{link.edge.from_path}: {link.edge.link}")


def _meaning(link: Settled, candidates: dict[str, list[Candidate]]) -> tuple[int | None, str | None]:
    edge = link.edge
    named = candidates.get(edge.target_key, []) if edge.target_key is not None else []
    return links.resolve(edge.link, edge.kind, edge.from_path, edge.from_node_id, named) or (None, None)


def _batched(settled: Iterator[Settled]) -> Iterator[list[Settled]]:
    while batch := list(itertools.islice(settled, BATCH_LINKS)):
        yield batch


def differences(patient: Patient) -> list[str]:
    """Return each note that the index does not know, knows otherwise, or knows although it is gone."""
    profile = patient.scope.profile
    return sorted(_words(make_plan(patient.memory, patient.scope, patient.disk), profile))


def _words(todo: Plan, profile: str) -> Iterator[str]:
    moved = {move.note.path for move in todo.moves}
    yield from (f"{move.row.path} is now {move.note.path}" for move in todo.moves)
    for note, row in todo.read:
        if note.path in moved:
            continue
        if row is None or not (row.alive or row.ignored):
            yield f"{note.path} is new"
        elif not row.held and looks_changed(note, row, profile):
            yield f"{note.path} changed"
    for change in todo.restand:
        yield f"{change.note.path} changed its place"
    for row in (*todo.bury, *todo.refused):
        yield f"{row.path} is gone"


def refusals(patient: Patient) -> Iterator[str]:
    """Yield each folder or file that can't be read, and what a person can do about it."""
    held = [path for path, code in counts.held(patient.memory.db.read()) if code == "unreadable"]
    try:
        unreadable = patient.disk.unreadable
    except VaultError:
        unreadable = ("",)
    root = patient.memory.root
    for path in dict.fromkeys([*unreadable, *held]):
        error = access.refusal(root, path)
        if error is not None:
            yield f"{path or root}: {error.strerror}; {access_advice(error.errno or 0, sys.platform)}"


def copiers(patient: Patient) -> Iterator[str]:
    """Yield the program that copies the state folder to other machines."""
    state = patient.memory.state
    marks = {mark for mark in MARKS for folder in (state, *state.parents) if (folder / mark).exists()}
    if program := synced_by(state.parts, marks):
        yield f"{state} is copied by {program}"


def odd_lines(patient: Patient) -> Iterator[str]:
    """Yield how many lines of the ledger say nothing, or why it can't be read."""
    try:
        skipped = ledger.read(own_files.find(patient.memory.root, own_files.LEDGER).text).skipped
    except VaultError as error:
        yield str(error)
    else:
        if skipped:
            yield f"{own_files.LEDGER}: {skipped:,} lines are no `UID<TAB>PATH`"


def lost_notes(patient: Patient) -> Iterator[str]:
    """Yield each generated note that was written or read, is not in the vault, and is not known to have gone."""
    for row in generated.standing(patient.memory.db.read()):
        if row.path and row.written_hash and not row.missing and row.path not in patient.disk.notes:
            yield row.path


def silences(patient: Patient) -> Iterator[str]:
    """Yield the vault if it lies in a git work tree and git does not answer for it."""
    if not git.answers(patient.memory.root):
        yield f"git does not answer for {patient.memory.root}"
