"""What a pass did, in words or as JSON, and the exit status that goes with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vaultsync.app.machines import trust
from vaultsync.app.sync import Wish, sync
from vaultsync.surfaces import sync_wire
from vaultsync.surfaces.cli import screen
from vaultsync.surfaces.cli.screen import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from vaultsync.app.asking.refine import Estimate
    from vaultsync.app.memory import Memory
    from vaultsync.app.notes.report import Report
    from vaultsync.app.outcomes import Adopted, Tended
    from vaultsync.surfaces.cli.invocation import Invocation

SHOWN = 8
"""Notes or problems listed before the rest is only counted."""


def run_pass(invocation: Invocation, memory: Memory, wish: Wish, **how: Any) -> int:  # noqa: ANN401 - as `sync` takes them
    """Run a pass, say what it did, and return the exit status."""
    speaks = not invocation.quiet and not invocation.json
    with invocation.progress() as progress:
        announce = _announce if speaks else _keep_quiet
        report = sync(memory, wish, progress=progress, announce=announce, **how)
    planned = _planned_calls(memory) if memory.is_rehearsal else 0
    if invocation.json:
        document = sync_wire.sync_report(
            memory.root, report, dry_run=memory.is_rehearsal, planned_calls=planned
        )
        screen.print_json(document)
    else:
        _print(memory, report, planned, quiet=invocation.quiet)
    return 1 if report.needs_a_person else 0


def _planned_calls(memory: Memory) -> int:
    from vaultsync.app.asking.refine import estimate  # noqa: PLC0415 - for a dry run only

    return estimate(memory).calls


def _announce(takes: Estimate) -> None:
    """Say what a model will be asked, before it is asked for the first time."""
    days = f", in {takes.days:,} days" if takes.days > 1 else ""
    screen.say(f"The model is asked for {takes.calls:,} summaries: {takes.tokens:,} tokens of notes{days}.")


def _keep_quiet(_estimate: Estimate) -> None:
    pass


def _print(memory: Memory, report: Report, planned_calls: int, *, quiet: bool) -> None:
    if not quiet:
        _print_notes(memory, report)
        _print_summaries(memory, report, planned_calls)
        screen.print_line(f"{counted(_known(report), 'note')} known, {report.seconds:.2f} s")
        _list_problems(report)
    if held := trust.held(memory):
        screen.say(trust.words(held))
    _say_what_failed(memory, report)


def _print_notes(memory: Memory, report: Report) -> None:
    screen.print_line(f"{memory.root.name}: {_outcome(report, dry_run=memory.is_rehearsal)}")
    if memory.is_rehearsal:
        _print_plan(report)
    else:
        _list(f"  renamed: {words}" for words in _renames(report))


def _print_summaries(memory: Memory, report: Report, planned_calls: int) -> None:
    """Say what became of summaries and their notes, at the first time also how to be rid of them."""
    written, removed = report.written.written, report.written.removed
    folder, would = memory.settings.folder, "would be " if memory.is_rehearsal else ""
    _print_adopted(report.adopted, folder)
    if done := _tended(report.tended, would):
        screen.print_line(f"Summaries: {done}")
    if written:
        size = f"{report.written.bytes:,} bytes"
        screen.print_line(f"{counted(len(written), 'summary note')} {would}written into {folder}/ ({size})")
    if removed:
        screen.print_line(f"{counted(len(removed), 'summary note')} {would}removed")
    if report.is_first_build and written and memory.is_rehearsal:
        screen.print_line("  `vaultsync sync --no-summaries` writes none.")
    elif report.is_first_build and written:
        screen.print_line(f"  Begin with {_top(written)}. Your own notes are as they were.")
        screen.print_line(
            "  `vaultsync summary off` writes no more of them; `vaultsync remove` takes them out again."
        )
    if planned_calls:
        screen.print_line(f"A model would be asked {counted(planned_calls, 'time')} in all")
    if report.refined.calls:
        done = f"{counted(report.refined.calls, 'time')}, {counted(report.refined.replaced, 'text')} taken"
        screen.print_line(f"The model was asked {done}, {report.refined.left:,} still to come")


def _print_adopted(found: Adopted, folder: str) -> None:
    """Say what was found of generated notes that is not what was written last."""
    if found.adopted:
        screen.print_line(f"{counted(len(found.adopted), 'summary note')} in {folder}/ read as found")
    if found.pinned:
        pinned = counted(len(found.pinned), "summary")
        screen.print_line(f"{pinned} in your words now, kept until `vaultsync summary unpin`")
    if found.off:
        screen.print_line(f"{folder}/ was taken away: none are written until `vaultsync summary on`")
    elif found.deleted:
        deleted = counted(len(found.deleted), "summary note")
        screen.print_line(f"{deleted} deleted by you, not written again until `vaultsync summary rebuild`")


def _tended(done: Tended, would: str) -> str:
    """Say what was done with summaries, as far as anything was."""
    counts = {
        "made or grown": done.flushed,
        "sealed": done.sealed,
        "made again": done.remade,
        "taken away": done.dissolved,
    }
    return ", ".join(f"{number:,} {would}{words}" for words, number in counts.items() if number)


def _top(written: Sequence[str]) -> str:
    """Return the note from which all others are reached: the one right in the folder."""
    return min(written, key=lambda path: (path.count("/"), len(path), path))


def _known(report: Report) -> int:
    new = len(report.added) + len(report.returned)
    return report.unchanged + new + len(report.modified) + len(report.renamed)


def _say_what_failed(memory: Memory, report: Report) -> None:
    if report.failures:
        screen.say(f"Notes that could not be read, tried again at the next sync: {len(report.failures):,}")
        _list((f"  {problem.message}" for _, problem in report.failures), screen.say)
    if report.unreadable:
        screen.say("These could not be looked at (see `vaultsync doctor`); what is known of them stays:")
        _list((f"  {folder or memory.root}" for folder in report.unreadable), screen.say)
    if report.placeholders:
        screen.say("These are in the cloud and not downloaded; what is known of them stays:")
        _list((f"  {path}" for path in report.placeholders), screen.say)
    if report.tended.failed:
        screen.say("Sources that could not be summed up, tried again at the next sync:")
        _list(
            (f"  {folder or memory.root.name}: {words}" for folder, words in report.tended.failed), screen.say
        )
    left: dict[str, str] = dict(report.stuck)
    left |= {path: problem.message for path, problem in report.adopted.problems}
    left |= report.written.refused
    if left:
        screen.say("Generated notes that were left as they are:")
        _list((f"  {path}: {words}" for path, words in sorted(left.items())), screen.say)
    if report.refined.stopped and not report.refined.replaced:
        screen.say(f"The model: {report.refined.stopped}. The summaries keep their chosen sentences.")
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
    done = ", ".join(parts) or ("no note changed" if _has_grown(report) else "nothing to do")
    return f"would be {done}" if dry_run and parts else done


def _has_grown(report: Report) -> bool:
    """Tell whether something became of summaries or their notes."""
    found = report.adopted
    taken = found.adopted or found.pinned or found.deleted or found.off
    return bool(taken or report.tended.changed or report.written.touched or report.refined.calls)


def _list_problems(report: Report) -> None:
    """List what is wrong with the notes of this pass; what was known before, `status` lists."""
    changed = {*report.added, *report.modified, *report.returned, *(note.new for note in report.renamed)}
    listed = [(path, problem) for path, problem in report.problems if path in changed]
    if listed:
        screen.print_line(
            f"{counted(len(listed), 'problem')} in them (their text is searchable all the same):"
        )
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
