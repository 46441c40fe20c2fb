"""What a person does to notes, one move each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from growing_vault import HEADS, HIDDEN, NAMES, SCOPES, SETTINGS, GrowingVault, folders, numbers
from growth_promises import notes_of
from hypothesis import strategies as st
from hypothesis.stateful import rule
from small_vaults import fill_vault

if TYPE_CHECKING:
    from pathlib import Path

sizes = st.sampled_from([1, 2, 2, 3, 7])


class NoteMoves(GrowingVault):
    """Notes come, change, move, hide and go."""

    @rule(folder=folders, name=st.sampled_from(NAMES), size=sizes, head=st.sampled_from(HEADS))
    def write_note(self, folder: str, name: str, size: int, head: str) -> None:
        self.write(folder, name, size, head)
        self.changed()

    @rule(folder=folders, count=st.integers(2, 6))
    def write_many(self, folder: str, count: int) -> None:
        for _ in range(count):
            self.write(folder, f"n{self.versions}", 2)
        self.changed()

    @rule(number=numbers)
    def append_sentence(self, number: int) -> None:
        for note in self.some(notes_of(self.root), number):
            note.write_text(note.read_text() + self.text(note.stem, 1))
            self.changed()

    @rule(number=numbers)
    def say_nothing_more(self, number: int) -> None:
        for note in self.some(notes_of(self.root), number):
            note.write_text("")
            self.changed()

    @rule(number=numbers, count=st.integers(1, 4))
    def delete_notes(self, number: int, count: int) -> None:
        for at in range(count):
            for note in self.some(notes_of(self.root), number + at):
                note.unlink()
        self.changed()

    @rule(number=numbers, folder=folders)
    def move_note(self, number: int, folder: str) -> None:
        for note in self.some(notes_of(self.root), number):
            self.move(note, self.root / folder / note.name)

    @rule(old=folders, new=folders)
    def move_folder(self, old: str, new: str) -> None:
        if "." not in {old, new}:
            self.move(self.root / old, self.root / new)

    def move(self, old: Path, new: Path) -> None:
        if old.exists() and not new.exists() and old not in new.parents:
            new.parent.mkdir(parents=True, exist_ok=True)
            old.rename(new)
            self.changed()

    @rule(number=numbers, head=st.sampled_from(HEADS))
    def hide_or_show(self, number: int, head: str) -> None:
        for note in self.some(notes_of(self.root), number):
            text = note.read_text()
            bare = next((text.removeprefix(other) for other in HIDDEN if text.startswith(other)), text)
            note.write_text(head + bare)
            self.changed()

    @rule(scope=st.sampled_from(SCOPES))
    def change_scope(self, scope: str) -> None:
        self.scope = scope
        fill_vault(self.root, {".vaultsync/config.toml": f"{SETTINGS}{scope}"})
        self.changed()
