"""What git's own files say, without starting git."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from repositories import commit_all, git, try_git

from vaultsync.vault.git_folder import is_busy, position, submodules, upstream_stamp

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def repository(home: Path, tmp_path: Path) -> Path:
    """A repository of two commits, with a vault below its top."""
    del home
    root = (tmp_path / "repository").resolve()
    (root / "vault").mkdir(parents=True)
    git(root, "init", "-q")
    for text in ("one\n", "two\n"):
        (root / "vault/a.md").write_text(text, encoding="utf-8")
        commit_all(root)
    return root


def moves(root: Path, *words: str) -> bool:
    """Tell whether a command of git moves the position."""
    before = position(root)
    git(root, *words)
    return position(root) != before


def test_the_position_moves_with_head_index_and_stash(repository: Path) -> None:
    """Each way in which git changes files under our feet shows; a look at them does not."""
    note = repository / "vault/a.md"
    assert not moves(repository, "log")
    note.write_text("three\n", encoding="utf-8")
    assert moves(repository, "add", "vault/a.md")
    assert moves(repository, "commit", "-qm", "third")
    assert moves(repository, "checkout", "-q", "HEAD~1")
    assert moves(repository, "checkout", "-q", "main")
    note.write_text("four\n", encoding="utf-8")
    before = position(repository / "vault")
    assert moves(repository, "stash", "-q")
    assert moves(repository, "stash", "drop", "-q")
    assert position(repository / "vault") != before


def test_an_edit_moves_no_position(repository: Path) -> None:
    """A note that a person writes is not git's doing."""
    before = position(repository)
    (repository / "vault/a.md").write_text("edited\n", encoding="utf-8")
    assert position(repository) == before


def test_the_commit_is_found_wherever_git_keeps_it(repository: Path) -> None:
    """In a file of its own, packed with others, in a second work tree, at a detached HEAD."""
    head = git(repository, "rev-parse", "HEAD")
    first = git(repository, "rev-parse", "HEAD~1")
    git(repository, "pack-refs", "--all")
    assert not (repository / ".git/refs/heads/main").exists()
    assert str(position(repository)).startswith(f"{head} ")
    git(repository, "worktree", "add", "-q", "-b", "topic/deep", "../second", first)
    second = repository.parent / "second"
    assert str(position(second)).startswith(f"{first} ")
    git(second, "checkout", "-q", "--detach", head)
    assert str(position(second)).startswith(f"{head} ")
    assert str(position(repository / "vault")).startswith(f"{head} ")


def test_a_repository_with_reftables_moves_with_its_list(repository: Path) -> None:
    """What the tables say is git's to read; that they changed can be seen."""
    (repository / ".git/reftable").mkdir()
    tables = repository / ".git/reftable/tables.list"
    tables.write_text("1.ref\n", encoding="utf-8")
    before = position(repository)
    tables.write_text("1.ref\n2.ref\n", encoding="utf-8")
    assert position(repository) != before


def test_no_process_and_no_position_without_a_work_tree(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every pass asks, so it must cost nothing."""
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("a process was started"))
    outside = tmp_path.resolve() / "outside"
    outside.mkdir()
    assert (position(outside), is_busy(outside), upstream_stamp(outside)) == (None, False, None)
    assert position(repository)
    assert upstream_stamp(repository)
    assert not is_busy(repository)


def test_a_spoilt_repository_has_some_position(repository: Path) -> None:
    """Nothing that lies in git's folder makes a pass fail."""
    (repository / ".git/HEAD").write_bytes(b"ref: refs/heads/\xff\n")
    assert position(repository)
    (repository / ".git/HEAD").write_text("ref: HEAD\n", encoding="utf-8")
    assert position(repository)


@pytest.mark.parametrize("damage", [b"gitdir: a\0b\n", b"\0\xff" * 500])
def test_a_spoilt_git_file_is_no_repository(tmp_path: Path, damage: bytes) -> None:
    """Whatever bytes it holds."""
    (tmp_path / ".git").write_bytes(damage)
    assert isinstance(position(tmp_path), str)
    assert upstream_stamp(tmp_path) is not None
    assert not is_busy(tmp_path)


def test_git_in_the_middle_of_something(repository: Path) -> None:
    """Of a merge, a rebase, a cherry-pick, a revert; of writing its index."""
    note = repository / "vault/a.md"
    git(repository, "checkout", "-q", "-b", "other", "HEAD~1")
    note.write_text("otherwise\n", encoding="utf-8")
    other = commit_all(repository)
    git(repository, "checkout", "-q", "main")
    assert not is_busy(repository)
    for start in (("merge", other), ("rebase", other), ("cherry-pick", other), ("revert", "HEAD~1")):
        assert try_git(repository, *start).returncode != 0
        assert is_busy(repository / "vault"), start
        git(repository, start[0], "--abort")
        assert not is_busy(repository), start
    (repository / ".git/index.lock").touch()
    assert is_busy(repository)


def test_the_upstream_stamp_moves_with_a_fetch_a_push_and_a_choice(repository: Path) -> None:
    """Whatever may change what the upstream branch holds; a commit here does not."""
    git(repository, "config", "receive.denyCurrentBranch", "ignore")
    git(repository.parent, "clone", "-q", str(repository), "clone")
    clone = repository.parent / "clone"

    def moves_it(*words: str) -> bool:
        before = upstream_stamp(clone)
        git(clone, *words)
        return upstream_stamp(clone) != before

    (repository / "vault/b.md").write_text("new\n", encoding="utf-8")
    commit_all(repository)
    assert moves_it("fetch", "-q")
    assert moves_it("merge", "-q", "--ff-only") is False
    (clone / "vault/c.md").write_text("new\n", encoding="utf-8")
    commit_all(clone)
    assert moves_it("commit", "--allow-empty", "-qm", "nothing") is False
    assert moves_it("push", "-q")
    assert moves_it("checkout", "-q", "-b", "side")
    assert moves_it("branch", "-q", "-u", "origin/main")


@pytest.fixture
def with_module(repository: Path, tmp_path: Path) -> Path:
    """The repository, with another one as a submodule in its vault."""
    other = tmp_path.resolve() / "other"
    other.mkdir()
    git(other, "init", "-q")
    for text in ("one\n", "two\n"):
        (other / "m.md").write_text(text)
        commit_all(other)
    git(
        repository,
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        str(other),
        "vault/Shared",
    )
    commit_all(repository)
    return repository


def test_submodules_are_those_in_the_vault(with_module: Path) -> None:
    """Seen from the vault, and from the work tree's top."""
    assert submodules(with_module) == ["vault/Shared"]
    assert submodules(with_module / "vault") == ["Shared"]
    assert submodules(with_module / "vault/Shared") == []


def test_a_submodule_moves_with_the_vault(with_module: Path) -> None:
    """Another commit is checked out in it: to the outer repository that is no move."""
    vault = with_module / "vault"
    before = position(vault)
    git(vault / "Shared", "checkout", "-q", "HEAD~1")
    assert position(vault) != before


def test_the_vault_is_busy_while_a_submodule_is(with_module: Path) -> None:
    """A commit in it, for one."""
    lock = with_module / ".git/modules/vault/Shared/index.lock"
    lock.touch()
    assert is_busy(with_module / "vault")
    lock.unlink()
    assert not is_busy(with_module / "vault")


@pytest.mark.parametrize("path", ["loop", "../out", "/etc", ".", "gone", "\0", "Shared/../Shared"])
def test_what_a_clone_names_as_a_submodule_is_not_believed(with_module: Path, path: str) -> None:
    """A link to the vault itself would be walked for ever, another folder is none of ours."""
    (with_module / "loop").symlink_to(with_module)
    (with_module / ".gitmodules").write_text(f"[submodule]\n\tpath = {path}\n")
    assert submodules(with_module) == []
    assert position(with_module) is not None
