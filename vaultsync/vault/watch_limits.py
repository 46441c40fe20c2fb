"""What the system lets a user watch, in words with a remedy (F34, F35)."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from vaultsync.vault.mounts import Hindrance

_LIMITS = {
    "max_user_watches": ("watch limit", "os error 28"),
    "max_user_instances": ("os error 24",),
}
"""Each limit of inotify(7), and by what watchfiles' words for ENOSPC and EMFILE are known; they carry no number."""

_WHAT = {
    "max_user_watches": "folders that a user may watch",
    "max_user_instances": "watchers a user may have",
}

_ENOUGH = {"max_user_watches": 524_288, "max_user_instances": 1024}
"""What desktop systems and editors raise them to; an unused watch costs nothing, a used one 1 kB."""


def reached(error: str) -> str | None:
    """Return the limit of inotify that an error of watchfiles speaks of; None if it speaks of none."""
    return next(
        (limit for limit, marks in _LIMITS.items() if any(mark in error for mark in marks)),
        None,
    )


def current(limit: str) -> int | None:
    """Return the value of a limit now; None where there is none."""
    with suppress(OSError, ValueError):
        return int(Path("/proc/sys/fs/inotify", limit).read_text("utf-8"))
    return None


def explain(limit: str, value: int | None) -> Hindrance:
    """Say that a limit is reached, with its value, and how it is raised."""
    number = "" if value is None else f" ({value:,})"
    better = max(_ENOUGH[limit], 2 * (value or 0))
    line = f"fs.inotify.{limit}={better}"
    return Hindrance(
        f"The number of {_WHAT[limit]}, fs.inotify.{limit}{number}, is used up, by this program or others.",
        f"Run `sudo sysctl {line}`, write the line `{line}` into /etc/sysctl.d/60-inotify.conf so that it stays, "
        "and start `vaultsync run` again.",
        lasts=True,
    )
