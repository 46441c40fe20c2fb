"""What is looked at to find out which missing note is which new file, and what comes of it."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest
from machines import prose
from small_vaults import dump_of, fill_vault, fresh_dump, memory_of, sync, uids_of

from vaultsync.app.machines import own_files
from vaultsync.app.notes import reconcile as passes
from vaultsync.app.notes.renames import find_moves
from vaultsync.app.notes.scope import find_scope
from vaultsync.domain.notes import NotePath
from vaultsync.domain.survey import survey
from vaultsync.store import nodes
from vaultsync.vault.scanner import scan

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from vaultsync.app.notes.report import Report
    from vaultsync.domain.planning import Move

    Make = Callable[[Mapping[str, str | bytes]], Path]

NAMES = ("alpha", "beta", "gamma")


@pytest.fixture
def root(vault: Make) -> Path:
    """A synced vault of three full notes."""
    root = vault({f"{name}.md": prose(name) for name in NAMES})
    sync(root)
    return root


def moves_in(root: Path, *, withheld: tuple[str, ...] = ()) -> list[Move]:
    """Return the moves that are found in a vault, although files in `withheld` are gone once it was scanned."""
    with memory_of(root) as memory:
        scope = find_scope(memory)
        disk = scan(root, scope.rules)
        for path in withheld:
            (root / path).unlink()
        seen = survey(disk, nodes.files(memory.db.read()), profile=scope.profile)
        return find_moves(memory, scope, seen)[1]


def pairs(report: Report) -> dict[str, str]:
    return {note.old: note.new for note in report.renamed}


def unread(root: Path, path: str) -> Callable[[], bool]:
    """Return what tells whether a file was read since: its access time is older than its bytes until it is."""
    place = root / path
    os.utime(place, ns=(1, place.stat().st_mtime_ns))
    return lambda: place.stat().st_atime_ns == 1


@pytest.fixture
def shows_reads(root: Path) -> None:
    """Skips where the file system does not keep when a file was read."""
    is_unread = unread(root, "alpha.md")
    (root / "alpha.md").read_bytes()
    if is_unread():
        pytest.skip("mounted with noatime")


@pytest.mark.usefixtures("shows_reads")
def test_nothing_is_looked_at_when_nothing_vanished(root: Path) -> None:
    """New files and changed ones of another size are read once, by the pass itself."""
    fill_vault(root, {"new.md": prose("new"), "beta.md": prose("beta") + "\n\nMore."})
    watched = [unread(root, path) for path in ("new.md", "alpha.md", "beta.md")]
    assert moves_in(root) == []
    assert all(is_unread() for is_unread in watched)


@pytest.mark.usefixtures("shows_reads")
def test_a_new_file_is_looked_at_when_a_note_vanished(root: Path) -> None:
    """All new files are, and none that stands unchanged."""
    (root / "alpha.md").unlink()
    fill_vault(root, {"new.md": prose("new"), "other.md": prose("other")})
    new, other, known = (unread(root, path) for path in ("new.md", "other.md", "beta.md"))
    assert moves_in(root) == []
    assert (new(), other(), known()) == (False, False, True)


@pytest.mark.usefixtures("shows_reads")
def test_a_tombstone_is_looked_for_under_its_name_only(root: Path) -> None:
    """Not among files of other names, whatever they hold."""
    (root / "alpha.md").unlink()
    sync(root)
    fill_vault(root, {"Deep/alpha.md": prose("alpha") + "\n\nMore.", "other.md": prose("alpha")})
    same_name, other = unread(root, "Deep/alpha.md"), unread(root, "other.md")
    assert [move.note.path for move in moves_in(root)] == ["Deep/alpha.md"]
    assert (same_name(), other()) == (False, True)


def test_a_tombstone_does_not_return_under_another_name(root: Path) -> None:
    """Equal bytes are no proof after a while: unfilled notes of one template look like that."""
    was = uids_of(root)["alpha.md"]
    (root / "alpha.md").unlink()
    sync(root)
    fill_vault(root, {"other.md": prose("alpha")})
    report = sync(root)
    assert (report.added, report.returned) == (["other.md"], [])
    assert was not in uids_of(root).values()


def test_a_tombstone_returns_to_its_own_path_before_any_other(root: Path) -> None:
    """Whatever now stands there; an equal name with its bytes elsewhere is a note of its own."""
    was = uids_of(root)["alpha.md"]
    (root / "alpha.md").unlink()
    sync(root)
    fill_vault(root, {"alpha.md": prose("something else"), "Deep/alpha.md": prose("alpha")})
    report = sync(root)
    assert (report.returned, report.added) == (["alpha.md"], ["Deep/alpha.md"])
    assert uids_of(root)["alpha.md"] == was
    assert dump_of(root) == fresh_dump(root, root.parent / "fresh")


def test_a_tombstone_returns_to_where_the_ledger_says(root: Path) -> None:
    """And nowhere else in that pass, though a file of its name and bytes is there."""
    was = uids_of(root)["alpha.md"]
    (root / "alpha.md").unlink()
    sync(root)
    fill_vault(root, {"omega.md": prose("omega"), "Deep/alpha.md": prose("alpha")})
    fill_vault(root, {own_files.LEDGER: f"{was}\tomega.md\n"})
    sync(root)
    assert uids_of(root).keys() == {"beta.md", "gamma.md", "omega.md", "Deep/alpha.md"}
    assert uids_of(root)["omega.md"] == was
    assert dump_of(root) == fresh_dump(root, root.parent / "fresh")


def test_a_tombstone_returns_by_the_id_in_it(vault: Make) -> None:
    """Under another name, if no other note has that id."""
    root = vault({"a.md": f"---\nid: note-4711\n---\n{prose('alpha')}", "b.md": prose("beta")})
    sync(root)
    was = uids_of(root)["a.md"]
    (root / "a.md").unlink()
    sync(root)
    fill_vault(root, {"other.md": f"---\nid: note-4711\n---\n{prose('alpha')}\n\nMore."})
    sync(root)
    assert uids_of(root)["other.md"] == was


def test_an_id_that_another_note_holds_proves_nothing(vault: Make) -> None:
    """As one that a template gave to many."""
    with_id = "---\nid: note-4711\n---\n"
    root = vault({"a.md": with_id + prose("alpha"), "b.md": with_id + prose("beta"), "c.md": prose("gamma")})
    sync(root)
    was = uids_of(root)["a.md"]
    (root / "a.md").unlink()
    (root / "c.md").unlink()
    fill_vault(root, {"a new one.md": with_id + prose("delta"), "d.md": prose("epsilon")})
    report = sync(root)
    assert (pairs(report), len(report.added)) == ({}, 2)
    assert was not in uids_of(root).values()


def test_a_file_that_is_gone_again_is_no_note(root: Path) -> None:
    """Between the scan and the look it vanished: no move, no failure."""
    (root / "alpha.md").rename(root / "a.md")
    assert moves_in(root, withheld=("a.md",)) == []


def test_a_file_that_cannot_be_read_keeps_the_others_going(root: Path) -> None:
    """A pipe in the way is no note to look into."""
    (root / "alpha.md").rename(root / "a.md")
    os.mkfifo(root / "pipe.md")
    assert pairs(sync(root)) == {"alpha.md": "a.md"}


def test_a_move_parses_nothing_and_a_moved_edit_one_note(root: Path) -> None:
    """What has the bytes of before is not read again."""
    (root / "alpha.md").rename(root / "a.md")
    (root / "beta.md").unlink()
    fill_vault(root, {"b.md": prose("beta") + "\n\nMore."})
    report = sync(root)
    assert (pairs(report), report.parsed) == ({"alpha.md": "a.md", "beta.md": "b.md"}, 1)


def copy_then_delete(root: Path) -> tuple[str, Report]:
    """Copy a note, sync, remove the first, sync; return the first's uid and what the last pass did."""
    was = uids_of(root)["alpha.md"]
    shutil.copy(root / "alpha.md", root / "copy.md")
    assert sync(root).added == ["copy.md"]
    (root / "alpha.md").unlink()
    return was, sync(root)


def test_a_move_in_two_steps_new_file_first(root: Path) -> None:
    """As sync tools carry it: the copy takes the uid of the note that vanished, and all that was known of it."""
    was, report = copy_then_delete(root)
    assert uids_of(root)["copy.md"] == was
    assert (pairs(report), report.parsed) == ({"alpha.md": "copy.md"}, 0)
    assert dump_of(root) == fresh_dump(root, root.parent / "fresh")


def test_a_copy_that_is_older_than_the_setting_is_a_note_of_its_own(vault: Make) -> None:
    """Its original was deleted on purpose."""
    root = vault(
        {"alpha.md": prose("alpha"), ".vaultsync/config.toml": "[identity]\nmove_minutes = 0\n"},
    )
    sync(root)
    was, report = copy_then_delete(root)
    assert (pairs(report), report.removed) == ({}, ["alpha.md"])
    assert uids_of(root)["copy.md"] != was


def test_a_copy_that_was_edited_stays_a_note_of_its_own(root: Path) -> None:
    """Somebody works on both."""
    was = uids_of(root)["alpha.md"]
    shutil.copy(root / "alpha.md", root / "copy.md")
    sync(root)
    fill_vault(root, {"copy.md": prose("alpha") + "\n\nMore."})
    (root / "alpha.md").unlink()
    report = sync(root)
    assert (pairs(report), report.removed) == ({}, ["alpha.md"])
    assert was not in uids_of(root).values()


def test_a_copy_that_moves_while_its_original_vanishes_is_itself(root: Path) -> None:
    """It is found where it went, and takes no uid of another."""
    shutil.copy(root / "alpha.md", root / "copy.md")
    sync(root)
    was = uids_of(root)["copy.md"]
    (root / "alpha.md").unlink()
    (root / "Folder").mkdir(exist_ok=True)
    (root / "copy.md").rename(root / "Folder/copy.md")
    report = sync(root)
    assert (pairs(report), report.removed) == ({"copy.md": "Folder/copy.md"}, ["alpha.md"])
    assert uids_of(root)["Folder/copy.md"] == was


def test_a_note_that_was_left_out_comes_back_elsewhere_as_itself(root: Path) -> None:
    """It asked to be left out, then moved and asked no more: a tombstone that returns by its name and text."""
    was = uids_of(root)["alpha.md"]
    fill_vault(root, {"alpha.md": "---\nvaultsync: ignore\n---\n" + prose("alpha")})
    sync(root)
    (root / "alpha.md").unlink()
    fill_vault(root, {"Folder/alpha.md": prose("alpha")})
    assert sync(root).returned == ["Folder/alpha.md"]
    assert uids_of(root)["Folder/alpha.md"] == was
    assert dump_of(root) == fresh_dump(root, root.parent / "fresh")


def test_a_displaced_tombstone_is_known_by_its_path_to_a_pass_over_that_path(root: Path) -> None:
    """What a whole pass finds, one over the path alone finds as well."""
    was = uids_of(root)["alpha.md"]
    fill_vault(root, {"other.md": prose("other")})
    sync(root)
    for old, new in ((None, None), ("other.md", "alpha.md"), ("alpha.md", "other.md")):
        (root / old).rename(root / new) if old and new else (root / "alpha.md").unlink()
        sync(root)
    fill_vault(root, {"alpha.md": prose("alpha")})
    assert sync(root, only=["alpha.md"]).returned == ["alpha.md"]
    assert uids_of(root)["alpha.md"] == was


class Killed(BaseException):
    """The process ends here."""


def killed_after_the_moves(root: Path) -> None:
    """Run a pass that ends when the moves stand in the database, and no note is read yet."""

    def kill(stage: str, _done: int, _total: int) -> None:
        if stage == "reading":
            raise Killed

    with pytest.raises(Killed):
        sync(root, progress=kill)


def test_a_kill_between_the_move_and_the_reading(root: Path) -> None:
    """The next pass reads what is new, and nothing of the move is lost."""
    uids = uids_of(root)
    for name in NAMES:
        (root / f"{name}.md").unlink()
        fill_vault(root, {f"Deep/{name}.md": prose(name) + "\n\nMore."})
    killed_after_the_moves(root)
    assert {path.removeprefix("Deep/"): uid for path, uid in uids_of(root).items()} == uids
    report = sync(root)
    assert (report.modified, report.added, report.removed) == ([f"Deep/{name}.md" for name in NAMES], [], [])
    assert dump_of(root) == fresh_dump(root, root.parent / "fresh")


def test_a_kill_between_a_swap_and_the_reading(root: Path) -> None:
    """A swap with an edit on top, too."""
    uids = uids_of(root)
    (root / "alpha.md").rename(root / "aside")
    (root / "beta.md").rename(root / "alpha.md")
    (root / "aside").rename(root / "beta.md")
    fill_vault(root, {"gamma.md": prose("gamma") + "\n\nMore."})
    killed_after_the_moves(root)
    sync(root)
    now = uids_of(root)
    assert (now["alpha.md"], now["beta.md"]) == (uids["beta.md"], uids["alpha.md"])
    assert dump_of(root) == fresh_dump(root, root.parent / "fresh")


def test_a_pass_over_a_part_finds_a_move_within_it(root: Path) -> None:
    """And takes a note that left it for gone, until a pass sees where it is."""
    uids = uids_of(root)
    (root / "alpha.md").rename(root / "a.md")
    report = sync(root, only=[NotePath("alpha.md"), NotePath("a.md")])
    assert pairs(report) == {"alpha.md": "a.md"}
    (root / "Deep").mkdir()
    (root / "a.md").rename(root / "Deep/a.md")
    sync(root, only=[NotePath("a.md")])
    assert "a.md" not in uids_of(root)
    sync(root)
    assert uids_of(root)["Deep/a.md"] == uids["alpha.md"]


def test_more_notes_than_a_batch(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kill between two batches of moved and edited notes costs no uid."""
    monkeypatch.setattr(passes, "BATCH_NOTES", 1)
    uids = uids_of(root)
    for name in NAMES:
        (root / f"{name}.md").unlink()
        fill_vault(root, {f"new {name}.md": prose(name) + "\n\nMore."})

    def kill(stage: str, done: int, _total: int) -> None:
        if (stage, done) == ("reading", 2):
            raise Killed

    with pytest.raises(Killed):
        sync(root, progress=kill)
    sync(root)
    assert {path.removeprefix("new "): uid for path, uid in uids_of(root).items()} == uids
    assert dump_of(root) == fresh_dump(root, root.parent / "fresh")


@pytest.mark.parametrize("is_old_first", [True, False])
@pytest.mark.parametrize("folder", [False, True])
def test_the_two_ends_of_a_move_are_seen_one_after_the_other(
    root: Path, is_old_first: bool, folder: bool
) -> None:
    """Whichever comes first, the note stays who it is, also in a folder that moved with all in it."""
    (root / "Old").mkdir()
    for name in NAMES:
        (root / f"{name}.md").rename(root / f"Old/{name}.md")
    sync(root)
    uids = uids_of(root)
    ends = [NotePath("Old"), NotePath("New")] if folder else [NotePath("Old/alpha.md"), NotePath("alpha.md")]
    (root / ends[0]).rename(root / ends[1])
    for end in ends if is_old_first else reversed(ends):
        sync(root, only=[end])
    moved = {
        path.replace("Old", "New") if folder else path.replace("Old/alpha", "alpha"): uid
        for path, uid in uids.items()
    }
    assert uids_of(root) == moved
    assert dump_of(root) == fresh_dump(root, root.parent / "fresh")
