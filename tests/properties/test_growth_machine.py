"""Whatever happens to notes, and to the notes made of them, the trees and their files keep what they promise."""

from __future__ import annotations

import random
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from grown_vaults import prose
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)
from machines import files_of
from small_vaults import fill_vault, memory_of
from tree_promises import faults, made, typed

from vaultsync.app import orders
from vaultsync.app.finding.tree import find_trees
from vaultsync.app.machines import own_files, tree_lines, writer
from vaultsync.app.sync import Wish, sync
from vaultsync.app.unpin import unpin
from vaultsync.domain.summary_note import Child, Content, Parts, Record, render, take_apart
from vaultsync.domain.tree_file import with_writer
from vaultsync.domain.uids import summary_uid
from vaultsync.store import summaries, trees
from vaultsync.surfaces import tree_wire

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from vaultsync.app.memory import Memory
    from vaultsync.app.sync import Flush

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
_TOLD = re.compile(r"told\d+")
"""In every sentence of a note, another for each version: so it is known where a text came from."""
_MINE = re.compile(r"mine\d+")
"""In all that a person writes in generated notes."""

numbers = st.integers(0, 1000)
folders = st.sampled_from(FOLDERS)
sizes = st.sampled_from([1, 2, 2, 3, 7])


class Growing(RuleBasedStateMachine):
    """A vault, its person, other machines, and passes between."""

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

    # What a person does to notes.

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

    def notes(self) -> list[Path]:
        """Return the user's own notes."""
        return sorted(
            path for path in self.root.rglob("*.md") if not path.is_relative_to(self.root / "_summaries")
        )

    def some(self, found: list[Path], number: int) -> Iterator[Path]:
        """Yield one of the files, if there is any."""
        if found:
            yield found[number % len(found)]

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
        for note in self.some(self.notes(), number):
            note.write_text(note.read_text() + self.text(note.stem, 1))
            self.changed()

    @rule(number=numbers)
    def say_nothing_more(self, number: int) -> None:
        for note in self.some(self.notes(), number):
            note.write_text("")
            self.changed()

    @rule(number=numbers, count=st.integers(1, 4))
    def delete_notes(self, number: int, count: int) -> None:
        for at in range(count):
            for note in self.some(self.notes(), number + at):
                note.unlink()
        self.changed()

    @rule(number=numbers, folder=folders)
    def move_note(self, number: int, folder: str) -> None:
        for note in self.some(self.notes(), number):
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
        for note in self.some(self.notes(), number):
            text = note.read_text()
            bare = next((text.removeprefix(other) for other in HIDDEN if text.startswith(other)), text)
            note.write_text(head + bare)
            self.changed()

    @rule(scope=st.sampled_from(SCOPES))
    def change_scope(self, scope: str) -> None:
        self.scope = scope
        fill_vault(self.root, {".vaultsync/config.toml": f"{SETTINGS}{scope}"})
        self.changed()

    # What a person does to generated notes.

    def generated(self) -> list[Path]:
        return sorted((self.root / "_summaries").rglob("*.md"))

    @rule(number=numbers, place=st.sampled_from(["frontmatter", "before", "inside", "behind", "last"]))
    def write_into_generated(self, number: int, place: str) -> None:
        for path in self.some(self.generated(), number):
            self.versions += 1
            words = f"mine{self.versions}"
            old, new = {
                "frontmatter": ("\n---\n", f"\nkey: {words}\n---\n"),
                "before": ("%% vaultsync:begin %%\n", f"{words}\n%% vaultsync:begin %%\n"),
                "inside": ("%% vaultsync:begin %%\n", f"%% vaultsync:begin %%\n{words}\n"),
                "behind": ("%% vaultsync:end %%\n", f"%% vaultsync:end %%\n{words}\n"),
                "last": ("", ""),
            }[place]
            text = path.read_text()
            path.write_text(text.replace(old, new, 1) if old else f"{text}{words}\n")
            self.changed()

    @rule(number=numbers, count=st.sampled_from([1, 1, 2, 7]))
    def delete_generated(self, number: int, count: int) -> None:
        for at in range(count):
            for path in self.some(self.generated(), number + at):
                path.unlink()
        self.changed()

    @rule(number=numbers)
    def unpin_one(self, number: int) -> None:
        with self.memory() as memory:
            pinned = [row for row in summaries.every(memory.db.read()) if row.pinned and not row.private]
            known = pinned and summaries.with_uids(memory.db.read(), [pinned[number % len(pinned)].uid])
        if known:
            self.run("due")
            with self.memory() as memory:
                for row in summaries.with_uids(memory.db.read(), list(known)).values():
                    if row.pinned:
                        unpin(memory, row)
            self.run("due")

    @rule(number=numbers, everything=st.booleans())
    def rebuild(self, number: int, everything: bool) -> None:
        self.run("due")
        with self.memory() as memory:
            rows = summaries.every(memory.db.read())
            if rows:
                orders.rebuild(memory, None if everything else rows[number % len(rows)].uid)
        self.run("all" if everything else "due")

    @rule()
    def switch_on(self) -> None:
        with self.memory() as memory:
            orders.switch(memory, on=True)
        self.run("due")

    # What other machines do.

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
        for note in self.some(self.notes(), number):
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
        before = self.public_trees(), files_of(self.root)
        with self.memory() as memory:
            public = [row for row in summaries.every(memory.db.read()) if not row.private]
            is_whole = all(row.written_hash for row in public) and not tree_lines.read(memory).off
        shutil.rmtree(self.state)
        self.run("due")
        if is_whole:
            assert (self.public_trees(), files_of(self.root)) == before

    def public_trees(self) -> object:
        with self.memory() as memory:
            return tree_wire.trees(memory, [tree for tree in find_trees(memory) if not tree.private])

    # Passes.

    @rule()
    def seal(self) -> None:
        self.run("none")

    @rule()
    def flush(self) -> None:
        self.run("all")

    @rule()
    def wait_a_day(self) -> None:
        """What waits for its bucket to fill has waited long enough."""
        with self.memory() as memory, memory.db.write() as tx:
            tx.run("UPDATE chunks SET arrived_at = arrived_at - 90000")
        self.run("due")

    @rule(write=st.booleans())
    def pass_in_part(self, write: bool) -> None:
        """Stop when the text is searchable, or write no notes."""
        with self.memory() as memory:
            sync(memory, Wish(to_text=write, write=write))

    def memory(self) -> AbstractContextManager[Memory]:
        return memory_of(self.root, self.state, write=True)

    def changed(self) -> None:
        self.changes += 1
        if self.changes % self.pace == 0:
            self.run("due")

    def run(self, flush: Flush) -> None:
        """Run a pass, check all promises, and that another pass has nothing to do."""
        own = self.own_files()
        words = self.words()
        with self.memory() as memory:
            report = sync(memory, Wish(flush=flush, asked=True))
            assert not report.tended.failed
            assert faults(memory, is_flushed=flush == "all") == []
            told, texts = self.may_be_told(memory), self.said(memory)
        assert self.own_files() == own
        assert self.words() >= words
        for path, text in texts.items():
            assert {*_TOLD.findall(text)} <= told, path
        files = files_of(self.root)
        with self.memory() as memory:
            trees_before = find_trees(memory)
            report = sync(memory, Wish(flush=flush))
            assert find_trees(memory) == trees_before
            assert not report.written.touched
        assert files_of(self.root) == files
        self.past.extend((path, path.read_bytes()) for path in self.generated())

    def own_files(self) -> dict[str, bytes]:
        """Return the user's own notes, and their settings."""
        ours = {own_files.ID, own_files.TREE, own_files.LEDGER, ".vaultsync/.gitattributes"}
        return {
            path: raw
            for path, raw in files_of(self.root).items()
            if not path.startswith("_summaries/") and path not in ours
        }

    def words(self) -> set[str]:
        return {words for line in typed(self.root) for words in _MINE.findall(line)}

    def said(self, memory: Memory) -> dict[str, str]:
        """Return what machines say in public summaries, and in the notes of these if any are written."""
        rows = (row for row in summaries.every(memory.db.read()) if not (row.private or row.pinned))
        written = {} if tree_lines.read(memory).off else made(self.root)
        return written | {row.uid: f"{row.title} {row.text}" for row in rows}

    def may_be_told(self, memory: Memory) -> set[str]:
        """Return what is said by notes that all may see, and in summaries that are a person's."""
        open_notes = (
            note.read_text()
            for note in self.notes()
            if not note.read_text().startswith(HIDDEN) and not self.is_out_of_scope(note)
        )
        pinned = (row.text for row in summaries.every(memory.db.read()) if row.pinned)
        return {told for text in (*open_notes, *pinned) for told in _TOLD.findall(text)}

    def is_out_of_scope(self, note: Path) -> bool:
        hidden = {SCOPES[1]: "Log", SCOPES[2]: "Garden/Beds"}.get(self.scope)
        return hidden is not None and note.is_relative_to(self.root / hidden)


TestGrowing = Growing.TestCase
TestGrowing.settings = settings(
    max_examples=4,
    stateful_step_count=8,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.slow
def test_for_longer() -> None:
    """The same with more and longer lives."""
    long = settings(
        max_examples=12, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
    )
    run_state_machine_as_test(Growing, settings=long)
