"""The memory tree is in the vault: a lost state is rebuilt from it, and every machine writes the same bytes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from busy_person import Person, branches, prose, starting_notes, use_model
from machines import Machine, files_of, grown_clones
from model_server import serving, summary_of
from repositories import git
from small_vaults import command, fill_vault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "vaults"

Branch = dict[str, Any]

_STEPS = ("edit", "bring_in", "pin", "delete", "rename_folder", "write_beside", "hide", "move")


def chain_of(trees: list[Branch], note: str) -> list[Branch]:
    """Return the summaries above a note, the lowest first."""
    chain: list[Branch] = []
    wanted = note
    for branch in reversed([*branches({"trees": trees})]):
        if wanted in {child["path"] for child in branch["children"]}:
            chain.append(branch)
            wanted = branch["path"]
    return chain


def remade(before: list[Branch], after: list[Branch]) -> list[Branch]:
    """Return the summaries of a chain up to the first whose text came out equal: those above it are as they were."""
    equal = (old["text_hash"] == new["text_hash"] for old, new in zip(before, after, strict=True))
    return after[: next((level for level, is_equal in enumerate(equal, 1) if is_equal), None)]


def free_note(trees: list[Branch]) -> str:
    """Return a note above which nobody pinned a summary."""
    notes: Iterator[str] = (
        child["path"]
        for branch in branches({"trees": trees})
        if branch["level"] == 1 and branch["state"] == "sealed"
        for child in branch["children"]
    )
    return next(note for note in notes if not any(branch["pinned"] for branch in chain_of(trees, note)))


def changed_summaries(machine: Machine) -> set[str]:
    """Return the generated notes that are not as git has them."""
    lines = machine.git("status", "--porcelain", "-z", "-uall").split("\0")
    return {line[3:] for line in lines if line[3:].startswith("_summaries/")}


@pytest.mark.parametrize("with_model", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_lost_state_is_rebuilt_from_the_vault(home: Path, tmp_path: Path, *, with_model: bool) -> None:
    """Ids, parents, order, hashes and pins; no file changes, no model is asked; then an edit remakes its chain."""
    del home
    one, _ = grown_clones(tmp_path, starting_notes())
    with serving(speak=summary_of) as server:
        if with_model:
            use_model(one, server)
        person = Person(one, 11)
        for step in _STEPS:
            person.do(step)
            one.grow()
        one.commit()
        trees, files, asked = one.trees, files_of(one.root), len(server.asked)
        assert with_model == (asked > 0)
        one.forget()
        one.grow()
        assert one.trees == trees
        assert files_of(one.root) == files
        assert len(server.asked) == asked
        note = free_note(trees)
        fill_vault(one.root, {note: prose("something else", 3)})
        one.grow()
        chain = remade(chain_of(trees, note), chain_of(one.trees, note))
        assert len(chain) >= 2
        assert changed_summaries(one) == {branch["path"] for branch in chain}
        assert len(server.asked) - asked == (len(chain) if with_model else 0)


def sync_everywhere(machines: Iterable[Machine]) -> None:
    """Sync the vaults at the same time, each in a process that hashes in its own way."""
    at_work = []
    for seed, machine in enumerate(machines, 1):
        own = {"XDG_STATE_HOME": f"{machine.home}/state", "XDG_CONFIG_HOME": f"{machine.home}/config"}
        env = {**os.environ, **own, "PYTHONHASHSEED": str(seed)}
        at_work.append(subprocess.Popen(command("sync", machine.root), env=env, stdout=subprocess.DEVNULL))
    assert [process.wait() for process in at_work] == [0, 0]


@pytest.mark.slow
@pytest.mark.skipif(not _SHARED.is_dir(), reason="the real vaults are not here")
@pytest.mark.parametrize("name", ["kepano", "kepano-tree", "nolebase", "obsidian-tasks"])
def test_a_real_vault_is_the_same_on_all_machines(name: str, home: Path, tmp_path: Path) -> None:
    """Two machines and two hash seeds write the same bytes; once they are committed, a second sync writes nothing."""
    del home
    subprocess.run(["bash", _SHARED / "unpack", tmp_path / "all"], check=True, capture_output=True)
    source = tmp_path / "all" / name
    machines = [Machine(tmp_path / seed / "Vault", tmp_path / seed) for seed in ("one", "two")]
    if not (source / ".git").exists():
        git(source, "init", "-q")
        git(source, "add", "-A")
        git(source, "commit", "-qm", "all")
    for machine in machines:
        git(tmp_path, "clone", "-q", f"{source}", f"{machine.root}")
        git(machine.root, "remote", "remove", "origin")
    sync_everywhere(machines)
    one, two = (files_of(machine.root) for machine in machines)
    assert {path for path in one if path.startswith("_summaries/")}
    assert {path for path in one if two.get(path) != one[path]} == {".vaultsync/tree.tsv"}
    assert one.keys() == two.keys()
    for machine in machines:
        machine.git("add", "-A")
        machine.git("commit", "-qm", "what the first sync wrote")
    sync_everywhere(machines)
    assert [machine.is_clean for machine in machines] == [True, True]
