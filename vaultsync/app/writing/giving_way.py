"""Generated notes that this machine wrote, and that would be in the way of those of the vault's writer, go."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from vaultsync.domain.summary_note import Parts, take_apart
from vaultsync.store import generated, marks
from vaultsync.vault import files, git

if TYPE_CHECKING:
    from vaultsync.app.growing.duty import Duty
    from vaultsync.app.memory import Memory
    from vaultsync.domain.notes import NotePath

_GAVE_WAY = "gave way to"
"""The mark of the writer for whom generated notes were removed."""


def give_way(memory: Memory, duty: Duty) -> tuple[NotePath, ...]:
    """Remove our generated notes, once, if the upstream branch names another writer: a pull would stop at them.

    Only what git does not track and nobody wrote in.
    """
    writer = duty.role.writer if duty.role.overruled else None
    if duty.is_busy or memory.is_rehearsal or marks.find(memory.db.read(), _GAVE_WAY) == writer:
        return ()
    removed = _remove(memory) if writer else []
    with memory.db.write() as tx:
        generated.forget(tx, removed)
        marks.put(tx, {_GAVE_WAY: writer})
    return tuple(removed)


def _remove(memory: Memory) -> list[NotePath]:
    root, folder = memory.root, memory.settings.folder
    found = {file.path: file.content_hash for file in generated.files_below(memory.db.read(), folder)}
    removed = []
    untracked = git.untracked(root, found) if found else ()
    for path in sorted(path for path in found if path in untracked):
        with suppress(files.ReadFailure, files.WriteRefused, OSError):
            parts = take_apart(files.read(root, path).raw)
            if isinstance(parts, Parts) and parts.is_ours_alone and parts.record.vault == memory.vault_id:
                files.remove(root, path, found[path])
                removed.append(path)
                files.remove_empty(root, path.rpartition("/")[0], folder)
    return removed
