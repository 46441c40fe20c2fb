"""Files of ours that are no summary's any more: each goes, or if a person wrote in it, our part of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.app.writing.page_files import is_superseded, look
from vaultsync.domain.names import caseless
from vaultsync.domain.notes import Uid
from vaultsync.domain.summary_note import Parts, emptied
from vaultsync.store import claimed_names

if TYPE_CHECKING:
    from vaultsync.app.memory import Memory
    from vaultsync.app.writing.page_files import PageFiles
    from vaultsync.domain.notes import NotePath


def find_leftovers(memory: Memory, at: PageFiles) -> list[NotePath]:
    """Return the files below the summaries folder, marked as ours, where no page is.

    Paths that differ in case or composition alone may be one.
    """
    top = f"{memory.settings.folder}/"
    ours = {file.path for file in claimed_names.our_files(memory.db.read())}
    ours.update(old for old, _ in at.moved)
    standing = {caseless(path) for path in at.paths.values()}
    return sorted(path for path in ours if path.startswith(top) and caseless(path) not in standing)


def sweep(memory: Memory, at: PageFiles, path: NotePath) -> None:
    """Take our part out of a file that is left over, and the file if nothing else is in it.

    A second file of a summary goes if the first holds every word in it. Raises as `PageFiles.replace`.
    """
    found = look(memory.root, path)
    parts = found.parts if found else None
    if found is None or not isinstance(parts, Parts) or parts.record.vault != memory.vault_id:
        return
    uid = Uid(parts.record.id)
    if at.knows(uid):
        standing = at.standing(uid)
        if standing and is_superseded(found, parts, standing) and standing.place != found.place:
            at.remove(path, found)
    elif parts.is_ours_alone:
        at.remove(path, found)
    else:
        at.replace(path, emptied(parts), found)
