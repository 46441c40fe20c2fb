"""No command ever changes a byte, a name or a time of a file that vaultsync did not make."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from small_vaults import ask, fill_vault, run_vaultsync

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "vaults"

COMMANDS = (
    ("config",),
    ("sync", "--dry-run"),
    ("status",),
    ("doctor",),
    ("init",),
    ("sync",),
    ("sync",),
    ("sync", "--rehash"),
    ("sync", "--only", "Home.md"),
    ("search", "the"),
    ("search", "the", "--json"),
    ("show", "Home"),
    ("show", ".obsidian", "--json"),
    ("status",),
    ("status", "--json"),
    ("dump",),
    ("dump", "--uids"),
    ("doctor",),
    ("doctor", "--repair"),
    ("init",),
    ("writer",),
    ("writer", "--take"),
    ("sync", "--accept-removals"),
    ("flush",),
)

GROWING = (
    *COMMANDS,
    ("tree",),
    ("drill", "Home"),
    ("leaves", "Home"),
    ("source", ""),
    ("seal",),
    ("summary", "rebuild"),
    ("summary", "off"),
    ("summary", "on"),
    ("remove", "--dry-run"),
)

IN_LARGE = (
    ("sync", "--dry-run"),
    ("sync",),
    ("sync", "--rehash"),
    ("status",),
    ("search", "the"),
    ("dump",),
    ("doctor", "--repair"),
    ("writer", "--take"),
    ("flush",),
)

OURS = {"id", "tree.tsv", ".gitattributes"}
"""What a sync adds to a vault without git, in `.vaultsync`."""

SUMMARIES = "_summaries"
MARK = b"---\nvaultsync: "
"""With what a generated note begins."""


def tree(root: Path) -> dict[str, tuple[object, ...]]:
    """Return every file, folder and link below `root` with its bytes, mode, times and inode.

    All that is ours stays out, and so do the folders' own times where it appears in them.
    """
    return {str(path.relative_to(root)): _facts(path) for path in _walk(root) if not _is_ours(path, root)}


def _is_ours(path: Path, root: Path) -> bool:
    top = path.relative_to(root).parts[0]
    if top == SUMMARIES:
        return path.is_dir() or path.read_bytes().startswith(MARK)
    return top == ".vaultsync"


def _walk(root: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(root):
        yield from (Path(folder, name) for name in (*folders, *files))


def _facts(path: Path) -> tuple[object, ...]:
    status = path.lstat()
    content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
    link = path.readlink() if path.is_symlink() else None
    return (
        content,
        link,
        status.st_mode,
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_ino,
        status.st_nlink,
    )


def assert_untouched(root: Path, commands: Sequence[tuple[str, ...]]) -> None:
    before = tree(root)
    for words in commands:
        answer = ask("--vault", root, *words)
        assert "should not" not in answer.err  # a refusal is well, a fault of ours is not
        assert tree(root) == before, f"after {words}"


def test_no_command_touches_the_sample_vault(sample_vault: Path) -> None:
    """Whatever is asked, the sample vault stays as it was, and so does what is no note in it."""
    fill_vault(sample_vault, {f"{SUMMARIES}/Mine.md": "My own note, though it lies here."})
    assert_untouched(sample_vault, COMMANDS)
    assert (sample_vault / SUMMARIES / "Vault (summary).md").exists()
    assert {path.name for path in (sample_vault / ".vaultsync").iterdir()} == {*OURS, "config.toml"}


def test_the_program_itself_touches_nothing(sample_vault: Path) -> None:
    """As a process of its own, sync leaves nothing but our own folders behind."""
    before = tree(sample_vault)
    assert run_vaultsync("sync", here=sample_vault).status == 0
    assert tree(sample_vault) == before
    assert {path.name for path in (sample_vault / ".vaultsync").iterdir()} == OURS


def test_remove_leaves_the_vault_as_it_was_found(sample_vault: Path) -> None:
    """With `--all`, nothing of ours stays, and no more than that goes."""
    before = tree(sample_vault)
    ask("--vault", sample_vault, "sync")
    assert ask("--vault", sample_vault, "remove", "--all").status == 0
    assert tree(sample_vault) == before
    assert not (sample_vault / SUMMARIES).exists()
    assert not (sample_vault / ".vaultsync").exists()


def test_a_rehearsal_and_a_look_leave_not_even_our_own_folder(sample_vault: Path, home: Path) -> None:
    """A dry run, and commands that only read, make neither an id nor a state."""
    for words in (
        ("sync", "--dry-run"),
        ("status",),
        ("search", "x"),
        ("show", "Home"),
        ("dump",),
        ("config",),
    ):
        ask("--vault", sample_vault, *words)
    assert not (sample_vault / ".vaultsync").exists()
    assert not (sample_vault / SUMMARIES).exists()
    assert not (home / "state").exists()


def test_notes_of_every_kind_of_fault_stay_as_they_are(home: Path, tmp_path: Path) -> None:
    """Notes with bad YAML, two frontmatter blocks, CR LF, NUL or no UTF-8 are read as they are (F60, F69)."""
    del home
    root = fill_vault(
        tmp_path / "Vault",
        {
            "Home.md": "---\na: b: c\n---\ntext",
            "two.md": "---\na: 1\n---\n---\nb: 2\n---\n",
            "crlf.md": b"---\r\na: 1\r\n---\r\n# H\r\n[[Home]]",
            "bytes.md": b"\xff\xfe\x00\x80 [[Home]] \x00",
            "conflict.md": "<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> other\n",
            "Home.md.tmp": "half",
            "a.canvas": "{}",
        },
    )
    (root / "link.md").symlink_to("Home.md")
    (root / "readonly.md").write_text("text", encoding="utf-8")
    (root / "readonly.md").chmod(0o400)
    assert_untouched(root, GROWING)


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason="the real vaults are not here")
def test_no_command_touches_a_real_vault(home: Path, tmp_path: Path) -> None:
    """Real vaults, two of them git work trees, stay as they were; git's own folder included."""
    del home
    subprocess.run(["bash", SHARED / "unpack", tmp_path / "vaults"], check=True, capture_output=True)
    for root in sorted((tmp_path / "vaults").iterdir()):
        assert_untouched(root, IN_LARGE)
        shutil.rmtree(root)
