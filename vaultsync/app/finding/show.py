"""One node with all that is known of it; of a file that is no note, the rule that left it out."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app.finding.climbing import find_position
from vaultsync.app.finding.refs import find_path, find_ref
from vaultsync.app.finding.show_summary import ShownSummary, gather_summary
from vaultsync.app.notes.left_out import LeftOut, explain_file, find_rule, is_file
from vaultsync.domain.anchors import Anchor, resolve_anchor
from vaultsync.domain.errors import UnknownRef
from vaultsync.domain.explanations import explain_link, explain_property
from vaultsync.domain.notes import (
    BlockId,
    Heading,
    LinkKind,
    LinkMatch,
    Metadata,
    NotePath,
    Problem,
    Role,
    Uid,
)
from vaultsync.domain.uris import obsidian_uri
from vaultsync.store import details

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultsync.app.finding.climbing import Position
    from vaultsync.app.memory import Memory
    from vaultsync.store.connection import Reader
    from vaultsync.store.details import Around, BacklinkRow, ChunkRow, LinkRow


class Place(NamedTuple):
    """Bytes [start, end) of a file."""

    path: NotePath
    start: int
    end: int


class Target(NamedTuple):
    """The node that a link leads to, and the heading or block of it, as written there."""

    uid: Uid
    path: NotePath
    heading: str | None
    block: str | None
    match: LinkMatch | None


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a node's text, `tokens` long; `places` are where it stands in files."""

    uid: Uid
    idx: int
    heading_path: tuple[str, ...]
    places: tuple[Place, ...]
    text: str
    tokens: int
    status: str
    parent: Uid | None


@dataclass(frozen=True, slots=True)
class Link:
    """A link at bytes [start, end) of its note; `target` is as written, `link` decoded, `text` displayed."""

    kind: LinkKind
    target: str
    link: str
    start: int
    end: int
    resolved: Target | None
    text: str | None
    explanation: str


class Backlink(NamedTuple):
    """A link from another node, and the sentence around it."""

    uid: Uid
    path: NotePath
    title: str
    explanation: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A note. `uri` opens it in Obsidian; `written`: by key path, values that JSON shows otherwise.

    `position`: in the tree, None if it is in none.
    """

    uid: Uid
    kind: str
    path: NotePath
    title: str
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    description: str
    event_date: str | None
    uri: str
    metadata: Metadata
    written: dict[str, str]
    chunk_status: str
    role: Role
    private: bool
    held: str | None
    problems: tuple[Problem, ...]
    headings: tuple[Heading, ...]
    block_ids: tuple[BlockId, ...]
    chunks: tuple[Chunk, ...]
    links: tuple[Link, ...]
    backlinks: tuple[Backlink, ...]
    position: Position | None


def show(memory: Memory, ref: str) -> Shown | ShownSummary | LeftOut:
    """Return what is known of the node that `ref` means, or why the file at that path is no note.

    Raises UnknownRef and AmbiguousRef as `find_ref`, and UnknownRef for a note that was not read yet.
    """
    with memory.db.snapshot() as index:
        if find_path(index, ref) is None and is_file(memory, ref):
            return explain_file(memory, index, ref)
        try:
            found = find_ref(index, ref)
        except UnknownRef:
            if left_out := find_rule(memory, ref):
                return left_out
            raise
        if found.kind == "summary":
            return gather_summary(index, found.uid)
        return _gather(memory, index, found.node_id)


def _gather(memory: Memory, index: Reader, node_id: int) -> Shown:
    row = details.node(index, node_id)
    headings, block_ids = _outline(row.headings, row.block_ids)
    return Shown(
        uid=row.uid,
        kind=row.kind,
        path=row.path,
        title=row.title,
        aliases=tuple(json.loads(row.aliases)),
        tags=tuple(json.loads(row.tags)),
        description=row.description,
        event_date=row.event_date,
        uri=obsidian_uri(memory.root.name, row.path),
        metadata=json.loads(row.metadata),
        written=json.loads(row.written),
        chunk_status=row.chunk_status,
        role=row.role,
        private=bool(row.private),
        held=row.held,
        problems=tuple(Problem(*problem) for problem in json.loads(row.problems)),
        headings=headings,
        block_ids=block_ids,
        chunks=_chunks(details.chunks(index, node_id)),
        links=tuple(map(_link, details.links(index, node_id))),
        backlinks=tuple(map(_backlink, details.backlinks(index, node_id))),
        position=find_position(index, row.uid),
    )


def _outline(headings: str, block_ids: str) -> tuple[tuple[Heading, ...], tuple[BlockId, ...]]:
    return (
        tuple(Heading(*heading) for heading in json.loads(headings)),
        tuple(BlockId(*block) for block in json.loads(block_ids)),
    )


def _chunks(rows: Sequence[ChunkRow]) -> tuple[Chunk, ...]:
    return tuple(_chunk(list(of_one)) for _, of_one in itertools.groupby(rows, key=attrgetter("uid")))


def _chunk(rows: Sequence[ChunkRow]) -> Chunk:
    first = rows[0]
    return Chunk(
        uid=first.uid,
        idx=first.idx,
        heading_path=tuple(json.loads(first.heading_path)),
        places=tuple(
            Place(row.path, row.start, row.end)
            for row in rows
            if row.path is not None and row.start is not None and row.end is not None
        ),
        text=first.text,
        tokens=first.tokens,
        status=first.status,
        parent=first.parent,
    )


def _link(row: LinkRow) -> Link:
    return Link(
        kind=row.kind,
        target=row.target,
        link=row.around.link,
        start=row.start,
        end=row.end,
        resolved=_target(row),
        text=row.around.text,
        explanation=_explanation(row.around),
    )


def _backlink(row: BacklinkRow) -> Backlink:
    return Backlink(row.uid, row.path, row.title, _explanation(row.around))


def _explanation(around: Around) -> str:
    """Return why a link is there: as somebody states it, else the sentence around it."""
    if around.explanation is not None:
        return around.explanation
    if around.key is not None:
        return explain_property(around.key, around.text, around.link)
    if around.chunk is None:
        return ""
    return explain_link(around.chunk, around.encoding, around.start, around.start + around.length)


def _target(row: LinkRow) -> Target | None:
    if row.uid is None or row.path is None:
        return None
    anchor = Anchor(None, None)
    if row.headings is not None and row.block_ids is not None:
        anchor = resolve_anchor(row.around.link, *_outline(row.headings, row.block_ids))
    return Target(row.uid, row.path, anchor.heading, anchor.block, row.match)
