"""Resolve links that are due: new ones, and those whose possible targets came, went or moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.domain.links import Candidate
from vaultsync.domain.links import resolve as resolve_link
from vaultsync.store import edges
from vaultsync.store.edges import DueEdge, Resolved

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultsync.store.connection import Database

BATCH_LINKS = 4000
"""Links a write transaction, about the links of one batch of notes."""


def resolve_due(db: Database, progress: Callable[[str, int, int], None]) -> int:
    """Resolve every link that is due and return how many there were. Killed, the next pass goes on."""
    total, done = edges.count_due(db.read()), 0  # counted once: a count walks over all that are left
    while batch := edges.due(db.read(), BATCH_LINKS):
        keys = {edge.target_key for edge in batch if edge.target_key is not None}
        candidates = edges.candidates(db.read(), keys)
        with db.write() as tx:
            edges.resolve(tx, [_resolved(edge, candidates) for edge in batch])
        done += len(batch)
        progress("linking", done, max(done, total))
    return done


def _resolved(edge: DueEdge, candidates: dict[str, list[Candidate]]) -> Resolved:
    named = candidates.get(edge.target_key, []) if edge.target_key is not None else []
    found = resolve_link(edge.link, edge.kind, edge.from_path, edge.from_node_id, named)
    return Resolved(edge.edge_id, *(found or (None, None)))
