"""A daemon where the ground gives way: its state, the vault, git, the watcher, the clock."""

from __future__ import annotations

import os
import re
import shutil
import signal
import time
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import pytest
from daemons import LIMIT_S, await_equal, await_that, daemon, finish
from grown_vaults import prose
from model_server import serving
from repositories import commit_all, git, try_git
from small_vaults import ask, complaints, dump_of, fill_vault, fresh_dump, memory_of, run_vaultsync, uids_of

from vaultsync.bootstrap import find_place
from vaultsync.daemon import instance_lock, pulse
from vaultsync.daemon.notify import Notifier
from vaultsync.daemon.supervisor import Supervisor
from vaultsync.surfaces.cli.serving import answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    Make = Callable[[Mapping[str, str | bytes]], Path]

NOTES = {
    f"{folder}/{n}.md": f"# Note {n}\n\nWhat is in {folder}, part {n}.\n"
    for folder in "ABC"
    for n in range(8)
}

HANDED_OVER = (
    "sync", "flush", "seal", "summary off", "summary on", "writer --take", "doctor --repair", "config trust",
)  # fmt: skip

HOUR, DAY = 3600.0, 86_400.0

WITHOUT_RIGHTS = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
"""Root reads whatever its mode is; so started, it reads what its mode lets it read."""


def files_of(root: Path) -> dict[str, bytes]:
    """Return every file of the vault but git's."""
    files = (path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def finds(root: Path, word: str) -> bool:
    """Tell whether a search finds a word."""
    return bool(ask("--vault", root, "search", word, "--json").json["hits"])


def settings(home: Path, words: str) -> None:
    """Write a person's own settings."""
    path = home / "config/vaultsync/config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(words)


def runs(root: Path, job: str) -> int:
    """Return how often a job was done."""
    with memory_of(root) as memory:
        return int(memory.db.read().value("SELECT count(*) FROM job_runs WHERE job = ?", [job]))


class Clocks:
    """The time of day, and the time that went by awake: those of the machine, moved by the test."""

    def __init__(self) -> None:
        self.set_by = self.passed = 0.0

    @property
    def now(self) -> float:
        return time.time() + self.set_by + self.passed

    @property
    def awake(self) -> float:
        return time.monotonic() + self.passed


class Near(NamedTuple):
    """A daemon in this process, which works as long as the test lets it."""

    supervisor: Supervisor
    clocks: Clocks

    def live_until(self, find: Callable[[], object]) -> None:
        """Let it work until something is true."""
        limit = time.monotonic() + LIMIT_S
        while not find():
            assert time.monotonic() < limit, "waited in vain"
            self.supervisor.turn()

    def live_for(self, turns: int) -> None:
        for _ in range(turns):
            self.supervisor.turn()

    def pass_time(self, seconds: float) -> None:
        """Let time go by, and all be done that is due by then."""
        self.clocks.passed += seconds
        self.live_until(lambda: self.supervisor._work.due is None)


@contextmanager
def near(root: Path, mode: str = "events") -> Iterator[Near]:
    """Let a daemon of this process take up its work."""
    clocks = Clocks()
    with (
        memory_of(root, write=True) as memory,
        instance_lock.hold(memory.state, instance_lock.DAEMON),
        pytest.MonkeyPatch.context() as patch,
    ):
        for rest in ("TURN_S", "GLANCE_S"):
            patch.setattr(f"vaultsync.daemon.supervisor.{rest}", 0.1)
        supervisor = Supervisor(
            replace(memory, clock=lambda: clocks.now),
            Notifier(None),
            answer=answer,
            reload=lambda given: given,
            monotonic=lambda: clocks.awake,
        )
        supervisor._watching.start()
        daemon = Near(supervisor, clocks)
        try:
            daemon.live_until(lambda: supervisor._is_ready and supervisor._watching.mode == mode)
            yield daemon
        finally:
            supervisor._watching.stop()


# ---- what it stands on goes ----


def test_its_state_is_removed(vault: Make) -> None:
    """It ends and says why, also where another has begun in its place; that one knows all."""
    root = vault(NOTES)
    with daemon(root) as running:
        state = find_place(root, None, os.environ).state
        shutil.rmtree(state)
        assert run_vaultsync("sync", root).status == 0
        (root / "A/1.md").write_text("After the removal: aardvark.\n")
        await_that(lambda: running.process.poll() is not None)
        assert running.process.returncode == 3
        assert f"The state folder {state} was removed" in running.said
        assert "Traceback" not in running.said
    with daemon(root) as running:
        assert finds(root, "aardvark")
        await_equal(running)
        finish(running)
    assert complaints(root) == {}


def test_its_lock_is_removed(vault: Make) -> None:
    """Another could begin beside it, so it ends."""
    root = vault(NOTES)
    with daemon(root) as running:
        (find_place(root, None, os.environ).state / "lock").unlink()
        await_that(lambda: running.process.poll() is not None)
        assert running.process.returncode == 3


@pytest.mark.slow
def test_F38_the_vault_is_empty_for_a_while(vault: Make, tmp_path: Path) -> None:
    """As where its disk is not mounted: nothing is removed, nothing written there, and it is said."""
    root = vault(NOTES)
    with daemon(root) as running:
        uids = uids_of(root)
        away = tmp_path / "Away"
        root.rename(away)
        root.mkdir()
        await_that(lambda: "removals.held" in running.said or "job.failed" in running.said, running)
        assert uids_of(root) == uids
        assert list(root.iterdir()) == []
        root.rmdir()
        away.rename(root)
        (root / "A/1.md").write_text("Mounted again: binturong.\n")
        await_that(lambda: finds(root, "binturong"), running)
        assert uids_of(root) == uids
        await_equal(running)
        finish(running)
    assert complaints(root) == {}


@pytest.mark.slow
def test_F38_nothing_is_written_into_an_empty_mount_point(vault: Make, tmp_path: Path) -> None:
    """However long it lasts, whoever asks; and what is there is known again afterwards."""
    root = vault({f"A/{n}.md": prose(f"Garden {n}") for n in range(24)})
    with near(root) as one:
        one.pass_time(2 * DAY)
        (root / "A/1.md").write_text(prose("gibbon"))
        one.live_until(lambda: finds(root, "gibbon"))
        uids = uids_of(root)
        root.rename(tmp_path / "Away")
        root.mkdir()
        one.supervisor.inbox.overflowed = True
        one.pass_time(2 * DAY)
        assert list(root.iterdir()) == []
    assert "is a disk not mounted?" in ask("--vault", root, "sync").err
    assert ask("--vault", root, "flush").status == 1
    assert list(root.iterdir()) == []
    root.rmdir()
    (tmp_path / "Away").rename(root)
    with near(root) as one:
        one.pass_time(2 * DAY)
        assert uids_of(root) == uids
        assert quotes(root, "gibbon")
    assert complaints(root) == {}


@pytest.mark.parametrize("way", ["away", "empty", "without its settings"])
def test_a_vault_that_is_away_forbids_what_it_did(vault: Make, home: Path, tmp_path: Path, way: str) -> None:
    """Its own settings are away with it: no model gets its text that they keep from it."""
    root = vault({f"A/{n}.md": prose(f"Garden {n}") for n in range(24)})
    fill_vault(root, {".vaultsync/config.toml": '[models]\nsummariser = "extractive"\n'})
    with serving() as server, daemon(root, env={"OPENAI_API_KEY": "none"}) as running:
        settings(home, f'[models]\nsummariser = "openai"\nmodel = "any"\nendpoint = "{server.url}"\n')
        finish(running)
        gone = root / ".vaultsync/config.toml" if way == "without its settings" else root
        gone.rename(tmp_path / "Away")
        if way == "empty":
            root.mkdir()
        running.process.send_signal(signal.SIGHUP)
        await_that(lambda: "settings.failed" in running.said, running)
        await_that(
            lambda: (
                way == "without its settings"
                or "job.failed" in running.said
                or "removals.held" in running.said
            )
        )
        if way == "empty":
            assert list(root.rglob("*")) == [], running.said
            root.rmdir()
        (tmp_path / "Away").rename(gone)
        (root / "A/1.md").write_text("Back again: binturong.\n")
        await_that(lambda: finds(root, "binturong"), running)
        finish(running)
        assert server.asked == []


@pytest.mark.skipif(os.geteuid() == 0 and shutil.which("setpriv") is None, reason="root reads everything")
@pytest.mark.parametrize("folder", [".", "B"])
def test_F38_what_can_t_be_read_for_a_while_is_not_gone(vault: Make, home: Path, folder: str) -> None:
    """The vault, or a folder in it: its notes stay known, and are followed again."""
    root = vault(NOTES)
    settings(home, '[schedule]\nreconcile_every = "1s"\n')
    with daemon(root, by=WITHOUT_RIGHTS if os.geteuid() == 0 else ()) as running:
        uids, before, seen = uids_of(root), files_of(root), runs(root, "reconcile")
        (root / folder).chmod(0)
        try:
            await_that(lambda: runs(root, "reconcile") >= seen + 2 or "job.failed" in running.said, running)
            assert uids_of(root) == uids
        finally:
            (root / folder).chmod(0o755)
        assert files_of(root) == before
        (root / "B/1.md").write_text("To be read again: capybara.\n")
        await_that(lambda: finds(root, "capybara"), running)
        assert uids_of(root) == uids
        await_equal(running)


@pytest.mark.parametrize("edited", [False, True])
def test_what_was_held_back_comes_again_elsewhere(vault: Make, tmp_path: Path, edited: bool) -> None:
    """As of a person who cuts folders and pastes them a minute later: each note stays who it was."""
    root = vault({f"{folder}/{n}.md": prose(f"{folder} garden {n}") for folder in "ABC" for n in range(8)})
    with near(root) as one:
        uids = uids_of(root)
        for folder in "AB":
            (root / folder).rename(tmp_path / folder)
        one.live_until(lambda: one.supervisor.inbox.paths or one.supervisor.inbox.overflowed)
        one.live_until(lambda: held(root) == 16)
        for folder in "AB":
            for note in sorted((tmp_path / folder).iterdir()) if edited else ():
                note.write_text(note.read_text() + "\nOne line more.\n")
            (tmp_path / folder).rename(root / f"New{folder}")
            one.live_until(lambda: one.supervisor._work.due is None)
        one.live_until(lambda: held(root) == 0)
        expected = {path if path[0] == "C" else f"New{path}": uid for path, uid in uids.items()}
        assert uids_of(root) == expected
        assert dump_of(root) == fresh_dump(root, tmp_path / "fresh")


def held(root: Path) -> int:
    """Return how many notes are held back."""
    return len(ask("--vault", root, "status", "--json").json["held"])


# ---- what is not to be seen any more ----


@pytest.mark.parametrize("way", ["private", "moved", "left out"])
def test_what_is_hidden_leaves_the_generated_notes_at_once(vault: Make, way: str) -> None:
    """By its frontmatter, or by a folder of private notes; not only when the source has been quiet."""
    root = vault({f"A/{n}.md": prose(f"Garden {n}") for n in range(8)} | {"Private/own.md": "Mine."})
    fill_vault(
        root, {"A/1.md": prose("kinkajou"), ".vaultsync/config.toml": '[scope]\nprivate = ["Private/"]\n'}
    )
    with near(root) as one:
        one.live_until(lambda: quotes(root, "kinkajou"))
        one.live_until(lambda: one.supervisor._work.due is None)
        note = root / "A/1.md"
        if way == "moved":
            note.rename(root / "Private/1.md")
        else:
            word = {"private": "private: true", "left out": "vaultsync: ignore"}[way]
            note.write_text(f"---\n{word}\n---\n{note.read_text()}")
        one.live_until(lambda: not quotes(root, "kinkajou"))
    assert complaints(root) == {}


def quotes(root: Path, word: str) -> bool:
    """Tell whether a generated note says a word."""
    return any(word in note.read_text() for note in (root / "_summaries").rglob("*.md"))


# ---- what it goes by errs ----


@pytest.mark.parametrize("harm", ["ended", "failed"])
def test_the_watcher_is_lost(vault: Make, tmp_path: Path, harm: str) -> None:
    """Its thread ends, or what tells it fails: what changed meanwhile is found, and then it watches again."""
    root = vault(NOTES)
    with near(root) as one:
        lost = one.supervisor._watching._watcher
        assert lost is not None
        lost._stop.set() if harm == "ended" else lost._source.close()
        lost._thread.join(LIMIT_S)
        assert not lost.is_alive
        (root / "A/1.md").write_text("While nobody watched: dugong.\n")
        (root / "B").rename(root / "Bees")
        one.live_until(lambda: finds(root, "dugong"))
        one.live_until(lambda: one.supervisor._watching.mode == "events")
        (root / "A/2.md").write_text("Watched again: echidna.\n")
        one.live_until(lambda: finds(root, "echidna"))
        assert dump_of(root) == fresh_dump(root, tmp_path / "fresh")
    assert complaints(root) == {}


@pytest.mark.parametrize("mode", ["events", "polling"])
def test_as_of_when_the_index_equals_the_vault(vault: Make, home: Path, mode: str) -> None:
    """As of now while all changes are told and none waits; where it polls, as of its last look that did not fail."""
    root = vault(NOTES)
    settings(home, "[daemon]\npoll_s = 30\n" + ('watch = "polling"\n' if mode == "polling" else ""))
    with near(root, mode) as one:

        def age() -> float:
            """Return how old what the daemon says of the index is."""
            one.clocks.passed += 10  # what it says is written every ten seconds
            one.live_for(2)
            alive = pulse.read(one.supervisor._memory.state)
            assert alive is not None
            assert alive.looked_at is not None
            return one.clocks.now - alive.looked_at

        one.live_until(lambda: one.supervisor._work.due is None)
        ages = [age() for _ in range(9)]
        assert max(ages) < (5 if mode == "events" else 45)
        away = root.rename(root.with_name("Away"))
        one.supervisor.inbox.overflowed = True
        assert age() >= 10
        assert age() >= 20
        away.rename(root)
        one.clocks.passed += 60
        one.live_until(lambda: age() < 15)


def test_the_clock_is_set(vault: Make, tmp_path: Path) -> None:
    """Forward and back, by an hour, a day, years: edits are found as before, and no job waits for a time long past."""
    root = vault(NOTES)
    with near(root) as one:
        uids = uids_of(root)
        for number, step in enumerate((HOUR, -HOUR, -DAY, 3 * DAY, -3000 * DAY, 6000 * DAY)):
            one.clocks.set_by += step
            (root / "A/1.md").write_text(f"At step {number}: word{number}.\n")
            one.live_until(partial(finds, root, f"word{number}"))
            one.live_until(lambda: one.supervisor._work.due is None)
            waits = {name: at - one.clocks.now for name, at in one.supervisor._work.next.items()}
            assert max(wait for wait in waits.values() if wait != float("inf")) <= DAY, waits
            assert waits["reconcile"] <= 600
        assert uids_of(root) == uids
        assert dump_of(root) == fresh_dump(root, tmp_path / "fresh")
    assert complaints(root) == {}


@pytest.mark.parametrize("every", ["1d", "0 4 * * mon-fri"])
def test_summaries_are_made_when_the_settings_say(vault: Make, home: Path, every: str) -> None:
    """A look at the whole vault by itself is no reason for more."""
    root = vault({f"A/{n}.md": prose(f"Garden {n}") for n in range(8)})
    settings(home, f'[schedule]\nseal_every = "{every}"\nflush_every = "{every}"\n')
    with near(root) as one:
        one.live_until(lambda: one.supervisor._work.due is None)
        before = runs(root, "seal")
        for _ in range(6):
            one.pass_time(600)
            one.live_until(lambda: not one.supervisor._has_news())
        assert runs(root, "reconcile") >= 6
        assert runs(root, "seal") == before


# ---- git in the middle of a merge ----


@pytest.mark.slow
def test_a_merge_is_waited_for_and_nothing_written(vault: Make, tmp_path: Path) -> None:
    """For five minutes nothing is read, until it ends nothing is written; the note in conflict stays who it is."""
    root = vault({f"A/{n}.md": prose(f"Garden {n}") for n in range(12)} | {".gitignore": "/.obsidian/\n"})
    with near(root) as one:
        one.pass_time(2 * DAY)
        grown = files_of(root)
        assert any(path.startswith("_summaries/") for path in grown)
        uids = uids_of(root)
        in_conflict(root, "A/1.md")
        (root / "A/2.md").write_text(prose("gibbon"))
        one.live_until(lambda: one.supervisor._git.busy_since is not None)
        before = files_of(root)
        one.clocks.passed += 290
        one.live_for(2)
        assert not finds(root, "gibbon")
        one.clocks.passed += 20
        one.live_until(lambda: finds(root, "gibbon"))
        assert "<<<<<<<" in before["A/1.md"].decode()
        one.pass_time(2 * DAY)
        assert files_of(root) == before
        assert uids_of(root) == uids
        commit_all(root, "merged, with markers and all")
        (root / "A/1.md").write_text(prose("hoatzin"))
        one.live_until(lambda: finds(root, "hoatzin"))
        one.pass_time(2 * DAY)
        after = files_of(root)
        assert {path for path in after if after[path] != before.get(path)} > {"A/1.md"}
        assert uids_of(root) == uids
        assert dump_of(root) == fresh_dump(root, tmp_path / "fresh")
    assert complaints(root) == {}


def in_conflict(root: Path, note: str) -> None:
    """Put a vault under git, and leave it in a merge that can't be done without a person."""
    text = (root / note).read_text()
    git(root, "init", "-q")
    commit_all(root)
    git(root, "checkout", "-qb", "other")
    (root / note).write_text(f"{text}\nOurs says this.\n")
    commit_all(root)
    git(root, "checkout", "-q", "main")
    (root / note).write_text(f"{text}\nTheirs says that.\n")
    commit_all(root)
    assert try_git(root, "merge", "other").returncode == 1


# ---- commands ----


@pytest.mark.slow
def test_commands_say_what_they_say_without_a_daemon(vault: Make) -> None:
    """Byte for byte but for the time they took; and the daemon goes on from what they did."""
    root = vault(NOTES)
    commands = [(*words.split(), "--json") for words in HANDED_OVER]
    for _ in range(2):  # the first time there is something to do
        alone = {words: said(root, *words) for words in commands}
    with daemon(root) as running:
        assert {words: said(root, *words) for words in commands} == alone
        (root / "A/1.md").write_text("Afterwards: ibex.\n")
        await_that(lambda: finds(root, "ibex"), running)
        await_equal(running)
        assert running.said.count("request.done") == len(commands)
        assert "request.begun verb=sync\n" in running.said
    assert {status for status, _ in alone.values()} == {0}
    assert complaints(root) == {}


def said(root: Path, *words: str) -> tuple[int, bytes]:
    """Return how a command ended and what it printed, as if nothing took time."""
    ended = ask("--vault", root, *words)
    return ended.status, re.sub(rb'("(?:total|seconds)": )\d+(\.\d+)?', rb"\1T", ended.out)
