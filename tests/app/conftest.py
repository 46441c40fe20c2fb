"""A vault in a temporary folder, and its memory opened to write."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from vaultsync.bootstrap import find_place, open_memory, prepare_state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from vaultsync.app.memory import Memory


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    """The memory of an empty vault; no settings of whoever runs the tests count."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    root = tmp_path / "Vault"
    (root / ".obsidian").mkdir(parents=True)
    place = prepare_state(find_place(root, tmp_path / "state", {}))
    with open_memory(place, write=True) as opened:
        yield opened


@pytest.fixture
def note(memory: Memory) -> Callable[[str, str], Path]:
    """Return what writes a note of this path and text into the vault."""

    def write(path: str, text: str) -> Path:
        place = memory.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode())
        return place

    return write
