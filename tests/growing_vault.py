"""A vault that grows under hypothesis: its notes, its memory, and passes over it that are held to all promises."""

from __future__ import annotations

import random
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from grown_vaults import prose
from growth_promises import TOLD, may_be_told, notes_of, said, users_files, words_of
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize
from machines import files_of
from small_vaults import fill_vault, memory_of
from tree_promises import faults

from vaultsync.app.finding.tree import find_trees
from vaultsync.app.machines import own_files
from vaultsync.app.sync import Wish, sync

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from vaultsync.app.memory import Memory
    from vaultsync.app.stages import Flush

SETTINGS = '[summaries]\nsources = ["*"]\nseal_tokens = 100\nseal_children = 2\n'
SCOPES = ("", '[scope]\nexclude = ["Log/"]\n', '[scope]\nprivate = ["Garden/Beds/"]\n')
VAULT_ID = "5f0c1f6e-3a0b-4c55-9d51-2f6a4be0c7aa"

FOLDERS = ("Garden", "Garden/Beds", "Garden/Beds/Old", "Log", "Moved", ".")
NAMES = ("apple", "birch", "clover", "daisy", "elder", "fern", "gorse", "hazel", "2026-03-01", "2026-03-02")
HEADS = ("", "", "---\nprivate: true\n---\n", "---\nvaultsync: ignore\n---\n")
HIDDEN = tuple(head for head in HEADS if head)

_WORDS = sorted(
    {word for name in "abcdefghijkl" for word in prose(name).split() if word.islower() and word.isalpha()}
)

numbers = st.integers(0, 1000)
folders = st.sampled_from(FOLDERS)


class GrowingVault(RuleBasedStateMachine):
    """A vault and passes over it; moves are for classes of it to add."""

    @initialize(count=st.integers(3, 12), pace=st.sampled_from([1, 2, 4]))
    def begin(self, count: int, pace: int) -> None:
        """`pace`: changes between two passes."""
        self.top = Path(tempfile.mkdtemp(prefix="growth-"))
        self.root, self.state = self.top / "Vault", self.top / "state"
        fill_vault(self.root, {own_files.ID: f"{VAULT_ID}\n", ".vaultsync/config.toml": SETTINGS})
        self.pace, self.changes, self.versions = pace, 0, 0
        self.scope = ""
        self.past: list[tuple[Path, bytes]] = []
        for number in range(count):
            self.write(FOLDERS[number % 4], NAMES[number % len(NAMES)], 2)
        self.run("due")

    def teardown(self) -> None:
        if hasattr(self, "top"):
            try:
                self.run("all")
            finally:
                shutil.rmtree(self.top)

    def write(self, folder: str, name: str, size: int, head: str = "") -> None:
        fill_vault(self.root, {f"{folder}/{name}.md": f"{head}{self.text(name, size)}"})

    def text(self, name: str, size: int) -> str:
        """Return as many paragraphs of two sentences."""
        self.versions += 1
        chosen = random.Random(self.versions)
        lines = (
            f"The {name} has told{self.versions} {' '.join(chosen.sample(_WORDS, 6))}."
            for _ in range(2 * size)
        )
        return "\n\n".join(f"{line} {next(lines)}" for line in lines) + "\n"

    def some(self, found: list[Path], number: int) -> Iterator[Path]:
        """Yield one of the files, if there is any."""
        if found:
            yield found[number % len(found)]

    def generated(self) -> list[Path]:
        return sorted((self.root / "_summaries").rglob("*.md"))

    def memory(self) -> AbstractContextManager[Memory]:
        return memory_of(self.root, self.state, write=True)

    def changed(self) -> None:
        self.changes += 1
        if self.changes % self.pace == 0:
            self.run("due")

    def run(self, flush: Flush) -> None:
        """Run a pass, check all promises, and that another pass has nothing to do."""
        own = users_files(self.root)
        words = words_of(self.root)
        with self.memory() as memory:
            report = sync(memory, Wish(flush=flush, asked=True))
            assert not report.tended.failed
            assert faults(memory, is_flushed=flush == "all") == []
            told, texts = may_be_told(memory, self.open_notes()), said(memory)
        assert users_files(self.root) == own
        assert words_of(self.root) >= words
        for path, text in texts.items():
            assert {*TOLD.findall(text)} <= told, path
        files = files_of(self.root)
        with self.memory() as memory:
            trees_before = find_trees(memory)
            report = sync(memory, Wish(flush=flush))
            assert find_trees(memory) == trees_before
            assert not report.written.touched
        assert files_of(self.root) == files
        self.past.extend((path, path.read_bytes()) for path in self.generated())

    def open_notes(self) -> Iterator[Path]:
        """Yield the notes that all may see."""
        for note in notes_of(self.root):
            if not note.read_text().startswith(HIDDEN) and not self.is_out_of_scope(note):
                yield note

    def is_out_of_scope(self, note: Path) -> bool:
        hidden = {SCOPES[1]: "Log", SCOPES[2]: "Garden/Beds"}.get(self.scope)
        return hidden is not None and note.is_relative_to(self.root / hidden)
