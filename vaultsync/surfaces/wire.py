"""The one JSON shape of each answer (commands.md), for the command line and whatever else asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vaultsync.app.finding.climbing import note_path
from vaultsync.domain.uris import obsidian_uri

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vaultsync.app.doctor import Diagnosis
    from vaultsync.app.finding.climbing import Position
    from vaultsync.app.finding.search import Hit, SearchResult
    from vaultsync.app.finding.show import Chunk, Link, Shown
    from vaultsync.app.finding.status import Status
    from vaultsync.app.finding.tree_status import TreeStatus
    from vaultsync.app.machines.writer import Role
    from vaultsync.app.memory import Memory
    from vaultsync.app.notes.left_out import LeftOut
    from vaultsync.app.notes.report import Report
    from vaultsync.domain.notes import NotePath, Problem

Document = dict[str, Any]
"""A JSON object; its keys are stable."""


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


def place(position: Position | None) -> Document | None:
    """Return the shape of a place in the tree."""
    if position is None:
        return None
    return {
        "tree": position.tree,
        "source": position.source,
        "private": position.private,
        "parents": list(position.parents),
    }


def left_out(found: LeftOut) -> Document:
    """Return the shape of `show` for a file or folder that is no note."""
    return {
        "path": found.path,
        "kind": None,
        "left_out": {"code": found.rule, "message": f"{found.path} is no note: {found.reason}."},
    }


def sync_report(vault: Path, report: Report, *, dry_run: bool = False, planned_calls: int = 0) -> Document:
    """Return the shape of `sync`; a stage that this version does not know counts nothing.

    A dry run lists the notes besides, as `plan`; `planned_calls`: those of a model that the pass would begin.
    """
    classes = {
        "added": report.added,
        "modified": report.modified,
        "returned": report.returned,
        "removed": report.removed,
    }
    return {
        **({"plan": classes} if dry_run else {}),
        "vault": str(vault),
        "added": len(report.added),
        "modified": len(report.modified),
        "renamed": [
            {"uid": note.uid, "from": note.old, "to": note.new, "by": note.by} for note in report.renamed
        ],
        "removed": len(report.removed),
        "returned": len(report.returned),
        "unchanged": report.unchanged,
        "held_removals": report.held_removals,
        "refusal": report.refusal,
        "problems": [note_problem(path, problem) for path, problem in report.problems],
        "failures": [note_problem(path, problem) for path, problem in report.failures],
        "unreadable": list(report.unreadable),
        "placeholders": list(report.placeholders),
        "stages": {
            "parsed": report.parsed,
            "linked": report.links,
            "extracted": report.extracted,
            "embedded": 0,
            "adopted": len(report.adopted.adopted),
            "pinned": len(report.adopted.pinned),
            "sealed": report.tended.sealed,
            "flushed": report.tended.flushed,
            "remade": report.tended.remade,
            "written": len(report.written.written),
            "model_calls": report.refined.calls,
            "failed": report.failed,
        },
        "summaries": {
            "written": list(report.written.written),
            "removed": list(report.written.removed),
            "moved": [{"from": old, "to": new} for old, new in report.written.moved],
            "refused": [{"path": path, "message": words} for path, words in report.written.refused],
            "stuck": [{"path": path, "message": words} for path, words in report.stuck],
            "bytes": report.written.bytes,
            **({"model_calls": planned_calls} if dry_run else {}),
        },
        "seconds": {"total": round(report.seconds, 3)},
    }


def search_result(
    root: Path, query: str, mode: str, result: SearchResult, lines: Sequence[tuple[int, int]]
) -> Document:
    """Return the shape of `search`. `root`: the vault; `lines`: of each hit, its first and last line."""
    return {
        "query": query,
        "mode": mode,
        "legs": list(result.legs),
        "relaxed": result.relaxed,
        "notices": list(result.notices),
        "hits": [_hit(root, hit, *span) for hit, span in zip(result.hits, lines, strict=True)],
    }


def match(hit: Hit) -> Document:
    """Return the shape of what a query found in a hit."""
    return {
        "snippet": hit.snippet.text,
        "marks": [list(mark) for mark in hit.snippet.marks],
        "score": hit.score,
        "parts": hit.parts,
    }


def uri(root: Path, path: NotePath) -> str:
    """Return the URI that opens a note in Obsidian, which names the vault at `root` by its folder."""
    return obsidian_uri(root.name, path)


def note_problem(path: NotePath, problem: Problem) -> Document:
    """Return the shape of a problem in a list over several notes."""
    return {"path": path, **problem._asdict()}


def status(memory: Memory, found: Status) -> Document:
    """Return the shape of `status`."""
    counts = found.counts
    return {
        "vault": str(memory.root),
        "vault_id": memory.vault_id,
        "state": str(memory.state),
        "is_current": found.is_current,
        "notes": counts.notes,
        "chunks": counts.chunks,
        "links": {"total": counts.links, "unresolved": counts.unresolved, "due": counts.due},
        "coverage": {"chunked": counts.notes - counts.silent, "empty": counts.silent, "vectorized": 0},
        "private": counts.private,
        "tombstones": counts.tombstones,
        "text_bytes": counts.text_bytes,
        "database_bytes": found.database_bytes,
        "missing": {
            "new": found.new,
            "changed": found.changed,
            "renamed": found.renamed,
            "gone": found.gone,
        },
        "held_removals": len(found.todo.refused),
        "refusal": found.todo.refusal,
        "held": [{"path": path, "code": code} for path, code in found.held],
        "failures": [failure._asdict() for failure in found.failures],
        "problems": [note_problem(path, problem) for path, problem in found.problems],
        "left_out": {**found.left_out, "ignored-by-note": counts.ignored},
        "generated": counts.generated,
        **_trees(found.tree),
        "conflict_copies": [{"path": entry.path, "original": entry.detail} for entry in found.conflicts],
        "unreadable": list(found.unreadable),
        "untrusted": dict(found.untrusted),
        "jobs": [],
        "daemon": None,
    }


def _trees(found: TreeStatus) -> Document:
    return {
        "extraction": {"pending": found.pending},
        "sources": [{**one._asdict(), "summaries": one.summaries} for one in found.sources],
        "sources_due": list(found.due_sources),
        "pinned": [
            {"uid": row.uid, "title": row.title, "path": note_path(row), "withdrawn": row.withdrawn}
            for row in found.pinned
        ],
        "writing": {
            "on": found.is_on,
            "writer": found.duty and found.duty.role.may_write,
            "resting": found.duty and found.duty.rests,
            "git_busy": found.duty and found.duty.is_busy,
        },
    }


def writer(memory: Memory, role: Role, *, taken: bool) -> Document:
    """Return the shape of `writer`; `taken`: this machine was not the writer before."""
    return {
        "vault": str(memory.root),
        "me": role.me,
        "writer": role.writer,
        "is_writer": role.is_writer,
        "taken": taken,
    }


def diagnosis(found: Diagnosis) -> Document:
    """Return the shape of `doctor`; `found` names at most the first few of `count`."""
    return {
        "checks": [
            {
                "code": check.code,
                "ok": check.ok,
                "count": check.count,
                "found": list(check.found),
                "message": check.message,
                "repaired": check.repaired,
            }
            for check in found.checks
        ],
        "ok": found.ok,
    }


def _hit(root: Path, hit: Hit, line: int, end_line: int) -> Document:
    return {
        "uid": hit.uid,
        "chunk": hit.chunk,
        "path": hit.path,
        "title": hit.title,
        "kind": hit.kind,
        "heading_path": list(hit.heading_path),
        "start": hit.start,
        "end": hit.end,
        "line": line,
        "end_line": end_line,
        "event_date": hit.event_date,
        **match(hit),
        "link": uri(root, hit.path) if hit.path else None,
        "summaries": list(hit.summaries),
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
