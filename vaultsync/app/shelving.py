"""The shelves of a tree's notes, as the store and Obsidian's settings say them now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.domain.dates import day_of
from vaultsync.domain.shelves import Note, shelves
from vaultsync.store import tree_rows
from vaultsync.vault import obsidian

if TYPE_CHECKING:
    from vaultsync.app.memory import Memory
    from vaultsync.domain.notes import Uid
    from vaultsync.store.connection import Reader
    from vaultsync.store.trees import TreeRow


def shelves_of(memory: Memory, index: Reader, row: TreeRow) -> dict[Uid, str]:
    """Return the shelf of each living note in a tree."""
    seen = obsidian.read_settings(memory.root)
    notes = [
        Note(note.uid, note.path, note.tokens, day_of(note.path, seen.daily_format, seen.daily_folder))
        for note in tree_rows.notes(index, row.id)
    ]
    standing = {summary.shelf for summary in tree_rows.summaries(index, row.id) if summary.level == 1}
    return shelves(row.folder, notes, standing, memory.settings.seal_tokens)
