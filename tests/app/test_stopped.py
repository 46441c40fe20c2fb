"""A pass that is stopped between any two of its batches leaves nothing half done, and the next one does the rest."""

from __future__ import annotations

import multiprocessing
import shutil
import threading
import time
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

import pytest
from grown_vaults import prose
from machines import files_of
from small_vaults import complaints, fill_vault, memory_of

from vaultsync.app.dump import dump
from vaultsync.app.growing import ahead
from vaultsync.app.growing import extract as extracting
from vaultsync.app.notes import readers
from vaultsync.app.notes.reader_pool import work_in_pool
from vaultsync.app.sync import Wish, sync
from vaultsync.domain.errors import Stopped

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SETTINGS = '[summaries]\nsources = ["*"]\nseal_tokens = 100\nseal_children = 2\nflush_hours = 0\n'
VAULT_ID = "5f0c1f6e-3a0b-4c55-9d51-2f6a4be0c7aa"
"""Given, since the ids of all that is made follow from it."""

BEHIND = {"disk", "links-due", "broken-links"}
"""What `doctor` may find once a pass was stopped: that there is more to do."""


class Outcome(NamedTuple):
    """What a pass has come to."""

    files: dict[str, bytes]
    dump: list[str]
    complaints: dict[str, tuple[str, ...]]


class Place:
    """A vault with its state, which can be put back to how it was when it was kept."""

    def __init__(self, top: Path) -> None:
        self.root, self.state = top / "now" / "Vault", top / "now" / "state"
        self._now, self._kept = top / "now", top / "kept"

    def keep(self) -> None:
        shutil.copytree(self._now, self._kept)

    def put_back(self) -> None:
        shutil.rmtree(self._now)
        shutil.copytree(self._kept, self._now)

    def sync(self, stop_at: int = 0) -> list[str]:
        """Run a pass that is stopped at a call of its progress, 0 for none; return the stages of the calls."""
        calls: list[str] = []

        def step(stage: str, _done: int, _total: int) -> None:
            calls.append(stage)
            if len(calls) == stop_at:
                raise Stopped

        with memory_of(self.root, self.state, write=True) as memory:
            if not stop_at:
                sync(memory, Wish(asked=True), progress=step)
            else:
                with pytest.raises(Stopped):
                    sync(memory, Wish(asked=True), progress=step)
        return calls

    def outcome(self) -> Outcome:
        with memory_of(self.root, self.state) as memory:
            said = list(dump(memory.db, uids=True, tree=True))
        return Outcome(files_of(self.root), said, complaints(self.root, self.state))


def plant(place: Place) -> None:
    garden = {f"Garden/{name}.md": prose(name) + f"[[{name}2]]\n" for name in "abcde"}
    log = {f"Log/{name}.md": prose(name) for name in "hij"}
    fill_vault(
        place.root, {".vaultsync/id": f"{VAULT_ID}\n", ".vaultsync/config.toml": SETTINGS, **garden, **log}
    )


def live_on(place: Place) -> None:
    """Let a person edit, rename, delete and add notes, and write into a summary."""
    plant(place)
    place.sync()
    fill_vault(place.root, {"Garden/b.md": prose("b", 2), "Log/k.md": prose("k"), "Log/l.md": prose("l")})
    (place.root / "Garden/e.md").unlink()
    (place.root / "Garden/d.md").rename(place.root / "Log/d2.md")
    summary = next((place.root / "_summaries/Garden").glob("*.md"))
    summary.write_text(summary.read_text(encoding="utf-8").replace("The ", "Mine: the ", 1), encoding="utf-8")


def is_left_alone(place: Place) -> bool:
    """Tell whether no file, thread or process is left behind."""
    asides = list(place.root.rglob("*.tmp"))
    others = [thread for thread in threading.enumerate() if not thread.name.startswith(("Main", "execnet"))]
    return not (asides or others or multiprocessing.active_children())


@pytest.mark.slow
@pytest.mark.parametrize("begin", [plant, live_on])
def test_stopped_at_each_call(home: Path, tmp_path: Path, begin: Callable[[Place], None]) -> None:
    """The next pass comes to what an undisturbed one does; no file, thread or process is left behind."""
    del home
    place = Place(tmp_path)
    begin(place)
    place.keep()
    calls = place.sync()
    whole = place.outcome()
    assert whole.complaints == {}
    assert {"looking", "reading", "extracting", "placing", "summing up", "writing notes"} <= {*calls}
    for number, stage in enumerate(calls, 1):
        place.put_back()
        place.sync(number)
        where = f"stopped at {number}, {stage}"
        assert is_left_alone(place), where
        assert complaints(place.root, place.state).keys() <= BEHIND, where
        place.sync()
        assert place.outcome() == whole, where


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["reading", "extracting", "summing up"])
def test_processes_end_with_a_pass(
    stage: str, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What other processes do for it is not waited for, and is done by the next one."""
    del home
    for module in (readers, extracting, ahead):
        monkeypatch.setattr(module, "PARALLEL_FROM", 1)
    monkeypatch.setattr(extracting, "BATCH_LEAVES", 9)
    place = Place(tmp_path)
    plant(place)
    fill_vault(place.root, {f"More/{number}.md": prose(str(number)) for number in range(60)})
    (place.root / ".vaultsync/config.toml").write_text(
        f"[reading]\nworkers = 2\n{SETTINGS}", encoding="utf-8"
    )
    place.keep()
    calls = place.sync()
    whole = place.outcome()
    at = [number for number, name in enumerate(calls, 1) if name == stage]
    place.put_back()
    place.sync(at[len(at) // 2])
    assert is_left_alone(place)
    place.sync()
    assert place.outcome() == whole


def test_a_pool_that_is_closed_ends_at_once() -> None:
    """Whatever its processes are at, and however much was given to them."""
    batches = ([(b"x" * 1_000_000, number)] for number in range(99))
    began = time.monotonic()
    with closing(work_in_pool(batches, _work, 2)) as told:
        assert next(told) == 0
    assert time.monotonic() - began < 30
    assert not multiprocessing.active_children()


@pytest.mark.slow
def test_a_pool_that_is_closed_waits_for_no_half_answer() -> None:
    """Its processes are stopped while they say much more than a pipe holds, at any point of it."""
    for turn in range(12):
        batches = ([turn] for _ in range(200))
        with closing(work_in_pool(batches, _say_much, 2)) as told:
            for _ in range(1 + turn * 5):
                next(told)
    assert not multiprocessing.active_children()


def _say_much(batch: list[int]) -> list[bytes]:
    return [b"x" * 3_000_000 for _ in batch]


def _work(batch: list[tuple[bytes, int]]) -> list[int]:
    [(_, number)] = batch
    if number != 0:
        threading.Event().wait(60)
    return [number]
