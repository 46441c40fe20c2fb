"""What a pass would do now: the ledger asked, the vault surveyed, missing notes looked for, and a plan made of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app.notes import ledger, origin
from vaultsync.app.progress import silent
from vaultsync.domain.claims import Claims, claim
from vaultsync.domain.planning import Move, Plan, plan
from vaultsync.domain.survey import survey
from vaultsync.store import files, identities, nodes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vaultsync.app.memory import Memory
    from vaultsync.app.notes.scope import Scope
    from vaultsync.app.progress import Progress
    from vaultsync.domain.notes import NotePath, Uid
    from vaultsync.domain.snapshot import DiskNote, DiskSnapshot
    from vaultsync.domain.survey import IndexedFile, Survey


class _Ledger(NamedTuple):
    """What the ledger means here. `old`: uids that its lines, known before, say of paths."""

    claims: Claims
    old: Mapping[NotePath, Uid]


def make_plan(
    memory: Memory,
    scope: Scope,
    disk: DiskSnapshot,
    *,
    only: Sequence[NotePath] | None = None,
    rehash: bool = False,
    accept_removals: bool = False,
    progress: Progress = silent,
) -> Plan:
    """Plan a pass over what was scanned: the whole vault, or the paths in `only`; changes nothing."""
    index = memory.db.read()
    rows = nodes.files(index, None if only is None else {*only, *disk.notes})
    progress("looking", 0, 0)
    told = _ask_ledger(memory, disk, rows, is_whole=only is None)
    claims = told.claims
    surveyed = survey(disk, claims.rows, profile=scope.profile, rehash=rehash)
    seen, found = _find_moves(memory, scope, _without(surveyed, claims), claims, progress)
    seen = replace(seen, come=(*seen.come, *_settled(surveyed, claims)), gone=(*seen.gone, *claims.displaced))
    moves = [*_claimed(disk, claims), *found]
    living = nodes.count_living(index)
    todo = plan(seen, moves, living=living, accept_removals=accept_removals)
    if todo.refused:
        excused = origin.taken_by_git(memory, {row.path for row in todo.refused})
        todo = plan(seen, moves, living=living, accept_removals=accept_removals, excused=excused)
    return replace(todo, relabels=claims.relabels, given={**told.old, **claims.given})


def _ask_ledger(memory: Memory, disk: DiskSnapshot, rows: list[IndexedFile], *, is_whole: bool) -> _Ledger:
    """Return what the ledger says of the notes that are known and of the files that were scanned.

    News of notes that stand is for a pass over the whole vault: an edit need not ask.
    """
    appeared = not {row.path for row in rows}.issuperset(disk.notes)
    if not (is_whole or appeared):
        return _Ledger(Claims(rows, {}, (), (), {}), {})
    index = memory.db.read()
    on_disk = disk.notes.keys() if is_whole else {*disk.notes, *identities.paths(index).values()}
    facts = ledger.load(memory, on_disk, appeared=appeared)
    new = {path: uid for path, uid in facts.new.items() if path in disk.notes}
    if not new:
        return _Ledger(Claims(rows, {}, (), (), {}), facts.old)
    return _Ledger(claim(rows, new, files.with_uids(index, set(new.values()))), facts.old)


def _without(seen: Survey, claims: Claims) -> Survey:
    """Leave out of the survey what the ledger settles."""
    settled = set(_settled(seen, claims))
    return replace(
        seen,
        come=tuple(note for note in seen.come if note not in settled),
        read=tuple(task for task in seen.read if task.note.path not in claims.moved),
    )


def _settled(seen: Survey, claims: Claims) -> list[DiskNote]:
    """Return the new files which are no note that is known here: what the ledger says, or leaves unsaid, is so.

    It names some by another uid. Others are left at a path whose note is elsewhere by the ledger: had the writer
    taken one for a note that it displaced, a line would say so.
    """
    left = {row.path for row in claims.moved.values()}.union(claims.given)
    return [note for note in seen.come if note.path in left] if left else []


def _find_moves(
    memory: Memory, scope: Scope, seen: Survey, claims: Claims, progress: Progress
) -> tuple[Survey, list[Move]]:
    """Look for missing notes where there may be one; the rule of identity is loaded for it only."""
    if not (seen.gone or seen.come or seen.read):
        return seen, []
    from vaultsync.app.notes.renames import find_moves  # noqa: PLC0415 - 20 ms that a pass without a change need not pay

    progress("looking", 0, 0)
    return find_moves(memory, scope, seen, {row.file_id for row in claims.moved.values()}, progress)


def _claimed(disk: DiskSnapshot, claims: Claims) -> list[Move]:
    return [
        Move(row, disk.notes[path], "ledger", same=False, racy=False) for path, row in claims.moved.items()
    ]
