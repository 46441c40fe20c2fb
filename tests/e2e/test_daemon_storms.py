"""A daemon in a storm: whatever comes at once, the index soon equals the vault, and no note is touched."""

from __future__ import annotations

import shutil
import subprocess
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import pytest
from daemons import await_equal, await_that, begun, daemon, finish
from repositories import commit_all, git
from small_vaults import ask, complaints, uids_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from daemons import Running

    Make = Callable[[Mapping[str, str | bytes]], Path]

pytestmark = pytest.mark.slow

FOLDERS, NOTES = 10, 300


def text(n: int, words: str = "as it was") -> str:
    return f"# Note {n}\n\nThe text of {n}, {words}. See [[{(n + 7) % NOTES}]].\n"


@pytest.fixture
def root(vault: Make) -> Path:
    """A vault under git, in which generated notes are not tracked."""
    notes = {f"{n % FOLDERS}/{n}.md": text(n) for n in range(NOTES)}
    root = vault({**notes, ".gitignore": "/.obsidian/\n/.vaultsync/\n/_summaries/\n"})
    git(root, "init", "-q")
    commit_all(root)
    return root


def bytes_of(root: Path) -> dict[str, bytes]:
    """Return all files of the vault that are a person's."""
    ours = (".git", ".vaultsync", "_summaries")
    files = (path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    paths = ((path.relative_to(root), path) for path in files)
    return {below.as_posix(): path.read_bytes() for below, path in paths if below.parts[0] not in ours}


@contextmanager
def storm(running: Running) -> Iterator[None]:
    """Let all of the block come over a vault; then it must be known, each note as one, and be as the block left it."""
    yield
    after = bytes_of(running.root)
    await_equal(running)
    uids = uids_of(running.root)
    assert len(set(uids.values())) == len(uids)
    assert bytes_of(running.root) == after
    assert "Traceback" not in running.said


def save_aside(note: Path, said: str) -> None:
    beside = note.with_name(f".{note.name}.tmp")
    beside.write_text(said)
    beside.replace(note)


def save_with_backup(note: Path, said: str) -> None:
    """Save as vim does."""
    (note.parent / "4913").touch()
    (note.parent / "4913").unlink()
    backup = note.with_name(f"{note.name}~")
    note.rename(backup)
    note.write_text(said)
    backup.unlink()


def append(note: Path, said: str) -> None:
    with note.open("a") as file:
        for line in said.splitlines(keepends=True):
            file.write(line)
            file.flush()


SAVED = (lambda note, said: note.write_text(said), save_aside, save_with_backup, append)


def test_all_saves_at_once(root: Path) -> None:
    """Each note in each way, many times, as fast as it goes; each stays who it is."""
    with daemon(root) as running:
        uids = uids_of(root)
        with storm(running):
            for turn in range(8):
                for n in range(NOTES):
                    SAVED[(turn + n) % len(SAVED)](root / f"{n % FOLDERS}/{n}.md", text(n, f"turn {turn}"))
        assert uids_of(root) == uids
        finish(running)
    assert complaints(root) == {}


def test_folders_go_come_and_change_places(root: Path) -> None:
    """What was removed and restored is who it was; all at once is held back until a person says so."""
    with daemon(root) as running:
        uids = uids_of(root)
        away = root.parent / "Copy"
        shutil.copytree(root / "3", away)
        with storm(running):
            shutil.rmtree(root / "3")
        shutil.copytree(away, root / "3")
        with storm(running):
            pass
        assert uids_of(root) == uids

        with storm(running):
            (root / "1").rename(root / "between")
            (root / "2").rename(root / "1")
            (root / "between").rename(root / "2")
        now = uids_of(root)
        assert {swapped(path): uid for path, uid in uids.items()} == now

        for n in range(FOLDERS):
            shutil.rmtree(root / f"{n}")
        await_that(lambda: "removals.held" in running.said, running)
        assert uids_of(root) == now
        git(root, "checkout", "-q", ".")
        with storm(running):
            pass
        assert uids_of(root) == uids
        finish(running)
    assert complaints(root) == {}


def swapped(path: str) -> str:
    """Return where a note is once the folders 1 and 2 have changed places."""
    folder, name = path.split("/")
    return f"{dict(zip('12', '21', strict=True)).get(folder, folder)}/{name}"


def test_branches_change_while_somebody_writes(root: Path) -> None:
    """Also while a folder is renamed; after a last checkout all is as it was."""
    git(root, "checkout", "-qb", "other")
    for n in range(0, NOTES, 2):
        (root / f"{n % FOLDERS}/{n}.md").write_text(text(n, "on the other branch"))
    git(root, "mv", "4", "Four")
    commit_all(root)
    git(root, "checkout", "-q", "main")
    with daemon(root) as running:
        uids = uids_of(root)
        for number, branch in enumerate(("other", "main") * 3):
            with storm(running):
                (root / "new.md").write_text(text(1, f"before checkout {number}"))
                git(root, "checkout", "-q", branch)
                (root / "new.md").write_text(text(1, f"after checkout {number}"))
        (root / "new.md").unlink()
        with storm(running):
            pass
        assert uids_of(root) == uids
        finish(running)
    assert complaints(root) == {}


def test_who_reads_does_not_wait(vault: Make) -> None:
    """While 2,000 notes are read and summed up for the first time, each answer comes within two seconds."""
    root = vault({f"{n % 40}/{n}.md": f"# {n}\n\n" + f"Word {n} of a text. " * 60 for n in range(2000)})
    waits = []
    with begun(root) as running:
        await_that(lambda: ask("--vault", root, "search", "text", "--json").status == 0, running)
        while "generated.written" not in running.said:
            for words in (["search", "text"], ["status"], ["tree"]):
                began = time.monotonic()
                assert ask("--vault", root, *words, "--json").status == 0
                waits.append(time.monotonic() - began)
    assert len(waits) > 4
    assert max(waits) < 2, max(waits)


@pytest.fixture
def small_disk(home: Path) -> Iterator[Path]:
    """A disk of 32 MB, on which states are kept."""
    place = home / "state"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", str(place)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)


def test_the_disk_of_the_state_is_full_for_a_while(root: Path, small_disk: Path) -> None:
    """It says so, goes on, lets others read, and catches up when there is room; what it knew stays."""
    with daemon(root) as running:
        uids = uids_of(root)
        fill_up(small_disk / "ballast")
        with storm(running):
            for n in range(NOTES):
                (root / f"{n % FOLDERS}/{n}.md").write_text(text(n, "on a full disk " * 60))
            await_that(lambda: "no room is left" in running.said, running)
            assert ask("--vault", root, "search", "text", "--json").json["hits"]
            assert ask("--vault", root, "sync", "--json").json["error"]["code"] in {
                "store-full",
                "state-unusable",
            }
            assert running.process.poll() is None
            assert (status := ask("--vault", root, "status")).status == 1
            assert "is full" in status.text
            (small_disk / "ballast").unlink()
            assert ask("--vault", root, "sync", "--json").status == 0
        assert uids_of(root) == uids
        assert running.stop() == 0
    assert complaints(root) == {}


def fill_up(ballast: Path) -> None:
    """Leave no room on a disk."""
    with ballast.open("wb", buffering=0) as file:
        for size in (1 << 16, 1 << 10, 1):
            with suppress(OSError):
                while True:
                    file.write(b"x" * size)
