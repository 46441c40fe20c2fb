"""`vaultsync run`: the daemon, in the foreground."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path  # noqa: TC003 - click reads the annotations
from typing import TYPE_CHECKING

import click

from vaultsync import logs
from vaultsync.bootstrap import open_memory, prepare_state
from vaultsync.daemon import instance_lock
from vaultsync.daemon.notify import Notifier
from vaultsync.daemon.reloading import Reloading
from vaultsync.daemon.supervisor import Supervisor
from vaultsync.domain.errors import LockedError
from vaultsync.surfaces.cli.invocation import FOLDER, Invocation, common_options
from vaultsync.surfaces.cli.serving import answer

if TYPE_CHECKING:
    from types import FrameType


PATIENCE_S = 4.5
"""How long the end of the daemon may take (design, section 8: 5 s)."""


@click.command("run")
@click.argument("folder", metavar="[DIR]", required=False, type=FOLDER)
@common_options
@click.pass_obj
def verb(invocation: Invocation, folder: Path | None) -> int:
    """Keep the memory equal to the vault for as long as it runs. The vault: DIR, --vault, or the one around you."""
    logs.to_stderr(logs.find_form(os.environ, as_json=invocation.json), debug=invocation.verbose)
    notifier = Notifier.from_environment(os.environ)
    place = prepare_state(invocation.find_place(folder))
    _refuse_second(place.state)
    with instance_lock.hold(place.state, instance_lock.DAEMON), open_memory(place, write=True) as memory:
        supervisor = Supervisor(memory, notifier, answer=answer, reload=Reloading(memory).reload)
        _obey_signals(supervisor)
        has_ended = supervisor.run()
        _obey_no_signals()
        if not has_ended:
            os._exit(0)  # what stands in the store is sound; to close it under a thread would not be
    return 0


def _refuse_second(state: Path) -> None:
    """Raise LockedError if a daemon runs for this vault; a command will be done before long (F123)."""
    if who := instance_lock.daemon(state):
        raise LockedError(
            f"vaultsync runs for this vault already ({who}). `vaultsync status` tells how it is."
        )


def _obey_signals(supervisor: Supervisor) -> None:
    """End at SIGTERM, SIGINT, and when the terminal is closed; without a terminal, SIGHUP is to read the settings."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        supervisor.stop()
        _end_in_time()

    def reload(_number: int, _frame: FrameType | None) -> None:
        supervisor.reload()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as nohup leaves it
        signal.signal(signal.SIGHUP, stop if _has_terminal() else reload)


def _end_in_time() -> None:
    """Let the process end whatever it waits for: all that it keeps outlasts a kill at any moment."""
    cut = threading.Timer(PATIENCE_S, os._exit, [1])
    cut.daemon = True
    cut.start()


def _obey_no_signals() -> None:
    """Let a second Ctrl-C not spoil the end that the first one began."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def _has_terminal() -> bool:
    try:
        os.close(os.open(os.ctermid(), os.O_RDONLY | os.O_NOCTTY))
    except OSError:
        return False
    return True
