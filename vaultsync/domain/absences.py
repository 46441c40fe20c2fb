"""What it means that generated notes are gone from the vault: git took them, a person did, or nobody may have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from vaultsync.domain.notes import Uid

MOST_DELETED = 5
"""Notes missing at once that a person may have deleted one by one; more are an accident (design, section 6)."""


@dataclass(frozen=True, slots=True)
class Absences:
    """Ids of missing notes by what becomes of them.

    `absent`: kept in the store, and not written before something else than git changes the vault. `deleted`: not
    written any more. `again`: written as if they had never been. `is_off`: nothing at all is written any more.
    """

    absent: frozenset[Uid] = frozenset()
    deleted: frozenset[Uid] = frozenset()
    again: frozenset[Uid] = frozenset()
    is_off: bool = False


def judge(
    missing: Collection[Uid], by_git: Collection[Uid], *, are_all: bool, is_off: bool = False
) -> Absences:
    """Decide on the notes (ids) that are missing on the machine that writes them.

    `by_git`: those of them that git took away. `are_all`: no other generated note is there. `is_off`: none is written
    anyhow.
    """
    by_person = frozenset(missing).difference(by_git)
    absent = frozenset(missing) - by_person
    if is_off:
        return Absences(again=frozenset(missing))
    if are_all and len(by_person) > 1 and not absent:
        return Absences(again=by_person, is_off=True)
    if len(by_person) > MOST_DELETED:
        return Absences(absent, again=by_person)
    return Absences(absent, deleted=by_person)
