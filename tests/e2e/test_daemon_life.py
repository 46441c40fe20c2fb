"""A daemon beside a person who writes: whatever happens to the vault, the index soon says what one built anew says."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from functools import partial
from typing import TYPE_CHECKING

import pytest
from daemons import LIMIT_S, Running, await_equal, await_that, begun, daemon, finish
from repositories import commit_all, git
from small_vaults import ask, command, complaints, run_vaultsync, uids_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Make = Callable[[Mapping[str, str | bytes]], Path]

NOTES = {
    f"{folder}/{n}.md": f"# Note {n}\n\nWhat is in {folder}, part {n}.\n"
    for folder in "ABC"
    for n in range(8)
}


def bytes_of(root: Path) -> dict[str, bytes]:
    """Return all files of the vault that are a person's."""
    ours = (root / "_summaries", root / ".vaultsync")
    files = (path for path in root.rglob("*") if path.is_file())
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in files
        if not any(path.is_relative_to(folder) for folder in ours)
    }


def said(running: Running, words: str) -> bool:
    """Tell whether the daemon has said something."""
    return words in running.said


def finds(root: Path, word: str) -> bool:
    """Tell whether a search finds a word."""
    return bool(ask("--vault", root, "search", word, "--json").json["hits"])


def test_what_is_saved_is_found_however_it_is_saved(vault: Make) -> None:
    """In place, by a file beside it (F20), by a backup (F19), and in bursts; the note keeps its uid."""
    root = vault(NOTES)
    note, uid = root / "A/1.md", ""
    with daemon(root) as running:
        uid = uids_of(root)["A/1.md"]
        note.write_text("Written in place: aardvark.\n")
        await_that(lambda: finds(root, "aardvark"), running)

        beside = root / "A/.1.md.tmp"
        beside.write_text("Put in its place: binturong.\n")
        beside.replace(note)
        await_that(lambda: finds(root, "binturong"), running)

        (root / "A/4913").touch()
        (root / "A/4913").unlink()
        note.rename(root / "A/1.md~")
        note.write_text("With a backup: capybara.\n")
        await_that(lambda: finds(root, "capybara"), running)
        (root / "A/1.md~").unlink()

        with note.open("a") as file:
            for n in range(50):
                file.write(f"Line {n} of the burst.\n")
                file.flush()
            file.write("Last of all: dugong.\n")
        await_that(lambda: finds(root, "dugong"), running)

        before = bytes_of(root)
        await_equal(running)
        assert uids_of(root)["A/1.md"] == uid
        assert bytes_of(root) == before


def test_what_is_moved_stays_what_it_was(vault: Make) -> None:
    """Notes and folders, also a folder that comes with all that is in it (F36), goes, and comes back (F27)."""
    root = vault(NOTES)
    with daemon(root) as running:
        before = uids_of(root)
        (root / "A").rename(root / "Apples")
        await_that(lambda: "Apples/1.md" in uids_of(root), running)
        await_equal(running)
        assert {path.replace("Apples/", "A/"): uid for path, uid in uids_of(root).items()} == before

        (root / "Apples/1.md").rename(root / "Moved.md")
        await_that(lambda: "Moved.md" in uids_of(root), running)
        assert uids_of(root)["Moved.md"] == before["A/1.md"]

        (root / "New/Deep").mkdir(parents=True)
        (root / "New/Deep/n.md").write_text("At once in a new folder: echidna.\n")
        await_that(lambda: finds(root, "echidna"), running)

        away = root.parent / "away"
        (root / "B").rename(away)
        await_that(lambda: "B/1.md" not in uids_of(root), running)
        away.rename(root / "B")
        await_that(lambda: "B/1.md" in uids_of(root), running)
        await_equal(running)
        uids = uids_of(root)
        assert len(set(uids.values())) == len(uids)
        assert {path: uids[path] for path in before if path.startswith("B/")} == {
            path: uid for path, uid in before.items() if path.startswith("B/")
        }


def test_one_runs_and_does_what_others_ask(vault: Make) -> None:
    """A second one is sent away (F123), commands print what they would have printed, reading does not wait."""
    root = vault(NOTES)
    with daemon(root) as running:
        second = run_vaultsync("run", root)
        assert second.status == 4
        assert f"daemon, process {running.process.pid}" in second.err
        (root / "A/9.md").write_text("A ninth: fossa.\n")
        synced = run_vaultsync("--vault", root, "sync", "--json")
        assert (synced.status, synced.json["held_removals"]) == (0, 0)
        assert finds(root, "fossa")
        for words in (
            ["flush"],
            ["seal"],
            ["summary", "off"],
            ["summary", "on"],
            ["writer"],
            ["doctor", "--repair"],
        ):
            assert run_vaultsync("--vault", root, *words).status == 0, words
        status = run_vaultsync("--vault", root, "status", "--json").json
        assert status["daemon"]["pid"] == running.process.pid
        assert status["daemon"]["watch"]["mode"] == "events"
        assert {job["job"] for job in status["jobs"]} >= {
            "reconcile",
            "extract",
            "seal",
            "flush",
            "write_back",
        }
        refused = run_vaultsync("--vault", root, "remove")
        assert refused.status == 4
        assert running.stop() == 0
    assert ask("--vault", root, "status", "--json").json["daemon"] is None
    assert complaints(root) == {}


def test_it_ends_with_its_terminal(vault: Make) -> None:
    """As whatever runs in the foreground does; nothing goes on that nobody sees."""
    root = vault(NOTES)
    ours, theirs = os.openpty()
    with subprocess.Popen(
        ["setsid", "--ctty", *command("run", root)], stdin=theirs, stdout=theirs, stderr=theirs
    ) as process:
        try:
            os.close(theirs)
            await_that(lambda: b"daemon.ready" in os.read(ours, 4096))
            os.close(ours)
            process.wait(LIMIT_S)
        finally:
            process.kill()
    assert process.returncode == 0
    assert ask("--vault", root, "status", "--json").json["daemon"] is None


def test_settings_are_read_again(vault: Make, home: Path) -> None:
    """At SIGHUP; a mistake in them leaves those of before in force, and is told."""
    root = vault(NOTES)
    settings = home / "config/vaultsync/config.toml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    with daemon(root) as running:
        settings.write_text("[scope]\nexclude = 5\n")
        running.process.send_signal(signal.SIGHUP)
        await_that(lambda: "settings.failed" in running.said, running)
        settings.write_text('[scope]\nexclude = ["C/**"]\n')
        running.process.send_signal(signal.SIGHUP)
        await_that(lambda: not any(path.startswith("C/") for path in uids_of(root)), running)
        assert "settings.changed" in running.said


def test_it_waits_for_git(vault: Make) -> None:
    """While an index.lock is there nothing is read, and after it all is."""
    root = vault({**NOTES, ".git/HEAD": "ref: refs/heads/main\n"})
    with daemon(root) as running:
        (root / ".git/index.lock").touch()
        (root / "A/1.md").write_text("In the midst of a commit: gibbon.\n")
        await_that(lambda: "git.busy" in running.said, running)
        assert not finds(root, "gibbon")
        (root / ".git/index.lock").unlink()
        await_that(lambda: finds(root, "gibbon"), running)


@pytest.mark.slow
def test_it_ends_in_the_midst_of_its_first_look(vault: Make) -> None:
    """Within five seconds, at Ctrl-C too, with nothing half done; it was not ready, and the next one goes on."""
    root = vault({f"{n % 40}/{n}.md": f"# {n}\n\n" + f"Word {n} of a text. " * 60 for n in range(4000)})
    for number in (signal.SIGTERM, signal.SIGINT):
        with begun(root) as running:
            await_that(partial(said, running, "daemon.started"), running)
            began = time.monotonic()
            running.process.send_signal(number)
            assert running.process.wait(20) == 0
            assert time.monotonic() - began < 5
            assert "daemon.ready" not in running.said
    with daemon(root) as running:
        await_equal(running)
    assert (
        subprocess.run(command("--vault", root, "doctor"), check=False, capture_output=True).returncode == 0
    )


@pytest.mark.slow
def test_storms_pass(vault: Make) -> None:
    """Branches that differ in 500 notes, 2,000 notes in a second, all of them gone and back, the vault itself too."""
    root = vault({f"{n % 20}/{n}.md": f"# {n}\n\nThe text of {n}.\n" for n in range(500)})
    git(root, "init", "-q")
    (root / ".gitignore").write_text("/.obsidian/\n/_summaries/\n/.vaultsync/\n")
    commit_all(root)
    git(root, "checkout", "-qb", "other")
    for n in range(500):
        (root / f"{n % 20}/{n}.md").write_text(f"# {n}\n\nOn the other branch {n} says more.\n")
    commit_all(root)
    with daemon(root) as running:
        uids = uids_of(root)
        for branch in ("main", "other", "main"):
            git(root, "checkout", "-q", branch)
            await_equal(running)
            assert uids_of(root) == uids
        for n in range(2000):
            place = root / f"new {n % 7}/{n}.md"
            place.parent.mkdir(exist_ok=True)
            place.write_text(f"New {n}.\n")
        await_equal(running)
        shutil.rmtree(root / "new 1")
        await_equal(running)
        away = root.parent / "Away"
        root.rename(away)
        await_that(lambda: "job.failed" in running.said or "watch.polling" in running.said, running)
        away.rename(root)
        (root / "0/0.md").write_text("Back again: hoatzin.\n")
        await_that(lambda: finds(root, "hoatzin"), running)
        await_equal(running)
        assert {path: uid for path, uid in uids_of(root).items() if path in uids} == uids
        finish(running)
    assert complaints(root) == {}


@pytest.mark.slow
def test_killed_at_any_moment_it_goes_on(vault: Make) -> None:
    """Thirty times, under a stream of edits: the next one brings the index to what one built anew says."""
    root = vault(NOTES)
    chosen = random.Random(5)
    for life in range(30):
        with begun(root) as running:
            await_that(partial(said, running, "daemon.started"), running)
            ends = time.monotonic() + chosen.uniform(0.1, 1.2)
            while time.monotonic() < ends:
                change(root, chosen, life)
            running.kill()
    before = bytes_of(root)
    with daemon(root) as running:
        if "removals.held" in running.said:  # none lived long enough to see where the notes went
            assert ask("--vault", root, "sync", "--accept-removals").status == 0
        await_equal(running)
        uids = uids_of(root)
        assert len(set(uids.values())) == len(uids)
    assert bytes_of(root) == before
    assert complaints(root) == {}


def change(root: Path, chosen: random.Random, life: int) -> None:
    """Edit, rename, make or delete a note."""
    notes = sorted(path for folder in "ABC" for path in (root / folder).glob("*.md"))
    note = chosen.choice(notes)
    kind = chosen.randrange(10)
    if kind < 6:
        note.write_text(f"{note.read_text()}Life {life} adds {chosen.random()}.\n")
    elif kind < 8:
        note.rename(note.with_name(f"{life} {chosen.randrange(10**6)}.md"))
    elif kind < 9 or len(notes) < 12:
        (root / f"A/{life} new {chosen.randrange(10**6)}.md").write_text(
            f"New in life {life}: {chosen.random()}.\n"
        )
    else:
        note.unlink()
