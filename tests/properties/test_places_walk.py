"""Whatever is done to a vault, each note has one place, in the tree of its source; a second look changes nothing."""

from __future__ import annotations

import random
import shutil
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from machines import prose
from small_vaults import fill_vault, memory_of

from vaultsync.app.growing import sources
from vaultsync.app.growing.duty import find_duty
from vaultsync.app.growing.extract import extract
from vaultsync.app.growing.place import place
from vaultsync.app.machines import tree_lines
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.domain.sources import sources_of
from vaultsync.store import places, trees

if TYPE_CHECKING:
    from pathlib import Path

    from vaultsync.app.memory import Memory

TEXT = prose("Barley", sections=24)
FOLDERS = ["A", "B", "A/x", "B/x", "C", "C/A", "D"]
PRIVATE = "---\nprivate: true\n---\n"
IGNORED = "---\nvaultsync: ignore\n---\n"


class Walk:
    """A person who does this and that."""

    def __init__(self, root: Path, seed: int) -> None:
        self._root = root
        self._random = random.Random(seed)
        for folder in ("A", "B/x"):
            for number in range(5):
                self._write(f"{folder}/{folder[0]}{number}.md", "")

    def step(self) -> None:
        """Do one thing."""
        act = self._random.choice(
            [self._add, self._move, self._move_folder, self._move_folder, self._remove, self._say]
        )
        act()

    def _write(self, path: str, head: str) -> None:
        fill_vault(self._root, {path: f"{head}{TEXT} {path} {self._random.random()}"})

    def _notes(self) -> list[Path]:
        return sorted(path for path in self._root.rglob("*.md"))

    def _add(self) -> None:
        folder = self._random.choice(FOLDERS)
        for _ in range(self._random.choice([1, 6])):
            self._write(f"{folder}/n{self._random.randrange(10**6)}.md", "")

    def _move(self) -> None:
        for note in self._random.sample(self._notes(), k=min(2, len(self._notes()))):
            self._rename(note, self._root / self._random.choice(FOLDERS) / note.name)

    def _move_folder(self) -> None:
        self._rename(*(self._root / folder for folder in self._random.sample(FOLDERS, k=2)))

    def _rename(self, old: Path, new: Path) -> None:
        if old.exists() and not new.exists() and old not in new.parents:
            new.parent.mkdir(parents=True, exist_ok=True)
            old.rename(new)

    def _remove(self) -> None:
        if notes := self._notes():
            self._random.choice(notes).unlink()

    def _say(self) -> None:
        if notes := self._notes():
            note = self._random.choice(notes)
            self._write(str(note.relative_to(self._root)), self._random.choice([PRIVATE, IGNORED, "", ""]))


def run(memory: Memory) -> None:
    reconcile(memory, accept_removals=True)
    extract(memory, lambda _stage, _done, _total: None)
    place(memory, find_duty(memory))


def check(memory: Memory) -> None:
    """Check that all is where it belongs."""
    index = memory.db.read()
    homes = {row.id: (row.folder, row.private) for row in trees.every(index)}
    notes = places.notes(index)
    wanted = sources_of((note.path for note in notes), sources.in_force(index))
    for note, source in zip(notes, wanted, strict=True):
        assert homes[note.tree_id or 0] == (source, note.private)
    spread = index.all(
        "SELECT 1 FROM chunks WHERE kind = 'leaf' GROUP BY node_id HAVING count(DISTINCT ifnull(tree_id, 0)) > 1"
        " OR count(DISTINCT ifnull(seq, 0)) > 1 OR count(DISTINCT ifnull(arrived_at, 0)) > 1"
    )
    assert spread == []
    seqs = index.all(
        "SELECT tree_id, seq FROM chunks WHERE seq IS NOT NULL AND kind = 'leaf' GROUP BY node_id"
    )
    assert len(set(seqs)) == len(seqs)


def rows(memory: Memory) -> list[object]:
    reader = memory.db.read()
    return [reader.all(f"SELECT * FROM {table}") for table in ("chunks", "trees", "marks")]  # noqa: S608 - constants


def walk(top: Path, seed: int, *, told: bool) -> None:
    """Walk, looking after each step; `told`: `tree.tsv` says what the sources are, so that a new state knows them."""
    root = fill_vault(top / "Vault", {".obsidian/app.json": "{}"})
    person = Walk(root, seed)
    with memory_of(root, top / "state", write=True) as memory:
        for _ in range(8):
            look(memory, told=told)
            person.step()
        look(memory, told=told)
        known = sources.in_force(memory.db.read())
    if told:
        with memory_of(root, top / "other", write=True) as fresh:
            look(fresh, told=told)
            assert sources.in_force(fresh.db.read()) == known
    shutil.rmtree(top)


def look(memory: Memory, *, told: bool) -> None:
    """Check that all is where it belongs, and that nothing is left to do."""
    run(memory)
    check(memory)
    before = rows(memory)
    run(memory)
    assert rows(memory) == before
    if told:
        lines = tree_lines.read(memory)
        assert tree_lines.put(memory, sources.lines_of(memory.db.read(), lines))


@pytest.mark.parametrize(("seed", "told"), [(1, True), (2, False)])
def test_every_note_is_in_its_place(home: Path, tmp_path: Path, seed: int, told: bool) -> None:
    """On two walks that are always the same."""
    del home
    walk(tmp_path / "walk", seed, told=told)


@pytest.mark.slow
@given(st.integers(0, 2**32), st.booleans())
@settings(max_examples=30)
def test_every_note_is_in_its_place_on_any_walk(
    tmp_path_factory: pytest.TempPathFactory, seed: int, told: bool
) -> None:
    """On walks of all kinds."""
    walk(tmp_path_factory.mktemp("walk"), seed, told=told)
