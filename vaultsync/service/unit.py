"""The text of a systemd unit for the daemon of one vault."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Final, NamedTuple

from vaultsync.service.escaping import escape_path, quote

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from vaultsync.service.task import Task

_LONGEST_NAME: Final = 255
"""Bytes, of the name of a unit."""

_STEPS_SINCE: Final = 254
"""The first systemd that knows RestartSteps=; older ones warn of it at each start."""

_UNSAFE: Final = frozenset("\"'\\")
"""What systemd refuses in the name of a program, however it is quoted."""

_TEMPORARY: Final = ("/tmp", "/var/tmp")  # noqa: S108 - the folders that PrivateTmp= replaces

_TEXT = """\
[Unit]
Description=vaultsync, the memory of {name}
# {patience}
StartLimitIntervalSec=1h
StartLimitBurst=20

[Service]
Type=notify
NotifyAccess=main
# The colon: a $ means itself.
ExecStart=:{command}
ExecReload=/bin/kill -HUP $MAINPID
{environment}\
WatchdogSec=5min
KillMode=mixed
TimeoutStopSec=10
Restart=on-failure
RestartSec=15
{steps}\

# Never in the way. Not IOSchedulingClass=idle: on a busy disk it would not be served at all.
Nice=10
CPUWeight=20
IOWeight=20
IOSchedulingClass=best-effort
IOSchedulingPriority=7

# It writes here, and nowhere else. A folder that is not there is left to vaultsync, which says so.
ProtectSystem=strict
{writable}\
{tmp}\
NoNewPrivileges=yes
ProtectControlGroups=yes
RestrictSUIDSGID=yes
RestrictRealtime=yes
RestrictNamespaces=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
LockPersonality=yes
SystemCallArchitectures=native
# Left out: ProtectKernelModules=, ProtectKernelLogs=, ProtectClock= and PrivateDevices= drop capabilities, which a
# user's systemd may not, so that the service would not start; nor does it in a container, which hides parts of /proc,
# with ProtectKernelTunables=. MemoryDenyWriteExecute= and SystemCallFilter= can break Python's native modules.

[Install]
WantedBy=default.target
"""


_PATIENT: Final = "A crash loop slows down to a try every ten minutes, and never reaches this limit."
_IMPATIENT: Final = (
    "A crash loop ends here. From systemd 254 on, `vaultsync service install` lets it slow down instead."
)


class _Blanks(NamedTuple):
    """What stands in the blanks of the text, as systemd reads it."""

    name: str
    command: str
    environment: Iterable[str]
    writable: Iterable[str]
    is_temporary: bool = False


def unit_name(root: Path) -> str:
    """Return the name of a vault's unit; a path too long for that is told by its hash."""
    name = f"vaultsync@{escape_path(str(root))}.service"
    if len(name) > _LONGEST_NAME:
        name = f"vaultsync@{hashlib.sha256(os.fsencode(root)).hexdigest()[:24]}.service"
    return name


def unit(task: Task, version: int | None = None) -> str:
    """Return the unit for a task. `version`: systemd's; None: any."""
    writable = [str(task.root), *map(str, task.kept)]
    is_temporary = any(
        f"{place}/".startswith(f"{folder}/") for place in (task.words[0], *writable) for folder in _TEMPORARY
    )
    # A backslash at the end of the line would join it with the next.
    name = task.root.name.replace("%", "%%").replace("\\", "/") or "/"
    return _fill(
        _Blanks(
            name,
            " ".join(map(quote, _startable(task.words))),
            [quote(f"{name}={value}") for name, value in task.environment.items()],
            [quote(f"-{folder}") for folder in (*writable, *(_TEMPORARY if is_temporary else ()))],
            is_temporary,
        ),
        version,
    )


def template() -> str:
    """Return the unit to install by hand: its instance is the vault, and vaultsync is where pipx and uv put it."""
    places = ("%f", "%h/.local/state/vaultsync", "%h/.config/vaultsync")
    return _BY_HAND + _fill(
        _Blanks("%f", "%h/.local/bin/vaultsync --vault %f run", (), [f"-{place}" for place in places]), None
    )


def _startable(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return words that systemd starts: a shell's, where it would refuse the program's own name."""
    if _UNSAFE.isdisjoint(words[0]):
        return words
    return ("/bin/sh", "-c", 'exec "$0" "$@"', *words)


def _fill(blanks: _Blanks, version: int | None) -> str:
    has_steps = version is not None and version >= _STEPS_SINCE
    return _TEXT.format(
        name=blanks.name,
        command=blanks.command,
        environment="".join(f"Environment={word}\n" for word in blanks.environment),
        writable="".join(f"ReadWritePaths={word}\n" for word in blanks.writable),
        patience=_PATIENT if has_steps else _IMPATIENT,
        steps="RestartSteps=6\nRestartMaxDelaySec=10min\n" if has_steps else "",
        # With a /tmp of its own it would not see what lies in the real one.
        tmp="" if blanks.is_temporary else "PrivateTmp=yes\n",
    )


_BY_HAND = """\
# vaultsync as a systemd service of yours, for any vault. `vaultsync service install` does all of this for you, with
# the interpreter and the folders in force; this file is for those who install by hand:
#
#   mkdir -p ~/.config/systemd/user ~/.local/state/vaultsync ~/.config/vaultsync
#   cp 'vaultsync@.service' ~/.config/systemd/user/
#   systemctl --user daemon-reload
#   systemctl --user enable --now "vaultsync@$(systemd-escape --path ~/Notes).service"
#
# Change ExecStart= if `command -v vaultsync` names another place, and ReadWritePaths= if you set XDG_STATE_HOME,
# XDG_CONFIG_HOME or VAULTSYNC_STATE; take PrivateTmp= out if the vault lies in /tmp. To start it without a login:
# `loginctl enable-linger`. What it says: `journalctl --user -u 'vaultsync@*'`.

"""
