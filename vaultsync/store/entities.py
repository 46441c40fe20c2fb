"""What leaves mention, and which mentions are of one thing."""

from __future__ import annotations

from hashlib import blake2b
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.store.as_json import to_json

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from vaultsync.domain.entities import Entity, EntityKind
    from vaultsync.store.connection import Reader, Writer


class Spot(NamedTuple):
    """Where a leaf mentions an entity: characters [start, end) of its text.

    `score`: how sure it is that this is meant, 0 to 1; as it is stored, that of the entity's surest spot in the leaf.
    """

    chunk_id: int
    kind: EntityKind
    canonical: str
    start: int
    end: int
    score: float


class _Row(NamedTuple):
    """All spots of an entity in a leaf, as `mentions` has them; `hash`: as `entities` has it."""

    chunk_id: int
    hash: int
    kind: EntityKind
    canonical: str
    spans: str
    score: int


def put(tx: Writer, leaves: Collection[int], renewed: Collection[int], spots: Iterable[Spot]) -> None:
    """Let leaves (ids) have these mentions and no others that were found without a model.

    `renewed`: those of them whose text is another, so that what a model found in it before does not count either.
    """
    tx.run("DELETE FROM named WHERE chunk_id IN (SELECT value FROM json_each(?))", [to_json(list(renewed))])
    new = set(_packed(spots))
    old = _stored(tx, leaves, renewed)
    tx.many(
        f"DELETE FROM mentions WHERE chunk_id = ?1 AND entity_id = ({_ID})",
        [row[:4] for row in sorted(old - new)],
    )
    came = sorted(new - old)
    tx.many(
        f"INSERT INTO entities (hash, kind, canonical) SELECT ?2, ?3, ?4 WHERE ?1 AND NOT EXISTS ({_ID})",
        sorted({(1, *row[1:4]) for row in came}),
    )
    tx.many(
        f"INSERT OR REPLACE INTO mentions (chunk_id, entity_id, spans, score) VALUES (?1, ({_ID}), ?5, ?6)",
        came,
    )


def add(tx: Writer, spots: Iterable[Spot]) -> None:
    """Let leaves have these mentions too, which a model found; an entity that was found without it stays as it is."""
    rows = sorted(_packed(spots))
    tx.many(
        f"INSERT INTO entities (hash, kind, canonical) SELECT ?2, ?3, ?4 WHERE ?1 AND NOT EXISTS ({_ID})",
        sorted({(1, *row[1:4]) for row in rows}),
    )
    tx.many(
        f"INSERT OR IGNORE INTO mentions (chunk_id, entity_id, spans, score, by_model) VALUES (?1, ({_ID}), ?5, ?6, 1)",
        rows,
    )


_ID = "SELECT id FROM entities WHERE hash = ?2 AND kind = ?3 AND canonical = ?4"


def of_leaves(db: Reader, leaves: Collection[int]) -> list[Spot]:
    """Return what leaves (ids) mention, in order; a name, link or handle of a note as the note that it leads to.

    A leaf that waits to be looked at has another text than its mentions were found in, so it has none.
    """
    rows = db.all(
        """
        SELECT m.chunk_id, e.kind, e.canonical, m.spans, m.score
        FROM mentions m JOIN entity e ON e.id = m.entity_id JOIN chunks c ON c.id = m.chunk_id
        WHERE m.chunk_id IN (SELECT value FROM json_each(?)) AND c.status IS NOT NULL
        """,
        [to_json(list(leaves))],
    )
    spots = [
        Spot(chunk_id, kind, canonical, int(start), int(start) + int(length), score / 100)
        for chunk_id, kind, canonical, spans, score in rows
        for start, _, length in (span.partition("+") for span in spans.split())
    ]
    return sorted(spots, key=lambda spot: (spot.chunk_id, spot.start, spot.end, spot.kind))


def nodes_with(db: Reader, entity: Entity) -> dict[int, int]:
    """Return the living notes (ids) that mention an entity by any of its names, and in how many leaves."""
    keys = db.all(
        """
        SELECT DISTINCT n.key FROM names own JOIN names n ON n.node_id = own.node_id
        WHERE own.key = ? AND own.is_alias = 0
        """,
        [entity.canonical],
    )
    spelled = {_hash(kind, key) for (key,) in keys for kind in ("name", "link", "handle")} | {_hash(*entity)}
    rows = db.all(
        """
        SELECT c.node_id, count(DISTINCT c.id)
        FROM entities s JOIN entity e ON e.id = s.id JOIN mentions m ON m.entity_id = e.id
        JOIN chunks c ON c.id = m.chunk_id JOIN nodes d ON d.id = c.node_id
        WHERE s.hash IN (SELECT value FROM json_each(?)) AND e.kind = ? AND e.canonical = ?
          AND c.status IS NOT NULL AND d.deleted_at IS NULL
        GROUP BY c.node_id
        """,
        [to_json(sorted(spelled)), *entity],
    )
    return dict(rows)


def sweep(tx: Writer) -> None:
    """Delete the entities that nothing mentions any more."""
    tx.run("DELETE FROM entities WHERE NOT EXISTS (SELECT 1 FROM mentions m WHERE m.entity_id = entities.id)")


def drop_dangling(tx: Writer) -> None:
    """Let the leaves be looked at again whose mentions refer to no entity; forget those of leaves that are gone."""
    astray = "entity_id NOT IN (SELECT id FROM entities)"
    tx.run(f"UPDATE chunks SET status = NULL WHERE id IN (SELECT chunk_id FROM mentions WHERE {astray})")
    tx.run(f"DELETE FROM mentions WHERE {astray} OR chunk_id NOT IN (SELECT id FROM chunks)")


def _packed(spots: Iterable[Spot]) -> list[_Row]:
    return [
        _Row(
            chunk_id,
            _hash(kind, canonical),
            kind,
            canonical,
            " ".join(f"{spot.start}+{spot.end - spot.start}" for spot in same),
            max(round(100 * spot.score) for spot in same),
        )
        for (chunk_id, kind, canonical), group in groupby(sorted(spots), key=lambda spot: spot[:3])
        for same in [list(group)]
    ]


def _hash(kind: str, canonical: str) -> int:
    """Return what stands for an entity in the index; two with one hash cost a look at both."""
    return int.from_bytes(blake2b(f"{kind} {canonical}".encode(), digest_size=3).digest(), signed=True)


def _stored(tx: Writer, leaves: Collection[int], renewed: Collection[int]) -> set[_Row]:
    rows = tx.all(
        """
        SELECT m.chunk_id, e.hash, e.kind, e.canonical, m.spans, m.score
        FROM mentions m JOIN entities e ON e.id = m.entity_id
        WHERE m.chunk_id IN (SELECT value FROM json_each(?))
          AND (m.by_model = 0 OR m.chunk_id IN (SELECT value FROM json_each(?)))
        """,
        [to_json(list(leaves)), to_json(list(renewed))],
    )
    return {_Row._make(row) for row in rows}
