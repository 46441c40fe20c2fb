"""What the daemon tells systemd, on a real socket."""

from __future__ import annotations

import os
import socket
import sys
import time
from typing import TYPE_CHECKING

import pytest

from vaultsync.daemon.notify import Notifier

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Manager:
    """Stands for systemd: a socket that is listened to."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.settimeout(5)

    def heard(self) -> list[str]:
        """Return the lines of the next message."""
        return self.socket.recv(4096).decode().split("\n")

    def hears_nothing(self) -> bool:
        """Tell whether no message waits."""
        self.socket.setblocking(False)
        try:
            self.socket.recv(4096)
        except BlockingIOError:
            return True
        finally:
            self.socket.settimeout(5)
        return False


class Clock:
    """Seconds that pass when told to."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    manager = Manager(str(tmp_path / "notify"))
    yield manager
    manager.socket.close()


@pytest.fixture
def told(manager: Manager) -> Iterator[Notifier]:
    notifier = Notifier.from_environment({"NOTIFY_SOCKET": manager.socket.getsockname()})
    yield notifier
    notifier.close()


def test_a_life_in_messages(manager: Manager, told: Notifier) -> None:
    """Ready, reloading with the time at which it began, ready again, stopping."""
    told.ready()
    assert manager.heard() == ["READY=1"]
    before = time.monotonic_ns() // 1000
    told.reloading()
    reloading, stamp = manager.heard()
    assert reloading == "RELOADING=1"
    name, _, microseconds = stamp.partition("=")
    assert name == "MONOTONIC_USEC"
    assert before <= int(microseconds) <= time.monotonic_ns() // 1000
    told.stopping()
    assert manager.heard() == ["STOPPING=1"]


def test_a_status_is_one_line_and_told_once(manager: Manager, told: Notifier) -> None:
    """No note's name can add a message of its own."""
    told.status("reading é.md\nSTOPPING=1")
    assert manager.heard() == ["STATUS=reading é.md STOPPING=1"]
    told.status("reading é.md STOPPING=1")
    assert manager.hears_nothing()
    told.status("bad \udcff name")
    assert manager.socket.recv(4096) == b"STATUS=bad \xff name"


def test_life_is_told_twice_an_interval(manager: Manager) -> None:
    """Until ready, each sign of life also asks for more time; none is sent before it is due."""
    clock = Clock()
    notifier = Notifier(manager.socket.getsockname(), 4.0, clock)
    notifier.alive()
    assert manager.heard() == ["WATCHDOG=1", "EXTEND_TIMEOUT_USEC=120000000"]
    clock.now += 1.9
    notifier.alive()
    assert manager.hears_nothing()
    clock.now += 0.1
    notifier.alive()
    assert len(manager.heard()) == 2
    notifier.ready()
    assert manager.heard() == ["READY=1"]
    clock.now += 2.0
    notifier.alive()
    assert manager.heard() == ["WATCHDOG=1"]
    notifier.close()


def test_without_a_watchdog_only_the_start_is_extended(manager: Manager) -> None:
    """A long first sync is not killed; later nobody asks."""
    clock = Clock()
    notifier = Notifier(manager.socket.getsockname(), None, clock)
    notifier.alive()
    assert manager.heard() == ["EXTEND_TIMEOUT_USEC=120000000"]
    clock.now += 9.9
    notifier.alive()
    assert manager.hears_nothing()
    notifier.stopping()
    assert manager.heard() == ["STOPPING=1"]
    clock.now += 100
    notifier.alive()
    assert manager.hears_nothing()
    notifier.close()


@pytest.mark.parametrize(
    ("pid", "is_ours"), [(None, True), (os.getpid(), True), (1, False)], ids=["unsaid", "ours", "another"]
)
def test_the_watchdog_is_ours_or_another_process(manager: Manager, pid: int | None, *, is_ours: bool) -> None:
    """WATCHDOG_PID says whose it is."""
    environ = {"NOTIFY_SOCKET": manager.socket.getsockname(), "WATCHDOG_USEC": "4000000"}
    environ |= {"WATCHDOG_PID": str(pid)} if pid else {}
    notifier = Notifier.from_environment(environ)
    notifier.ready()
    assert manager.heard() == ["READY=1"]
    notifier.alive()
    assert manager.hears_nothing() != is_ours
    notifier.close()


def test_what_it_was_asked_is_not_passed_on() -> None:
    """A git that the daemon starts can't speak for it."""
    environ = {"NOTIFY_SOCKET": "/nowhere", "WATCHDOG_USEC": "5", "WATCHDOG_PID": "7", "HOME": "/home"}
    Notifier.from_environment(environ)
    assert environ == {"HOME": "/home"}


@pytest.mark.skipif(sys.platform != "linux", reason="the abstract namespace is Linux' own")
def test_a_socket_without_a_file() -> None:
    """A name with @ is in the abstract namespace."""
    name = f"vaultsync-test-{os.getpid()}"
    manager = Manager(f"\0{name}")
    notifier = Notifier.from_environment({"NOTIFY_SOCKET": f"@{name}"})
    notifier.ready()
    assert manager.heard() == ["READY=1"]
    notifier.close()
    manager.socket.close()


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"NOTIFY_SOCKET": ""},
        {"NOTIFY_SOCKET": "vsock:2:1234"},
        {"NOTIFY_SOCKET": "/nowhere/at/all", "WATCHDOG_USEC": "0"},
        {"NOTIFY_SOCKET": f"/{'long' * 50}", "WATCHDOG_USEC": "soon"},
    ],
)
def test_nobody_who_listens_is_no_trouble(environ: dict[str, str]) -> None:
    """No message that can't be sent ever stops the daemon."""
    notifier = Notifier.from_environment(environ)
    notifier.alive()
    notifier.status("reading")
    notifier.ready()
    notifier.reloading()
    notifier.stopping()
    notifier.close()
