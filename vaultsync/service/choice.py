"""Which of the system's services is told to run the daemon."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.domain.errors import ServiceError
from vaultsync.service import launchd, systemd
from vaultsync.service.launchd import Launchd
from vaultsync.service.systemd import Systemd

if TYPE_CHECKING:
    from vaultsync.service.task import Task

Service = Systemd | Launchd


def choose(task: Task, platform: str) -> Service:
    """Return the service of this machine; `platform` is sys.platform. Raises ServiceError where there is none."""
    found = find(task, platform)
    if found is None:
        raise ServiceError(
            "This machine has neither systemd nor launchd. Let what starts your programs at login start this: "
            f"{' '.join(task.words)}"
        )
    return found


def find(task: Task, platform: str) -> Service | None:
    """Return the service of this machine, None where there is none."""
    if platform == "darwin" and launchd.is_there():
        return Launchd(task)
    return Systemd(task) if systemd.is_there() else None
