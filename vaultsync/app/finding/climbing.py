"""What all ways through the tree share: how long they may take, and what of a summary may be seen."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from vaultsync.store import climbing, summaries, trees

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from vaultsync.domain.notes import NotePath, Uid
    from vaultsync.store.connection import Reader
    from vaultsync.store.summaries import SummaryRow

T = TypeVar("T")

SECONDS: Final = 2.0
"""How long a walk may take, before it answers with what it has; a tree of 100,000 leaves takes a fifth of that."""


class Deadline:
    """When a walk must end. `passed`: it ended before it had seen all."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._end = time.monotonic() + seconds
        self.passed = False

    def of(self, rows: Iterable[T]) -> Iterator[T]:
        """Yield rows until the time is over."""
        for row in rows:
            if time.monotonic() >= self._end:
                self.passed = True
                return
            yield row


class Position(NamedTuple):
    """Where a note or summary stands: its tree, the folder of that source, the summaries up to the root."""

    tree: Uid
    source: str
    private: bool
    parents: tuple[Uid, ...]


def find_position(db: Reader, uid: Uid) -> Position | None:
    """Return where a node stands; None if it is in no tree."""
    tree_id = climbing.tree_of(db, uid)
    if tree_id is None:
        return None
    tree = trees.get(db, tree_id)
    return Position(tree.uid, tree.folder, tree.private, tuple(climbing.above(db, uid)))


def seen(db: Reader, uids: Collection[Uid]) -> dict[Uid, SummaryRow]:
    """Return summaries by uid; the text of one that is withdrawn is "" until it is made again."""
    return {uid: withhold(row) for uid, row in summaries.with_uids(db, uids).items()}


def withhold(row: SummaryRow) -> SummaryRow:
    """Return the summary without its text, if that may quote what is to be seen no more."""
    return row._replace(text="") if row.withdrawn else row


def note_path(row: SummaryRow) -> NotePath | None:
    """Return the path of a summary's note, if it stands in the vault."""
    return row.path if row.missing is None and row.written_hash is not None else None
