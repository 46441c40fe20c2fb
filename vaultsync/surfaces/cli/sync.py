"""`vaultsync sync`: one pass of every stage until nothing is missing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultsync.app.reconcile import reconcile
from vaultsync.bootstrap import refuse_part
from vaultsync.domain.errors import UsageError
from vaultsync.domain.names import is_utf8
from vaultsync.domain.notes import NotePath
from vaultsync.surfaces import wire
from vaultsync.surfaces.cli import screen
from vaultsync.surfaces.cli.invocation import FOLDER, Invocation, common_options, current_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from vaultsync.app.memory import Memory
    from vaultsync.app.report import Report

SHOWN = 8
"""Notes or problems listed before the rest is only counted."""


@click.command("sync")
@click.argument("folder", metavar="[DIR]", required=False, type=FOLDER)
@click.option(
    "--only", multiple=True, metavar="PATH", help="Look only at this note or folder; may be repeated."
)
@click.option("--dry-run", is_flag=True, help="Print what would be done and change nothing.")
@click.option("--rehash", is_flag=True, help="Read and parse every note again, whatever is known of it.")
@click.option("--accept-removals", is_flag=True, help="Go on although most notes are gone from the disk.")
@click.option("--no-models", is_flag=True, expose_value=False, help="Stop after text (there is no more yet).")
@click.option(
    "--no-summaries", is_flag=True, expose_value=False, help="Write no summary notes (there are none yet)."
)
@common_options
@click.pass_obj
def verb(
    invocation: Invocation,
    *,
    folder: Path | None,
    only: tuple[str, ...],
    dry_run: bool,
    rehash: bool,
    accept_removals: bool,
) -> int:
    """Read what changed in the vault and remember it. The vault: DIR, --vault, or the one around you."""
    if folder is not None:
        refuse_part(folder)
    opened = invocation.rehearsing(folder) if dry_run else invocation.writing(folder)
    with (
        opened as memory,
        screen.progress(shown=not invocation.quiet and not invocation.json) as progress,
    ):
        report = reconcile(
            memory,
            only=_below_root(memory.root, only),
            rehash=rehash,
            accept_removals=accept_removals,
            progress=progress,
        )
    if invocation.json:
        screen.print_json(wire.sync_report(memory.root, report, dry_run=dry_run))
    else:
        _print(memory, report, dry_run=dry_run, quiet=invocation.quiet)
    return 1 if report.refusal or report.failures or report.unreadable or report.placeholders else 0


def _print(memory: Memory, report: Report, *, dry_run: bool, quiet: bool) -> None:
    if not quiet:
        known = report.unchanged + len(report.added) + len(report.modified)
        known += len(report.renamed) + len(report.returned)
        screen.print_line(f"{memory.root.name}: {_outcome(report, dry_run=dry_run)}")
        if dry_run:
            _print_plan(report)
        else:
            _list(f"  renamed: {words}" for words in _renames(report))
        screen.print_line(f"{known:,} notes known, {report.seconds:.2f} s")
        _list_problems(report)
    if report.failures:
        screen.say(f"Notes that could not be read, tried again at the next sync: {len(report.failures):,}")
        _list((f"  {problem.message}" for _, problem in report.failures), screen.say)
    if report.unreadable:
        screen.say("These could not be looked at (see `vaultsync doctor`); what is known of them stays:")
        _list((f"  {folder or memory.root}" for folder in report.unreadable), screen.say)
    if report.placeholders:
        screen.say("These are in the cloud and not downloaded; what is known of them stays:")
        _list((f"  {path}" for path in report.placeholders), screen.say)
    if report.refusal:
        screen.say(
            f"Nothing was removed: {report.refusal}. "
            "If that is right, run `vaultsync sync --accept-removals`."
        )


def _print_plan(report: Report) -> None:
    for name, paths in _changes(report):
        for path in paths:
            screen.print_line(f"  {name}: {path}")


def _changes(report: Report) -> list[tuple[str, Sequence[str]]]:
    changes: list[tuple[str, Sequence[str]]] = [
        ("added", report.added),
        ("changed", report.modified),
        ("renamed", _renames(report)),
        ("returned", report.returned),
        ("removed", report.removed),
    ]
    return [(name, notes) for name, notes in changes if notes]


def _renames(report: Report) -> list[str]:
    return [f"{note.old} -> {note.new} (by {note.by})" for note in report.renamed]


def _outcome(report: Report, *, dry_run: bool) -> str:
    parts = [f"{len(paths):,} {name}" for name, paths in _changes(report)]
    done = ", ".join(parts) or "nothing to do"
    return f"would be {done}" if dry_run and parts else done


def _list_problems(report: Report) -> None:
    """List what is wrong with the notes of this pass; what was known before, `status` lists."""
    changed = {*report.added, *report.modified, *report.returned, *(note.new for note in report.renamed)}
    listed = [(path, problem) for path, problem in report.problems if path in changed]
    if listed:
        screen.print_line(f"{len(listed):,} problems in them (their text is searchable all the same):")
        _list(
            f"  {path}{f':{problem.line}' if problem.line else ''}: {problem.message}"
            for path, problem in listed
        )


def _list(lines: Iterable[str], tell: Callable[[str], None] = screen.print_line) -> None:
    listed = list(lines)
    for line in listed[:SHOWN]:
        tell(line)
    if len(listed) > SHOWN:
        tell(f"  and {len(listed) - SHOWN} more")


def _below_root(root: Path, only: Sequence[str]) -> list[NotePath] | None:
    """Return the paths of `--only`; None stands for the whole vault, which its root names too."""
    paths = [_below(root, path) for path in only]
    return None if not paths or "." in paths else paths


def _below(root: Path, path: str) -> NotePath:
    """Return a path of `--only` as one below the vault; it may be given from the root or from here."""
    if not path:
        raise UsageError("--only: the name is empty. Name a note or folder in the vault.")
    if not is_utf8(path):
        raise UsageError(f"--only {path!r}: no note has such a name. Name a note or folder in the vault.")
    from_here = Path(os.path.realpath(current_folder() / Path(path).parent)) / Path(path).name
    below = os.path.normpath(
        from_here if from_here.is_relative_to(root) and os.path.lexists(from_here) else root / path
    )
    relative = os.path.relpath(below, root).replace(os.sep, "/")
    if relative.split("/")[0] == "..":
        raise UsageError(f"--only {path}: that lies outside the vault {root}. Name a note or folder in it.")
    return NotePath(relative)
