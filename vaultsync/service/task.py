"""What the system is to keep running: the daemon of one vault, with the program and the places in force now."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import platformdirs

from vaultsync import config
from vaultsync.domain.errors import ServiceError
from vaultsync.service.escaping import is_quotable

if TYPE_CHECKING:
    from collections.abc import Mapping

_PASSED_ON: Final = ("XDG_STATE_HOME", "XDG_CONFIG_HOME")
"""The variables that say where state and settings are."""

_PATH: Final = ("/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin")
"""Where services find programs; git, the only one that the daemon runs, may lie elsewhere."""


@dataclass(frozen=True, slots=True)
class Task:
    """`words`: the command line of the daemon; `kept`: the folders it writes in, besides the vault.

    They must be there when it starts: in the places that are closed to it, it can't make them.
    """

    root: Path
    words: tuple[str, ...]
    environment: Mapping[str, str]
    kept: tuple[Path, ...]


def find_task(
    root: Path, state: Path | None, environ: Mapping[str, str], python: str = sys.executable
) -> Task:
    """Return the task for a vault. `state`: where its memory is, if that was said; `python`: the interpreter.

    Raises ServiceError for a path that can't be written into the system's files.
    """
    said = state or (Path(environ["VAULTSYNC_STATE"]) if environ.get("VAULTSYNC_STATE") else None)
    own = Path(os.path.realpath(said)) if said else None
    # -P: not what lies in the folder where a service starts, under our name
    words = [
        python,
        "-P",
        "-m",
        "vaultsync",
        "--vault",
        str(root),
        *(["--state", str(own)] if own else []),
        "run",
    ]
    kept = [own] if own else []
    kept += [platformdirs.user_state_path("vaultsync"), config.user_config_path().parent]
    environment = {"PATH": _path(environ)} | {name: environ[name] for name in _PASSED_ON if environ.get(name)}
    for word in (*words, *environment.values(), *map(str, kept)):
        if not is_quotable(word):
            raise ServiceError(
                f"{word!r} can't be written into a service's file: it is not UTF-8, or holds a control character. "
                "Rename it, or start `vaultsync run` in another way."
            )
    return Task(root, tuple(words), environment, tuple(kept))


def _path(environ: Mapping[str, str]) -> str:
    git = shutil.which("git", path=environ.get("PATH"))
    folder = os.path.dirname(git) if git else _PATH[0]  # noqa: PTH120 - a string is wanted
    return ":".join(_PATH if folder in _PATH else (folder, *_PATH))
