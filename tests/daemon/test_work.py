"""Each job by itself: what fails is tried again later, and stops nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from small_vaults import fill_vault, memory_of

from vaultsync.app import jobs
from vaultsync.daemon.work import Work
from vaultsync.domain.errors import Stopped
from vaultsync.domain.notes import NotePath
from vaultsync.store import job_runs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vaultsync.app.memory import Memory

START = 1_800_000_000.0


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(home: Path, tmp_path: Path, clock: Clock) -> Iterator[Memory]:
    del home
    root = fill_vault(tmp_path / "Vault", {"a.md": "Apples ripen late.", "b.md": "Birches shed bark."})
    with memory_of(root, write=True) as memory:
        yield replace(memory, clock=clock)


def silent(_stage: str, _done: int, _total: int) -> None:
    pass


def begun(memory: Memory) -> Work:
    return Work(memory, silent, lambda: None)


def test_all_is_done_once_at_the_start(memory: Memory) -> None:
    """The vault is read, summed up and written, and then nothing is due for as long as the settings say."""
    work = begun(memory)
    assert work.is_due("reconcile")
    assert work.do("reconcile") is not None
    done = []
    while name := work.due:
        work.do(name)
        done.append(name)
    assert done == ["extract", "seal", "flush", "write_back", "models", "maintain"]
    assert (memory.root / "_summaries/Vault (summary).md").exists()
    assert set(job_runs.last(memory.db.read())) == {"reconcile", *done} - {"models"}
    assert min(work.next.values()) == START + 300


def test_a_job_that_fails_waits_and_stops_no_other(memory: Memory, clock: Clock) -> None:
    """A minute, then two, up to an hour; what it failed at is on record, and success makes it as if never failed."""
    work = begun(memory)
    (memory.root / "a.md").rename(memory.root.parent / "a.md")
    memory.root.rename(memory.root.parent / "Away")
    for wait in (60, 120, 240, 480, 960, 1920, 3600, 3600):
        assert work.do("reconcile") is None
        assert work.next["reconcile"] == clock.now + wait
        work.hasten("reconcile")
        assert not work.is_due("reconcile"), "what waits since it failed is not hastened"
        clock.now += wait
    failed = job_runs.last(memory.db.read())["reconcile"]
    assert failed.outcome == "failed"
    assert "can't be read" in failed.detail["error"]
    (memory.root.parent / "Away").rename(memory.root)
    assert work.do("reconcile") is not None
    assert job_runs.last(memory.db.read())["reconcile"].outcome == "done"
    assert work.next["reconcile"] == clock.now + 600


def test_what_failed_is_done_again_after_the_clock_was_set_back(memory: Memory, clock: Clock) -> None:
    """Also a job that only follows others, which no schedule names."""
    work = begun(memory)
    finish(work)
    with memory.db.write() as tx:
        tx.run("ALTER TABLE entities RENAME TO elsewhere")
    (memory.root / "a.md").write_text("Almonds flower early.")
    finish(work)
    assert work.has_failed("extract")
    with memory.db.write() as tx:
        tx.run("ALTER TABLE elsewhere RENAME TO entities")
    clock.now -= 86_400
    work.begin(afresh=True)
    (memory.root / "a.md").write_text("Almonds flower early, in March.")
    work.do("reconcile")
    assert work.due == "extract"
    assert work.do("extract") is not None


def test_what_fails_before_its_time_waits_no_longer_for_it(memory: Memory, clock: Clock) -> None:
    """As where somebody goes on saving in a vault that can't be read for a while."""
    work = begun(memory)
    memory.root.rename(memory.root.parent / "Away")
    for second in range(50):
        clock.now = START + second
        assert work.do("reconcile", {NotePath("a.md")}) is None
        assert work.next["reconcile"] == START + 60
    clock.now = START + 60
    assert work.do("reconcile") is None
    assert work.next["reconcile"] == START + 60 + 120


def test_what_a_failed_look_was_to_see_is_looked_at_once_a_look_succeeds(
    memory: Memory, clock: Clock
) -> None:
    """All of it, whatever that look was for; until then nothing says that the index equals the vault."""
    work = begun(memory)
    memory.root.rename(memory.root.parent / "Away")
    work.do("reconcile", {NotePath("a.md")})
    assert work.has_failed("reconcile")
    (memory.root.parent / "Away").rename(memory.root)
    clock.now += 1
    assert work.do("reconcile", {NotePath("b.md")}) is not None
    assert not work.has_failed("reconcile")
    assert work.is_due("reconcile")


def test_a_look_at_a_few_paths_puts_off_no_look_at_all(memory: Memory, clock: Clock) -> None:
    """However much is edited, every ten minutes the whole vault is looked at (F24)."""
    work = begun(memory)
    work.do("reconcile")
    due = work.next["reconcile"]
    clock.now += 300
    work.do("reconcile", {NotePath("a.md")})
    assert work.next["reconcile"] == due


def test_to_end_is_no_failure(memory: Memory) -> None:
    """Between two batches the process may end; what was not done is not on record, and is due at the next start."""

    def stop(_stage: str, _done: int, _total: int) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        Work(memory, stop, lambda: None).do("reconcile")
    assert job_runs.last(memory.db.read()) == {}


def test_every_schedule_of_the_settings_is_a_jobs(memory: Memory) -> None:
    """And every job that others are to follow is there."""
    names = {job.name for job in jobs.JOBS}
    assert {job.setting for job in jobs.JOBS if job.setting} == {
        name for name in dir(memory.settings) if name.endswith("_every")
    }
    assert {name for job in jobs.JOBS for name in job.follows} <= names
    assert {job.name for job in jobs.JOBS if job.setting is None and not job.follows} == set()


def finish(work: Work) -> None:
    """Look at the whole vault, and do all that is due."""
    work.do("reconcile")
    while name := work.due:
        work.do(name)


def test_nothing_is_written_at_each_save(memory: Memory, clock: Clock) -> None:
    """Only when a source has been quiet for a quarter of an hour, however often one looks."""
    work = begun(memory)
    finish(work)
    note, summary = memory.root / "a.md", memory.root / "_summaries/Vault (summary).md"
    before = summary.read_bytes()
    for minute in range(0, 14, 5):
        clock.now += 300
        note.write_text(f"Apples ripen late, and in year {minute} they did not ripen at all.")
        finish(work)
        assert summary.read_bytes() == before
    for _ in range(4):
        clock.now += 300
        finish(work)
    assert summary.read_bytes() != before
    assert b"in year 10 they did not" in summary.read_bytes()
