"""Folders for copies of a database."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING

import pytest

from vaultsync.store import scratch

if TYPE_CHECKING:
    from pathlib import Path

HOLD_ONE = """
from vaultsync.store import scratch
with scratch.folder() as folder:
    (folder / "index.db").write_bytes(bytes(1000))
    print(folder, flush=True)
    input()
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files are put meanwhile."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def test_F26_what_a_killed_process_left_is_swept(temporary: Path) -> None:
    """Also many times; what another still uses stays."""
    for _ in range(3):
        left = subprocess.Popen(
            [sys.executable, "-c", HOLD_ONE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        with left:
            assert left.stdout is not None
            place = left.stdout.readline().strip()
            left.kill()
        assert place in {str(path) for path in temporary.iterdir()}
        with scratch.folder() as used:
            assert list(temporary.iterdir()) == [used]
            scratch.sweep()
            assert list(temporary.iterdir()) == [used]
    assert list(temporary.iterdir()) == []


def test_what_is_not_ours_stays(temporary: Path) -> None:
    """As is a folder that another process is only just making."""
    (temporary / "vaultsync-scratch-new").mkdir()
    (temporary / "vaultsync-scratch-file").touch()
    (temporary / "else").mkdir()
    (temporary / "else/.lock").touch()
    before = sorted(temporary.rglob("*"))
    scratch.sweep()
    assert sorted(temporary.rglob("*")) == before
