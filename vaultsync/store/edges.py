"""Links between notes: written as they stand, resolved when they are due."""

from __future__ import annotations

import json
from collections import defaultdict, deque
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from vaultsync.domain.links import Candidate
from vaultsync.domain.names import target_key
from vaultsync.domain.wikilinks import wiki_parts
from vaultsync.store.as_json import to_json
from vaultsync.store.names import key_hash

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from vaultsync.domain.notes import Link, LinkKind, LinkMatch, NotePath
    from vaultsync.store.connection import Reader, Writer

    _Likeness = tuple[str, str, str | None, int | None]
    """What a link is apart from its place, as it is stored: kind, target, link, target_hash."""

    _Edges = defaultdict[_Likeness, deque[list[object]]]
    """The rows (id, then the place) of a node's links by likeness, in the note's order."""


class NoteLinks(NamedTuple):
    """The links of a node, in the order in which they stand in its note."""

    node_id: int
    links: Sequence[Link]


class DueEdge(NamedTuple):
    """A link to be resolved: what `domain.links.resolve` asks for but the candidates of its `target_key`."""

    edge_id: int
    link: str
    kind: LinkKind
    from_path: NotePath
    from_node_id: int
    target_key: str | None

    @classmethod
    def stored(cls, row: Sequence[Any]) -> Self:
        """Return it from its id, target, link (see `link_of`), kind, path and node."""
        edge_id, target, link, kind, path, node_id = row
        points_at = link_of(target, link)
        return cls(edge_id, points_at, kind, path, node_id, target_key(points_at))


class Resolved(NamedTuple):
    """The node that a link means and how it was found; None, None: there is no such note."""

    edge_id: int
    to_node_id: int | None
    match: LinkMatch | None


def link_of(target: str, link: str | None) -> str:
    """Return where a link points: as it is stored, else as a wikilink's target says it."""
    return wiki_parts(target)[1] if link is None else link


def text_of(target: str, context: str | None) -> str | None:
    """Return what a link shows: as its context (JSON) says, else as a wikilink's target says it."""
    said = wiki_parts(target)[2]
    return json.loads(context).get("text", said) if context else said


def key_of(context: str | None) -> str | None:
    """Return the property that holds a link, as its context (JSON) says."""
    return json.loads(context).get("key") if context else None


def add(tx: Writer, batch: Iterable[NoteLinks]) -> None:
    """Write the links of nodes that have none yet; they are due."""
    _insert(tx, ((note.node_id, link) for note in batch for link in note.links))


def replace(tx: Writer, batch: Sequence[NoteLinks]) -> None:
    """Let nodes have these links and no others from their notes.

    A link that only moved keeps its row and what it was resolved to: the n-th of a kind, target and link
    stays the n-th. New ones are due.
    """
    new: list[tuple[int, Link]] = []
    moved: list[tuple[object, ...]] = []
    gone: list[tuple[object]] = []
    stored = _stored(tx, [note.node_id for note in batch])
    for note in batch:
        old = stored[note.node_id]
        for link in note.links:
            rows = old.get(_likeness(link))
            if not rows:
                new.append((note.node_id, link))
                continue
            edge_id, *place = rows.popleft()
            if place != (here := _place(link)):
                moved.append((*here, edge_id))
        gone += [(row[0],) for rows in old.values() for row in rows]
    tx.many("DELETE FROM edges WHERE id = ?", gone)
    tx.many('UPDATE edges SET start = ?, "end" = ?, context = ? WHERE id = ?', moved)
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
    tx.many("UPDATE edges SET due = 1 WHERE target_hash = ? AND due = 0", [(key_hash(key),) for key in keys])


def mark_moved(tx: Writer, node_ids: Collection[int]) -> None:
    """Let the links from and to these nodes be resolved again that depend on where the nodes stand.

    A bare name that only one note has leads there from everywhere (`domain.links.resolve`): most links stay.
    """
    if not node_ids:
        return
    shared = tx.rows("SELECT key FROM names GROUP BY key HAVING count(*) > 1")
    ids = to_json(list(node_ids))
    keys = tx.rows("SELECT DISTINCT key FROM names WHERE node_id IN (SELECT value FROM json_each(?))", [ids])
    tx.run(
        """
        UPDATE edges SET due = 1
        WHERE id IN (
            SELECT id FROM edges WHERE from_node_id IN (SELECT value FROM json_each(:ids))
            UNION ALL SELECT id FROM edges WHERE target_hash IN (SELECT value FROM json_each(:to)))
          AND due = 0 AND (kind = 'markdown' OR instr(coalesce(link, target), '/')
                           OR target_hash IN (SELECT value FROM json_each(:shared)))
        """,
        {
            "ids": ids,
            "to": to_json([key_hash(key) for (key,) in keys]),
            "shared": to_json([key_hash(key) for (key,) in shared]),
        },
    )


def mark_returned(tx: Writer, node_ids: Collection[int]) -> None:
    """Let the links from and to these nodes, which counted for nothing, be resolved again."""
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
        SELECT e.id, e.target, e.link, e.kind, f.path, e.from_node_id
        FROM edges e INDEXED BY edges_due
        JOIN nodes n ON n.id = e.from_node_id JOIN files f ON f.node_id = n.id
        WHERE e.due = 1 AND n.deleted_at IS NULL ORDER BY e.id LIMIT ?
        """,
        [limit],
    )
    return [DueEdge.stored(row) for row in rows]


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


def _insert(tx: Writer, new: Iterable[tuple[int, Link]]) -> None:
    tx.many(
        """
        INSERT INTO edges (from_node_id, kind, target, link, target_hash, start, "end", context)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [(node_id, *_likeness(link), *_place(link)) for node_id, link in new],
    )


def _likeness(link: Link) -> _Likeness:
    other = None if link.link == link_of(link.target, None) else link.link
    return link.kind, link.target, other, key_hash(target_key(link.link))


def _place(link: Link) -> list[object]:
    """Return where a link stands: start, end, context."""
    return [link.start, link.end, _context(link)]


def _context(link: Link) -> str | None:
    """Return as JSON what neither the target nor the chunk around a link says; None if that is nothing."""
    context: dict[str, str | None] = {}
    if link.key:
        context["key"] = link.key
    if link.text != text_of(link.target, None):
        context["text"] = link.text
    return to_json(context) if context else None


def _stored(tx: Writer, node_ids: Sequence[int]) -> dict[int, _Edges]:
    """Return the links that notes have now, by node."""
    found: dict[int, _Edges] = {node_id: defaultdict(deque) for node_id in node_ids}
    for node_id, *likeness, edge_id, start, end, context in tx.rows(
        """
        SELECT from_node_id, kind, target, link, target_hash, id, start, "end", context
        FROM edges WHERE from_node_id IN (SELECT value FROM json_each(?)) AND source IS NULL
        ORDER BY start, id
        """,
        [to_json(list(node_ids))],
    ):
        found[node_id][tuple(likeness)].append([edge_id, start, end, context])
    return found
