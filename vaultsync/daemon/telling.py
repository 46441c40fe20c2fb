"""What a pass did, as events of the log and as the numbers that are kept of a run."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from vaultsync import logs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from vaultsync.app.notes.report import Report
    from vaultsync.app.outcomes import Adopted, Tended, Written

MANY = 20
"""Events of a kind that one pass tells one by one; of more it tells the number, as of a branch that was switched."""


class _Event(NamedTuple):
    name: str
    fields: Mapping[str, object]
    tell: Callable[..., None] = logs.event


def tell(report: Report) -> None:
    """Log what a pass did. Of notes it names the path and what was found, never what they say."""
    for name, group in groupby(_events(report), key=lambda event: event.name):
        told = list(group)
        if len(told) > MANY:
            told[0].tell(name, count=len(told))
            continue
        for event in told:
            event.tell(name, **event.fields)


def counts(report: Report) -> dict[str, int]:
    """Return what a pass did in numbers, those alone that are not 0."""
    tended, written, refined = report.tended, report.written, report.refined
    done = {
        "added": len(report.added),
        "changed": len(report.modified),
        "renamed": len(report.renamed),
        "removed": len(report.removed),
        "returned": len(report.returned),
        "held_removals": report.held_removals,
        "extracted": report.extracted,
        "adopted": len(report.adopted.adopted),
        "pinned": len(report.adopted.pinned),
        "sealed": tended.sealed,
        "flushed": tended.flushed,
        "remade": tended.remade,
        "dissolved": tended.dissolved,
        "written": len(written.written) + len(written.moved),
        "taken_out": len(written.removed),
        "model_calls": refined.calls,
        "failed": report.failed,
    }
    return {name: number for name, number in done.items() if number}


def _events(report: Report) -> Iterator[_Event]:
    """Yield what happened, a kind after the other."""
    yield from _of_notes(report)
    yield from _not_read(report)
    yield from _of_adopted(report.adopted)
    yield from _of_tended(report.tended)
    yield from _of_written(report.written)
    if report.refined.calls:
        done = {
            "calls": report.refined.calls,
            "taken": report.refined.replaced,
            "failed": report.refined.failed,
        }
        yield _Event("model.asked", done)


def _of_notes(report: Report) -> Iterator[_Event]:
    yield from (_Event("note.added", {"path": path}) for path in report.added)
    yield from (_Event("note.changed", {"path": path}) for path in report.modified)
    for uid, old, new, by in report.renamed:
        yield _Event("note.renamed", {"uid": uid, "from": old, "to": new, "by": by})
    yield from (_Event("note.removed", {"path": path}) for path in report.removed)
    yield from (_Event("note.returned", {"path": path}) for path in report.returned)
    changed = report.changed if report.problems else ()
    for path, problem in report.problems:
        if path in changed:
            line = {"line": problem.line} if problem.line else {}
            yield _Event("note.problem", {"path": path, "code": problem.code, **line})


def _not_read(report: Report) -> Iterator[_Event]:
    if report.refusal:
        held = {"count": report.held_removals, "why": report.refusal}
        yield _Event("removals.held", held, logs.warning)
    for path, problem in report.failures:
        yield _Event("note.failed", {"path": path, "code": problem.code}, logs.warning)
    for folder in report.unreadable:
        yield _Event("folder.unreadable", {"path": folder or "."}, logs.warning)
    for path in report.placeholders:
        yield _Event("note.placeholder", {"path": path}, logs.warning)


def _of_adopted(adopted: Adopted) -> Iterator[_Event]:
    kinds = {
        "adopted": adopted.adopted,
        "pinned": adopted.pinned,
        "absent": adopted.absent,
        "deleted": adopted.deleted,
        "removed": adopted.removed,
    }
    for kind, uids in kinds.items():
        yield from (_Event(f"summary.{kind}", {"uid": uid}) for uid in uids)
    for path, problem in adopted.problems:
        yield _Event("generated.problem", {"path": path, "code": problem.code}, logs.warning)
    if adopted.off:
        yield _Event("summaries.off", {}, logs.warning)


def _of_tended(tended: Tended) -> Iterator[_Event]:
    for kind in ("sealed", "flushed", "remade", "dissolved"):
        if number := getattr(tended, kind):
            yield _Event(f"summary.{kind}", {"count": number})
    failed = [({"stage": "tend", "subject": source}, words) for source, words in tended.failed]
    yield from (_Event("stage.failed", what, logs.warning) for what, _ in failed)
    # What went wrong in a tree may be anything, and quote anything.
    yield from (_Event("stage.error", {**what, "error": words}, logs.debug) for what, words in failed)


def _of_written(written: Written) -> Iterator[_Event]:
    yield from (_Event("generated.written", {"path": path}) for path in written.written)
    yield from (_Event("generated.removed", {"path": path}) for path in written.removed)
    yield from (_Event("generated.moved", {"from": old, "to": new}) for old, new in written.moved)
    for path, words in written.refused:
        yield _Event("stage.failed", {"stage": "write", "subject": path, "error": words}, logs.warning)
