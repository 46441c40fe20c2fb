"""Links between notes: written as they stand, resolved when they are due."""

from __future__ import annotations

from collections import defaultdict, deque
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.links import Candidate
from vaultsync.domain.names import target_key
from vaultsync.store.as_json import to_json

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from vaultsync.domain.notes import LinkKind, LinkMatch, Mention, NotePath
    from vaultsync.store.connection import Reader, Writer

    _Likeness = tuple[str, str, str, str | None]
    """What a link is apart from its place: kind, target, link, target_key."""

    _Edges = defaultdict[_Likeness, deque[list[object]]]
    """The rows (id, then the place) of a node's links by likeness, in the note's order."""


class NoteMentions(NamedTuple):
    """The links of a node, in the order in which they stand in its note."""

    node_id: int
    mentions: Sequence[Mention]


class DueEdge(NamedTuple):
    """A link to be resolved: what `domain.links.resolve` asks for but the candidates of its `target_key`."""

    edge_id: int
    link: str
    kind: LinkKind
    from_path: NotePath
    from_node_id: int
    target_key: str | None


class Resolved(NamedTuple):
    """The node that a link means and how it was found; None, None: there is no such note."""

    edge_id: int
    to_node_id: int | None
    match: LinkMatch | None


def add(tx: Writer, batch: Iterable[NoteMentions]) -> None:
    """Write the links of nodes that have none yet; they are due."""
    _insert(tx, ((note.node_id, mention) for note in batch for mention in note.mentions))


def replace(tx: Writer, batch: Sequence[NoteMentions]) -> None:
    """Let nodes have these links and no others from their notes.

    A link that only moved keeps its row and what it was resolved to: the n-th of a kind, target and link
    stays the n-th. New ones are due.
    """
    new: list[tuple[int, Mention]] = []
    moved: list[tuple[object, ...]] = []
    gone: list[tuple[object]] = []
    stored = _stored(tx, [note.node_id for note in batch])
    for note in batch:
        old = stored[note.node_id]
        for mention in note.mentions:
            rows = old.get(_likeness(mention))
            if not rows:
                new.append((note.node_id, mention))
                continue
            edge_id, *place = rows.popleft()
            if place != (here := _place(mention)):
                moved.append((*here, edge_id))
        gone += [(row[0],) for rows in old.values() for row in rows]
    tx.many("DELETE FROM edges WHERE id = ?", gone)
    tx.many('UPDATE edges SET start = ?, "end" = ?, explanation = ?, context = ? WHERE id = ?', moved)
    _insert(tx, new)


def break_to(tx: Writer, node_ids: Collection[int]) -> None:
    """Unresolve the links to these nodes; they remember the node, and are due: another may have its name."""
    tx.many(
        """
        UPDATE edges SET last_node_id = to_node_id, to_node_id = NULL, match = NULL, due = 1
        WHERE to_node_id = ?
        """,
        [(node_id,) for node_id in node_ids],
    )


def mark_due(tx: Writer, keys: Iterable[str]) -> None:
    """Let the links be resolved again whose names came, went, or are those of a note that moved."""
    tx.many("UPDATE edges SET due = 1 WHERE target_key = ? AND due = 0", [(key,) for key in keys])


def mark_moved(tx: Writer, node_ids: Collection[int]) -> None:
    """Let the links from and to these nodes be resolved again: both depend on the path."""
    ids = [to_json(list(node_ids))]
    keys = tx.rows("SELECT DISTINCT key FROM names WHERE node_id IN (SELECT value FROM json_each(?))", ids)
    mark_due(tx, [key for (key,) in keys])
    tx.many(
        "UPDATE edges SET due = 1 WHERE from_node_id = ? AND due = 0", [(node_id,) for node_id in node_ids]
    )


def due(db: Reader, limit: int) -> list[DueEdge]:
    """Return the first `limit` links that are due, oldest first: neighbours, few pages are written again."""
    rows = db.rows(
        """
        SELECT e.id, e.link, e.kind, f.path, e.from_node_id, e.target_key
        FROM edges e INDEXED BY edges_due
        JOIN nodes n ON n.id = e.from_node_id JOIN files f ON f.node_id = n.id
        WHERE e.due = 1 AND n.deleted_at IS NULL ORDER BY e.id LIMIT ?
        """,
        [limit],
    )
    return [DueEdge._make(row) for row in rows]


def count_due(db: Reader) -> int:
    """Return how many links are due, those of tombstones too (they wait until their note returns)."""
    return int(db.value("SELECT count(*) FROM edges WHERE due = 1"))


def candidates(db: Reader, keys: Collection[str]) -> dict[str, list[Candidate]]:
    """Return the living notes that have one of the names `keys`, by key; a key that none has is left out."""
    found: defaultdict[str, list[Candidate]] = defaultdict(list)
    for key, *candidate in db.rows(
        """
        SELECT s.key, s.node_id, f.path, s.is_alias, n.kind = 'summary'
        FROM names s JOIN nodes n ON n.id = s.node_id JOIN files f ON f.node_id = n.id
        WHERE s.key IN (SELECT value FROM json_each(?)) AND n.deleted_at IS NULL
        """,
        [to_json(list(keys))],
    ):
        node_id, path, is_alias, generated = candidate
        found[key].append(Candidate(node_id, path, bool(is_alias), bool(generated)))
    return dict(found)


def resolve(tx: Writer, resolved: Iterable[Resolved]) -> None:
    """Write what links mean; they are no longer due. One that breaks remembers where it pointed."""
    tx.many(
        """
        UPDATE edges SET to_node_id = ?1, match = ?2, due = 0,
               last_node_id = CASE WHEN ?1 IS NULL THEN coalesce(to_node_id, last_node_id) END
        WHERE id = ?3
        """,
        [(to_node_id, match, edge_id) for edge_id, to_node_id, match in resolved],
    )


def _insert(tx: Writer, new: Iterable[tuple[int, Mention]]) -> None:
    tx.many(
        """
        INSERT INTO edges (from_node_id, kind, target, link, target_key, start, "end", explanation, context)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [(node_id, *_likeness(mention), *_place(mention)) for node_id, mention in new],
    )


def _likeness(mention: Mention) -> _Likeness:
    link = mention.link
    return link.kind, link.target, link.link, target_key(link.link)


def _place(mention: Mention) -> list[object]:
    """Return where a link stands: start, end, explanation, context."""
    link = mention.link
    context = _context(mention.heading_path, mention.block_id, link.text, link.key)
    return [link.start, link.end, mention.explanation, context]


@lru_cache(maxsize=1024)
def _context(heading_path: tuple[str, ...], block: str | None, text: str | None, key: str | None) -> str:
    """Return it as JSON, what is missing left out; the links of one section mostly ask for the same."""
    context = {"heading_path": heading_path, "block": block, "text": text, "key": key}
    return to_json({name: value for name, value in context.items() if value})


def _stored(tx: Writer, node_ids: Sequence[int]) -> dict[int, _Edges]:
    """Return the links that notes have now, by node."""
    found: dict[int, _Edges] = {node_id: defaultdict(deque) for node_id in node_ids}
    for node_id, kind, target, link, key, *row in tx.rows(
        """
        SELECT from_node_id, kind, target, link, target_key, id, start, "end", explanation, context
        FROM edges WHERE from_node_id IN (SELECT value FROM json_each(?)) AND source = 'note'
        ORDER BY start, id
        """,
        [to_json(list(node_ids))],
    ):
        found[node_id][kind, target, link, key].append(row)
    return found
