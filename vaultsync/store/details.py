"""One node with all that is known of it, and the ways to find it by what a person calls it."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, Self

from vaultsync.store.as_json import to_json
from vaultsync.store.edges import key_of, link_of, text_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from vaultsync.domain.notes import LinkKind, LinkMatch, NotePath, Role, Uid
    from vaultsync.store.connection import Reader, Row

    _Leaves = Mapping[int, list[tuple[int, str]]]
    """By node, the first byte and the text of each leaf, in order."""


class Known(NamedTuple):
    """A living node, by what a person may call it. `path`: of a summary, that of its note, None if it has none."""

    node_id: int
    uid: Uid
    path: NotePath | None
    title: str
    kind: str = "note"

    @property
    def label(self) -> str:
        """Return what tells it from others: its path, else its title and uid."""
        return self.path or f"{self.title} ({self.uid})"


class NodeRow(NamedTuple):
    """A living node; the last eight are JSON as the schema says."""

    uid: Uid
    kind: str
    path: NotePath
    title: str
    description: str
    event_date: str | None
    chunk_status: str
    role: Role
    held: str | None
    private: int
    aliases: str
    tags: str
    metadata: str
    written: str
    problems: str
    headings: str
    block_ids: str


class ChunkRow(NamedTuple):
    """A chunk and one place where its text stands; `start` and `end` are None for a text of our own."""

    uid: Uid
    idx: int
    heading_path: str
    text: str
    tokens: int
    status: str
    parent: Uid | None
    path: NotePath | None
    start: int | None
    end: int | None


class Around(NamedTuple):
    """What a link says and what stands around it. `explanation`: as somebody states it; `key`: the property's.

    `chunk`: the text that holds it, at bytes [start, start + length) of `encoding`; None for a property's link.
    """

    explanation: str | None
    link: str
    text: str | None
    key: str | None
    chunk: str | None
    encoding: str
    start: int
    length: int

    @classmethod
    def stored(cls, row: Row, leaves: _Leaves) -> Self:
        """Return it from the columns of `_AROUND` and the leaves of its note."""
        explanation, target, link, context, encoding, start, length, node_id = row
        of_note = leaves.get(node_id, [])
        at = bisect_right(of_note, start, key=itemgetter(0)) - 1
        begin, chunk = of_note[at] if at >= 0 else (0, None)
        said = (link_of(target, link), text_of(target, context), key_of(context))
        return cls(explanation, *said, chunk, encoding, start - begin, length)


class LinkRow(NamedTuple):
    """A link and the node it leads to, its headings and block ids (JSON) are there if the link names one."""

    kind: LinkKind
    target: str
    start: int
    end: int
    match: LinkMatch | None
    uid: Uid | None
    path: NotePath | None
    headings: str | None
    block_ids: str | None
    around: Around


class BacklinkRow(NamedTuple):
    """A link from another node."""

    uid: Uid
    path: NotePath
    title: str
    around: Around


def named(db: Reader, key: str, *, aliases: bool) -> list[Known]:
    """Return the nodes whose file name, or with `aliases` also an alias, has this key, by path."""
    rows = db.rows(
        """
        SELECT DISTINCT n.id, n.uid, n.path, n.title FROM names s JOIN node n ON n.id = s.node_id
        WHERE s.key = :key AND s.is_alias <= :aliases ORDER BY n.path
        """,
        {"key": key, "aliases": aliases},
    )
    return [Known(*row) for row in rows]


def titles(db: Reader) -> Iterator[tuple[int, str]]:
    """Yield the id and title of every node."""
    yield from db.rows("SELECT id, title FROM nodes WHERE deleted_at IS NULL")


def known(db: Reader, node_id: int) -> Known | None:
    """Return the living node with this id."""
    row = db.row("SELECT id, uid, path, title FROM node WHERE id = ?", [node_id])
    return Known(*row) if row else None


def with_uid(db: Reader, beginning: str) -> list[Known]:
    """Return the nodes whose uid begins like this, by path."""
    rows = db.rows(
        "SELECT id, uid, path, title FROM node WHERE uid >= :low AND uid < :low || 'g' ORDER BY path",
        {"low": beginning},
    )
    return [Known(*row) for row in rows]


def summaries(db: Reader) -> list[Known]:
    """Return all summaries, by source, privacy and ordinal."""
    rows = db.all(
        "SELECT node_id, uid, path, title, 'summary' FROM summary ORDER BY folder, private, ordinal"
    )
    return [Known(*row) for row in rows]


def names_like(db: Reader, key: str) -> list[tuple[str, NotePath]]:
    """Return the names that begin with the same letter as `key` or hold it, each with its node's path."""
    rows = db.rows(
        """
        SELECT s.key, n.path FROM names s JOIN node n ON n.id = s.node_id
        WHERE substr(s.key, 1, 1) = substr(:key, 1, 1) OR instr(s.key, :key) ORDER BY s.key, n.path
        """,
        {"key": key},
    )
    return [(key, path) for key, path in rows]


def is_ignored(db: Reader, path: NotePath) -> bool:
    """Whether the note at this path asks to be left out."""
    return bool(db.value("SELECT 1 FROM files WHERE path = ? AND ignored = 1 AND ours IS NULL", [path]))


def is_ours(db: Reader, path: NotePath) -> bool:
    """Whether we generated the note at this path."""
    return bool(db.value("SELECT 1 FROM files WHERE path = ? AND ours IS NOT NULL", [path]))


def node(db: Reader, node_id: int) -> NodeRow:
    """Return a living node by its id, which must be one's."""
    row = db.row(
        """
        SELECT uid, kind, path, title, description, event_date, chunk_status, role, held, private,
               aliases, tags, metadata, written, problems, headings, block_ids
        FROM node WHERE id = ?
        """,
        [node_id],
    )
    assert row is not None  # noqa: S101 - the id was found in the same snapshot
    return NodeRow._make(row)


STATUS = """
    CASE WHEN c.status IS NULL THEN 'pending_extraction'
         WHEN c.status = 'admitted' AND s.state = 'sealed' THEN 'sealed' ELSE c.status END
"""
"""The lifecycle of a leaf (c) under the summary (s) that is its parent."""


def chunks(db: Reader, node_id: int) -> list[ChunkRow]:
    """Return a node's chunks in order, one with several places once for each."""
    rows = db.rows(
        f"""
        SELECT c.uid, c.chunk_idx, c.heading_path, c.text, c.token_count,
               {STATUS}, p.uid,
               f.path, r.start, r."end"
        FROM chunks c LEFT JOIN chunks p ON p.id = c.parent_id LEFT JOIN summaries s ON s.chunk_id = c.parent_id
        LEFT JOIN raw_refs r ON r.chunk_id = c.id LEFT JOIN files f ON f.id = r.file_id
        WHERE c.node_id = ? ORDER BY c.chunk_idx, c.id, r.start
        """,
        [node_id],
    )
    return [ChunkRow._make(row) for row in rows]


_AROUND = """
    e.explanation, e.target, e.link, e.context, n.encoding, e.start, e."end" - e.start, e.from_node_id
"""
"""What `Around.stored` reads."""


def links(db: Reader, node_id: int) -> list[LinkRow]:
    """Return a node's links in the order of its note."""
    rows = db.rows(
        f"""
        SELECT e.kind, e.target, e.start, e."end", e.match, t.uid, t.path,
               CASE WHEN instr(coalesce(e.link, e.target), '#') THEN t.headings END,
               CASE WHEN instr(coalesce(e.link, e.target), '#') THEN t.block_ids END,
               {_AROUND}
        FROM edges e JOIN node n ON n.id = e.from_node_id LEFT JOIN node t ON t.id = e.to_node_id
        WHERE e.from_node_id = ? ORDER BY e.start, e."end", e.id
        """,
        [node_id],
    )
    leaves = _leaves(db, [node_id])
    return [LinkRow._make((*row[:9], Around.stored(row[9:], leaves))) for row in rows]


def backlinks(db: Reader, node_id: int) -> list[BacklinkRow]:
    """Return the links that other nodes have to this one, by path and place."""
    rows = db.all(
        f"""
        SELECT n.uid, n.path, n.title, {_AROUND}
        FROM edges e JOIN node n ON n.id = e.from_node_id
        WHERE e.to_node_id = :id AND e.from_node_id <> :id ORDER BY n.path, e.start, e.id
        """,
        {"id": node_id},
    )
    leaves = _leaves(db, {row[-1] for row in rows})
    return [BacklinkRow._make((*row[:3], Around.stored(row[3:], leaves))) for row in rows]


def _leaves(db: Reader, node_ids: Collection[int]) -> _Leaves:
    """Return where each leaf of these nodes begins, and its text; to join them to links would take the square."""
    found: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    for node_id, start, text in db.rows(
        """
        SELECT c.node_id, r.start, c.text FROM chunks c JOIN raw_refs r ON r.chunk_id = c.id
        WHERE c.node_id IN (SELECT value FROM json_each(?)) ORDER BY c.node_id, r.start
        """,
        [to_json(list(node_ids))],
    ):
        found[node_id].append((start, text))
    return found
