"""What a watched vault tells, on a real disk."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from listening import Ear, await_true, watched
from small_vaults import fill_vault

from vaultsync.vault.watcher import Watcher


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return fill_vault(tmp_path / "Vault", {"n.md": "old", "A/a.md": "old", "B/b.md": "old"})


@pytest.mark.parametrize("in_one", [False, True])
def test_a_saved_note_is_told(root: Path, in_one: bool) -> None:
    """By its path and nothing else, whichever way the system watches."""
    with watched(root, in_one=in_one) as ear:
        (root / "A/a.md").write_text("new")
        ear.await_paths("A/a.md")
        assert ear.paths == {"A/a.md"}


def test_at_first_all_is_to_be_looked_at(root: Path) -> None:
    """What changed before every folder was watched, nobody knows."""
    ear = Ear()
    watcher = Watcher(root, ear.tell)
    watcher.start(20)
    stood = watcher.stands
    watcher.stop()
    assert (stood, watcher.stands, watcher.trouble) == (True, False, None)
    assert ear.overflows == 1


@pytest.mark.parametrize("in_one", [False, True])
def test_a_folder_that_was_renamed_is_watched_under_its_new_name(root: Path, in_one: bool) -> None:
    """Both names are told in one batch, and what is written below it later as well."""
    with watched(root, in_one=in_one) as ear:
        (root / "A").rename(root / "C")
        ear.await_paths("A", "C")
        assert any({"A", "C"} <= batch.paths for batch in ear.batches)
        ear.forget()
        (root / "C/a.md").write_text("new")
        ear.await_paths("C/a.md")


def test_a_note_behind_a_link_is_told_by_its_own_path(root: Path, tmp_path: Path) -> None:
    """A link to a folder of the vault takes no events away from it, and nothing outside is watched."""
    outside = fill_vault(tmp_path / "Outside", {"x.md": "x"})
    (root / "Z").symlink_to(root / "A")
    (root / "Out").symlink_to(outside)
    with watched(root) as ear:
        (outside / "x.md").write_text("new")
        (root / "Z/a.md").write_text("new")
        ear.await_paths("A/a.md")
        assert ear.paths == {"A/a.md"}


def test_a_folder_of_the_same_name_is_watched_again(root: Path) -> None:
    """Though it is another one."""
    with watched(root) as ear:
        (root / "A/a.md").unlink()
        (root / "A").rmdir()
        (root / "A").mkdir()
        ear.await_paths("A", "A/a.md")
        ear.forget()
        (root / "A/new.md").write_text("new")
        ear.await_paths("A/new.md")


def test_a_folder_that_can_not_be_read_spoils_nothing() -> None:
    """All others are watched."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        root = fill_vault(folder / "Vault", {"A/a.md": "old", "B/b.md": "old", "C/c.md": "old"})
        for place in (folder, root, root / "A", root / "C"):
            place.chmod(0o777)
        (root / "B").chmod(0)
        user = os.geteuid()
        os.seteuid(user or 65534)  # root may read everything
        try:
            with watched(root) as ear:
                for path in ("A/new.md", "C/new.md"):
                    (root / path).write_text("new")
                ear.await_paths("A/new.md", "C/new.md")
        finally:
            os.seteuid(user)
            (root / "B").chmod(0o700)


def test_two_thousand_notes_at_once_are_one_look_at_all(root: Path) -> None:
    """As many paths as that may be more than the system's queue holds."""
    places = [root / f"A/{number}.md" for number in range(2000)]
    for place in places:
        place.touch()
    with watched(root) as ear:
        for place in places:
            os.utime(place)  # so fast that none stands before the last is told
        ear.await_that(lambda: ear.overflows == 1)
        assert not ear.paths


@pytest.mark.skipif(sys.platform == "darwin", reason="its disks have no such names")
def test_names_that_are_no_utf8_take_nothing_from_others(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """watchfiles fails at them: then all is looked at, and what follows is told again, however many there are."""
    monkeypatch.setattr("vaultsync.vault.watcher.PAUSE_S", 0.2)
    with watched(root) as ear:
        for number in range(3):
            Path(os.fsdecode(os.fsencode(root) + b"/A/\xe9.png")).write_bytes(bytes([number]))
            ear.await_that(lambda seen=number: ear.overflows > seen)  # type: ignore[misc]
        (root / "A/a.md").write_text("new")
        ear.await_paths("A/a.md")


@pytest.mark.parametrize("deed", ["gone", "replaced"])
def test_a_root_that_is_another_folder_ends_the_watch(root: Path, tmp_path: Path, deed: str) -> None:
    """It would go on to tell of a folder that is no longer there, or nothing at all."""
    ear = Ear()
    watcher = Watcher(root, ear.tell)
    watcher.start(20)
    root.rename(tmp_path / "Elsewhere")
    if deed == "replaced":
        root.mkdir()
    await_true(lambda: not watcher.is_alive, "the watcher goes on")
    assert watcher.trouble is not None
    assert str(root) in watcher.trouble.why
    assert not watcher.trouble.lasts
    watcher.stop()


def test_a_vault_that_is_not_there_can_not_be_watched(tmp_path: Path) -> None:
    """And says so at once."""
    ear = Ear()
    watcher = Watcher(tmp_path / "None", ear.tell)
    watcher.start(20)
    await_true(lambda: not watcher.is_alive, "the watcher goes on")
    assert not watcher.stood
    assert watcher.trouble is not None
    assert ear.batches == []


def test_an_ear_that_fails_is_no_silent_death(root: Path) -> None:
    """Whatever ends the thread is kept as its trouble."""

    def fail(_batch: object) -> None:
        raise RuntimeError("deaf")

    watcher = Watcher(root, fail)
    watcher.start(20)
    await_true(lambda: not watcher.is_alive, "the watcher goes on")
    assert watcher.trouble is not None
    assert "deaf" in watcher.trouble.why
