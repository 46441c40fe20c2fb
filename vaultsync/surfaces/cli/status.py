"""`vaultsync status`: what is indexed, what is missing, and what needs a person."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from vaultsync.app.finding.status import Status, find_status
from vaultsync.app.machines import trust
from vaultsync.daemon import pulse
from vaultsync.domain.errors import ServiceError
from vaultsync.service.choice import find
from vaultsync.service.task import find_task
from vaultsync.surfaces import status_wire
from vaultsync.surfaces.cli import daemon_words, screen
from vaultsync.surfaces.cli.invocation import Invocation, common_options
from vaultsync.surfaces.cli.screen import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import Console

    from vaultsync.app.finding.tree_status import SourceStatus, TreeStatus
    from vaultsync.app.memory import Memory
    from vaultsync.daemon.pulse import Alive
    from vaultsync.store.attempts import Attempt
    from vaultsync.store.summaries import SummaryRow

SHOWN = 20
"""Problems listed before the rest is only counted; --json lists all."""


@click.command("status")
@common_options
@click.pass_obj
def verb(invocation: Invocation) -> int:
    """Hold the index against the vault as it is now, and say what is missing and what needs you."""
    with invocation.reading() as memory:
        alive = pulse.read(memory.state)
        status = find_status(memory)
    if invocation.json:
        screen.print_json(status_wire.status(memory, status, alive))
    else:
        _print(screen.console(), memory, status, alive)
    has_failed = alive and any(run.outcome == "failed" for run in status.runs.values())
    needs_a_person = status.todo.refusal or status.failures or status.unreadable or status.is_full
    return 1 if needs_a_person or has_failed else 0


def _print(console: Console, memory: Memory, status: Status, alive: Alive | None) -> None:
    now = memory.clock()
    console.print(screen.printable(str(memory.root)), style="bold", markup=False)
    console.print(_state(status, has_daemon=alive is not None))
    console.print(daemon_words.state(alive, now, has_service=alive is None and _has_service(memory)))
    for words in daemon_words.hindrances(alive):
        console.print(screen.printable(words), style="yellow", markup=False)
    _print_list(console, "Needs you", _needs(memory, status))
    console.print()
    counts = status.counts
    for name, words in (
        ("notes", f"{counts.notes:,} ({_megabytes(counts.text_bytes)}), {counts.private:,} private"),
        ("chunks", f"{counts.chunks:,}; {counts.silent:,} notes have no text to search"),
        ("links", f"{counts.links:,}, {counts.unresolved:,} to notes that do not exist"),
        ("tombstones", f"{counts.tombstones:,} vanished notes remembered"),
        ("summaries", _summaries(status.tree)),
        ("writer", _writer(status.tree)),
        ("model", _model(memory, status)),
        ("left out", _left_out(status)),
        ("database", _megabytes(status.database_bytes)),
    ):
        console.print(f"  {name:<10}  {words}")
    _print_list(console, "Sources", map(_source, status.tree.sources))
    _print_list(
        console,
        "Folders that `vaultsync summary rebuild` would make sources of their own",
        status.tree.due_sources,
    )
    _print_list(console, "Summaries that a person wrote on", map(_pinned, status.tree.pinned))
    _print_list(console, "Held back", (f"{path}: {code}" for path, code in status.held))
    _print_list(
        console,
        "Failed",
        (f"{f.stage} {f.subject}: {f.last_error} ({_again(f, now)})" for f in status.failures),
    )
    _print_list(
        console, "Could not be looked at", (folder or "the vault's root" for folder in status.unreadable)
    )
    _print_list(
        console, "Conflict copies", (f"{entry.path} (of {entry.detail})" for entry in status.conflicts)
    )
    _print_list(console, "Jobs", daemon_words.jobs(status.runs, alive, now))
    _print_list(
        console,
        "Problems in notes",
        (
            f"{path}{f':{problem.line}' if problem.line else ''}: {problem.message}"
            for path, problem in status.problems
        ),
    )


def _state(status: Status, *, has_daemon: bool) -> str:
    if status.todo.refusal:
        return (
            f"[red]Removals are held back[/]: {status.todo.refusal}. "
            "If that is right, run `vaultsync sync --accept-removals`."
        )
    if status.is_current:
        held = f", but for {len(status.held):,} notes held back (below)" if status.held else ""
        return f"[green]The index equals the vault[/]{held}."
    waiting = [
        f"{number:,} {name}"
        for number, name in (
            (status.new, "new"),
            (status.changed, "changed"),
            (status.renamed, "renamed"),
            (status.gone, "gone"),
            (status.counts.due, "links to resolve"),
        )
        if number
    ]
    advice = "the daemon will see to it" if has_daemon else "run `vaultsync sync`"
    return f"[yellow]The vault has changed[/] ({', '.join(waiting) or 'rules'}): {advice}."


def _summaries(tree: TreeStatus) -> str:
    made = sum(source.summaries for source in tree.sources)
    waiting = sum(source.waiting for source in tree.sources) + tree.pending
    words = [f"{made:,}", f"{waiting:,} chunks under none yet"]
    if not tree.is_on:
        words.append("not written into the vault: `vaultsync summary on` changes that")
    elif tree.duty is None:
        words.append("not written while .vaultsync/tree.tsv can't be read")
    elif not tree.duty.role.may_write:
        words.append("written by another machine: see `vaultsync writer`")
    elif tree.duty.is_doubtful:
        words.append("not made or written while removals are held back")
    elif tree.duty.rests:
        words.append("at rest, since git alone changed the vault")
    elif tree.duty.is_busy:
        words.append("not written while git is at work")
    return "; ".join(words)


def _source(source: SourceStatus) -> str:
    facts = {
        "chunks under none yet": source.waiting,
        "open": source.open,
        "stale": source.stale,
        "pinned": source.pinned,
        "withheld until made again": source.withdrawn,
        "deleted by a person": source.deleted,
    }
    words = [counted(source.notes, "note"), counted(source.summaries, "summary")]
    words += [f"{number:,} {name}" for name, number in facts.items() if number]
    name = f"{source.source or 'the vault itself'}{', private' if source.private else ''}"
    return f"{name}: {', '.join(words)}"


def _pinned(row: SummaryRow) -> str:
    withheld = " (may quote what is to be seen no more; `vaultsync summary unpin` lets it be made again)"
    return f"{row.path or row.title}{withheld if row.withdrawn else ''}"


def _left_out(status: Status) -> str:
    rules = [f"{number:,} {rule}" for rule, number in status.left_out.items()]
    if status.counts.ignored:
        rules.append(f"{status.counts.ignored:,} vaultsync: ignore")
    return ", ".join(rules) or "nothing"


def _has_service(memory: Memory) -> bool:
    """Tell, asking no other program, whether the system is to start a daemon for this vault."""
    with suppress(ServiceError):  # of a path for which none can be installed
        service = find(find_task(memory.root, None, os.environ), sys.platform)
        return service is not None and service.is_installed
    return False


def _needs(memory: Memory, status: Status) -> Iterator[str]:
    """Yield what only a person can decide or mend, and how."""
    if status.is_full:
        yield f"The disk of {memory.state} is full ({_megabytes(status.free_bytes)} left): make room there."
    if status.untrusted:
        yield trust.words(status.untrusted)
    if status.unreadable:
        yield f"{len(status.unreadable):,} folders or files could not be looked at: `vaultsync doctor` says why."
    if status.conflicts:
        yield f"{counted(len(status.conflicts), 'conflict copy')}: bring the two texts together and delete one."
    if withheld := [row for row in status.tree.pinned if row.withdrawn]:
        yield f"{counted(len(withheld), 'summary')} in your words may quote what is private or gone by now (below)."
    if status.tree.duty is None:
        yield ".vaultsync/tree.tsv can't be read, so no summaries are made or written: `vaultsync doctor` says why."
    waiting = [found for found in status.failures if found.next_attempt_at is None]
    if waiting:
        yield f"{counted(len(waiting), 'failure')} that will not pass by itself (below)."


def _writer(tree: TreeStatus) -> str:
    """Say which machine writes generated notes."""
    if tree.duty is None or tree.duty.role.writer is None:
        return "no machine has written generated notes yet"
    role = tree.duty.role
    return "this machine" if role.is_writer else f"machine {role.writer}; this one reads what it writes"


def _again(failure: Attempt, now: float) -> str:
    at = failure.next_attempt_at
    return "waits for a change" if at is None else f"tried again {daemon_words.when(at, now)}"


def _model(memory: Memory, status: Status) -> str:
    if memory.settings.summariser == "extractive":
        return "none is asked; nothing leaves this machine"
    share = memory.settings.calls_per_day
    return f"{memory.settings.model}: {status.calls_today:,} of {share:,} calls of today made"


def _print_list(console: Console, title: str, lines: Iterable[str]) -> None:
    listed = list(lines)
    if not listed:
        return
    console.print(f"\n[bold]{title}[/] ({len(listed):,})")
    for line in listed[:SHOWN]:
        console.print(screen.printable(f"  {line}"), markup=False)
    if len(listed) > SHOWN:
        console.print(f"  and {len(listed) - SHOWN:,} more: see `vaultsync status --json`")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
