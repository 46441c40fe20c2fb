"""The JSON shapes of the memory tree: its summaries, notes and leaves, and the ways through it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from vaultsync.app.finding.climbing import note_path
from vaultsync.app.finding.tree import Member
from vaultsync.store.leaves import LeafRow, NoteRow
from vaultsync.store.summaries import SummaryRow
from vaultsync.surfaces.search_wire import match
from vaultsync.surfaces.wire import Document, place, uri

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vaultsync.app.finding import traverse, tree
    from vaultsync.app.finding.leaves import Leaves
    from vaultsync.app.finding.query_source import SourceAnswer, Told
    from vaultsync.app.finding.show_summary import ShownSummary
    from vaultsync.app.memory import Memory
    from vaultsync.domain.notes import NotePath


def trees(memory: Memory, found: Sequence[tree.SourceTree]) -> Document:
    """Return the shape of `tree`: all in it follows from the vault alone, so `vault` is its id, not its place."""
    return {
        "vault": memory.vault_id,
        "trees": [
            {
                "id": one.uid,
                "source": one.source,
                "private": one.private,
                "roots": [_branch(root) for root in one.roots],
                "loose": [_member(note) for note in one.loose],
            }
            for one in found
        ],
    }


def drilled(root: Path, found: traverse.Drilled) -> Document:
    """Return the shape of `drill`. `root`: the vault."""
    return {
        "node": _grown(root, found.node),
        "above": [_item(root, row) for row in found.above],
        "truncated": found.truncated,
    }


def leaves(root: Path, page: Leaves) -> Document:
    """Return the shape of `leaves`."""
    return {
        "leaves": [_item(root, leaf) for leaf in page.leaves],
        "next": page.next,
        "total": page.total,
        "truncated": page.truncated,
    }


def source(root: Path, query: str | None, found: SourceAnswer) -> Document:
    """Return the shape of `source`."""
    left_out = found.left_out
    return {
        "vault": str(root),
        "source": found.source,
        "query": query,
        "summaries": [_told(root, one) for one in found.summaries],
        "leaves": [_told(root, one) for one in found.leaves],
        "left_out": left_out and {"summaries": left_out[0], "leaves": left_out[1]},
    }


def shown_summary(root: Path, found: ShownSummary) -> Document:
    """Return the shape of `show` for a summary."""
    row = found.row
    return {
        **_item(root, row),
        "text_hash": row.text_hash,
        "input_digest": row.inputs,
        "missing": row.missing,
        "place": place(found.position),
        "children": [
            {"uid": child.uid, "kind": _item(root, child)["kind"], "path": _path(child), "title": child.title}
            for child in found.children
        ],
    }


def _branch(branch: tree.Branch) -> Document:
    row = branch.summary
    return {
        "id": row.uid,
        "ordinal": row.ordinal,
        "level": row.level,
        "shelf": row.shelf,
        "state": row.state,
        "pinned": row.pinned,
        "title": row.title,
        "path": note_path(row),
        "text_hash": row.text_hash,
        "input_digest": row.inputs,
        "generator": row.generator,
        "children": [
            _member(child) if isinstance(child, Member) else _branch(child) for child in branch.children
        ],
    }


def _member(note: Member) -> Document:
    return {"note": note.uid, "path": note.path, "title": note.title, "digest": note.digest}


def _grown(root: Path, branch: traverse.Branch) -> Document:
    return {**_item(root, branch.item), "children": [_grown(root, child) for child in branch.children]}


def _told(root: Path, told: Told) -> Document:
    found = match(told.hit) if told.hit else {}
    return {**_item(root, told.item), "day": told.day, **found}


def _item(root: Path, item: SummaryRow | NoteRow | LeafRow) -> Document:
    path = _path(item)
    known = {
        "uid": item.uid,
        "path": path,
        "title": item.title,
        "link": uri(root, path) if path else None,
        "private": item.private,
    }
    if isinstance(item, SummaryRow):
        return {"kind": "summary", **known, **_summary(item)}
    if isinstance(item, NoteRow):
        return {"kind": "note", **known, "description": item.description, "event_date": item.event_date}
    return {"kind": "leaf", **known, **_leaf(item)}


def _path(item: SummaryRow | NoteRow | LeafRow) -> NotePath | None:
    return note_path(item) if isinstance(item, SummaryRow) else item.path


def _summary(row: SummaryRow) -> Document:
    return {
        "tree": row.tree_uid,
        "source": row.folder,
        "level": row.level,
        "ordinal": row.ordinal,
        "shelf": row.shelf,
        "state": row.state,
        "pinned": row.pinned,
        "withdrawn": row.withdrawn,
        "generator": row.generator,
        "fallback": row.fallback,
        "text": None if row.withdrawn else row.text,
    }


def _leaf(row: LeafRow) -> Document:
    return {
        "note": row.note,
        "event_date": row.event_date,
        "heading_path": json.loads(row.heading_path),
        "raw_refs": [
            {"path": path, "start": start, "end": end} for path, start, end in json.loads(row.places)
        ],
        "text": row.text,
        "tokens": row.tokens,
        "status": row.status,
        "parent": row.parent,
    }
