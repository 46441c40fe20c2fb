"""What other machines do to a vault, and the loss of this one's state, one move each."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from growing_vault import VAULT_ID, GrowingVault, folders, numbers
from growth_promises import notes_of, public_trees
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule
from machines import files_of
from small_vaults import fill_vault, memory_of
from tree_promises import faults

from vaultsync.app.machines import own_files, tree_lines, writer
from vaultsync.app.sync import Wish, sync
from vaultsync.domain.summary_note import Child, Content, Parts, Record, render, take_apart
from vaultsync.domain.tree_file import with_writer
from vaultsync.domain.uids import summary_uid
from vaultsync.store import summaries, trees

if TYPE_CHECKING:
    from pathlib import Path


class MachineMoves(GrowingVault):
    """Files come from elsewhere."""

    @precondition(lambda self: self.past)
    @rule(number=numbers)
    def put_back_an_old_version(self, number: int) -> None:
        path, raw = self.past[number % len(self.past)]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)
        self.changed()

    @rule(number=numbers)
    def put_another_text(self, number: int) -> None:
        """Another machine has another model."""
        for path in self.some(self.generated(), number):
            parts = take_apart(path.read_bytes())
            if isinstance(parts, Parts) and parts.record.level:
                record = parts.record._replace(generator="other/1")
                path.write_bytes(render(Content(record, parts.title, "Another says so.", ())))
                self.changed()

    @rule(number=numbers, count=st.integers(1, 4))
    def put_a_new_summary(self, number: int, count: int) -> None:
        """Another machine has sealed what waits here, or is elsewhere by now."""
        with self.memory() as memory:
            rows = [row for row in trees.every(memory.db.read()) if not row.private]
            uids = [
                uid
                for (uid,) in memory.db.read().all("SELECT uid FROM nodes WHERE kind = 'note' ORDER BY uid")
            ]
        if rows and uids:
            tree = rows[number % len(rows)]
            children = tuple(
                Child(uids[(number + at) % len(uids)], "00" * 16) for at in range(min(count, len(uids)))
            )
            uid = summary_uid(tree.uid, tree.next_ordinal)
            record = Record(
                uid, VAULT_ID, tree.uid, 1, "/", tree.next_ordinal, "sealed", "other/1", "00" * 16, children
            )
            path = f"_summaries/{tree.folder}/Foreign (summary {tree.next_ordinal}).md"
            fill_vault(self.root, {path: render(Content(record, "Foreign", "Another has seen this."))})
            self.changed()

    @rule(number=numbers, every=st.sampled_from([1, 1, 2]), folder=folders)
    def pull(self, number: int, every: int, folder: str) -> None:
        """Another machine that knows the files alone lives on; all that it wrote, or half of it, comes here."""
        other = self.top / "other"
        shutil.copytree(self.root, other / "Vault")
        here, there = self.root, other / "Vault"
        with memory_of(there, other / "state", write=True) as memory:
            writer.take(memory)
        self.root = there
        self.write(folder, f"n{self.versions}", 2)
        self.append_to(number)
        with memory_of(there, other / "state", write=True) as memory:
            sync(memory, Wish(flush="all", asked=True))
            assert faults(memory, is_flushed=True) == []
        self.root = here
        self.take_over(there, every)
        shutil.rmtree(other)
        self.changed()

    def append_to(self, number: int) -> None:
        for note in self.some(notes_of(self.root), number):
            note.write_text(note.read_text() + self.text(note.stem, 1))

    def take_over(self, there: Path, every: int) -> None:
        """Make the files here be those there, each or every second one."""
        with self.memory() as memory:
            me = memory.machine
        theirs, ours = files_of(there), files_of(self.root)
        for nth, path in enumerate(sorted({*theirs, *ours})):
            if nth % every:
                continue
            if path == own_files.TREE:
                text = with_writer(theirs.get(path, b"").decode(), me)
                (self.root / path).write_text(text)
            elif path in theirs:
                fill_vault(self.root, {path: theirs[path]})
            else:
                (self.root / path).unlink()

    @rule()
    def lose_the_state(self) -> None:
        """Of public trees nothing is other than before, if all of it stands in the vault."""
        self.run("all")
        before = self.public(), files_of(self.root)
        with self.memory() as memory:
            public = [row for row in summaries.every(memory.db.read()) if not row.private]
            is_whole = all(row.written_hash for row in public) and not tree_lines.read(memory).off
        shutil.rmtree(self.state)
        self.run("due")
        if is_whole:
            assert (self.public(), files_of(self.root)) == before

    def public(self) -> object:
        with self.memory() as memory:
            return public_trees(memory)
