"""What a pass would do now: the vault surveyed, missing notes looked for, and a plan made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.app.renames import find_moves
from vaultsync.domain.planning import Plan, plan
from vaultsync.domain.survey import survey
from vaultsync.store import nodes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultsync.app.memory import Memory
    from vaultsync.app.scope import Scope
    from vaultsync.domain.notes import NotePath
    from vaultsync.domain.snapshot import DiskSnapshot


def make_plan(
    memory: Memory,
    scope: Scope,
    disk: DiskSnapshot,
    *,
    only: Sequence[NotePath] | None = None,
    rehash: bool = False,
    accept_removals: bool = False,
) -> Plan:
    """Plan a pass over what was scanned: the whole vault, or the paths in `only`; changes nothing."""
    index = memory.db.read()
    rows = nodes.files(index, None if only is None else {*only, *disk.notes})
    seen, moves = find_moves(memory, scope, survey(disk, rows, profile=scope.profile, rehash=rehash))
    return plan(seen, moves, living=nodes.count_living(index), accept_removals=accept_removals)
