"""What this machine may do for the memory tree now: tend it, and write into the vault."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app.machines import writer
from vaultsync.app.notes import origin
from vaultsync.vault import git_folder

if TYPE_CHECKING:
    from vaultsync.app.machines.writer import Role
    from vaultsync.app.memory import Memory


class Duty(NamedTuple):
    """`rests`: git alone changed the vault since a person did; `is_busy`: git is in the middle of something."""

    role: Role
    rests: bool
    is_busy: bool

    def may_tend(self, *, private: bool) -> bool:
        """Tell whether summaries of such a tree are made here now; private ones stand in the store alone."""
        return private or (self.role.may_write and not self.rests and not self.is_busy)

    @property
    def may_write(self) -> bool:
        """Tell whether generated notes are written into the vault now."""
        return self.role.may_write and not self.rests and not self.is_busy


def find_duty(memory: Memory) -> Duty:
    """Find out what may be done, changing nothing. Raises VaultError if the vault's word can't be read."""
    return Duty(writer.find_role(memory), origin.is_resting(memory), git_folder.is_busy(memory.root))
