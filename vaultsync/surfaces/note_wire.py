"""The JSON shape of a note, and of a file that is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.surfaces.wire import place

if TYPE_CHECKING:
    from vaultsync.app.finding.show import Chunk, Link, Shown
    from vaultsync.app.notes.left_out import LeftOut
    from vaultsync.surfaces.wire import Document


def node(shown: Shown) -> Document:
    """Return the shape of `show` for a node."""
    return {
        "uid": shown.uid,
        "kind": shown.kind,
        "path": shown.path,
        "title": shown.title,
        "aliases": list(shown.aliases),
        "tags": list(shown.tags),
        "description": shown.description,
        "event_date": shown.event_date,
        "link": shown.uri,
        "metadata": shown.metadata,
        "written": shown.written,
        "chunk_status": shown.chunk_status,
        "vectorized": False,
        "role": shown.role,
        "private": shown.private,
        "held": shown.held,
        "problems": [problem._asdict() for problem in shown.problems],
        "headings": [heading._asdict() for heading in shown.headings],
        "blocks": [block._asdict() for block in shown.block_ids],
        "chunks": [_chunk(chunk) for chunk in shown.chunks],
        "links": [_link(link) for link in shown.links],
        "backlinks": [
            {"uid": link.uid, "path": link.path, "title": link.title, "explanation": link.explanation}
            for link in shown.backlinks
        ],
        "place": place(shown.position),
    }


def left_out(found: LeftOut) -> Document:
    """Return the shape of `show` for a file or folder that is no note."""
    return {
        "path": found.path,
        "kind": None,
        "left_out": {"code": found.rule, "message": f"{found.path} is no note: {found.reason}."},
    }


def _chunk(chunk: Chunk) -> Document:
    return {
        "uid": chunk.uid,
        "idx": chunk.idx,
        "heading_path": list(chunk.heading_path),
        "raw_refs": [place._asdict() for place in chunk.places],
        "text": chunk.text,
        "tokens": chunk.tokens,
        "status": chunk.status,
        "parent": chunk.parent,
    }


def _link(link: Link) -> Document:
    return {
        "kind": link.kind,
        "target": link.target,
        "link": link.link,
        "start": link.start,
        "end": link.end,
        "resolved": link.resolved and link.resolved._asdict(),
        "text": link.text,
        "explanation": link.explanation,
    }
