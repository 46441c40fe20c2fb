"""One machine of a vault writes what all share, and no pull is blocked by the others' files but once."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from repositories import commit_all, git, try_git
from small_vaults import fill_vault, memory_of

from vaultsync.app.machines import own_files, writer
from vaultsync.app.machines.writer import Role
from vaultsync.domain.errors import VaultError

if TYPE_CHECKING:
    from pathlib import Path

OTHER = "ffffffffffff"
SMALLEST = "000000000000"


@pytest.fixture
def plain(home: Path, tmp_path: Path) -> Path:
    """A vault without git that no machine has written yet."""
    del home
    return fill_vault(tmp_path.resolve() / "Plain", {".vaultsync/id": "a-vault-id\n", "a.md": "alpha"})


@pytest.fixture
def clones(home: Path, tmp_path: Path) -> tuple[Path, Path]:
    """Two clones of one repository, as on two machines."""
    del home
    top = tmp_path.resolve()
    fill_vault(top / "first", {"a.md": "alpha", ".obsidian/app.json": "{}"})
    git(top / "first", "init", "-q")
    commit_all(top / "first")
    git(top, "clone", "-q", "--bare", "first", "origin.git")
    for name in ("one", "two"):
        git(top, "clone", "-q", "origin.git", name)
    return top / "one", top / "two"


def role_of(root: Path) -> Role:
    with memory_of(root, write=True) as memory:
        return writer.settle(memory)


def claim(root: Path) -> str:
    with memory_of(root, write=True) as memory:
        assert writer.claim(memory)
        return memory.machine


def take(root: Path) -> bool:
    with memory_of(root, write=True) as memory:
        return writer.take(memory)


def share(root: Path) -> None:
    """Commit, pull and push, as a person at that machine does."""
    commit_all(root)
    git(root, "pull", "-q", "--no-rebase", "--no-edit")
    git(root, "push", "-q")


def name(root: Path, *machines: str) -> None:
    fill_vault(root, {own_files.TREE: "".join(f"writer\t{machine}\n" for machine in machines)})


def test_nobody_writes_until_somebody_has_to(plain: Path) -> None:
    """Then the first is the writer."""
    role = role_of(plain)
    assert (role.writer, role.is_unclaimed, role.may_write, role.is_writer) == (None, True, True, False)
    assert not (plain / own_files.TREE).exists()
    assert claim(plain) == role.me
    assert role_of(plain) == Role(role.me, role.me, overruled=False)


def test_of_two_names_the_smaller_counts(plain: Path) -> None:
    """As a merge may leave them."""
    me = role_of(plain).me
    name(plain, me, OTHER)
    assert role_of(plain).is_writer
    name(plain, me, SMALLEST)
    assert role_of(plain) == Role(me, SMALLEST, overruled=False)
    assert not role_of(plain).may_write


def test_to_take_over(plain: Path) -> None:
    """All other lines of the file stay; who has it takes nothing."""
    fill_vault(plain, {own_files.TREE: f"off\nwriter\t{SMALLEST}\n"})
    assert take(plain)
    assert (plain / own_files.TREE).read_text(encoding="utf-8") == f"off\nwriter\t{role_of(plain).me}\n"
    assert not take(plain)


def test_two_that_began_before_either_had_committed(clones: tuple[Path, Path]) -> None:
    """One pull is blocked; the next pass makes way, and then it goes through."""
    one, two = clones
    winner, loser = claim(one), claim(two)
    fill_vault(two, {own_files.LEDGER: "a ledger of somebody else's\n"})
    share(one)
    assert try_git(two, "pull", "-q").returncode != 0
    assert role_of(two) == Role(loser, winner, overruled=True)
    assert [path.name for path in (two / ".vaultsync").iterdir()] == ["identities.tsv"]
    git(two, "pull", "-q")
    assert role_of(two) == Role(loser, winner, overruled=True)
    assert role_of(one).is_writer


def test_both_committed_before_either_pulled(clones: tuple[Path, Path]) -> None:
    """The merge keeps both lines, and both machines count the same one."""
    one, two = clones
    machines = {claim(one), claim(two)}
    share(one)
    share(two)
    git(one, "pull", "-q")
    assert role_of(one).writer == role_of(two).writer == min(machines)


def test_what_a_reader_changed_is_not_removed(clones: tuple[Path, Path]) -> None:
    """Only bytes that we wrote are ours to take away."""
    one, two = clones
    claim(one)
    claim(two)
    with (two / own_files.TREE).open("a", encoding="utf-8") as file:
        file.write("off\n")
    share(one)
    git(two, "fetch", "-q")
    assert role_of(two).overruled
    assert (two / own_files.TREE).exists()


def test_nothing_is_removed_in_the_middle_of_a_merge(clones: tuple[Path, Path]) -> None:
    """The next pass after it does so."""
    one, two = clones
    claim(one)
    claim(two)
    share(one)
    git(two, "fetch", "-q")
    (two / ".git/MERGE_HEAD").touch()
    assert role_of(two).overruled
    assert (two / own_files.TREE).exists()
    (two / ".git/MERGE_HEAD").unlink()
    assert role_of(two).overruled
    assert not (two / own_files.TREE).exists()


def test_a_take_over_counts_before_the_upstream_knows(clones: tuple[Path, Path]) -> None:
    """And when the other takes over again, that counts too."""
    one, two = clones
    claim(one)
    share(one)
    git(two, "pull", "-q")
    assert take(two)
    assert role_of(two).is_writer
    share(two)
    assert role_of(two).is_writer
    git(one, "fetch", "-q")
    assert role_of(one).overruled
    git(one, "pull", "-q")
    assert not role_of(one).may_write
    assert take(one)
    share(one)
    git(two, "fetch", "-q")
    assert role_of(two).overruled


def test_git_is_asked_once_a_fetch(clones: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass that finds nothing new costs no process."""
    one, _ = clones
    claim(one)
    share(one)
    role_of(one)
    with memory_of(one, write=True) as memory:
        monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("git was started"))
        assert writer.settle(memory).is_writer


def test_without_git_no_process(plain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the vault's own file counts."""
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("git was started"))
    claim(plain)
    assert role_of(plain).is_writer


def test_no_take_over_while_git_is_busy(clones: tuple[Path, Path]) -> None:
    """A changed file could end up in the merge that is going on."""
    one, _ = clones
    (one / ".git/index.lock").touch()
    with pytest.raises(VaultError, match="in the middle of something"):
        take(one)


def test_a_file_that_cannot_be_written_is_told(plain: Path) -> None:
    """With where and why."""
    shutil.rmtree(plain / ".vaultsync")
    with memory_of(plain, write=True) as memory:
        shutil.rmtree(plain / ".vaultsync")
        (plain / ".vaultsync").touch()
        with pytest.raises(VaultError, match="can't be"):
            writer.take(memory)


def test_a_file_that_cannot_be_read_is_told(plain: Path) -> None:
    """It may name another."""
    (plain / own_files.TREE).mkdir()
    with memory_of(plain, write=True) as memory, pytest.raises(VaultError, match="can't be read"):
        writer.find_role(memory)
