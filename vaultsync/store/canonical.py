"""The rows of the canonical state, in an order that depends on the vault alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultsync.store.edges import link_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultsync.store.connection import Reader


class NoteRow(NamedTuple):
    """A living note; `aliases`, `tags`, `problems`, `headings`, `block_ids` are JSON as the schema says."""

    node_id: int
    uid: str
    path: str
    held: str | None
    title: str
    aliases: str
    tags: str
    event_date: str | None
    content_hash: str
    problems: str
    headings: str
    block_ids: str


class ChunkRow(NamedTuple):
    """A leaf of a living note that is not held."""

    uid: str
    path: str
    start: int
    end: int
    text_hash: str
    heading_path: str


class LinkRow(NamedTuple):
    """A link of a living note that is not held."""

    path: str
    start: int
    end: int
    kind: str
    target: str
    link: str
    to_node_id: int | None


class SummaryRow(NamedTuple):
    """A summary. `children`, as JSON: paths of notes, or ordinals of summaries, in order."""

    uid: str
    source: str
    private: bool
    ordinal: int
    level: int
    shelf: str
    state: str
    pinned: bool
    text_hash: str
    children: str


def notes(db: Reader) -> Iterator[NoteRow]:
    """Yield every living note by path."""
    return map(
        NoteRow._make,
        db.rows(
            """
            SELECT id, uid, path, held, title, aliases, tags, event_date, content_hash, problems, headings,
                   block_ids
            FROM node WHERE kind = 'note' ORDER BY path
            """
        ),
    )


def leaves(db: Reader) -> Iterator[ChunkRow]:
    """Yield every leaf by path and place."""
    return map(
        ChunkRow._make,
        db.rows(
            """
            SELECT c.uid, n.path, r.start, r."end", lower(hex(c.text_hash)), c.heading_path
            FROM node n JOIN chunks c ON c.node_id = n.id JOIN raw_refs r ON r.chunk_id = c.id
            WHERE n.held IS NULL ORDER BY n.path, r.start
            """
        ),
    )


def links(db: Reader) -> Iterator[LinkRow]:
    """Yield every link by path and place."""
    for path, start, end, kind, target, link, to_node_id in db.rows(
        """
        SELECT n.path, e.start, e."end", e.kind, e.target, e.link, e.to_node_id
        FROM node n JOIN edges e ON e.from_node_id = n.id
        WHERE n.held IS NULL AND e.source IS NULL ORDER BY n.path, e.start, e."end", e.kind, e.target
        """
    ):
        yield LinkRow(path, start, end, kind, target, link_of(target, link), to_node_id)


def summaries(db: Reader) -> Iterator[SummaryRow]:
    """Yield every summary by source, privacy and ordinal."""
    for uid, source, private, ordinal, level, shelf, state, pinned, text_hash, children in db.rows(
        """
        SELECT s.uid, s.folder, s.private, s.ordinal, s.level, s.shelf, s.state, s.pinned, s.text_hash,
               (SELECT json_group_array(member ORDER BY seq)
                FROM (SELECT coalesce(n.path, c.seq) AS member, min(c.seq) AS seq
                      FROM chunks c LEFT JOIN node n ON n.id = c.node_id AND c.kind = 'leaf'
                      WHERE c.parent_id = s.chunk_id AND c.status = 'admitted'
                        AND (c.kind = 'summary' OR n.id IS NOT NULL)
                      GROUP BY c.node_id))
        FROM summary s ORDER BY s.folder, s.private, s.ordinal
        """
    ):
        yield SummaryRow(
            uid, source, private == 1, ordinal, level, shelf, state, pinned == 1, text_hash, children
        )
