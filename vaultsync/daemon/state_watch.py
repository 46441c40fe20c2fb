"""Sees when the state folder is no longer that of this process: there another may be at work."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from vaultsync.bootstrap import DATABASE
from vaultsync.domain.errors import StateGone

if TYPE_CHECKING:
    from pathlib import Path


class StateWatch:
    """Keeps which file the database in a state folder is."""

    def __init__(self, state: Path) -> None:
        self._state = state
        self._database = (state / DATABASE).stat()

    def check(self) -> None:
        """Raise StateGone if that file is not there any more, as far as one can see. Costs a stat."""
        try:
            is_there = os.path.samestat(os.stat(self._state / DATABASE), self._database)  # noqa: PTH116 - at each turn
        except (FileNotFoundError, NotADirectoryError):
            is_there = False
        except OSError:
            return
        if not is_there:
            raise StateGone(f"The state folder {self._state} was removed. Start `vaultsync run` again.")
