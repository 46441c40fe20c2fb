"""The machines of one person: each has a copy of the vault, and settings and states of its own."""

from __future__ import annotations

import random
import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from repositories import commit_all, git, try_git
from small_vaults import Answer, ask, complaints, dump_of, fill_vault, memory_of, run_vaultsync, sync, uids_of

from vaultsync.app.machines import own_files
from vaultsync.app.notes import origin
from vaultsync.app.sync import Wish
from vaultsync.app.sync import sync as whole_pass
from vaultsync.store import marks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vaultsync.app.memory import Memory
    from vaultsync.app.notes.report import Report


def prose(subject: str, sections: int = 6) -> str:
    """Return a note of several sections with words of its own."""
    of_subject = random.Random(subject)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(of_subject.choices(letters, k=5)) for _ in range(20 * sections)]
    return "\n\n".join(
        f"## {subject} {number}\n\n{' '.join(words[20 * number : 20 * number + 20])}."
        for number in range(sections)
    )


@dataclass(frozen=True)
class Machine:
    """One machine. `root`: its copy of the vault; `home`: where its settings and states lie."""

    root: Path
    home: Path

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Let all that runs meanwhile run on this machine."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_STATE_HOME", str(self.home / "state"))
            patch.setenv("XDG_CONFIG_HOME", str(self.home / "config"))
            yield

    # What the program does.

    def sync(self, **how: Any) -> Report:  # noqa: ANN401 - as `reconcile` takes them
        with self.at_work():
            return sync(self.root, **how)

    def grow(self, wish: Wish = Wish()) -> Report:  # noqa: B008 - a constant
        """Run a whole pass."""
        with self.memory() as memory:
            return whole_pass(memory, wish)

    def ask(self, *words: str) -> Answer:
        with self.at_work():
            return ask("--vault", self.root, *words)

    def run(self, *words: str) -> Answer:
        """Run a command as a process of its own."""
        with self.at_work():
            return run_vaultsync("--vault", self.root, *words)

    @contextmanager
    def memory(self) -> Iterator[Memory]:
        with self.at_work(), memory_of(self.root, write=True) as memory:
            yield memory

    # What is known.

    @property
    def uids(self) -> dict[str, str]:
        with self.at_work():
            return uids_of(self.root)

    @property
    def dump(self) -> list[str]:
        with self.at_work():
            return dump_of(self.root, uids=True)

    @property
    def complaints(self) -> dict[str, tuple[str, ...]]:
        with self.at_work():
            return complaints(self.root)

    @property
    def trees(self) -> list[Any]:
        """Return the public trees as `tree --json` tells them; the private ones are each machine's own."""
        return [tree for tree in self.ask("tree", "--json").json["trees"] if not tree["private"]]

    @property
    def is_clean(self) -> bool:
        return not self.git("status", "--porcelain")

    def writes(self) -> bool:
        """Tell whether this machine is the writer."""
        return bool(self.ask("writer", "--json").json["is_writer"])

    @property
    def lines(self) -> dict[str, str]:
        """The uid of each path in the ledger of this copy."""
        place = self.root / own_files.LEDGER
        lines = place.read_text(encoding="utf-8").splitlines() if place.exists() else []
        return {path: uid for uid, _, path in (line.partition("\t") for line in lines)}

    def rows(self) -> dict[str, list[Any]]:
        """All that the database says, but for the marks, and for which files were young when they were read."""
        with self.memory() as memory:
            index = memory.db.read()
            tables = index.all("SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE TABLE%STRICT%'")
            said = {table: index.all(f"SELECT * FROM {table}") for (table,) in tables if table != "marks"}  # noqa: S608 - the schema's own names
            said["files"] = index.all("SELECT id, node_id, path, content_hash, held, ignored FROM files")
        return said

    # What a person does.

    def write(self, **notes: str) -> None:
        """Write notes of these names."""
        fill_vault(self.root, {f"{name}.md": text for name, text in notes.items()})

    def move(self, old: str, new: str) -> None:
        (self.root / new).parent.mkdir(parents=True, exist_ok=True)
        (self.root / old).rename(self.root / new)

    def swap(self, one: str, other: str) -> None:
        self.move(one, "aside")
        self.move(other, one)
        self.move("aside", other)

    def remove(self, path: str) -> None:
        (self.root / path).unlink()

    def forget(self) -> None:
        """Lose the states of all vaults; the machine stays the same."""
        shutil.rmtree(self.home / "state")

    def rest_is_over(self) -> None:
        """Let a day have passed since the vault began to rest."""
        with self.memory() as memory, memory.db.write() as tx:
            since = marks.find(tx, "rests since")
            if since is not None:
                marks.put(tx, {"rests since": str(int(since) - origin.REST_S)})

    def git(self, *words: str) -> str:
        return git(self.root, *words)

    def commit(self) -> None:
        if self.git("status", "--porcelain"):
            commit_all(self.root)

    def pulls(self) -> bool:
        """Pull, and tell whether git did it all by itself."""
        return try_git(self.root, "pull", "-q", "--no-rebase", "--no-edit").returncode == 0

    def share(self) -> None:
        """Commit, pull and push."""
        self.commit()
        assert self.pulls()
        self.git("push", "-q")


def make_clones(top: Path, notes: dict[str, str]) -> None:
    """Make a repository of notes and a clone of it for each of two machines, which say where by relative paths."""
    first = fill_vault(top / "first", {**notes, ".obsidian/app.json": "{}"})
    git(first, "init", "-q")
    commit_all(first)
    git(top, "clone", "-q", "--bare", "first", "origin.git")
    for name in ("one", "two"):
        (top / name).mkdir()
        git(top, "clone", "-q", "origin.git", f"{name}/Vault")
        git(top / name / "Vault", "remote", "set-url", "origin", "../../origin.git")


def two_machines(top: Path) -> tuple[Machine, Machine]:
    """Return the machines whose vaults are below `one` and `two`."""
    one, two = (Machine(top / name / "Vault", top / name) for name in ("one", "two"))
    return one, two


def grown_clones(top: Path, notes: dict[str, str]) -> tuple[Machine, Machine]:
    """Return a writer, whose notes have summaries, and a reader that has pulled and synced."""
    make_clones(top, notes)
    one, two = two_machines(top)
    one.grow()
    one.share()
    assert two.pulls()
    pass_on(one, two)
    return one, two


def pass_on(one: Machine, two: Machine) -> None:
    """Let one machine sync and push, the other pull and sync; then both know the same trees, and nothing is left."""
    one.grow()
    one.commit()
    one.git("push", "-q")
    two.grow()
    assert two.pulls()
    two.grow()
    one.grow()
    assert one.is_clean
    assert two.is_clean
    assert two.trees == one.trees


def agree(one: Machine, two: Machine) -> dict[str, str]:
    """Check that both know the same notes, all that are there, by the same uids; return these by path."""
    uids = one.uids
    assert two.uids == uids
    assert len(set(uids.values())) == len(uids)
    for machine in (one, two):
        there = {path.relative_to(machine.root).as_posix() for path in machine.root.rglob("*.md")}
        assert {path for path in there if "sync-conflict" not in path} == uids.keys()
    return uids


def rest(*machines: Machine) -> None:
    """Check that one more sync changes nothing: neither the vault, nor the dump, nor the database."""
    for machine in machines:
        before = files_of(machine.root), machine.dump, machine.rows()
        report = machine.sync()
        assert (report.added, report.renamed, report.removed, report.returned) == ([], [], [], [])
        assert (files_of(machine.root), machine.dump, machine.rows()) == before


def files_of(root: Path) -> dict[str, bytes]:
    """Return the bytes of all files of a vault by path; git's own are not the vault's."""
    found = (path for path in sorted(root.rglob("*")) if path.is_file())
    places = {path.relative_to(root).as_posix(): path for path in found}
    return {place: path.read_bytes() for place, path in places.items() if not place.startswith(".git/")}
