"""A machine has one id for good, and each of its memories another."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from vaultsync.app.machines.machine import memory_id

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A config folder that is not there yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config/vaultsync"


def test_the_same_vault_has_the_same_id(tmp_path: Path) -> None:
    """12 hex digits, by machine and place."""
    assert memory_id(tmp_path) == memory_id(tmp_path)
    assert memory_id(tmp_path) != memory_id(tmp_path / "other")
    assert len(bytes.fromhex(memory_id(tmp_path))) == 6


def test_another_machine_has_another_id(tmp_path: Path, config: Path) -> None:
    """Though the vault stands at the same path there."""
    here = memory_id(tmp_path)
    (config / "machine-id").unlink()
    assert memory_id(tmp_path) != here


def test_two_memories_here_have_two_ids(tmp_path: Path) -> None:
    """A vault that moved away keeps the id of its first place, which a clone may take."""
    first = memory_id(tmp_path)
    second = memory_id(tmp_path, {first})
    assert second != first
    assert memory_id(tmp_path, {first, second}) not in {first, second}


def test_two_that_make_it_at_once_agree(tmp_path: Path) -> None:
    """One wins, the others read what it wrote."""
    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(memory_id, [tmp_path] * 8))) == 1


def test_a_spoilt_file_is_left_alone(tmp_path: Path, config: Path) -> None:
    """An id made of half a file would not be this machine's tomorrow."""
    config.mkdir(parents=True)
    (config / "machine-id").touch()
    assert memory_id(tmp_path) != memory_id(tmp_path)
    assert (config / "machine-id").read_bytes() == b""
