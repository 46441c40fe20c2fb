"""`vaultsync status`: what is indexed, what is missing, and what needs a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultsync.app.finding.status import Status, find_status
from vaultsync.app.machines import trust
from vaultsync.surfaces import status_wire
from vaultsync.surfaces.cli import screen
from vaultsync.surfaces.cli.invocation import Invocation, common_options
from vaultsync.surfaces.cli.screen import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from vaultsync.app.finding.tree_status import SourceStatus, TreeStatus
    from vaultsync.store.summaries import SummaryRow

SHOWN = 20
"""Problems listed before the rest is only counted; --json lists all."""


@click.command("status")
@common_options
@click.pass_obj
def verb(invocation: Invocation) -> int:
    """Hold the index against the vault as it is now, and say what is missing and what needs you."""
    with invocation.reading() as memory:
        status = find_status(memory)
    if invocation.json:
        screen.print_json(status_wire.status(memory, status))
    else:
        _print(screen.console(), str(memory.root), status)
    return 1 if status.todo.refusal or status.failures or status.unreadable else 0


def _print(console: Console, vault: str, status: Status) -> None:
    console.print(screen.printable(vault), style="bold", markup=False)
    console.print(_state(status))
    console.print()
    counts = status.counts
    for name, words in (
        ("notes", f"{counts.notes:,} ({_megabytes(counts.text_bytes)}), {counts.private:,} private"),
        ("chunks", f"{counts.chunks:,}; {counts.silent:,} notes have no text to search"),
        ("links", f"{counts.links:,}, {counts.unresolved:,} to notes that do not exist"),
        ("tombstones", f"{counts.tombstones:,} vanished notes remembered"),
        ("summaries", _summaries(status.tree)),
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
    if status.untrusted:
        console.print()
        console.print(screen.printable(trust.words(status.untrusted)), markup=False)
    _print_list(console, "Held back", (f"{path}: {code}" for path, code in status.held))
    _print_list(
        console,
        "Failed, tried again at the next sync",
        (f"{f.stage} {f.subject}: {f.last_error}" for f in status.failures),
    )
    _print_list(
        console, "Could not be looked at", (folder or "the vault's root" for folder in status.unreadable)
    )
    _print_list(
        console, "Conflict copies", (f"{entry.path} (of {entry.detail})" for entry in status.conflicts)
    )
    _print_list(
        console,
        "Problems in notes",
        (
            f"{path}{f':{problem.line}' if problem.line else ''}: {problem.message}"
            for path, problem in status.problems
        ),
    )


def _state(status: Status) -> str:
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
    return f"[yellow]The vault has changed[/] ({', '.join(waiting) or 'rules'}): run `vaultsync sync`."


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
