"""The service under a real systemd of a user, which runs apart from the machine's own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from daemons import LIMIT_S
from small_vaults import ask, dump_of, fresh_dump

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.slow

PROGRAM = Path("/lib/systemd/systemd")

APART = "mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/system && exec {program} --user"
"""A systemd that thinks the machine was booted with it, as far as it and its services see."""


def await_that(find: Callable[[], object]) -> None:
    limit = time.monotonic() + LIMIT_S
    while not find():
        assert time.monotonic() < limit, "waited in vain"
        time.sleep(0.05)


@pytest.fixture
def manager(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let a user's systemd run, to which `systemctl --user` speaks."""
    if not (PROGRAM.exists() and shutil.which("unshare") and shutil.which("systemctl")):
        pytest.skip("no systemd here")
    with tempfile.TemporaryDirectory() as folder:  # a socket's path must be short
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
        words = ["unshare", "--mount", "sh", "-c", APART.format(program=PROGRAM)]
        with (
            (home / "systemd.log").open("wb") as log,
            subprocess.Popen(words, stdout=log, stderr=log) as process,
        ):
            try:
                await_that(lambda: Path(folder, "systemd/private").exists() or process.poll() is not None)
                if process.poll() is not None:
                    pytest.skip("a systemd of its own can't be started here")
                yield
            finally:
                process.terminate()
                process.wait(LIMIT_S)


def health(root: Path) -> dict[str, object]:
    return dict(ask("--vault", root, "service", "status", "--json").json)


def finds(root: Path, word: str) -> bool:
    found = ask("--vault", root, "search", word, "--json")
    return found.status == 0 and bool(found.json["hits"])


@pytest.mark.usefixtures("manager")
def test_from_install_to_uninstall(root: Path, tmp_path: Path) -> None:
    """It starts as it is printed, follows the vault, comes again when it was killed, and goes."""
    assert ask("--vault", root, "service", "install").status == 0
    await_that(lambda: health(root)["active"] == "active")
    assert finds(root, "alpha")
    (root / "b.md").write_text("Beside it: aardvark.\n")
    await_that(lambda: finds(root, "aardvark"))

    pid = health(root)["pid"]
    assert isinstance(pid, int)
    os.kill(pid, signal.SIGKILL)
    await_that(lambda: health(root)["active"] == "auto-restart")
    ended = ask("--vault", root, "service", "status", "--json")
    assert (ended.status, ended.json["says"]) == (1, "It ended (signal, status 9)")
    (root / "b.md").write_text("While none ran: binturong.\n")
    await_that(lambda: health(root)["active"] == "active")
    assert health(root)["pid"] != pid
    assert finds(root, "binturong")
    assert dump_of(root) == fresh_dump(root, tmp_path / "fresh")

    assert ask("--vault", root, "service", "install").status == 0
    assert ask("--vault", root, "service", "uninstall").status == 0
    now = health(root)
    assert (now["installed"], now["active"], now["pid"]) == (False, "inactive", None)
