"""What a living daemon is said to be like, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from vaultsync.daemon.pulse import Alive
    from vaultsync.store.job_runs import JobRun

_UNITS = ((86_400, "d"), (3600, "h"), (60, "min"))


def state(alive: Alive | None, now: float, *, has_service: bool = False) -> str:
    """Return in one sentence whether a daemon runs, and since when the index is known to equal the disk.

    `has_service`: the system is to start one at login.
    """
    if alive is None and has_service:
        return "[yellow]No daemon runs[/], though one is to be started at login: `vaultsync service status` says more."
    if alive is None:
        return "No daemon runs: `vaultsync run` starts one, `vaultsync service install` at each login."
    who = f"The daemon (process {alive.pid}, since {_span(now - alive.started_at)})"
    if alive.is_stuck(now):
        return f"[red]{who} hangs[/]: it was last heard of {when(alive.heard_at, now)}. Stop it, and start it again."
    doing = f", {alive.doing[0]} {alive.doing[1]:,} of {alive.doing[2]:,}" if alive.doing else ""
    if alive.looked_at is None:
        return f"{who} looks at the vault for the first time{doing}."
    waiting = f", {alive.pending:,} paths wait" if alive.pending else ""
    return f"{who} found the index equal to the disk {when(alive.looked_at, now)}{waiting}{doing}."


def hindrances(alive: Alive | None) -> Iterator[str]:
    """Yield what keeps the daemon from being told of changes, and what can be done."""
    if alive and alive.watch and alive.watch.mode == "polling":
        yield f"It has to look for changes by itself: {alive.watch.why}"
        if alive.watch.remedy:
            yield f"  {alive.watch.remedy}"


def jobs(runs: Mapping[str, JobRun], alive: Alive | None, now: float) -> Iterator[str]:
    """Yield a line a job: its last run, and the next."""
    due = (alive and alive.next) or {}
    for name in sorted({*runs, *due}):
        parts = []
        if run := runs.get(name):
            parts.append(f"{when(run.ended_at, now)}: {_outcome(run)}")
        if name in due:
            parts.append(f"next {when(due[name], now)}" if due[name] > now else "due")
        yield f"{name}: {'; '.join(parts)}"


def when(moment: float, now: float) -> str:
    """Return a time as people say it: `12 s ago`, `in 4 min`."""
    return f"in {_span(moment - now)}" if moment > now else f"{_span(now - moment)} ago"


def _span(seconds: float) -> str:
    for size, unit in _UNITS:
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{max(0.0, seconds):.0f} s"


def _outcome(run: JobRun) -> str:
    if run.outcome == "failed":
        return f"failed: {run.detail.get('error')}"
    return (
        ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in run.detail.items())
        or "nothing to do"
    )
