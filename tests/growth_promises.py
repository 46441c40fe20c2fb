"""What is kept whatever happens to a vault that grows: the bytes of a person, and what nobody may be told."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from machines import files_of
from tree_promises import made, typed

from vaultsync.app.finding.tree import find_trees
from vaultsync.app.machines import own_files, tree_lines
from vaultsync.store import summaries
from vaultsync.surfaces import tree_wire

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from vaultsync.app.memory import Memory

TOLD = re.compile(r"told\d+")
"""In every sentence of a note, another for each version: so it is known where a text came from."""
MINE = re.compile(r"mine\d+")
"""In all that a person writes in generated notes."""


def notes_of(root: Path) -> list[Path]:
    """Return the user's own notes."""
    return sorted(path for path in root.rglob("*.md") if not path.is_relative_to(root / "_summaries"))


def users_files(root: Path) -> dict[str, bytes]:
    """Return the user's own notes, and their settings."""
    ours = {own_files.ID, own_files.TREE, own_files.LEDGER, ".vaultsync/.gitattributes"}
    return {
        path: raw
        for path, raw in files_of(root).items()
        if not path.startswith("_summaries/") and path not in ours
    }


def words_of(root: Path) -> set[str]:
    """Return what a person wrote in generated notes."""
    return {words for line in typed(root) for words in MINE.findall(line)}


def said(memory: Memory) -> dict[str, str]:
    """Return what machines say in public summaries, and in the notes of these if any are written."""
    rows = (row for row in summaries.every(memory.db.read()) if not (row.private or row.pinned))
    written = {} if tree_lines.read(memory).off else made(memory.root)
    return written | {row.uid: f"{row.title} {row.text}" for row in rows}


def may_be_told(memory: Memory, open_notes: Iterable[Path]) -> set[str]:
    """Return what is said by notes that all may see, and in summaries that are a person's."""
    texts = (note.read_text() for note in open_notes)
    pinned = (row.text for row in summaries.every(memory.db.read()) if row.pinned)
    return {told for text in (*texts, *pinned) for told in TOLD.findall(text)}


def public_trees(memory: Memory) -> object:
    """Return all that is to be seen of the public trees."""
    return tree_wire.trees(memory, [tree for tree in find_trees(memory) if not tree.private])
