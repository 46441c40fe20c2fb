"""What git says of a vault, and what its `.gitignore` files say where git does not answer."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from repositories import commit_all, try_git

from vaultsync.vault import git, gitignore

IGNORES = "secret.md\nLoose/\n*.tmp.md\n"


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)


def run(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "protocol.file.allow=always")
    done = subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def write(root: Path, path: str, text: str = "text\n") -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    root.mkdir()
    run(root, "init", "-q")
    write(root, ".gitignore", IGNORES)
    for path in (
        "a.md",
        "secret.md",
        "Loose/x.md",
        "vault/b.md",
        "vault/secret.md",
        "vault/Loose/y.md",
        "vault/é.tmp.md",
    ):
        write(root, path)
    run(root, "add", "a.md", "vault/b.md")
    run(root, "commit", "-qm", "first")
    return root


def test_what_git_ignores(repository: Path) -> None:
    """Ignored files and folders are named from the root, folders with a slash."""
    found = git.ignored(repository)
    assert {"secret.md", "Loose/", "vault/secret.md", "vault/Loose/", "vault/é.tmp.md"} <= found
    assert not {"a.md", "vault/", "vault/b.md", "./", ""} & found


def test_a_vault_below_the_top_of_the_work_tree(repository: Path) -> None:
    """Paths are those below the vault, wherever the repository begins."""
    assert git.ignored(repository / "vault") == {"secret.md", "Loose/", "é.tmp.md"}


def test_a_worktree(repository: Path) -> None:
    """A second work tree, whose `.git` is a file, answers as the first."""
    run(repository, "worktree", "add", "-q", "../second")
    second = repository.parent / "second"
    for path in (".gitignore", "secret.md"):
        write(second, path, IGNORES)
    assert git.ignored(second) == {"secret.md"}
    assert git.root_commit(second) == git.root_commit(repository)


def test_a_tracked_note_is_not_ignored(repository: Path) -> None:
    """A note that git keeps is published with the repository, whatever `.gitignore` says."""
    run(repository, "add", "-f", "secret.md")
    assert "secret.md" not in git.ignored(repository)


def test_a_vault_that_the_repository_around_it_ignores(repository: Path) -> None:
    """A home folder kept in git says nothing of the vault in it: only the vault's own `.gitignore` counts."""
    vault = repository / "Loose"
    write(vault, "own.md")
    write(vault, ".gitignore", "own.md\n")
    assert git.ignored(vault) == {"own.md"}
    assert git.root_commit(vault) is None


def test_a_vault_whose_notes_are_all_ignored(repository: Path) -> None:
    """Where a rule names the notes and not the folder, they are ignored, even if they are all there is."""
    write(repository, "Only/secret.md")
    assert git.ignored(repository / "Only") == {"secret.md"}


def test_no_process_without_a_work_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside a work tree no program is started, and `.gitignore` still counts."""
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("git was started"))
    vault = tmp_path / "vault"
    for path in ("n.md", "secret.md", "Loose/x.md"):
        write(vault, path)
    assert git.ignored(vault) == frozenset()
    assert git.root_commit(vault) is None
    write(vault, ".gitignore", IGNORES)
    assert git.ignored(vault) == {"secret.md", "Loose/"}


def test_without_the_program(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without git the `.gitignore` files say what is ignored, those above the vault included."""
    monkeypatch.setenv("PATH", "/nonexistent")
    assert git.ignored(repository) >= {"secret.md", "Loose/", "vault/secret.md", "vault/Loose/"}
    assert git.ignored(repository / "vault") == {"secret.md", "Loose/", "é.tmp.md"}
    assert git.root_commit(repository) is None


def test_a_broken_repository(repository: Path) -> None:
    """A repository that git can't read is read by its `.gitignore` files."""
    (repository / ".git/HEAD").write_text("nonsense", encoding="utf-8")
    assert git.ignored(repository) >= {"secret.md", "Loose/"}
    assert git.root_commit(repository) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_repository_that_git_distrusts(repository: Path) -> None:
    """Somebody else's repository, which git refuses to open, is read by its `.gitignore` files."""
    for path in (repository, repository / ".git"):
        os.chown(path, 65534, 65534)
    assert git.ignored(repository) >= {"secret.md", "Loose/"}
    assert git.root_commit(repository) is None


def test_nothing_of_the_repository_runs(repository: Path) -> None:
    """A file system monitor or a hook that a cloned repository names is not started."""
    trap = repository / "trap.sh"
    write(repository, "trap.sh", f"#!/bin/sh\ntouch '{repository}/sprung'\n")
    trap.chmod(0o755)
    run(repository, "config", "core.fsmonitor", str(trap))
    run(repository, "config", "core.hooksPath", str(repository))
    git.ignored(repository)
    git.root_commit(repository)
    assert not (repository / "sprung").exists()
    run(repository, "ls-files", "-o", "--exclude-standard")
    assert (repository / "sprung").exists(), "the trap would have sprung"


def test_variables_of_the_caller_do_not_count(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run from a hook of another repository, git still answers for the vault's."""
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path))
    assert "secret.md" in git.ignored(repository)


def test_root_commit(repository: Path) -> None:
    """The first commit, the smallest of several, names a history."""
    first = run(repository, "rev-parse", "HEAD")
    assert git.root_commit(repository) == git.root_commit(repository / "vault") == first
    run(repository, "checkout", "-q", "--orphan", "other")
    run(repository, "commit", "-qm", "other first")
    second = run(repository, "rev-parse", "HEAD")
    run(repository, "merge", "-q", "--allow-unrelated-histories", "-m", "both", first)
    assert git.root_commit(repository) == min(first, second)


def test_no_root_commit(repository: Path, tmp_path: Path) -> None:
    """A history without commits has none, and a shallow clone does not know it."""
    write(repository, "a.md", "more\n")
    run(repository, "commit", "-qam", "second")
    run(tmp_path, "clone", "-q", "--depth=1", f"file://{repository}", "shallow")
    (tmp_path / "unborn").mkdir()
    run(tmp_path / "unborn", "init", "-q")
    assert git.root_commit(tmp_path / "shallow") is None
    assert git.root_commit(tmp_path / "unborn") is None


def test_nested_files_decide_as_git_would(repository: Path) -> None:
    """The nearest `.gitignore` that names a path decides; both ways give the same notes."""
    write(repository, "vault/.gitignore", "\ufeff!secret.md\r\n/b2.md\n[\n!\n")
    write(repository, "vault/Deep/.gitignore", "*\n!keep.md\n")
    for path in (
        "vault/b2.md",
        "vault/Sub/b2.md",
        "vault/Deep/n.md",
        "vault/Deep/keep.md",
        ".hidden/secret.md",
    ):
        write(repository, path)
    for root in (repository, repository / "vault"):
        by_files = gitignore.ignored(root, repository)
        by_git = {
            path for path in git.ignored(root) if path.endswith((".md", "/")) and not path.startswith(".")
        }
        assert by_files == by_git


def test_a_folder_taken_back_hides_no_rule_for_what_is_in_it(repository: Path) -> None:
    """A pattern that names a folder has its say there, not again for each path below it."""
    write(repository, ".gitignore", "/a\nb\n!a/\n")
    write(repository, "a/b/n.md")
    assert "a/b/" in gitignore.ignored(repository, repository)


PATTERNS = [
    "a", "*.md", "/a", "a/", "/b/", "a/*", "!a", "!*.md", "**/b", "a/**", "!b/a.md", "?.md", "[ab].md",
    "*", "!a/", "#x",
]  # fmt: skip
FOLDERS = ["", "a/", "b/", "a/b/", "b/a/"]


@settings(max_examples=12, deadline=None)
@example({"": "a/**\n!*.md"})
@given(
    st.dictionaries(st.sampled_from(FOLDERS), st.lists(st.sampled_from(PATTERNS)).map("\n".join), min_size=1)
)
def test_both_ways_agree(texts: dict[str, str]) -> None:
    """Whatever stands in `.gitignore` files, git and our reading of them make the same notes private."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        run(root, "init", "-q")
        for path in (f"{folder}{name}.md" for folder in FOLDERS for name in "abc"):
            write(root, path)
        for path, text in texts.items():
            write(root, f"{path}.gitignore", text)
        by_files = ignored_notes(root, gitignore.ignored(root, root))
        assert ignored_notes(root, git.ignored(root)) == by_files
        for path in ("A/B/C.MD", "a/b", "b/a.md", "gone/x.md"):
            named = gitignore.ignored(root, root, [path])
            below = {note for note in by_files if f"{note}/".startswith(f"{path.lower()}/")}
            assert ignored_notes(root, named) >= below, "asked about one path alone, it is as ignored"
            assert ignored_notes(root, named) <= by_files


def ignored_notes(root: Path, ignored: frozenset[str]) -> set[str]:
    paths = {path.relative_to(root).as_posix() for path in root.rglob("*.md")}
    folders = tuple(path for path in ignored if path.endswith("/"))
    return {path for path in paths if path in ignored or path.startswith(folders)}


def test_what_is_not_as_in_the_index(repository: Path) -> None:
    """Changed, deleted, untracked and ignored notes are not; one that was only touched is."""
    for path in ("changed.md", "deleted.md", "touched.md", "É.md", "staged.md"):
        write(repository, f"vault/{path}")
    run(repository, "add", "vault")
    run(repository, "commit", "-qm", "second")
    vault = repository / "vault"
    write(vault, "changed.md", "TEXT\n")
    write(vault, "staged.md", "more\n")
    run(repository, "add", "vault/staged.md")
    (vault / "deleted.md").unlink()
    os.utime(vault / "touched.md", (1, 1))
    write(vault, "new.md")
    paths = [path.name for path in vault.glob("*.md")]
    found = git.unclean(vault, [*paths, "deleted.md", "never.md", "Loose/y.md", "E\u0301.md"])
    assert found == {"changed.md", "deleted.md", "new.md", "secret.md", "é.tmp.md", "Loose/y.md"}


def test_a_note_that_a_checkout_took_away_is_clean(repository: Path) -> None:
    """Neither the index nor the disk has it: git did that."""
    write(repository, "later.md")
    run(repository, "add", "later.md")
    run(repository, "commit", "-qm", "second")
    run(repository, "checkout", "-q", "HEAD~1")
    assert git.unclean(repository, ["later.md", "a.md"]) == frozenset()


def test_a_conflict_is_unclean(repository: Path) -> None:
    """Of an unmerged note, git has several versions in its index."""
    run(repository, "branch", "other")
    write(repository, "a.md", "one\n")
    run(repository, "commit", "-qam", "one")
    run(repository, "checkout", "-q", "other")
    write(repository, "a.md", "two\n")
    run(repository, "commit", "-qam", "two")
    assert try_git(repository, "merge", "@{-1}").returncode != 0
    assert git.unclean(repository, ["a.md", "vault/b.md"]) == {"a.md"}


def test_what_a_commit_held_is_told_from_the_vault(repository: Path) -> None:
    """Also below the top of the work tree; a commit that git does not know, or none, held nothing."""
    commit = git.root_commit(repository)
    assert commit is not None
    assert git.tracked_at(repository / "vault", commit) == {"b.md"}
    assert git.tracked_at(repository, commit) == {"a.md", "vault/b.md"}
    assert git.tracked_at(repository, "0" * 40) == frozenset()
    assert git.tracked_at(repository, "--help") == frozenset()


def test_without_an_answer_all_is_unclean(tmp_path: Path) -> None:
    """Then no change counts as git's."""
    assert git.unclean(tmp_path, ["a.md"]) == {"a.md"}
    assert git.untracked(tmp_path, ["a.md"]) == frozenset()
    assert git.left_out(tmp_path, ["a.md"]) == {"a.md"}


def test_comparing_bytes_runs_no_filter(repository: Path) -> None:
    """A program that a repository's own config names for comparing is not started."""
    trap = repository / "trap.sh"
    write(repository, "trap.sh", f"#!/bin/sh\ntouch '{repository}/sprung'\ncat\n")
    trap.chmod(0o755)
    write(repository, ".gitattributes", "*.md filter=a=b.c\n")
    run(repository, "config", "filter.a=b.c.clean", str(trap))
    run(repository, "config", "filter.a=b.c.required", "true")
    write(repository, "a.md", "TEXT\n")
    assert git.unclean(repository, ["a.md", "vault/b.md"]) == {"a.md"}
    assert not (repository / "sprung").exists()
    run(repository, "ls-files", "-m")
    assert (repository / "sprung").exists(), "the trap would have sprung"


def test_what_is_not_tracked(repository: Path) -> None:
    """Names are meant as they are, not as patterns."""
    write(repository, "vault/[b].md")
    vault = repository / "vault"
    assert git.untracked(vault, ["b.md", "[b].md", "secret.md", "gone.md"]) == {
        "[b].md",
        "secret.md",
        "gone.md",
    }


def test_what_a_partial_checkout_leaves_out(repository: Path) -> None:
    """Tracked, and not on this disk; a file that was deleted or that git never knew is not left out."""
    for path in ("vault/In/a.md", "vault/Out/b.md", "vault/Out/[c].md"):
        write(repository, path)
    run(repository, "add", "vault")
    run(repository, "commit", "-qm", "second")
    run(repository, "sparse-checkout", "set", "vault/In")
    vault = repository / "vault"
    (vault / "In/a.md").unlink()
    paths = ["In/a.md", "Out/b.md", "Out/[c].md", "Out/d.md"]
    assert git.left_out(vault, paths) == {"Out/b.md", "Out/[c].md"}


def test_a_file_of_the_upstream_branch(repository: Path, tmp_path: Path) -> None:
    """As it was fetched last; none without a clone, a branch that follows, or that file."""
    run(tmp_path, "clone", "-q", str(repository), "clone")
    vault = tmp_path / "clone/vault"
    write(repository, "vault/b.md", "later\n")
    run(repository, "commit", "-qam", "second")
    assert git.upstream_file(vault, "b.md") == b"text\n"
    run(vault, "fetch", "-q")
    assert git.upstream_file(vault, "b.md") == b"later\n"
    assert git.upstream_file(vault, "none.md") is None
    assert git.upstream_file(repository / "vault", "b.md") is None
    run(vault, "checkout", "-q", "--detach")
    assert git.upstream_file(vault, "b.md") is None
    assert git.upstream_file(tmp_path, "b.md") is None


def test_what_git_ever_had(repository: Path) -> None:
    """In a commit of any branch, below the vault; names are meant as they are."""
    vault = repository / "vault"
    run(repository, "checkout", "-qb", "other")
    write(repository, "vault/c.md")
    run(repository, "add", "vault/c.md")
    run(repository, "commit", "-qm", "second")
    run(repository, "checkout", "-q", "-")
    assert git.had_any(vault, ["c.md"])
    assert git.had_any(vault, ["never.md", "b.md"])
    assert not git.had_any(vault, ["never.md", "*.md", "a.md"])
    assert not git.had_any(vault, [])


def test_a_file_that_a_merge_made(repository: Path) -> None:
    """Of neither parent's bytes, however many commits ago and however lines end; not one that a side had."""
    vault = repository / "vault"
    run(repository, "checkout", "-qb", "other")
    write(repository, "vault/b.md", "theirs\n")
    write(repository, "vault/c.md", "theirs\n")
    run(repository, "add", ".")
    run(repository, "commit", "-qm", "theirs")
    run(repository, "checkout", "-q", "-")
    write(repository, "vault/b.md", "ours\n")
    run(repository, "commit", "-qam", "ours")
    run(repository, "merge", "-q", "-s", "ours", "--no-commit", "other")
    write(repository, "vault/b.md", "both\n")
    write(repository, "vault/c.md", "theirs\n")
    run(repository, "add", ".")
    run(repository, "commit", "-qm", "merge")
    assert git.merged_from(vault, "b.md", b"both\r\n")
    assert not git.merged_from(vault, "b.md", b"typed\n")
    assert not git.merged_from(vault, "c.md", b"theirs\n")
    run(repository, "commit", "-qm", "later", "--allow-empty")
    assert git.merged_from(vault, "b.md", b"both\n")
    write(repository, "vault/b.md", "typed\n")
    run(repository, "commit", "-qam", "typed")
    assert not git.merged_from(vault, "b.md", b"typed\n")


def test_what_is_not_as_in_a_submodule_s_index(repository: Path, tmp_path: Path) -> None:
    """Another commit that was checked out in it is clean, an edit on top is not."""
    other = tmp_path.resolve() / "other"
    other.mkdir()
    run(other, "init", "-q")
    for text in ("one\n", "two\n"):
        write(other, "m.md", text)
        write(other, "n.md", text)
        commit_all(other)
    run(repository, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "Shared")
    run(repository / "Shared", "checkout", "-q", "HEAD~1")
    write(repository, "Shared/n.md", "edited\n")
    write(repository, "Shared/new.md", "new\n")
    paths = ["Shared/m.md", "Shared/n.md", "Shared/new.md", "Shared/gone.md"]
    assert git.unclean(repository, paths) == {"Shared/n.md", "Shared/new.md"}
