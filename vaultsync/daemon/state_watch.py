"""Sees when the state folder is no longer that of this process: there another may be at work."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from vaultsync.bootstrap import DATABASE
from vaultsync.daemon.instance_lock import LOCK
from vaultsync.domain.errors import StateGone

if TYPE_CHECKING:
    from pathlib import Path


class StateWatch:
    """Keeps which files the database and the lock in a state folder are."""

    def __init__(self, state: Path) -> None:
        self._state = state
        self._files = {path: path.stat() for path in (state / DATABASE, state / LOCK) if path.exists()}

    def check(self) -> None:
        """Raise StateGone if one of them is not there any more, as far as one can see. Costs two stats."""
        if not all(_is_at(path, file) for path, file in self._files.items()):
            raise StateGone(
                f"The state folder {self._state} was removed, or what is in it. Start `vaultsync run` again."
            )


def _is_at(path: Path, file: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.stat(path), file)  # noqa: PTH116 - at each turn
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
