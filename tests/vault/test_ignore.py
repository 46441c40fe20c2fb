"""The rules that say which paths are notes."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain.errors import ConfigError
from vaultsync.domain.snapshot import LeftOut
from vaultsync.vault.ignore import Rules, is_plain_note
from vaultsync.vault.obsidian import ObsidianSettings


def rules(obsidian: ObsidianSettings | None = None, **settings: Any) -> Rules:  # noqa: ANN401 - as Rules
    return Rules(obsidian or ObsidianSettings("Vault"), **settings)


def rule_of_file(path: str, **settings: Any) -> str | None:  # noqa: ANN401 - as Rules
    left_out = rules(**settings).left_out(path, is_dir=False)
    return left_out and left_out.rule


def rule_of_folder(path: str, **settings: Any) -> str | None:  # noqa: ANN401 - as Rules
    left_out = rules(**settings).left_out(path, is_dir=True)
    return left_out and left_out.rule


@pytest.mark.parametrize(
    "path",
    [
        "Note.md", "A/b.MD", "é/日記.md", "#tag list.md", "~draft.md", "Notes on tmp.md", "n.tmp.md",
        "x 2.md", "x (1).md",
        "The conflict.md", "On conflicted copies (Dropbox).md", "Recipe (conflicted copy).md",
        "DATA_BASE_2024.md",
        "snake_case_1.md", "a.orig.md",
    ],
)  # fmt: skip
def test_an_ordinary_name_is_a_note(path: str) -> None:
    """A note is left out only on evidence; a name that merely resembles a stray file's is a note."""
    assert rule_of_file(path) is None


@pytest.mark.parametrize(
    "name",
    [
        ".n.md.swp", ".n.md.swo", "n.md~", "#n.md#", ".#n.md", "n.md.tmp", "~$n.md", "n.md.tmp.4711.1699",
        "._n.md", ".~n.md", ".syncthing.n.md.tmp", "~syncthing~n.md.tmp", ".~lock.n.md#",
        "n.md.sb-1a2b3c-xYz",
        "n.md.part", ".vaultsync-0a1b2c.tmp", "n.md___jb_tmp___", ".n.md.kate-swp",
    ],
)  # fmt: skip
def test_temporary_names_are_no_notes(name: str) -> None:
    """What editors, sync tools and atomic writes put beside a note is no note."""
    assert rule_of_file(f"Folder/{name}") == "temp-file"


@pytest.mark.parametrize(
    ("name", "original"),
    [
        ("x.sync-conflict-20240102-030405-ABCDEFG.md", "x.md"),
        ("x.sync-conflict-20240102-030405-ABCDEFG.sync-conflict-20240103-030405-ABCDEFG.md", "x.md"),
        ("x (Ann's conflicted copy 2024-01-02).md", "x.md"),
        ("x (Ann’s MacBook (2)'s conflicted copy 2024-01-02 1).md", "x.md"),
        ("x (conflicted copy 2024-01-02 030405).md", "x.md"),
        ("x (Conflicted copy Pixel 7 202401021234).md", "x.md"),
        ("Plan (v2) (Conflicted copy deviceName 202401021234).md", "Plan (v2).md"),
        ("x_conflict-20240102-030405.md", "x.md"),
        ("x (SFConflict ann@example.org 2024-01-02-03-04-05).md", "x.md"),
        ("x.md.orig", "x.md"),
        ("x_BACKUP_4711.md", "x.md"),
        ("x_REMOTE_4711.md", "x.md"),
        ("日記.sync-conflict-20240102-030405-ABCDEFG.MD", "日記.MD"),
    ],
)
def test_conflict_copies_are_reported_against_their_original(name: str, original: str) -> None:
    """A conflict copy names the note from which it split."""
    found = rules().left_out(f"A/B/{name}", is_dir=False, beside={"x.md", name})
    assert found == LeftOut(f"A/B/{name}", "conflict-copy", f"A/B/{original}")


def test_mergetool_names_need_their_original() -> None:
    """`X_BASE_2024.md` alone is somebody's note."""
    assert rules().left_out("x_BASE_2024.md", is_dir=False, beside={"x_BASE_2024.md"}) is None


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("a.canvas", "canvas"), ("a.base", "base"), ("a.png", "not-markdown"), ("md", "not-markdown"),
        ("a.md.txt", "not-markdown"),
        (".hidden.md", "dot-file"), (".DS_Store", "dot-file"),
    ],
)  # fmt: skip
def test_other_files_say_their_kind(name: str, rule: str) -> None:
    """Each file that is no note says why, by a stable code."""
    assert rule_of_file(name) == rule


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        (".obsidian", "dot-folder"), ("A/.git", "dot-folder"), (".vaultsync", "dot-folder"),
        (".trash", "trash"),
        ("A/node_modules", "build-folder"), ("__pycache__", "build-folder"),
        ("build", None), ("dist", None), ("target", None), ("vendor", None), ("Note.md", None),
    ],
)  # fmt: skip
def test_only_unmistakable_folders_are_left_out(path: str, rule: str | None) -> None:
    """A folder that could be a person's own is read."""
    assert rule_of_folder(path) == rule


def test_a_program_s_mark_makes_a_build_folder() -> None:
    """A virtual environment or cargo's `target` says itself that a program made it."""
    assert rules().left_out_inside("env", {"pyvenv.cfg", "lib"}) == LeftOut("env", "build-folder")
    assert rules().left_out_inside("target", {"CACHEDIR.TAG"}) == LeftOut("target", "build-folder")


@pytest.mark.parametrize("mark", [".obsidian", ".vaultsync"])
def test_a_vault_inside_is_refused_unless_named(mark: str) -> None:
    """Only a vault that the user named is read with the one around it."""
    assert rules().left_out_inside("A/Inner", {mark, "n.md"}) == LeftOut("A/Inner", "vault-inside")
    assert rules(nested_vaults=["A/Inner/"]).left_out_inside("A/Inner", {mark, "n.md"}) is None


def test_the_state_folder_is_no_place_for_notes() -> None:
    """A state that lies in the vault is left out with all that it holds."""
    assert rule_of_folder("Meta/state", state_folder="Meta/state") == "state-folder"
    assert rule_of_folder("Meta", state_folder="Meta/state") is None


def test_exclude_globs() -> None:
    """`exclude` is written as in .gitignore: folders, patterns, exceptions; it knows no case."""
    globs = ["Archive/", "*.excalidraw.md", "/Inbox/*", "!/Inbox/keep.md"]
    assert rule_of_folder("Work/archive", exclude=globs) == "excluded"
    assert rule_of_file("A/b.excalidraw.md", exclude=globs) == "excluded"
    assert rule_of_file("Inbox/x.md", exclude=globs) == "excluded"
    assert rule_of_file("Inbox/keep.md", exclude=globs) is None
    assert rule_of_file("Archive.md", exclude=globs) is None


@pytest.mark.parametrize("glob", ["[", "!", "\\", "[z-a]", "/"])
def test_a_glob_that_cannot_be_read_is_an_error(glob: str) -> None:
    """A broken glob in `private` must not pass in silence: it would give notes away."""
    with pytest.raises(ConfigError, match="private"):
        rules(private=[glob])


def test_blank_and_comment_globs_say_nothing() -> None:
    """As in .gitignore, blank lines and comments are allowed."""
    assert rule_of_file("# x.md", exclude=["", "  ", "# x.md"]) is None


def test_private_by_glob_or_by_git() -> None:
    """A path is private by a glob of the user's or because git ignores it or a folder above it."""
    found = rules(private=["Diary/"], git_ignored=["Loose/", "A/secret.md", "node_modules/", "x.png"])
    assert found.withheld("diary/2024/01.md") == "glob"
    assert found.withheld("Loose/deep/er/n.md") == "gitignored"
    assert found.withheld("A/secret.md") == "gitignored"
    assert found.withheld("A/secret.mdx.md") is None
    assert found.withheld("LooseEnds/n.md") is None


def test_gitignored_skip() -> None:
    """With `gitignored = "skip"` such paths are no notes at all."""
    settings: dict[str, Any] = {"gitignored": "skip", "git_ignored": ["Loose/", "secret.md"]}
    assert rule_of_folder("Loose", **settings) == "gitignored"
    assert rule_of_file("secret.md", **settings) == "gitignored"
    assert rule_of_file("open.md", **settings) is None


def test_settings_and_disk_may_differ_in_normal_form() -> None:
    """A rule typed in composed letters holds for a path that the disk decomposes (F50, F51)."""
    apart = unicodedata.normalize("NFD", "Privé/é.md")
    obsidian = ObsidianSettings("V", template_folders=("Privé",))
    assert rules(private=["Privé/"]).withheld(apart) == "glob"
    assert rules(git_ignored=["Privé/"]).withheld(apart) == "gitignored"
    assert rules(obsidian).role(apart) == "template"


def test_roles_follow_obsidian() -> None:
    """Template folders make templates, "Excluded files" make notes that stand aside."""
    filters = ("Archive/", "Log", "/drafts?$/", "/\\.excalidraw/", "/[/", "/")
    obsidian = ObsidianSettings("V", template_folders=("Meta/Templates",), ignore_filters=filters)
    role = rules(obsidian).role
    assert role("Meta/Templates/Daily.md") == "template"
    assert role("Meta/Templates.md") == "note"
    assert role("archive/old.md") == "aside"
    assert role("Logbook.md") == "aside"
    assert role("My/Log.md") == "note"
    assert role("a.excalidraw.md") == "aside"
    assert role("Notes/n.md") == "note"


@given(
    st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1).map(
        lambda s: s + ".md"
    )
)
def test_the_quick_look_agrees_with_the_close_one(name: str) -> None:
    """A name that the quick look takes for a plain note is left out by no rule about names."""
    assert not is_plain_note(name) or rule_of_file(name) is None


def test_no_setting_hides_the_summaries_folder() -> None:
    """What lies there must be read to know whether it is ours; what a setting would hide is private at least."""
    hiding = rules(
        exclude=["Out/", "*.tmp.md"], gitignored="skip", git_ignored=["Out/"], summaries="Out/Résumés"
    )
    assert hiding.left_out("Out", is_dir=True) is None
    assert hiding.left_out("Out/Résumés", is_dir=True) is None
    assert hiding.left_out("Out/Re\u0301sume\u0301s/A.tmp.md", is_dir=False) is None
    assert hiding.withheld("Out/Résumés/A.tmp.md") == "glob"
    assert hiding.left_out("Out/A.md", is_dir=False) is not None
    assert hiding.left_out("Out/Résumés2", is_dir=True) is not None
