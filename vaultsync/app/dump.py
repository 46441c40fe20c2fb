"""The canonical state as JSON lines: equal exactly when two indexes say the same of a vault."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from vaultsync.domain.anchors import Anchor, resolve_anchor
from vaultsync.domain.notes import BlockId, Heading
from vaultsync.store import canonical

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultsync.store.canonical import ChunkRow, LinkRow, NoteRow, SummaryRow
    from vaultsync.store.connection import Database


def dump(db: Database, *, uids: bool = False, tree: bool = False) -> Iterator[str]:
    """Yield one JSON object a line: notes, then chunks, then links (commands.md); `uids` adds their uids.

    `tree`: the summaries behind them.
    """
    with db.snapshot() as index:
        targets = _Targets()
        for note in canonical.notes(index):
            targets.add(note)
            yield _line(_note(note), note.uid if uids else None)
        for leaf in canonical.leaves(index):
            yield _line(_chunk(leaf), leaf.uid if uids else None)
        for link in canonical.links(index):
            yield _line(_link(link, targets), None)
        for summary in canonical.summaries(index) if tree else ():
            yield _line(_summary(summary), summary.uid if uids else None)


class _Targets:
    """Where links can lead: each note's path, its headings and block ids (JSON until asked for)."""

    def __init__(self) -> None:
        self._notes: dict[int, tuple[str, str, str]] = {}
        self._outlines: dict[int, tuple[list[Heading], list[BlockId]]] = {}

    def add(self, note: NoteRow) -> None:
        self._notes[note.node_id] = (note.path, note.headings, note.block_ids)

    def path(self, node_id: int) -> str:
        return self._notes[node_id][0]

    def anchor(self, node_id: int, link: str) -> Anchor:
        if "#" not in link:
            return Anchor(None, None)
        if node_id not in self._outlines:
            _, headings, block_ids = self._notes[node_id]
            self._outlines[node_id] = (
                [Heading(*heading) for heading in json.loads(headings)],
                [BlockId(*block) for block in json.loads(block_ids)],
            )
        return resolve_anchor(link, *self._outlines[node_id])


def _note(note: NoteRow) -> dict[str, Any]:
    if note.held:
        return {"note": note.path, "held": note.held}
    return {
        "note": note.path,
        "title": note.title,
        "aliases": json.loads(note.aliases),
        "tags": json.loads(note.tags),
        "event_date": note.event_date,
        "hash": note.content_hash,
        "problems": [code for code, *_ in json.loads(note.problems)],
    }


def _chunk(leaf: ChunkRow) -> dict[str, Any]:
    return {
        "chunk": [leaf.path, leaf.start, leaf.end],
        "hash": leaf.text_hash,
        "heading_path": json.loads(leaf.heading_path),
        "vectorized": False,
    }


def _link(link: LinkRow, targets: _Targets) -> dict[str, Any]:
    node_id = link.to_node_id
    anchor = Anchor(None, None) if node_id is None else targets.anchor(node_id, link.link)
    return {
        "link": [link.path, link.start, link.end],
        "kind": link.kind,
        "target": link.target,
        "to": None if node_id is None else targets.path(node_id),
        "heading": anchor.heading,
        "block": anchor.block,
    }


def _summary(summary: SummaryRow) -> dict[str, Any]:
    return {
        "summary": [summary.source, summary.ordinal],
        "private": summary.private,
        "level": summary.level,
        "shelf": summary.shelf,
        "state": summary.state,
        "pinned": summary.pinned,
        "hash": summary.text_hash,
        "children": json.loads(summary.children),
    }


def _line(entry: dict[str, Any], uid: str | None) -> str:
    if uid is not None:
        entry["uid"] = uid
    return json.dumps(entry, ensure_ascii=False, sort_keys=True)
