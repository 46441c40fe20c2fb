"""What one pass leaves for the next to do: nothing, if all that it found new were its own notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from grown_vaults import about, generated, prose
from small_vaults import fill_vault, memory_of

from vaultsync.app import dues
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.app.sync import sync
from vaultsync.store import marks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Make = Callable[[Mapping[str, str | bytes]], Path]

ALL = (dues.PLACES, dues.MOVES, dues.NOTES)


@pytest.fixture
def garden(vault: Make) -> Path:
    """A vault whose notes have summaries, all written."""
    root = vault(about("apple", "birch", "clover"))
    run(root)
    return root


def run(root: Path) -> None:
    with memory_of(root, write=True) as memory:
        sync(memory)


def owed(root: Path) -> set[str]:
    """Return what is due now."""
    with memory_of(root) as memory:
        return {mark for mark in ALL if marks.find(memory.db.read(), mark) is not None}


def owed_by_reading(root: Path) -> set[str]:
    """Return what is due when a pass has read what changed, and no more."""
    with memory_of(root, write=True) as memory:
        reconcile(memory)
    return owed(root)


def test_a_pass_owes_nothing_for_the_notes_that_it_wrote(garden: Path) -> None:
    """New generated notes, and those written again, are read and recognised, and that is all."""
    assert generated(garden)
    assert not owed(garden)
    fill_vault(garden, {"Garden/apple.md": prose("apple", 1)})
    run(garden)
    assert not owed(garden)


def test_bytes_as_before_owe_nothing(garden: Path) -> None:
    """A note that is read again because it is young or was touched, and says what it said, is no news."""
    note = garden / "Garden/apple.md"
    note.write_bytes(note.read_bytes())
    assert not owed_by_reading(garden)


@pytest.mark.parametrize(
    "changes",
    [
        {"Garden/apple.md": "Apples keep until March.\n"},
        {"Garden/elder.md": "Elder grows by the gate.\n"},
        {"Garden/apple.md": "---\nvaultsync: ignore\n---\nApples keep until March.\n"},
        {"Garden/apple.md": "---\nprivate: true\n---\nApples keep until March.\n"},
    ],
)
def test_a_changed_note_owes(garden: Path, changes: dict[str, str]) -> None:
    """Its place, and the generated notes, may have to follow."""
    fill_vault(garden, changes)
    assert owed_by_reading(garden) == {dues.PLACES, dues.NOTES}


def test_a_note_that_takes_our_mark_owes(garden: Path) -> None:
    """It was a note, and is none any more."""
    ours = next((garden / "_summaries").rglob("*.md"))
    (garden / "Garden/apple.md").write_bytes(ours.read_bytes())
    assert owed_by_reading(garden) == {dues.PLACES, dues.NOTES}


def test_a_setting_that_changes_what_a_note_is_owes(garden: Path) -> None:
    """Bytes as before, but the note is private now."""
    with (garden / ".vaultsync/config.toml").open("a") as settings:
        settings.write('[scope]\nprivate = ["Garden/apple.md"]\n')
    assert {dues.PLACES, dues.NOTES} <= owed_by_reading(garden)
