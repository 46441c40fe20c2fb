"""Tells systemd how the daemon is: ready, reading its settings again, stopping, alive. Elsewhere it tells nobody."""

from __future__ import annotations

import os
import socket
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping

_ALIVE_S: Final = 10.0
"""How often life is told of where no watchdog asks for it more often; until ready, systemd waits by it."""

_EXTENSION_S: Final = 120.0
"""How much longer systemd is to wait for `ready` from each sign of life on: more than the longest batch takes."""

_SEND_S: Final = 1.0
"""A busy manager is waited for that long; a message that can't be sent by then is lost."""


class Notifier:
    """Speaks sd_notify's protocol. `address`: $NOTIFY_SOCKET, None to tell nobody; `watchdog_s`: how often life is due.

    Nothing here ever raises: a manager that does not listen is no reason to stop.
    """

    def __init__(
        self,
        address: str | None,
        watchdog_s: float | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._address = address
        self._pause_s = _ALIVE_S if watchdog_s is None else min(_ALIVE_S, watchdog_s / 2)
        self._has_watchdog = watchdog_s is not None
        self._monotonic = monotonic
        self._is_starting = True
        self._told_at = float("-inf")
        self._words = ""
        self._socket: socket.socket | None = None

    @classmethod
    def from_environment(cls, environ: MutableMapping[str, str]) -> Notifier:
        """Return the notifier that the manager asks for; `environ` then says no more of it to our children."""
        address = environ.pop("NOTIFY_SOCKET", "")
        watchdog, pid = environ.pop("WATCHDOG_USEC", ""), environ.pop("WATCHDOG_PID", "")
        is_ours = not pid or pid == str(os.getpid())
        is_due = is_ours and watchdog.isdecimal() and int(watchdog) > 0
        return cls(
            address if address.startswith(("/", "@")) else None, int(watchdog) / 1e6 if is_due else None
        )

    def ready(self) -> None:
        """Tell that all is up, for the first time or after `reloading`."""
        self._is_starting = False
        self._send("READY=1")

    def reloading(self) -> None:
        """Tell that the settings are read again; `ready` ends it."""
        # systemd tells by its time stamp which reload the next READY=1 answers.
        self._send(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1000}")

    def stopping(self) -> None:
        """Tell that the end has begun."""
        self._is_starting = False
        self._send("STOPPING=1")

    def status(self, words: str) -> None:
        """Say in one line what is being done; the same again is not sent."""
        words = " ".join(words.split())
        if words != self._words:
            self._words = words
            self._send(f"STATUS={words}")

    def alive(self) -> None:
        """Tell that work goes on; costs nothing until it is due again."""
        if self._address is None or not (self._is_starting or self._has_watchdog):
            return
        now = self._monotonic()
        if now - self._told_at < self._pause_s:
            return
        self._told_at = now
        lines = ["WATCHDOG=1"] if self._has_watchdog else []
        if self._is_starting:
            lines.append(f"EXTEND_TIMEOUT_USEC={int(_EXTENSION_S * 1e6)}")
        self._send("\n".join(lines))

    def close(self) -> None:
        """Let go of the socket."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send(self, message: str) -> None:
        if self._address is None:
            return
        # A name that starts with @ is in Linux' abstract namespace, where it starts with a zero byte.
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        with suppress(OSError, ValueError):
            if self._socket is None:
                self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
                self._socket.settimeout(_SEND_S)
            self._socket.sendto(message.encode(errors="surrogateescape"), os.fsencode(address))
