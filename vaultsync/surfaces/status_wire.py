"""The JSON shape of how things stand: the vault, its writer, and the doctor's findings."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from vaultsync.app.finding.climbing import note_path
from vaultsync.surfaces.wire import note_problem

if TYPE_CHECKING:
    from vaultsync.app.doctor import Diagnosis
    from vaultsync.app.finding.status import Status
    from vaultsync.app.finding.tree_status import TreeStatus
    from vaultsync.app.machines.writer import Role
    from vaultsync.app.memory import Memory
    from vaultsync.daemon.pulse import Alive
    from vaultsync.surfaces.wire import Document


def status(memory: Memory, found: Status, alive: Alive | None) -> Document:
    """Return the shape of `status`; `alive`: the daemon, if one runs."""
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
        "free_bytes": found.free_bytes,
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
        "model": {"summariser": memory.settings.summariser, "calls_today": found.calls_today},
        "jobs": _jobs(found, alive),
        "daemon": alive and {**asdict(alive), "watch": alive.watch and alive.watch._asdict()},
    }


def _jobs(found: Status, alive: Alive | None) -> list[Document]:
    """Return each job that ran or will: its last run, and when it is due, in seconds since 1970."""
    due = (alive and alive.next) or {}
    runs = {name: run._asdict() for name, run in found.runs.items()}
    return [{"job": name, "last": runs.get(name), "next": due.get(name)} for name in sorted({*runs, *due})]


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
