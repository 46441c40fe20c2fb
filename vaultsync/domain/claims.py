"""What the ledger's facts mean for the notes that the index knows: who moves, who gives way, who takes a uid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultsync.domain.notes import NotePath, Uid
    from vaultsync.domain.survey import IndexedFile


class Relabel(NamedTuple):
    """A note that stays where it is and takes the uid by which the other machines know it."""

    node_id: int
    uid: Uid


@dataclass(frozen=True, slots=True)
class Claims:
    """`rows`: what the index knows once the facts are applied. `moved`: rows as they were, by their new path.

    `displaced`: living rows whose path another note takes. `given`: the uids of files that no note claims yet.
    """

    rows: list[IndexedFile]
    moved: dict[NotePath, IndexedFile]
    displaced: tuple[IndexedFile, ...]
    relabels: tuple[Relabel, ...]
    given: dict[NotePath, Uid]


def claim(
    rows: Iterable[IndexedFile], facts: Mapping[NotePath, Uid], holders: Mapping[Uid, IndexedFile]
) -> Claims:
    """Apply facts, each the uid of a file that is there. `holders`: the notes, living or not, that have the uids.

    A note whose uid belongs to another path now goes there, as in a rename; it is missed nowhere, and what
    stands at its old path is a file that no note claims. A uid that no note has goes to the note that stands
    at the path, or waits for the file to be read.
    """
    by_path = {row.path: row for row in rows}
    moved = {path: holders[uid] for path, uid in facts.items() if _is_elsewhere(path, uid, holders, by_path)}
    leaving = {row.file_id for row in moved.values()}
    relabels: dict[NotePath, Relabel] = {}
    given = {}
    for path, uid in facts.items():
        if uid in holders:
            continue
        row = by_path.get(path)
        if row is not None and row.node_id and row.file_id not in leaving:
            relabels[path] = Relabel(row.node_id, uid)
        else:
            given[path] = uid
    stay = [
        row._replace(uid=relabels[path].uid) if path in relabels else row
        for path, row in by_path.items()
        if row.file_id not in leaving and path not in moved
    ]
    in_the_way = (by_path[path] for path in moved if path in by_path)
    return Claims(
        rows=stay + [row._replace(path=path) for path, row in moved.items()],
        moved=moved,
        displaced=tuple(row for row in in_the_way if row.alive and row.file_id not in leaving),
        relabels=tuple(relabels.values()),
        given=given,
    )


def _is_elsewhere(
    path: NotePath, uid: Uid, holders: Mapping[Uid, IndexedFile], by_path: Mapping[NotePath, IndexedFile]
) -> bool:
    """Tell if the note with this uid is not the one that the index has at the path."""
    holder, standing = holders.get(uid), by_path.get(path)
    if holder is None:
        return False
    return holder.file_id != standing.file_id if standing else holder.path != path
