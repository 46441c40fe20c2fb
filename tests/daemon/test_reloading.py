"""Settings that are read again."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from small_vaults import fill_vault, memory_of

from vaultsync.daemon.reloading import AWAY_S, Reloading
from vaultsync.domain.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vaultsync.app.memory import Memory

CONFIG = ".vaultsync/config.toml"


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def memory(home: Path, tmp_path: Path) -> Iterator[Memory]:
    del home
    root = fill_vault(tmp_path / "Vault", {"a.md": "A.", CONFIG: "[summaries]\nwrite = false\n"})
    with memory_of(root, write=True) as memory:
        yield memory


def test_what_is_changed_counts(memory: Memory) -> None:
    """At once."""
    reloading = Reloading(memory)
    assert not reloading.reload(memory).settings.write
    (memory.root / CONFIG).write_text("[summaries]\nwrite = true\n")
    assert reloading.reload(memory).settings.write


@pytest.mark.parametrize("gone", [CONFIG, ".vaultsync"])
def test_what_is_removed_counts_when_it_stays_away(memory: Memory, gone: str) -> None:
    """A sync tool that replaces a file in two steps leaves a vault without settings for a moment."""
    clock = Clock()
    reloading = Reloading(memory, clock)
    (memory.root / gone).rename(memory.root / "aside")
    for _ in range(2):
        with pytest.raises(ConfigError, match="was there and is not now"):
            reloading.reload(memory)
        clock.now += AWAY_S / 3
    (memory.root / "aside").rename(memory.root / gone)
    assert not reloading.reload(memory).settings.write
    (memory.root / CONFIG).unlink()
    clock.now += AWAY_S
    assert reloading.reload(memory).settings.write


def test_a_vault_that_is_away_says_nothing(memory: Memory) -> None:
    """However long it is."""
    clock = Clock()
    reloading = Reloading(memory, clock)
    away = memory.root.rename(memory.root.with_name("Away"))
    clock.now += 1000 * AWAY_S
    with pytest.raises(ConfigError):
        reloading.reload(memory)
    away.rename(memory.root)
    assert not reloading.reload(memory).settings.write


def test_a_vault_without_settings_of_its_own_needs_none(memory: Memory) -> None:
    """Those of the person count as they change."""
    shutil.rmtree(memory.root / ".vaultsync")
    assert Reloading(memory).reload(memory).settings.write
