"""Field cases about what is a note, what may be read, and what is never touched."""

from __future__ import annotations

import errno
import os
import tempfile
import unicodedata
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from vaultsync.domain.errors import UsageError, VaultError
from vaultsync.domain.notes import NotePath
from vaultsync.domain.snapshot import DiskSnapshot, LeftOut
from vaultsync.vault import files
from vaultsync.vault.ignore import Rules
from vaultsync.vault.obsidian import ObsidianSettings
from vaultsync.vault.scanner import explain, scan

if TYPE_CHECKING:
    from collections.abc import Iterator

RULES = Rules(ObsidianSettings("V"))
FORMS: tuple[Literal["NFC", "NFD"], ...] = ("NFC", "NFD")


def fill(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(b"text\n")


def notes(root: Path, rules: Rules = RULES) -> set[str]:
    return set(scan(root, rules).notes)


@contextmanager
def as_anybody() -> Iterator[None]:
    """Root may read everything, so give its rights up for a while."""
    user = os.geteuid()
    os.seteuid(user or 65534)
    try:
        yield
    finally:
        os.seteuid(user)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Yield a folder that every user may enter."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def test_F20_a_temporary_file_that_replaces_its_note(tmp_path: Path) -> None:
    """While an editor writes, only the note itself is a note."""
    fill(tmp_path, "n.md", "n.md.tmp", ".n.md.swp", "n.md~")
    assert notes(tmp_path) == {"n.md"}
    (tmp_path / "n.md.tmp").replace(tmp_path / "n.md")
    assert notes(tmp_path) == {"n.md"}


def test_F29_own_files_and_git_are_never_seen(tmp_path: Path) -> None:
    """Nothing that this program or git keeps in the vault is looked at."""
    fill(tmp_path, "n.md", ".vaultsync/x.md", ".git/x.md", "State/x.md")
    rules = Rules(ObsidianSettings("V"), state_folder="State")
    assert notes(tmp_path, rules) == {"n.md"}
    assert LeftOut("State", "state-folder") in scan(tmp_path, rules).left_out


def test_F37_an_unreadable_folder_is_not_an_empty_one(open_folder: Path) -> None:
    """A folder that can't be listed is reported, and the scan does not call itself complete."""
    fill(open_folder, "n.md", "A/secret.md")
    (open_folder / "A").chmod(0)
    with as_anybody():
        seen = scan(open_folder, RULES)
    (open_folder / "A").chmod(0o700)
    assert set(seen.notes) == {"n.md"}
    assert seen.unreadable == ("A",)
    assert not seen.complete


def test_F37_a_note_that_may_not_be_read(open_folder: Path) -> None:
    """A note without the right to read it is in the scan, and reading it says so."""
    fill(open_folder, "n.md")
    (open_folder / "n.md").chmod(0)
    with as_anybody():
        assert notes(open_folder) == {"n.md"}
        with pytest.raises(files.ReadFailure) as failed:
            files.read(open_folder, "n.md")
    assert failed.value.code == "unreadable"


def test_F41_a_vault_that_is_not_mounted_is_no_empty_vault(tmp_path: Path) -> None:
    """A missing root stops the scan with an error."""
    with pytest.raises(VaultError):
        scan(tmp_path / "unmounted", RULES)


def test_F44_a_note_that_is_not_downloaded(tmp_path: Path) -> None:
    """A placeholder is no vanished note, and the error that reading one gives is known by its code."""
    fill(tmp_path, "n.md", "A/.cloud.md.icloud")
    seen = scan(tmp_path, RULES)
    assert seen.placeholders == {"A/cloud.md"}
    assert set(seen.notes) == {"n.md"}
    failure = files.read_failure("n.md", OSError(errno.EDEADLK, "Resource deadlock avoided"))
    assert failure.code == "placeholder"


def test_F47_a_link_that_leads_out_of_the_vault(tmp_path: Path) -> None:
    """A link to a file outside is no note and can't be read."""
    (tmp_path / "link.md").symlink_to("/etc/passwd")
    assert notes(tmp_path) == set()
    assert explain(tmp_path, RULES, "link.md") == "symlink-outside"
    with pytest.raises(UsageError):
        files.resolve(tmp_path, "link.md")


@pytest.mark.parametrize("form", FORMS)
def test_F51_a_decomposed_name_is_kept_as_on_the_disk(tmp_path: Path, form: Literal["NFC", "NFD"]) -> None:
    """A note is known by the bytes of its name, and found by an event that spells it in another form."""
    on_disk = unicodedata.normalize(form, "Tagebücher/Mär.md")
    fill(tmp_path, on_disk)
    for event in (unicodedata.normalize(other, on_disk) for other in FORMS):
        assert set(scan(tmp_path, RULES, only=[NotePath(event)]).notes) == {on_disk}
    assert files.read(tmp_path, on_disk).raw == b"text\n"


def test_F53_names_that_differ_only_in_case(tmp_path: Path) -> None:
    """Where the disk keeps both, both are notes."""
    fill(tmp_path, "README.md", "readme.md")
    assert notes(tmp_path) == {entry.name for entry in tmp_path.iterdir()}


def test_F57_one_name_in_several_folders(tmp_path: Path) -> None:
    """Equal names in different folders are different notes."""
    fill(tmp_path, "A/Untitled.md", "B/Untitled.md", "C/Untitled.md")
    assert notes(tmp_path) == {"A/Untitled.md", "B/Untitled.md", "C/Untitled.md"}


def test_F100_an_edit_of_the_same_size(tmp_path: Path) -> None:
    """A letter replaced shows in the fingerprint even if the editor puts the time of change back."""

    def fingerprint(seen: DiskSnapshot) -> object:
        return seen.notes[NotePath("n.md")].fingerprint

    fill(tmp_path, "n.md")
    before = scan(tmp_path, RULES)
    changed = (tmp_path / "n.md").stat().st_ctime_ns
    while (tmp_path / "n.md").stat().st_ctime_ns == changed:  # until the file system's clock has ticked
        (tmp_path / "n.md").write_bytes(b"test\n")
    os.utime(tmp_path / "n.md", ns=(before.started_ns, before.notes[NotePath("n.md")].fingerprint.mtime_ns))
    assert fingerprint(scan(tmp_path, RULES)) != fingerprint(before)


def test_F106_a_file_of_the_user_s_is_never_written_over(tmp_path: Path) -> None:
    """A file that is there, whoever made it, is not replaced by a new one."""
    fill(tmp_path, "MEMORY.md")
    with pytest.raises(files.WriteRefused):
        files.create(tmp_path, "MEMORY.md", b"generated")
    assert (tmp_path / "MEMORY.md").read_bytes() == b"text\n"


@pytest.mark.parametrize(
    "copy",
    [
        "Task.sync-conflict-20240102-030405-ABCDEFG.md",
        "Task (Ann's conflicted copy 2024-01-02).md",
        "Task (Conflicted copy Pixel 202401021234).md",
        "Task_LOCAL_4711.md",
        "Task.md.orig",
    ],
)
def test_F111_F112_F113_a_conflict_copy_is_no_second_note(tmp_path: Path, copy: str) -> None:
    """A conflict copy is left out and reported against its original."""
    fill(tmp_path, "A/Task.md", f"A/{copy}")
    seen = scan(tmp_path, RULES)
    assert set(seen.notes) == {"A/Task.md"}
    assert seen.left_out == (LeftOut(f"A/{copy}", "conflict-copy", "A/Task.md"),)


def test_F113_a_second_chapter_is_no_conflict_copy(tmp_path: Path) -> None:
    """iCloud's names for copies are ordinary names too, so such notes stay."""
    fill(tmp_path, "Chapter.md", "Chapter 2.md", "Chapter (1).md")
    assert notes(tmp_path) == {"Chapter.md", "Chapter 2.md", "Chapter (1).md"}


def test_F115_the_list_of_conflicts_of_obsidian_git(tmp_path: Path) -> None:
    """The plugin's list of clashes is no note."""
    fill(tmp_path, "conflict-files-obsidian-git.md")
    assert scan(tmp_path, RULES).left_out == (LeftOut("conflict-files-obsidian-git.md", "conflict-copy"),)


@pytest.mark.parametrize("path", ["../secret.md", "A/../../secret.md", "/etc/passwd", "A/..", "n.md\0.png"])
def test_F116_F119_no_path_leads_out_of_the_vault(tmp_path: Path, path: str) -> None:
    """A decoded path that climbs is refused at the one door, for reading and for writing."""
    fill(tmp_path, "secret.md", "vault/A/n.md")
    with pytest.raises(UsageError):
        files.resolve(tmp_path / "vault", path)
    with pytest.raises(files.ReadFailure):
        files.read(tmp_path / "vault", path)
    with pytest.raises(UsageError):
        files.create(tmp_path / "vault", path, b"x")


def test_F129_build_folders_are_not_looked_into(tmp_path: Path) -> None:
    """`node_modules` and what programs mark as their own stay unread; a user's `build` folder does not."""
    fill(
        tmp_path,
        "node_modules/p/README.md",
        "code/node_modules/q/README.md",
        "env/pyvenv.cfg",
        "env/lib/LICENSE.md",
    )
    fill(tmp_path, "build/House.md", "code/n.md")
    seen = scan(tmp_path, RULES)
    assert set(seen.notes) == {"build/House.md", "code/n.md"}
    assert {entry.path for entry in seen.left_out} == {"node_modules", "code/node_modules", "env"}
