"""What one stage of a pass leaves for a later one to do, kept until that has done it, whatever comes between."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.store import marks

if TYPE_CHECKING:
    from vaultsync.store.connection import Writer

PLACES = "places due"
"""The mark that a note may be in another place than its path, role, privacy and life say."""

MOVES = "moves due"
"""The mark that notes have other paths than before: folders may have been renamed."""

NOTES = "notes due"
"""The mark that generated notes may not say what the store does."""


def owe(tx: Writer, *, moved: bool = False) -> None:
    """Leave word, with what a pass writes of notes, that their places and the generated notes may have to follow."""
    for mark in (PLACES, NOTES, MOVES)[: 3 if moved else 2]:
        marks.keep(tx, mark, "1")
