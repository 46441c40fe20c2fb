"""What this machine may do for the memory tree now: tend it, and write into the vault."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app.machines import writer
from vaultsync.app.notes import origin
from vaultsync.config import VAULT_FOLDER
from vaultsync.store import files, nodes
from vaultsync.vault import git_folder

if TYPE_CHECKING:
    from pathlib import Path

    from vaultsync.app.machines.writer import Role
    from vaultsync.app.memory import Memory


class Duty(NamedTuple):
    """`rests`: git alone changed the vault since a person did; `is_busy`: git is in the middle of something.

    `is_doubtful`: as the function of that name says.
    """

    role: Role
    rests: bool
    is_busy: bool
    is_doubtful: bool

    def may_tend(self, *, private: bool) -> bool:
        """Tell whether summaries of such a tree are made here now; private ones stand in the store alone."""
        return private or self.may_write

    @property
    def may_write(self) -> bool:
        """Tell whether generated notes are written into the vault now."""
        return self.role.may_write and not (self.rests or self.is_busy or self.is_doubtful)


def is_doubtful(memory: Memory) -> bool:
    """Tell whether what is on the disk may not be the vault: it is empty or not there, or removals wait for a person.

    Where its disk is mounted nothing is to be written while it is not, nor a model asked by settings that lie on
    that disk (F38).
    """
    index = memory.db.read()
    return files.is_removal_refused(index) or (nodes.count_living(index) > 0 and not _holds_any(memory.root))


def _holds_any(root: Path) -> bool:
    """Tell whether there is anything in a folder but what is ours."""
    try:
        return any(name != VAULT_FOLDER for name in os.listdir(root))  # noqa: PTH208 - its names are enough
    except OSError:
        return False


def find_duty(memory: Memory) -> Duty:
    """Find out what may be done, changing nothing. Raises VaultError if the vault's word can't be read."""
    return Duty(
        writer.find_role(memory),
        origin.is_resting(memory),
        git_folder.is_busy(memory.root),
        is_doubtful(memory),
    )
