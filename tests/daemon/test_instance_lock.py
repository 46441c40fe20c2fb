"""The instance lock: one writer, which frees the vault by dying."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from vaultsync.daemon.instance_lock import hold
from vaultsync.domain.errors import LockedError

if TYPE_CHECKING:
    from pathlib import Path

HOLDER = """
import sys, time
from pathlib import Path
from vaultsync.daemon.instance_lock import hold
with hold(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_F123_a_second_writer_is_refused_and_told_who_holds(tmp_path: Path) -> None:
    """The error names the holder; a killed holder leaves the lock free."""
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(LockedError, match=f"process {holder.pid}"), hold(tmp_path, patience=0.1):
            pytest.fail("two writers")
        os.kill(holder.pid, signal.SIGKILL)
        holder.wait()
    with hold(tmp_path, patience=5):
        pass


def test_two_vaults_do_not_wait_for_each_other(tmp_path: Path) -> None:
    """The lock is the state folder's, and there is one a vault."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    with hold(tmp_path / "a"), hold(tmp_path / "b", patience=0.1):
        pass
