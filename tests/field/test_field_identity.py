"""Field cases of identity: what happens to a note's file, seen by whole passes, leaves its uid alone."""

from __future__ import annotations

import json
import subprocess
import unicodedata
from typing import TYPE_CHECKING, Any

import pytest
from small_vaults import ask, dump_of, fill_vault, fresh_dump, memory_of, sync, uids_of

from vaultsync.domain.notes import Fingerprint, NotePath, Uid
from vaultsync.domain.planning import plan
from vaultsync.domain.snapshot import DiskNote, DiskSnapshot
from vaultsync.domain.survey import IndexedFile, survey

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Make = Callable[[Mapping[str, str | bytes]], Path]


def prose(subject: str, sections: int = 6) -> str:
    """Return a note of several sections whose words all speak of its subject."""
    return "\n\n".join(
        f"## {subject} {number}\n\nWhat {subject} says of its part {number} is long, and named {subject}{number}, "
        f"so that {number} {subject} words stand behind each other here."
        for number in range(sections)
    )


def chunk_uids(root: Path, path: str) -> dict[str, str]:
    """Return the uids of a note's chunks by the hash of their text."""
    entries = [json.loads(line) for line in dump_of(root, uids=True)]
    return {
        entry["hash"]: entry["uid"] for entry in entries if "chunk" in entry and entry["chunk"][0] == path
    }


def git(root: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)


@pytest.mark.parametrize(("old", "new"), [("note.md", "Note.md"), ("Docs/a.md", "docs/a.md")])
def test_F1_F2_a_change_of_case_is_a_rename(vault: Make, old: str, new: str) -> None:
    """Of a note or of its folder: one row, the new spelling, the same uid."""
    root = vault({old: prose("alpha"), "Docs/b.md" if "/" in old else "b.md": prose("beta")})
    sync(root)
    uid = uids_of(root)[old]
    if "/" in old:
        (root / "Docs").rename(root / "docs")
    else:
        (root / old).rename(root / new)
    report = sync(root)
    assert not report.added
    assert not report.removed
    assert uids_of(root)[new] == uid
    assert old not in uids_of(root)


def test_F2_a_volume_without_case_shows_the_new_spelling_alone() -> None:
    """There a listing after the rename has the new names only; a watcher's old name finds them as well."""
    rows = [_row(f"Docs/{name}.md", number) for number, name in enumerate("abc", 1)]
    notes = {
        row.path.lower(): DiskNote(NotePath(row.path.lower()), row.fingerprint, "note", None) for row in rows
    }
    disk = DiskSnapshot(
        0, {NotePath(path): note for path, note in notes.items()}, (), (), frozenset(), complete=True
    )
    seen = survey(disk, rows, profile="")
    assert {note.path for note in seen.come} == set(notes)
    assert set(seen.gone) == set(rows)
    assert plan(seen, living=3).refusal is None


def _row(path: str, number: int) -> IndexedFile:
    fingerprint = Fingerprint(10, 1, 1, number, 1)
    return IndexedFile(
        number, number, Uid(f"u{number}"), NotePath(path), fingerprint, racy=False, content_hash=f"h{number}",
        role="note", withheld=None, held=None, ignored=False, alive=True, profile="",
    )  # fmt: skip


def test_F5_a_title_that_changes_its_case_touches_no_file(vault: Make) -> None:
    """Names of files are the user's: no title renames one, so none can remove one."""
    root = vault({"Plan.md": "---\ntitle: plan\n---\nText."})
    sync(root)
    uid = uids_of(root)["Plan.md"]
    fill_vault(root, {"Plan.md": "---\ntitle: PLAN\n---\nText."})
    report = sync(root)
    assert report.modified == ["Plan.md"]
    assert uids_of(root) == {"Plan.md": uid}
    assert (root / "Plan.md").read_text() == "---\ntitle: PLAN\n---\nText."


def test_F6_a_rename_with_an_edit_in_one_commit_is_one_note(vault: Make) -> None:
    """The note keeps its uid by similarity, and the chunks that were not edited keep theirs."""
    root = vault({"a.md": prose("alpha"), "other.md": prose("other")})
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    sync(root)
    uid, chunks = uids_of(root)["a.md"], chunk_uids(root, "a.md")
    (root / "a.md").unlink()
    fill_vault(root, {"renamed.md": prose("alpha").replace("named alpha3", "called something else")})
    git(root, "add", "-A")
    git(root, "commit", "-qm", "second")
    report = sync(root)
    assert [(note.uid, note.old, note.new) for note in report.renamed] == [(uid, "a.md", "renamed.md")]
    assert report.renamed[0].by in {"similarity", "inode"}
    now = chunk_uids(root, "renamed.md")
    assert len(now.keys() & chunks.keys()) == len(chunks) - 1
    assert set(now.values()) == set(chunks.values())


def test_F8_git_mv_leaves_one_note(vault: Make) -> None:
    """One note at the new path, none at the old."""
    root = vault({"a.md": prose("alpha"), "c.md": prose("gamma")})
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    sync(root)
    uid = uids_of(root)["a.md"]
    (root / "b").mkdir()
    git(root, "mv", "a.md", "b/a.md")
    sync(root)
    assert uids_of(root).keys() == {"b/a.md", "c.md"}
    assert uids_of(root)["b/a.md"] == uid


def test_F10_a_folder_with_most_notes_is_renamed(vault: Make) -> None:
    """No note is removed, none is held back and no file is parsed."""
    root = vault(
        {f"{'Top' if number < 21 else 'Rest'}/{number}.md": prose(f"n{number}") for number in range(30)}
    )
    sync(root)
    uids, chunks = uids_of(root), chunk_uids(root, "Top/7.md")
    (root / "Top").rename(root / "Renamed")
    report = sync(root)
    assert (len(report.renamed), report.removed, report.refusal, report.parsed) == (21, [], None, 0)
    assert {path.replace("Renamed", "Top"): uid for path, uid in uids_of(root).items()} == uids
    assert chunk_uids(root, "Renamed/7.md") == chunks


@pytest.mark.parametrize("there_and_back", [("NFC", "NFD"), ("NFD", "NFC")])
def test_F12_two_systems_spell_names_differently(vault: Make, there_and_back: tuple[Any, Any]) -> None:
    """A name in the other normal form, and back again: the same note with the same chunks both times."""
    one, two = (f"Caf\u00e9/{unicodedata.normalize(form, 'Résumé')}.md" for form in there_and_back)
    root = vault({one: prose("alpha"), "other.md": prose("other")})
    sync(root)
    uid, chunks = uids_of(root)[one], chunk_uids(root, one)
    for path, other in ((one, two), (two, one)):
        (root / path).rename(root / other)
        report = sync(root)
        assert (report.added, report.removed) == ([], [])
        assert uids_of(root)[other] == uid
        assert chunk_uids(root, other) == chunks


def test_F15_a_move_between_folders_is_no_copy(vault: Make) -> None:
    """One note, wherever it is now."""
    root = vault({"Inbox/a.md": prose("alpha"), "b.md": prose("beta")})
    sync(root)
    uid = uids_of(root)["Inbox/a.md"]
    (root / "Archive").mkdir()
    (root / "Inbox/a.md").rename(root / "Archive/a.md")
    sync(root)
    assert uids_of(root).keys() == {"Archive/a.md", "b.md"}
    assert uids_of(root)["Archive/a.md"] == uid


def test_F16_a_rename_without_an_edit_parses_nothing(vault: Make) -> None:
    """The row moves: same chunks, and the title is the new file name."""
    root = vault({"a.md": prose("alpha"), "b.md": prose("beta")})
    sync(root)
    chunks = chunk_uids(root, "a.md")
    (root / "a.md").rename(root / "2026-03-04 walk.md")
    report = sync(root)
    assert report.parsed == 0
    assert chunk_uids(root, "2026-03-04 walk.md") == chunks
    with memory_of(root) as memory:
        row = memory.db.read().row("SELECT title, event_date FROM node WHERE path LIKE '2026%'")
    assert row == ("2026-03-04 walk", "2026-03-04")
    assert dump_of(root) == fresh_dump(root, root.parent / "fresh")


def test_F17_all_changes_in_one_scan_are_told_apart_before_they_are_made(vault: Make) -> None:
    """A dry run lists each class, the rename with its evidence; the sync does just that, and uids stay."""
    names = ("keep", "edit", "rename", "remove")
    root = vault({f"{name}.md": prose(name) for name in names})
    sync(root)
    uids = uids_of(root)
    fill_vault(root, {"add.md": prose("add"), "edit.md": prose("edit") + "\n\nMore."})
    (root / "rename.md").rename(root / "new name.md")
    (root / "remove.md").unlink()
    foretold = ask("--vault", root, "sync", "--dry-run", "--json").json
    assert uids_of(root) == uids
    done = ask("--vault", root, "sync", "--json").json
    foretold.pop("plan")
    assert foretold["summaries"].pop("model_calls") == 0
    for document in (foretold, done):
        document.pop("seconds")
        document.pop("stages")
        document.pop("problems")
    assert foretold == done
    assert done["renamed"] == [
        {"uid": uids["rename.md"], "from": "rename.md", "to": "new name.md", "by": done["renamed"][0]["by"]}
    ]
    assert (done["added"], done["modified"], done["removed"], done["unchanged"]) == (1, 1, 1, 1)
    now = uids_of(root)
    assert [now["keep.md"], now["edit.md"], now["new name.md"]] == [
        uids[f"{name}.md"] for name in ("keep", "edit", "rename")
    ]


def test_F19_an_editor_that_keeps_a_backup_changes_the_note(vault: Make) -> None:
    """Moved to `n.md~`, written anew as `n.md`: the same note, modified."""
    root = vault({"n.md": prose("alpha")})
    sync(root)
    uid = uids_of(root)["n.md"]
    (root / "n.md").rename(root / "n.md~")
    fill_vault(root, {"n.md": prose("alpha") + "\n\nMore."})
    report = sync(root)
    assert report.modified == ["n.md"]
    assert uids_of(root) == {"n.md": uid}


def test_F50_equal_names_in_two_forms_stay_two_notes_when_one_moves(vault: Make) -> None:
    """Where a disk holds both forms, each file is its own note; a move of one leaves the other."""
    composed, decomposed = "Caf\u00e9.md", "Cafe\u0301.md"
    root = vault({composed: prose("alpha"), decomposed: prose("beta")})
    sync(root)
    uids = uids_of(root)
    (root / "x").mkdir()
    (root / composed).rename(root / "x" / composed)
    sync(root)
    now = uids_of(root)
    assert now[decomposed] == uids[decomposed]
    assert now[f"x/{composed}"] == uids[composed]
