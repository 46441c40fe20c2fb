"""A week of a daemon's life, by a clock of the test's: what it does when, and what it costs."""

from __future__ import annotations

import json
import random
import re
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from daemons import await_that
from grown_vaults import prose
from model_server import Document, Reply, serving
from repositories import commit_all, git
from small_vaults import complaints, dump_of, fill_vault, fresh_dump, memory_of

from vaultsync.app.asking import model_calls
from vaultsync.daemon.notify import Notifier
from vaultsync.daemon.requests import Reply as Answered
from vaultsync.daemon.supervisor import Supervisor
from vaultsync.domain.notes import NotePath
from vaultsync.store.job_runs import JobRun
from vaultsync.vault.settling import Batch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultsync.app.memory import Memory

ROOT = Path(__file__).resolve().parents[2]

HOUR, DAY = 3600.0, 86_400.0
MONDAY = 1_772_409_600.0  # 2026-03-02, midnight UTC
WAKES, SLEEPS = 8 * HOUR, 22 * HOUR
EDITS = 300
FOLDERS = ("Garden", "House", "Shore")
NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
AWAY, BACK = 12 * HOUR, 15 * HOUR
"""When the branch is switched and switched back, on three days."""

SETTINGS = """
[summaries]
sources = ["*"]
seal_tokens = 400
[daemon]
poll_s = 86400
"""
MODEL = '[models]\nsummariser = "openai"\nmodel = "small"\nendpoint = "{url}"\ncalls_per_day = 50\n'


class Clocks:
    """The time of day, and the time that went by awake."""

    def __init__(self) -> None:
        self.now = MONDAY + WAKES
        self.awake = 0.0

    def wake_until(self, moment: float) -> None:
        self.awake += max(0.0, moment - self.now)
        self.now = max(self.now, moment)

    def sleep_until(self, moment: float) -> None:
        self.now = moment


class Happening(NamedTuple):
    at: float
    path: str
    branch: str = ""


class Day(NamedTuple):
    """What a day came to, in edits, summaries, generated notes that were written, and calls of a model."""

    edits: int
    flushed: int
    sealed: int
    remade: int
    written: int
    calls: int


def script(paths: list[str]) -> list[Happening]:
    """Return what happens in a week: edits in sittings of an hour, and three days on which a branch is looked at."""
    chosen = random.Random("a week")
    happenings = []
    for day in range(7):
        sittings = [chosen.uniform(WAKES + HOUR / 2, SLEEPS - 2 * HOUR) for _ in range(3)]
        for number in range(EDITS // 7 + (day < EDITS % 7)):
            at = MONDAY + day * DAY + sittings[number % 3] + chosen.uniform(0, HOUR)
            happenings.append(Happening(at, chosen.choice(paths)))
        if day in {1, 3, 5}:
            happenings.append(Happening(MONDAY + day * DAY + AWAY, "", "other"))
            happenings.append(Happening(MONDAY + day * DAY + BACK, "", "main"))
    return sorted(happenings)


class Week:
    """Lives through a script with a daemon's loop in this thread."""

    def __init__(self, memory: Memory, clocks: Clocks) -> None:
        self.memory = replace(memory, clock=lambda: clocks.now)
        self.clocks = clocks
        self.edits = 0
        self.supervisor = Supervisor(
            self.memory,
            Notifier(None),
            answer=lambda *_: Answered(0, b"", b""),
            reload=lambda given: given,
            monotonic=lambda: clocks.awake,
        )

    def go_to(self, moment: float) -> None:
        """Do all that comes until a moment, when it comes."""
        while (due := self.supervisor.next_at) <= moment:
            self.clocks.wake_until(due)
            self.supervisor.turn()
            if self.supervisor._asking.is_busy:
                await_that(lambda: not self.supervisor._asking.is_busy)
            self.supervisor.inbox.wait(0)
        self.clocks.wake_until(moment)

    def happen(self, happening: Happening) -> None:
        """Let something happen to the vault, and the daemon be told."""
        root = self.memory.root
        if happening.branch:
            git(root, "add", "-A")
            git(root, "commit", "-qm", "so far", "--allow-empty")
            before = git(root, "rev-parse", "HEAD")
            git(root, "checkout", "-q", happening.branch)
            changed = git(root, "diff", "--name-only", before, "HEAD").splitlines()
        else:
            self.edits += 1
            place = root / happening.path
            place.write_text(place.read_text() + prose(f"{happening.path} {self.edits}"))
            changed = [happening.path]
        self.supervisor.inbox.look_at(Batch(frozenset(map(NotePath, changed)), overflow=False))
        self.supervisor.inbox.wait(0)


class Lived(NamedTuple):
    """A life that is over: what each day came to, and the chunks that waited for too long when one ended."""

    week: Week
    days: list[Day]
    late: int


@contextmanager
def life(folder: Path, days: int, settings: str = "") -> Iterator[Lived]:
    """Live some days in a vault of three folders."""
    with pytest.MonkeyPatch.context() as patch:
        for name, path in (("STATE", "state"), ("CONFIG", "config")):
            patch.setenv(f"XDG_{name}_HOME", str(folder / path))
        (folder / "config/vaultsync").mkdir(parents=True)
        (folder / "config/vaultsync/config.toml").write_text(SETTINGS + settings)
        root = repository(folder / "Vault")
        with memory_of(root, write=True) as memory:
            yield live(Week(memory, Clocks()), days)


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lived]:
    """A week as most people have it."""
    with life(tmp_path_factory.mktemp("week"), 7) as lived:
        yield lived


def repository(root: Path) -> Path:
    """Return a vault in git, with a branch on which a third of the notes say something else."""
    notes = {
        f"{folder}/{n}.md": prose(f"{folder} {n}")
        for folder in ("Garden", "House", "Shore")
        for n in range(20)
    }
    fill_vault(root, {**notes, ".gitignore": "/.obsidian/\n"})
    git(root, "init", "-q")
    commit_all(root)
    git(root, "checkout", "-qb", "other")
    for path in sorted(notes)[::3]:
        (root / path).write_text(prose(path, 2))
    commit_all(root)
    git(root, "checkout", "-q", "main")
    return root


def live(week: Week, days: int) -> Lived:
    """Live through the script, and count day by day."""
    counts, late = [], 0
    happenings = script([f"{folder}/{n}.md" for folder in FOLDERS for n in range(20)])
    for day in range(days):
        begins, edits = MONDAY + day * DAY, week.edits
        for happening in happenings:
            if begins <= happening.at < begins + DAY:
                week.go_to(happening.at)
                week.happen(happening)
        week.go_to(begins + SLEEPS)
        counts.append(counted(week.memory, begins, week.edits - edits))
        late += overdue(week.memory)
        week.clocks.sleep_until(begins + DAY + WAKES)
    week.go_to(week.clocks.now + HOUR)
    return Lived(week, counts, late)


def counted(memory: Memory, begins: float, edits: int) -> Day:
    """Return what the jobs of a day did."""
    rows = memory.db.read().all(
        """
        SELECT sum(detail ->> 'flushed'), sum(detail ->> 'sealed'), sum(detail ->> 'remade'), sum(detail ->> 'written')
        FROM job_runs WHERE started_at >= ? AND started_at < ?
        """,
        [begins, begins + DAY],
    )
    calls = memory.settings.calls_per_day - model_calls.left(memory)
    flushed, sealed, remade, written = (int(number or 0) for number in rows[0])
    return Day(edits, flushed, sealed, remade, written, calls)


def overdue(memory: Memory) -> int:
    """Return the chunks that have waited for a summary for over a day and an hour."""
    before = int(memory.clock() - DAY - HOUR)
    return int(
        memory.db.read().value(
            "SELECT count(*) FROM chunks WHERE kind = 'leaf' AND status = 'admitted' AND parent_id IS NULL "
            "AND arrived_at < ?",
            [before],
        )
    )


def runs(lived: Lived, job: str) -> list[JobRun]:
    """Return all runs of a job, in order."""
    rows = lived.week.memory.db.read().all(
        "SELECT job, started_at, ended_at, outcome, detail FROM job_runs WHERE job = ? ORDER BY id", [job]
    )
    return [JobRun(job, began, ended, outcome, json.loads(said)) for job, began, ended, outcome, said in rows]


@pytest.mark.slow
def test_what_is_due_is_done_once_and_nothing_else(lived: Lived) -> None:
    """The flush comes each hour and once after a night; no chunk waits for longer than it should; nothing fails."""
    assert sum(day.edits for day in lived.days) == EDITS
    assert lived.late == 0
    starts = [run.started_at for run in runs(lived, "flush")]
    assert all(later - earlier >= HOUR for earlier, later in pairwise(starts))
    assert all(later - earlier <= DAY - SLEEPS + WAKES + HOUR for earlier, later in pairwise(starts))
    failed = lived.week.memory.db.read().all("SELECT job, detail FROM job_runs WHERE outcome = 'failed'")
    assert failed == []


@pytest.mark.slow
def test_after_a_branch_is_switched_nothing_is_written(lived: Lived) -> None:
    """Until somebody edits a note: no summary is made, none written into the vault."""
    happenings = script([f"{folder}/{n}.md" for folder in FOLDERS for n in range(20)])
    at_rest = [(one.at, then.at) for one, then in pairwise(happenings) if one.branch]
    assert len(at_rest) == 6
    work = [run for job in ("seal", "flush", "write_back") for run in runs(lived, job)]
    done = {"sealed", "flushed", "remade", "dissolved", "written"}
    resting = [run for run in work for begins, ends in at_rest if begins < run.started_at < ends]
    assert resting
    assert [run for run in resting if done & run.detail.keys()] == []


@pytest.mark.slow
def test_in_the_end_all_is_as_if_made_from_nothing(lived: Lived, tmp_path: Path) -> None:
    """The index equals the vault, and the doctor finds nothing."""
    root = lived.week.memory.root
    assert dump_of(root) == fresh_dump(root, tmp_path / "fresh")
    assert complaints(root) == {}


@pytest.mark.slow
def test_the_week_is_the_one_in_the_docs(lived: Lived) -> None:
    """What it costs a person's vault stands there, day by day."""
    table = [
        f"| {name} | {day.edits} | {day.sealed + day.flushed} | {day.remade} | {day.written} |"
        for name, day in zip(NAMES, lived.days, strict=True)
    ]
    page = (ROOT / "docs/daemon.md").read_text(encoding="utf-8")
    assert [line for line in table if line not in page] == []


@pytest.mark.slow
def test_a_model_is_asked_fifty_times_a_day_at_most(tmp_path: Path) -> None:
    """And each call is counted, also over a night; what it wrote is what stands in the end."""
    with serving() as server:
        server.speak = said_of
        with life(tmp_path, 2, MODEL.format(url=server.url)) as lived:
            assert max(day.calls for day in lived.days) <= 50
            assert lived.days[0].calls > 20
            assert sum(day.calls for day in lived.days) <= len(server.asked) <= 3 * 50
            rows = lived.week.memory.db.read().all("SELECT generator, count(*) FROM summaries GROUP BY 1")
            assert sum(number for generator, number in rows if "extractive" not in generator) > 20, rows


def said_of(document: Document) -> Reply:
    """Answer with two sentences of the notes in other words."""
    asked = document["messages"][-1]["content"]
    found = re.findall(r"The [A-Z]?\w+ \d+ has [^.]*\.|The \S+ has [^.]*\.", asked)
    return Reply(" ".join(found[:4]) or "Nothing.")
