"""Which summaries still have chosen sentences alone, and may get a model's text now."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.generators import is_embedded
from vaultsync.domain.tree import digest
from vaultsync.store import attempts, summaries, trees

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vaultsync.domain.notes import Uid
    from vaultsync.store.attempts import Attempt
    from vaultsync.store.connection import Reader
    from vaultsync.store.summaries import SummaryRow

STAGE = "model"
"""The name of this work in `attempts`, whose subjects are uids of summaries, and generators for all of theirs."""


class Unrefined(NamedTuple):
    """Public summaries without a model's text. `ready`: those to ask for now, in order, never tried ones first.

    `waiting`: how many more there are that wait for their children's text, or to be made again from it. Those that
    failed and are not to be tried yet are in neither.
    """

    ready: list[SummaryRow]
    waiting: int


def find_unrefined(db: Reader, now: float) -> Unrefined:
    """Look through all public trees; `now` in seconds since 1970. Private ones are never looked at."""
    tried = {attempt.subject: attempt for attempt in attempts.pending(db) if attempt.stage == STAGE}
    found = [
        _in_tree(summaries.of_tree(db, tree.id), tried, now) for tree in trees.every(db) if not tree.private
    ]
    ready = [row for one in found for row in one.ready]
    ready.sort(key=lambda row: (row.fallback is not None, row.level, row.folder, row.ordinal))
    return Unrefined(ready, sum(one.waiting for one in found))


def may_be_refined(row: SummaryRow) -> bool:
    """Tell whether a summary has a machine's text that no model wrote. Whichever model wrote one, it stands."""
    embedded = is_embedded(row.generator)
    return embedded and not (row.private or row.pinned or row.withdrawn)


def _in_tree(rows: Sequence[SummaryRow], tried: Mapping[str, Attempt], now: float) -> Unrefined:
    resting = {row.uid for row in rows if _rests(row, tried.get(row.uid), now)}
    children: defaultdict[int, list[SummaryRow]] = defaultdict(list)
    for row in rows:
        if row.parent is not None:
            children[row.parent].append(row)
    wanting = [row for row in rows if may_be_refined(row) and row.uid not in resting]
    ready = [row for row in wanting if row.level == 1 or _is_ready(row, children[row.ordinal], resting)]
    return Unrefined(ready, len(wanting) - len(ready))


def _rests(row: SummaryRow, attempt: Attempt | None, now: float) -> bool:
    """Tell whether a summary's text failed as it is now, and is not to be tried yet; a new text forgets the failure."""
    if row.fallback is None or attempt is None:
        return False
    return attempt.next_attempt_at is None or attempt.next_attempt_at > now


def _is_ready(row: SummaryRow, children: Sequence[SummaryRow], resting: set[Uid]) -> bool:
    """Tell whether all children have their final text, and the summary was made from just that."""
    settled = all(
        not child.withdrawn and (child.uid in resting or not may_be_refined(child)) for child in children
    )
    return settled and row.inputs == digest(child.text_hash for child in children)
