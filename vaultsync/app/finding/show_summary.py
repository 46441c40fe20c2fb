"""A summary with all that is known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app.finding.climbing import find_position, seen
from vaultsync.store import leaves, summaries

if TYPE_CHECKING:
    from vaultsync.app.finding.climbing import Position
    from vaultsync.domain.notes import Uid
    from vaultsync.store.connection import Reader
    from vaultsync.store.leaves import NoteRow
    from vaultsync.store.summaries import SummaryRow


class ShownSummary(NamedTuple):
    """A summary, where it stands, and what is right below it, in order. Of one that is withdrawn the text is ""."""

    row: SummaryRow
    position: Position | None
    children: tuple[NoteRow | SummaryRow, ...]


def gather_summary(index: Reader, uid: Uid) -> ShownSummary:
    """Return what is known of the summary with this uid, which must be one's."""
    members = summaries.members(index, uid)
    below: dict[Uid, NoteRow | SummaryRow] = {**leaves.notes(index, members), **seen(index, members)}
    children = tuple(below[member] for member in members if member in below)
    return ShownSummary(seen(index, [uid])[uid], find_position(index, uid), children)
