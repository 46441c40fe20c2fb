"""The one door to the system's own programs: `systemctl`, `loginctl` and `launchctl`."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

TIMEOUT_S: Final = 60.0
"""A daemon that is told to stop has ten seconds; systemd then needs a moment."""

NOT_FOUND: Final = 127
TIMED_OUT: Final = 124
"""As a shell and `timeout` say it."""


class Outcome(NamedTuple):
    """How a program ended and what it printed, without blanks around it."""

    status: int
    out: str
    err: str

    @property
    def ok(self) -> bool:
        """Whether it did what it was to do."""
        return self.status == 0

    @property
    def words(self) -> str:
        """Return what it says of its failure."""
        return (self.err or self.out or f"exit status {self.status}").replace("\n", " ")


def run(*words: str) -> Outcome:
    """Run a program to its end; one that is not there, or does not end, is an outcome too."""
    try:
        ended = subprocess.run(  # noqa: S603 - the words are ours, and no shell reads them
            words, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        return Outcome(TIMED_OUT, "", f"{words[0]} did not end within {TIMEOUT_S:.0f} s")
    except OSError as error:
        return Outcome(NOT_FOUND, "", f"{words[0]}: {error.strerror}")
    return Outcome(ended.returncode, _text(ended.stdout), _text(ended.stderr))


def are_there(names: Sequence[str]) -> bool:
    """Tell whether all of these programs can be started."""
    return all(shutil.which(name) for name in names)


def _text(raw: bytes) -> str:
    return raw.decode(errors="replace").strip()
