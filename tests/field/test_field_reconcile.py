"""Field cases through whole passes: what is kept, what is removed, and what is read again."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import unicodedata
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from repositories import commit_all, git
from small_vaults import (
    ask,
    complaints,
    dump_of,
    fill_vault,
    fresh_dump,
    memory_of,
    rehearse_sync,
    sync,
    uids_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Make = Callable[[Mapping[str, str | bytes]], Path]

Form = Literal["NFC", "NFD"]
FORMS: tuple[Form, Form] = ("NFC", "NFD")

NOBODY = 65534


def notes_of(root: Path, state: Path | None = None) -> dict[str, dict[str, Any]]:
    entries = [json.loads(line) for line in dump_of(root, state)]
    return {entry["note"]: entry for entry in entries if "note" in entry}


def links_of(root: Path) -> dict[str, str | None]:
    """Return where each link of a vault leads, by the link as written."""
    entries = [json.loads(line) for line in dump_of(root)]
    return {entry["target"]: entry["to"] for entry in entries if "link" in entry}


def found(root: Path, words: str) -> set[str]:
    return {hit["path"] for hit in ask("--vault", root, "search", words, "--json", "-k", "50").json["hits"]}


@contextmanager
def as_anybody(*owned: Path) -> Iterator[None]:
    """Root may read everything, so give its rights up for a while; what is in `owned` belongs to us still."""
    user = os.geteuid()
    if user == 0:
        for top in owned:
            for folder, _, files in os.walk(top):
                for name in (".", *files):
                    os.chown(Path(folder, name), NOBODY, -1)
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(user)


@pytest.fixture
def open_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a folder that every user may enter; the home is in it."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    yield folder
    shutil.rmtree(folder)


def test_F17_added_changed_removed_and_unchanged_in_one_pass(vault: Make) -> None:
    """A dry run names each class and changes nothing; the pass then does just that, with stable ids."""
    root = vault({"stays.md": "a", "changes.md": "b", "goes.md": "c"})
    sync(root)
    before = uids_of(root)
    fill_vault(root, {"comes.md": "d", "changes.md": "bb"})
    (root / "goes.md").unlink()
    plan = rehearse_sync(root)
    assert uids_of(root) == before
    done = sync(root)
    for report in (plan, done):
        assert (report.added, report.modified, report.removed) == (["comes.md"], ["changes.md"], ["goes.md"])
        assert report.unchanged == 1
    after = uids_of(root)
    assert after.keys() == {"stays.md", "changes.md", "comes.md"}
    assert all(after[path] == before[path] for path in ("stays.md", "changes.md"))


def test_F19_an_editor_that_keeps_a_backup(vault: Make) -> None:
    """Vim moves the note to `n.md~` and writes it anew: it is the same note, changed."""
    root = vault({"n.md": "before", "m.md": "[[n]]"})
    sync(root)
    before = uids_of(root)
    (root / "n.md").rename(root / "n.md~")
    fill_vault(root, {"n.md": "after"})
    report = sync(root)
    assert (report.modified, report.added, report.removed) == (["n.md"], [], [])
    assert uids_of(root) == before


def test_F19_an_editor_caught_between_its_two_steps(vault: Make) -> None:
    """Seen while the note is away, it comes back as itself, and links to it lead to it again."""
    root = vault({"n.md": "before", "m.md": "[[n]]"})
    sync(root)
    before = uids_of(root)
    (root / "n.md").rename(root / "n.md~")
    assert sync(root).removed == ["n.md"]
    assert links_of(root) == {"n": None}
    fill_vault(root, {"n.md": "after"})
    assert sync(root).returned == ["n.md"]
    assert uids_of(root) == before
    assert links_of(root) == {"n": "n.md"}


def test_F20_a_temporary_file_that_replaces_its_note(vault: Make) -> None:
    """The temporary file is never a note; its content is, once it stands in the note's place."""
    root = vault({"n.md": "before", "n.md.tmp": "after"})
    assert sync(root).added == ["n.md"]
    (root / "n.md.tmp").replace(root / "n.md")
    assert sync(root).modified == ["n.md"]
    assert found(root, "after") == {"n.md"}
    assert not found(root, "before")


def test_F37_an_unreadable_folder_keeps_its_notes(open_folder: Path) -> None:
    """What can't be looked at is not gone: it is held, found by search, and told of."""
    root, state = open_folder / "Vault", open_folder / "state"
    fill_vault(root, {"a.md": "alpha [[c]]", "sub/c.md": "gamma", "sub/deep/d.md": "delta", "b.md": "beta"})
    sync(root, state)
    before = dump_of(root, state)
    (root / "sub").chmod(0)
    (root / "b.md").write_text("changed", encoding="utf-8")
    (root / "b.md").chmod(0)
    with as_anybody(open_folder):
        report = sync(root, state)
        assert (report.removed, report.modified) == ([], [])
        held = {path: note.get("held") for path, note in notes_of(root, state).items()}
        assert held == {
            "a.md": None,
            "b.md": "unreadable",
            "sub/c.md": "unreadable",
            "sub/deep/d.md": "unreadable",
        }
        assert set(complaints(root, state)) == {"access", "failures"}
        (root / "sub").chmod(0o755)
        (root / "b.md").chmod(0o644)
        (root / "b.md").write_text("beta", encoding="utf-8")
        sync(root, state)
        assert dump_of(root, state) == before


def test_F37_an_unreadable_folder_needs_a_person(open_folder: Path) -> None:
    """The exit status says so although nothing else is wrong."""
    root = fill_vault(open_folder / "Vault", {"a.md": "alpha", "sub/c.md": "gamma"})
    state = open_folder / "state"
    assert ask("--state", state, "sync", root).status == 0
    (root / "sub").chmod(0)
    with as_anybody(open_folder):
        answer = ask("--state", state, "sync", root)
        (root / "sub").chmod(0o755)
    assert answer.status == 1
    assert "sub" in answer.text + answer.err


def test_F38_a_note_deleted_while_nobody_looked(vault: Make) -> None:
    """It leaves no row behind that search or a link could find."""
    root = vault({"a.md": "[[b]]", "b.md": "beta"})
    sync(root)
    (root / "b.md").unlink()
    assert sync(root).removed == ["b.md"]
    assert not found(root, "beta")
    assert complaints(root).keys() <= {"broken-links"}
    assert json.loads(ask("--vault", root, "status", "--json").out)["tombstones"] == 1


def test_F38_an_unmounted_vault(vault: Make) -> None:
    """An empty folder where a vault was is a mount that is missing: nothing goes, and nothing is written there."""
    root = vault({"a.md": "[[b]]", "b.md": "beta"})
    sync(root)
    root.rename(root.with_name("elsewhere"))
    root.mkdir()
    report = sync(root)
    assert report.removed == []
    assert report.held_removals == 2
    assert report.refusal is not None
    assert "empty" in report.refusal
    assert list(root.iterdir()) == []
    root.rmdir()
    root.with_name("elsewhere").rename(root)
    assert sync(root).unchanged == 2
    assert {note.get("held") for note in notes_of(root).values()} == {None}


def test_F38_a_vault_that_is_gone(vault: Make) -> None:
    """A root that is missing is an error, and all is kept."""
    root = vault({"a.md": "alpha"})
    sync(root)
    away = root.rename(root.with_name("elsewhere"))
    assert ask("sync", root, "--json").json["error"]["code"] == "vault-unusable"
    away.rename(root)
    assert sync(root).unchanged == 1


def test_F38_most_notes_gone_at_once(vault: Make) -> None:
    """More than half of twenty notes are held until a person accepts; then they go, and a fresh index agrees."""
    root = vault({f"{number}.md": f"note [[{number + 1}]]" for number in range(20)})
    sync(root)
    for number in range(12):
        (root / f"{number}.md").unlink()
    assert (sync(root).held_removals, len(notes_of(root))) == (12, 20)
    fill_vault(root, {"3.md": "back again"})
    assert (sync(root).held_removals, notes_of(root)["3.md"].get("held")) == (11, None)
    assert sync(root, accept_removals=True).held_removals == 0
    assert dump_of(root) == fresh_dump(root, root.with_name("fresh"))


def test_F41_no_text_stays_of_notes_that_are_gone(vault: Make) -> None:
    """Chunks and both text indexes hold nothing of a removed folder."""
    root = vault({"a.md": "alpha", "sub/b.md": "beta 日本語", "sub/c.md": "gamma [[a]]"})
    sync(root)
    shutil.rmtree(root / "sub")
    sync(root)
    assert not found(root, "beta")
    assert not found(root, "日本")
    assert dump_of(root) == fresh_dump(root, root.with_name("fresh"))
    assert complaints(root) == {}


def test_F42_a_first_run_removes_nothing(vault: Make, tmp_path: Path) -> None:
    """A new device whose copy of the vault is empty still has no notes to remove, there or elsewhere."""
    root = vault({"a.md": "alpha"})
    sync(root)
    device = tmp_path / "device"
    shutil.copytree(root / ".vaultsync", device / ".vaultsync")
    report = sync(device, tmp_path / "state of the device")
    assert (report.removed, report.held_removals) == ([], 0)
    assert sync(root).unchanged == 1


def test_F44_placeholder_keeps_rows(vault: Make) -> None:
    """A note that iCloud took away is held with all that was known; the other notes are read as ever."""
    root = vault({"a.md": "alpha [[b]]", "b.md": "beta", "c.md": "gamma"})
    sync(root)
    before = dump_of(root)
    (root / "b.md").rename(root / ".b.md.icloud")
    fill_vault(root, {"c.md": "changed"})
    report = sync(root)
    assert (report.removed, report.modified) == ([], ["c.md"])
    assert notes_of(root)["b.md"] == {"note": "b.md", "held": "placeholder"}
    assert found(root, "beta") == {"b.md"}
    assert links_of(root) == {"b": "b.md"}
    (root / ".b.md.icloud").rename(root / "b.md")
    fill_vault(root, {"c.md": "gamma"})
    sync(root)
    assert dump_of(root) == before


@pytest.mark.parametrize(("on_disk", "linked"), [("NFD", "NFC"), ("NFC", "NFD")])
def test_F50_a_link_in_another_normal_form(vault: Make, on_disk: Form, linked: Form) -> None:
    """Names compare in one form, and the file is opened by the bytes that the disk has."""
    name = unicodedata.normalize(on_disk, "Café été.md")
    link = unicodedata.normalize(linked, "Café été")
    root = vault({name: "text", "a.md": f"[[{link}]] [t]({link.replace(' ', '%20')}.md)"})
    sync(root)
    assert set(links_of(root).values()) == {name}
    assert ask("--vault", root, "show", link, "--json").json["path"] == name


def test_F51_a_path_in_another_normal_form(vault: Make) -> None:
    """Looked at again by the other spelling, or renamed to it by a sync tool, it is the same note."""
    composed, decomposed = (unicodedata.normalize(form, "Übung.md") for form in FORMS)
    root = vault({composed: "text"})
    sync(root)
    before = uids_of(root)
    (root / composed).write_text("changed", encoding="utf-8")
    assert sync(root, only=[decomposed]).modified == [composed]
    (root / composed).rename(root / decomposed)
    report = sync(root)
    assert (report.added, report.removed) == ([], [])
    assert uids_of(root) == {decomposed: before[composed]}


def test_F53_names_that_differ_in_case_only(vault: Make) -> None:
    """On a disk that knows case these are two notes."""
    root = vault({"README.md": "one", "readme.md": "two"})
    if len(list(root.glob("*.md"))) == 1:
        pytest.skip("this disk knows no case")
    sync(root)
    assert len(set(uids_of(root).values())) == 2
    assert (found(root, "one"), found(root, "two")) == ({"README.md"}, {"readme.md"})


def test_F55_names_that_would_make_the_same_slug(vault: Make) -> None:
    """Ids come from paths, not from slugs."""
    root = vault(
        dict.fromkeys(("My Note.md", "my-note.md", "my_note.md", "My  Note.md", "My-Note!.md"), "text")
    )
    sync(root)
    assert len(set(uids_of(root).values())) == 5


def test_F57_several_untitled_notes(vault: Make) -> None:
    """Equal names and equal bytes in different folders, all read in one pass."""
    root = vault({f"{folder}Untitled.md": "" for folder in ("", "a/", "b/", "a/b/")})
    assert len(sync(root).added) == 4
    assert len(set(uids_of(root).values())) == 4


def test_F61_bad_frontmatter_stops_nothing(vault: Make) -> None:
    """The note has a problem, its body is found, the others are read, the exit status is 0."""
    root = vault(
        {"bad.md": "---\ntitle: a: b\n---\nsearchable", "null.md": "---\ntype:\n---\ntoo", "ok.md": "ok"}
    )
    assert ask("sync", root).status == 0
    assert notes_of(root)["bad.md"]["problems"] == ["frontmatter-invalid"]
    assert notes_of(root)["null.md"]["problems"] == []
    assert found(root, "searchable") == {"bad.md"}


def test_F79_a_broken_link_keeps_no_note_out(vault: Make) -> None:
    """The note is read, the link is kept and leads nowhere."""
    root = vault({"a.md": "text [x](missing) [y](missing.md) [[gone]] ![[no.png]]"})
    assert sync(root).added == ["a.md"]
    assert set(links_of(root).values()) == {None}
    assert found(root, "text") == {"a.md"}


def test_F81_a_link_to_a_note_that_comes_later(vault: Make) -> None:
    """The link leads to its target from the pass that reads the target on; the linking note is not parsed again."""
    root = vault({"a.md": "[[b]] [[the alias]] [[folder/c]] [d](folder/d.md)"})
    sync(root)
    assert set(links_of(root).values()) == {None}
    fill_vault(root, {"b.md": "---\naliases: [The Alias]\n---\n", "folder/c.md": "", "folder/d.md": ""})
    assert sync(root, only=["b.md", "folder"]).parsed == 3
    assert links_of(root) == {
        "b": "b.md",
        "the alias": "b.md",
        "folder/c": "folder/c.md",
        "folder/d.md": "folder/d.md",
    }


def test_F100_same_size_same_second(vault: Make) -> None:
    """An edit right after a sync that leaves size and mtime alone is seen."""
    root = vault({"n.md": "cat"})
    sync(root)
    times = (root / "n.md").stat()
    fill_vault(root, {"n.md": "dog"})
    os.utime(root / "n.md", ns=(times.st_atime_ns, times.st_mtime_ns))
    assert sync(root).modified == ["n.md"]
    assert found(root, "dog") == {"n.md"}


@pytest.mark.parametrize("case", ["F102", "F103"])
def test_F102_F103_the_database_lies_outside_the_vault(vault: Make, home: Path, case: str) -> None:
    """In the vault there is one small file of ours; nothing that a sync tool or git could damage."""
    root = vault({"a.md": "alpha"} | ({".git/HEAD": "ref: refs/heads/main\n"} if case == "F103" else {}))
    sync(root)
    ours = {str(path.relative_to(root)) for path in root.rglob("*")} - {
        ".obsidian",
        "a.md",
        ".git",
        ".git/HEAD",
    }
    names = ("id", "tree.tsv", ".gitattributes")
    assert ours == {".vaultsync", *(f".vaultsync/{name}" for name in names)}
    assert list((home / "state").rglob("index.db"))


def test_F111_F113_conflict_copies_are_no_notes(vault: Make) -> None:
    """A copy made by a sync tool is reported against its original and doubles no task, link or hit."""
    copies = (
        "task.sync-conflict-20260309-181512-ABCDEFG.md",
        "task (Anna's conflicted copy 2026-03-09).md",
    )
    root = vault({"task.md": "- [ ] water the barley"} | dict.fromkeys(copies, "- [ ] water the barley"))
    assert sync(root).added == ["task.md"]
    assert found(root, "barley") == {"task.md"}
    conflicts = ask("--vault", root, "status", "--json").json["conflict_copies"]
    assert {(entry["path"], entry["original"]) for entry in conflicts} == {
        (copy, "task.md") for copy in copies
    }


def test_F113_a_copy_whose_original_is_gone_is_a_note(vault: Make) -> None:
    """When the person deletes the original, what is left may be all that they have."""
    copy = "task (Anna's conflicted copy 2026-03-09).md"
    root = vault({"task.md": "one", copy: "two"})
    sync(root)
    (root / "task.md").unlink()
    sync(root)
    assert dump_of(root) == fresh_dump(root, root.with_name("fresh"))


def test_F129_code_inside_the_vault(vault: Make) -> None:
    """`node_modules` and build folders are neither read nor looked into; .gitignore keeps other output private."""
    root = vault(
        {
            "a.md": "alpha",
            "app/README.md": "mine",
            "app/node_modules/x/README.md": "package",
            "app/.venv/pyvenv.cfg": "",
            "env/pyvenv.cfg": "",
            "env/lib/notes.md": "package",
            "target/CACHEDIR.TAG": "",
            "target/doc.md": "made",
            ".gitignore": "out/\n",
            "out/made.md": "made",
        }
    )
    assert sorted(sync(root).added) == ["a.md", "app/README.md", "out/made.md"]
    assert ask("--vault", root, "show", "out/made.md", "--json").json["private"] is True
    assert dump_of(root) == fresh_dump(root, root.with_name("fresh"))


def test_rehash_writes_again_whatever_the_database_lost(vault: Make) -> None:
    """Rows that went astray come back although no note changed."""
    root = vault({f"{n}.md": f"# Title {n}\n\n[[{n - 1}]] and [[{n + 1}]] #tag" for n in range(9)})
    sync(root)
    whole = dump_of(root)
    with memory_of(root, write=True) as memory, memory.db.write() as tx:
        tx.run("DELETE FROM edges WHERE id % 3 = 0")
        tx.run("UPDATE nodes SET title = 'spoilt' WHERE id = 2")
    assert dump_of(root) != whole
    sync(root, rehash=True)
    assert dump_of(root) == whole


def test_a_file_of_gigabytes_stops_no_sync(vault: Make) -> None:
    """It is held with its reason, and never read into memory."""
    root = vault({"a.md": "text"})
    with (root / "huge.md").open("wb") as file:
        file.truncate(3_000_000_000)
    report = sync(root)
    assert report.added == ["a.md"]
    assert [(path, problem.code) for path, problem in report.failures] == [("huge.md", "too-large")]


def test_F31_deletions_that_were_committed_elsewhere(vault: Make) -> None:
    """`git rm` and a commit, while nobody looked: they are gone at the next look, and not held back."""
    root = vault({f"{n}.md": f"The text of {n}." for n in range(24)})
    git(root, "init", "-q")
    commit_all(root)
    sync(root)
    git(root, "rm", "-q", *(f"{n}.md" for n in range(20)))
    git(root, "commit", "-qm", "fewer")
    report = sync(root)
    assert (len(report.removed), report.held_removals) == (20, 0)
    assert set(notes_of(root)) == {f"{n}.md" for n in range(20, 24)}
