"""The JSON shape of what a pass did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.surfaces.wire import note_problem

if TYPE_CHECKING:
    from pathlib import Path

    from vaultsync.app.notes.report import Report
    from vaultsync.surfaces.wire import Document


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
