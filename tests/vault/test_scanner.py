"""One look at a vault's folders."""

from __future__ import annotations

import os
import subprocess
import time
import unicodedata
from types import SimpleNamespace
from typing import TYPE_CHECKING, Literal

import pytest
from repositories import git

from vaultsync.domain.errors import VaultError
from vaultsync.domain.notes import NotePath
from vaultsync.domain.snapshot import DiskSnapshot, LeftOut
from vaultsync.vault.fingerprints import SF_DATALESS, fingerprint, is_dataless
from vaultsync.vault.git import ignored
from vaultsync.vault.ignore import Rules
from vaultsync.vault.obsidian import ObsidianSettings
from vaultsync.vault.scanner import explain, scan

if TYPE_CHECKING:
    from pathlib import Path

RULES = Rules(ObsidianSettings("V", template_folders=("Templates",)), private=["Diary/"])


def fill(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(b"text\n")


def look(root: Path, *only: str) -> DiskSnapshot:
    return scan(root, RULES, only=[NotePath(path) for path in only] or None)


def test_every_note_with_its_fingerprint(tmp_path: Path) -> None:
    """A scan gives each note's size, times, inode and device as `stat` has them, and the place's role."""
    fill(tmp_path, "a.md", "A/B/c.MD", "Templates/t.md", "Diary/d.md", "A/img.png")
    before = time.time_ns()
    seen = look(tmp_path)
    status = (tmp_path / "A/B/c.MD").stat()
    assert before <= seen.started_ns <= time.time_ns()
    assert sorted(seen.notes) == ["A/B/c.MD", "Diary/d.md", "Templates/t.md", "a.md"]
    assert seen.notes[NotePath("A/B/c.MD")].fingerprint == (
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_ino,
        status.st_dev,
    )
    assert seen.notes[NotePath("Templates/t.md")].role == "template"
    assert seen.notes[NotePath("Diary/d.md")].withheld == "glob"
    assert seen.left_out == (LeftOut("A/img.png", "not-markdown"),)
    assert seen.complete


def test_no_note_is_opened(tmp_path: Path) -> None:
    """The scan leaves the time of last access as it is."""
    fill(tmp_path, "a.md")
    os.utime(tmp_path / "a.md", ns=(1, 1))
    look(tmp_path)
    assert (tmp_path / "a.md").stat().st_atime_ns == 1


def test_links_are_never_followed(tmp_path: Path) -> None:
    """A link out of the vault is left out, one inside it doubles no note, and a loop ends."""
    vault, outside = tmp_path / "vault", tmp_path / "vault-outside"
    fill(vault, "A/n.md")
    fill(outside, "secret.md")
    (vault / "out.md").symlink_to(outside / "secret.md")
    (vault / "Out").symlink_to(outside)
    (vault / "in.md").symlink_to("A/n.md")
    (vault / "In").symlink_to("A")
    (vault / "A/loop").symlink_to(vault)
    (vault / "self.md").symlink_to("self.md")
    (vault / ".#n.md").symlink_to("ann@host.4711")
    seen = look(vault)
    assert set(seen.notes) == {"A/n.md"}
    assert set(seen.left_out) >= {
        LeftOut("out.md", "symlink-outside"),
        LeftOut("Out", "symlink-outside"),
        LeftOut("in.md", "symlink-inside", "A/n.md"),
        LeftOut("In", "symlink-inside", "A"),
        LeftOut(".#n.md", "temp-file"),
    }
    assert explain(vault, RULES, "A/loop") == "symlink-outside"
    assert explain(vault, RULES, "self.md") == "symlink-inside"
    assert seen.unreadable == ()


def test_a_root_that_is_a_link_is_read(tmp_path: Path) -> None:
    """The vault itself may be reached by a link."""
    fill(tmp_path / "real", "n.md")
    (tmp_path / "vault").symlink_to("real")
    (tmp_path / "real/in.md").symlink_to(tmp_path / "real/n.md")
    seen = look(tmp_path / "vault")
    assert set(seen.notes) == {"n.md"}
    assert seen.left_out == (LeftOut("in.md", "symlink-inside", "n.md"),)


def test_a_pipe_is_no_note(tmp_path: Path) -> None:
    """What is no ordinary file is left out, whatever its name."""
    os.mkfifo(tmp_path / "pipe.md")
    assert look(tmp_path).left_out == (LeftOut("pipe.md", "special-file"),)


def test_a_folder_may_be_called_like_a_note(tmp_path: Path) -> None:
    """A folder `x.md` is read as a folder."""
    fill(tmp_path, "x.md/n.md")
    assert set(look(tmp_path).notes) == {"x.md/n.md"}


def test_names_that_are_no_text(tmp_path: Path) -> None:
    """A name that is not UTF-8 is left out in a legible form, and so is all below such a folder."""
    fill(tmp_path, os.fsdecode(b"caf\xe9.md"), os.fsdecode(b"d\xff/n.md"))
    seen = look(tmp_path)
    assert seen.notes == {}
    assert sorted(seen.left_out) == [LeftOut("caf�.md", "name-not-utf8"), LeftOut("d�", "name-not-utf8")]


def test_a_vault_inside_is_left_out_whole(tmp_path: Path) -> None:
    """A folder with settings of its own is another vault, and none of its notes shows."""
    fill(tmp_path, "n.md", "A/Inner/.obsidian/app.json", "A/Inner/x.md", ".obsidian/app.json")
    seen = look(tmp_path)
    assert set(seen.notes) == {"n.md"}
    assert LeftOut("A/Inner", "vault-inside") in seen.left_out
    named = Rules(ObsidianSettings("V"), nested_vaults=["A/Inner"])
    assert set(scan(tmp_path, named).notes) == {"n.md", "A/Inner/x.md"}


@pytest.mark.parametrize("name", ["missing", "file.md"])
def test_a_root_that_cannot_be_listed_is_an_error(tmp_path: Path, name: str) -> None:
    """A vault that is not there must never look like an empty one."""
    fill(tmp_path, "file.md")
    with pytest.raises(VaultError, match="can't be read"):
        look(tmp_path / name)


def test_a_folder_too_deep_for_the_system_is_unreadable(tmp_path: Path) -> None:
    """What lies too deep to be named is reported, never silently empty; the notes above it are there."""
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(24):
        os.close(os.open("n.md", os.O_CREAT, dir_fd=here))
        os.mkdir("d" * 200, dir_fd=here)
        above, here = here, os.open("d" * 200, os.O_RDONLY, dir_fd=here)
        os.close(above)
    os.close(here)
    seen = look(tmp_path)
    subprocess.run(["rm", "-r", tmp_path / ("d" * 200)], check=True)  # too deep for pytest's own clearing up
    assert 15 < len(seen.notes) < 24
    assert seen.unreadable
    assert not seen.complete


def test_placeholders_stand_for_notes(tmp_path: Path) -> None:
    """iCloud's `.Name.md.icloud` says that `Name.md` is there but not downloaded."""
    fill(tmp_path, "A/.n.md.icloud", ".p.png.icloud", ".both.md.icloud", "both.md")
    seen = look(tmp_path)
    assert seen.placeholders == {"A/n.md"}
    assert set(seen.notes) == {"both.md"}
    assert look(tmp_path, "A/n.md").placeholders == {"A/n.md"}


def test_dataless_files_are_placeholders() -> None:
    """macOS marks a file whose bytes are in the cloud only by a flag; elsewhere there are no flags."""
    assert is_dataless(SimpleNamespace(st_flags=SF_DATALESS | 0x40))
    assert not is_dataless(SimpleNamespace(st_flags=0x40))
    assert not is_dataless(SimpleNamespace())


def test_only_some_paths(tmp_path: Path) -> None:
    """Named notes and folders are looked at and nothing else; a name that is gone gives nothing."""
    fill(tmp_path, "a.md", "A/b.md", "A/c.md", "B/d.md", "B/C/e.md", ".git/x.md")
    seen = look(tmp_path, "A/b.md", "B", "gone.md", ".git/x.md")
    assert set(seen.notes) == {"A/b.md", "B/d.md", "B/C/e.md"}
    assert seen.left_out == (LeftOut(".git", "dot-folder"),)
    assert not seen.complete
    assert set(look(tmp_path, "A/b.md", "A/").notes) == {"A/b.md", "A/c.md"}
    assert set(look(tmp_path, "").notes) == set(look(tmp_path).notes)


def test_only_finds_a_name_in_another_spelling(tmp_path: Path) -> None:
    """A watcher may give the old case or another normal form; the scan answers with the name on the disk."""
    apart = unicodedata.normalize("NFD", "Über/Ärger.md")
    fill(tmp_path, apart)
    assert set(look(tmp_path, unicodedata.normalize("NFC", "über/ärger.md")).notes) == {apart}


def test_explain(tmp_path: Path) -> None:
    """Of a file that is no note the rule is named that left it, or a folder above it, out."""
    fill(tmp_path, "n.md", "node_modules/x/readme.md", "a.canvas", "In/.obsidian/a.json", "In/x.md")
    assert explain(tmp_path, RULES, "n.md") is None
    assert explain(tmp_path, RULES, "gone.md") is None
    assert explain(tmp_path, RULES, "node_modules/x/readme.md") == "build-folder"
    assert explain(tmp_path, RULES, "a.canvas") == "canvas"
    assert explain(tmp_path, RULES, "In/x.md") == "vault-inside"


def test_in_a_folder_both_spellings_of_a_name(tmp_path: Path) -> None:
    """On a disk that tells case apart, names that differ only in case are two notes."""
    fill(tmp_path, "README.md", "readme.md")
    if not (tmp_path / "README.md").samefile(tmp_path / "readme.md"):
        assert set(look(tmp_path).notes) == {"README.md", "readme.md"}


def test_a_fingerprint_fits_into_the_database() -> None:
    """Overlay file systems number inodes beyond what SQLite's integers hold, and a clock may be centuries off."""
    status = SimpleNamespace(
        st_size=1, st_mtime_ns=2**63 + 7, st_ctime_ns=-(2**64), st_ino=2**64 - 5, st_dev=2**63
    )
    assert fingerprint(status) == (1, 7, 0, 2**63 - 5, 0)  # type: ignore[arg-type]  # a stat of another system


@pytest.mark.parametrize("gitignored", ["private", "skip"])
def test_a_repository_inside_the_vault_has_its_own_word(
    tmp_path: Path, gitignored: Literal["private", "skip"]
) -> None:
    """What a repository in a folder of the vault ignores is withheld or skipped, as what the vault's own does."""
    fill(tmp_path, "Own/secret.md", "Own/open.md", "Own/Deep/secret.md", "secret.md")
    (tmp_path / "Own/.gitignore").write_text("secret.md\n")
    for folder in (tmp_path, tmp_path / "Own"):
        git(folder, "init", "-q")
    git_ignored = ignored(tmp_path)
    rules = Rules(ObsidianSettings("V"), gitignored=gitignored, git_ignored=git_ignored)
    seen = scan(tmp_path, rules).notes
    withheld = {path for path in seen if seen[path].withheld}
    assert {"Own/open.md", "secret.md"} <= seen.keys() - withheld
    assert withheld == ({"Own/secret.md", "Own/Deep/secret.md"} if gitignored == "private" else set())
    alone = scan(tmp_path, rules, only=[NotePath("Own/Deep/secret.md")]).notes
    assert all(note.withheld for note in alone.values())
