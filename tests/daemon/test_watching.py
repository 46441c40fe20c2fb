"""How a watcher is kept alive, and what is said where none can be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from listening import Ear, await_true
from small_vaults import fill_vault

from vaultsync.config import Settings
from vaultsync.daemon.watching import FIRST_WAIT_S, LONGEST_WAIT_S, Watching

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Watched:
    """A vault that is watched, and a clock that stands still."""

    def __init__(self, root: Path, settings: Settings) -> None:
        self.root = root
        self.ear = Ear()
        self.now = 1000.0
        self.watching = Watching(root, settings, self.ear.tell, monotonic=lambda: self.now)
        self.watching.start()

    def is_in(self, mode: str) -> bool:
        self.watching.check()
        return self.watching.mode == mode


@pytest.fixture
def vault_watched(tmp_path: Path) -> Iterator[Watched]:
    watched = Watched(fill_vault(tmp_path / "Vault", {"n.md": "old"}), Settings())
    yield watched
    watched.watching.stop()


def test_all_is_to_be_looked_at_when_it_begins(vault_watched: Watched) -> None:
    """By then every folder is watched, so that nothing falls between."""
    assert vault_watched.ear.overflows == 1
    assert vault_watched.watching.state == ("events", None, None, True)


def test_who_wants_no_events_gets_none(tmp_path: Path) -> None:
    """That is as it is meant to be, and says by whom."""
    watched = Watched(fill_vault(tmp_path / "Vault", {"n.md": "old"}), Settings(watch="polling"))
    watched.watching.check()
    mode, why, remedy, is_healthy = watched.watching.state
    assert (mode, remedy, is_healthy) == ("polling", None, True)
    assert "daemon.watch" in str(why)
    assert not watched.ear.batches


def test_a_vault_that_was_moved_away_and_back(vault_watched: Watched, tmp_path: Path) -> None:
    """While it is away that is said and tried again, ever more seldom; once back it is watched, after a look at all."""
    vault_watched.root.rename(tmp_path / "Away")
    await_true(lambda: vault_watched.is_in("polling"), "the loss is not noticed")
    assert (
        vault_watched.watching.state.why == f"The vault {vault_watched.root} was moved, removed or replaced."
    )
    assert not vault_watched.watching.state.is_healthy
    waits = []
    for _ in range(9):
        before = vault_watched.now
        again = vault_watched.watching._again_at
        assert again is not None
        waits.append(again - before)
        vault_watched.now = again
        vault_watched.watching.check()
        await_true(
            lambda: vault_watched.is_in("polling") and vault_watched.watching._again_at is not None, "stuck"
        )
    assert waits == [FIRST_WAIT_S * 2**n for n in range(6)] + [LONGEST_WAIT_S] * 3
    (tmp_path / "Away").rename(vault_watched.root)
    vault_watched.ear.forget()
    vault_watched.now += LONGEST_WAIT_S
    await_true(lambda: vault_watched.is_in("events"), "it is not watched again")
    vault_watched.ear.await_that(lambda: vault_watched.ear.overflows == 1)
    (vault_watched.root / "n.md").write_text("new")
    vault_watched.ear.await_paths("n.md")


def test_a_watcher_that_stood_for_a_minute_begins_again_soon(vault_watched: Watched) -> None:
    """What went wrong before is no longer held against it."""
    vault_watched.watching._losses = 6
    vault_watched.now += LONGEST_WAIT_S
    assert vault_watched.is_in("events")
    assert vault_watched.watching._losses == 0


def test_stopped_is_stopped(vault_watched: Watched) -> None:
    """Nothing begins again, and a second stop does no harm."""
    vault_watched.watching.stop()
    vault_watched.now += 10_000
    vault_watched.watching.check()
    assert vault_watched.watching.mode == "polling"
    vault_watched.watching.stop()
