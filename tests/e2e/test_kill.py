"""A first sync that is killed at any moment goes on from where it was."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from small_vaults import Answer, command, complaints, run_vaultsync

from vaultsync.domain.errors import StateError
from vaultsync.store.connection import Database
from vaultsync.store.counts import count_all
from vaultsync.store.nodes import count_living

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from vaultsync.store.connection import Reader

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "killpg"), reason="process groups are POSIX"),
]

NOTES = 1800
"""Five batches of notes, then more of links: a first sync of some seconds in several processes."""

TRIES = 20
PATIENCE_S = 60.0


class Seen(NamedTuple):
    """What a database holds: its living notes, and whether the pass that filled it came to its end."""

    notes: int
    is_whole: bool


@pytest.fixture(scope="module")
def big_vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault of invented notes, large enough to be read in several processes."""
    root = tmp_path_factory.mktemp("big") / "Vault"
    generator = Path(__file__).resolve().parents[2] / "bench" / "vaults.py"
    subprocess.run([sys.executable, generator, root, str(NOTES)], check=True, capture_output=True)
    return root


@pytest.fixture(scope="module")
def whole(big_vault: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What `dump` says of that vault after a sync that nothing disturbed. It also gives the vault its id."""
    state = tmp_path_factory.mktemp("undisturbed")
    assert vaultsync(big_vault, state, *SYNC).status == 0
    dumped = vaultsync(big_vault, state, "dump").out
    assert dumped.count(b'"note":') == NOTES
    return dumped


SYNC = ("sync", "--no-models")
"""Until the text is searchable; what comes after is killed in test_killed_growth."""


def vaultsync(vault: Path, state: Path, *words: str) -> Answer:
    return run_vaultsync("--vault", vault, "--state", state, *words)


def start_sync(vault: Path, state: Path) -> subprocess.Popen[bytes]:
    """Start a sync whose processes are a group of their own."""
    words = command("--vault", vault, "--state", state, "--quiet", *SYNC)
    return subprocess.Popen(words, start_new_session=True, stdout=subprocess.DEVNULL)


def kill_after(sync: subprocess.Popen[bytes], state: Path, notes: int, delay_s: float) -> None:
    """Kill a sync `delay_s` after it has committed so many notes, unless it ended before.

    None of its processes may outlive it (F125).
    """
    await_that(lambda: sync.poll() is not None or notes_in(state) >= notes)
    try:
        sync.wait(timeout=delay_s)
    except subprocess.TimeoutExpired:
        sync.send_signal(signal.SIGKILL)
    sync.wait(timeout=PATIENCE_S)
    await_that(partial(is_over, sync.pid))


@contextmanager
def reader_of(state: Path) -> Iterator[Reader]:
    """Read a database. Raises StateError where there is none yet, or half a one."""
    database = Database.open(state / "index.db", write=False)
    try:
        yield database.read()
    finally:
        database.close()


def notes_in(state: Path) -> int:
    """Return how many notes a first sync has committed so far."""
    try:
        with reader_of(state) as reader:
            return count_living(reader)
    except StateError:
        return 0


def look(state: Path) -> Seen:
    """Return what a killed sync has left."""
    if not notes_in(state):
        return Seen(0, is_whole=False)
    with reader_of(state) as reader:
        counts = count_all(reader)
        return Seen(counts.notes, counts.notes == NOTES and not counts.due)


def await_that(happened: Callable[[], bool]) -> None:
    limit = time.monotonic() + PATIENCE_S
    while not happened():
        assert time.monotonic() < limit, f"waited {PATIENCE_S} s in vain"
        time.sleep(0.02)


def is_over(group: int) -> bool:
    """Tell whether no process of the group runs any more; a zombie that nobody buried runs no more."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return Path("/proc/self/stat").exists() and group not in _running_groups()


def _running_groups() -> Iterator[int]:
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, group = stat.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue  # it ended meanwhile
        if state != "Z":
            yield int(group)


def test_a_killed_first_sync_goes_on_where_it_was(big_vault: Path, whole: bytes, tmp_path: Path) -> None:
    """Killed at twenty random moments, ten at least between first and last commit, nothing is lost."""
    dice = random.Random(20)
    between = 0
    for number in range(TRIES):
        state = tmp_path / f"state{number}"
        committed = dice.choice([0, 1, 1, NOTES // 3, NOTES // 2, NOTES])
        kill_after(start_sync(big_vault, state), state, committed, dice.uniform(0, 0.6))
        seen = look(state)
        between += seen.notes > 0 and not seen.is_whole
        answer = vaultsync(big_vault, state, *SYNC)
        assert answer.status == 0, answer.err
        assert vaultsync(big_vault, state, "dump").out == whole, f"try {number}, killed at {seen}"
        if number == TRIES - 1:
            assert complaints(big_vault, state) == {}
        shutil.rmtree(state)
    assert between >= TRIES // 2


def test_what_was_committed_before_a_kill_is_kept(big_vault: Path, whole: bytes, tmp_path: Path) -> None:
    """Killed after each batch that it commits, a first sync still comes to its end."""
    state = tmp_path / "state"
    known = 0
    while known < NOTES:
        kill_after(start_sync(big_vault, state), state, known + 1, 0.0)
        seen = notes_in(state)
        assert seen > known
        known = seen
    assert vaultsync(big_vault, state, *SYNC).status == 0
    assert vaultsync(big_vault, state, "dump").out == whole
