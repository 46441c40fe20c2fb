"""Leaves that wait to be looked at: which there are, what is looked at, and what came of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal, NamedTuple

from vaultsync.store.as_json import to_json

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from vaultsync.store.connection import Reader, Writer

Status = Literal["admitted", "dropped"]


class Waiting(NamedTuple):
    """A living note, and how many of its leaves wait."""

    node_id: int
    leaves: int


class Leaf(NamedTuple):
    """A leaf of a note that has one that waits. `counts`: it is text of a note, no template's and no plugin's data."""

    chunk_id: int
    node_id: int
    waits: bool
    counts: bool
    tokens: int
    heading_path: tuple[str, ...]
    text: str


def waiting(db: Reader) -> list[Waiting]:
    """Return the living notes with leaves that wait; those of tombstones wait until the note returns."""
    rows = db.all(
        """
        SELECT c.node_id, count(*)
        FROM chunks c JOIN nodes n ON n.id = c.node_id
        WHERE c.status IS NULL AND c.kind = 'leaf' AND n.deleted_at IS NULL
        GROUP BY c.node_id ORDER BY c.node_id
        """
    )
    return [Waiting._make(row) for row in rows]


def leaves(db: Reader, node_ids: Collection[int]) -> Iterator[Leaf]:
    """Yield all leaves of notes, in the order in which they stand in them."""
    for chunk_id, node_id, waits, counts, tokens, headings, text in db.all(
        """
        SELECT c.id, c.node_id, c.status IS NULL, c.searchable AND f.role = 'note', c.token_count, c.heading_path,
               c.text
        FROM chunks c JOIN files f ON f.node_id = c.node_id
        WHERE c.node_id IN (SELECT value FROM json_each(?)) AND c.kind = 'leaf'
        ORDER BY c.node_id, c.chunk_idx
        """,
        [to_json(list(node_ids))],
    ):
        yield Leaf(chunk_id, node_id, waits == 1, counts == 1, tokens, tuple(json.loads(headings)), text)


def settle(tx: Writer, statuses: Iterable[tuple[int, Status]]) -> None:
    """Say of leaves (ids) what becomes of them; they wait no more."""
    tx.many("UPDATE chunks SET status = ?2 WHERE id = ?1", statuses)
