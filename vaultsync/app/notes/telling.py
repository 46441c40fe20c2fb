"""What a pass leaves for the vault's other machines to know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.app.machines import own_files, writer
from vaultsync.app.notes import ledger, origin
from vaultsync.domain.errors import UsageError, VaultError
from vaultsync.store import identities

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from vaultsync.app.memory import Memory
    from vaultsync.app.notes.report import Report
    from vaultsync.domain.notes import Uid
    from vaultsync.domain.planning import Plan


MANY = 100
"""New notes in the time around a loss; more are an import, of which only those of the very pass get their lines."""


def tell(memory: Memory, report: Report, todo: Plan, now: float, *, is_whole: bool) -> None:
    """Let them know what this pass decided, unless git is at work or has just been.

    `now`: when the pass began, in seconds since 1970; `is_whole`: it looked at the whole vault.
    """
    origin.remember(memory, report.changed, is_whole=is_whole)
    if memory.is_rehearsal:
        return
    new = dict(identities.first_seen_at(memory.db.read(), now)) if report.added else {}
    doubtful = _doubtful(memory, report, todo, new, now)
    rows = [*(move.row for move in todo.moves), *todo.bury, *(change.row for change in todo.restand)]
    rows += [task.known for task in todo.read if task.known]
    touched = {*(row.uid for row in rows if row.uid), *(note.uid for note in todo.relabels)}
    ledger.recall(memory, now)
    failure = None
    try:
        ledger.save(
            memory,
            writer.settle(memory),
            touched=touched.union(new, doubtful),
            doubtful=doubtful,
            may_write=not (origin.is_resting(memory) or report.refusal),
        )
    except (OSError, UsageError, VaultError) as error:
        failure = own_files.words(error)
    else:
        origin.rest_again(memory)
    ledger.settle(memory, now, failure)


def _doubtful(memory: Memory, report: Report, todo: Plan, new: Mapping[Uid, str], now: float) -> set[Uid]:
    """Return the notes that a machine which saw more of the steps to here, or fewer, may take for others.

    New ones near the loss of another: seen at once, that may be a rename. And a new one that has the bytes of a
    note which now says something else, with that note: it may have moved, and left its place to another.
    `new`: the content hashes of the new ones.
    """
    if not (new or todo.bury):
        return set()
    since = now - memory.settings.move_minutes * 60
    near_a_loss: Collection[Uid] = identities.first_seen_near_a_loss(memory.db.read(), since)
    if len(near_a_loss) > MANY:
        near_a_loss = new if any(row.alive for row in todo.bury) else ()
    modified = set(report.modified) if new else ()
    said = {
        row.content_hash: row.uid
        for task in todo.read
        if task.note.path in modified and (row := task.known) and row.uid and row.fingerprint.size
    }
    handed = {uid for uid, content_hash in new.items() if content_hash in said}
    return {*near_a_loss, *handed, *(said[new[uid]] for uid in handed)}
