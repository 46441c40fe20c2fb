"""On which shelf each note of a tree stands now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.domain.dates import day_of
from vaultsync.domain.shelves import Note, shelves
from vaultsync.store import places, tree_rows
from vaultsync.vault import obsidian

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultsync.app.memory import Memory
    from vaultsync.domain.notes import NotePath, Uid
    from vaultsync.store.connection import Reader
    from vaultsync.store.trees import TreeRow
    from vaultsync.vault.obsidian import ObsidianSettings


def shelves_of(memory: Memory, index: Reader, tree: TreeRow) -> dict[Uid, str]:
    """Return the shelves of the living notes that are placed in a tree."""
    notes = ((note.uid, note.path, note.tokens) for note in tree_rows.notes(index, tree.id))
    return shelve(memory, obsidian.read_settings(memory.root), index, tree, notes)


def shelve(
    memory: Memory,
    seen: ObsidianSettings,
    index: Reader,
    tree: TreeRow,
    notes: Iterable[tuple[Uid, NotePath, int]],
) -> dict[Uid, str]:
    """Return the shelves of all notes that are to be in a tree, each with its path and the tokens that count."""
    placed = [
        Note(uid, path, tokens, day_of(path, seen.daily_format, seen.daily_folder))
        for uid, path, tokens in notes
    ]
    return shelves(tree.folder, placed, places.standing(index, tree.id), memory.settings.seal_tokens)
