"""`vaultsync doctor`: every check, and the repair of what is derived."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from vaultsync.app.doctor import NAMED, Diagnosis, examine, repair
from vaultsync.surfaces import status_wire
from vaultsync.surfaces.cli import screen
from vaultsync.surfaces.cli.invocation import Invocation, common_options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultsync.app.doctor import Verdict


@click.command("doctor")
@click.option("--repair", "mend", is_flag=True, help="Mend what can be derived from the notes.")
@common_options
@click.pass_obj
def verb(invocation: Invocation, mend: bool) -> int:
    """Check the index, the notes that it was made of, and what is around them; no note is ever changed.

    The exit status is 1 while anything remains.
    """
    verdicts = []
    for verdict in _repaired(invocation) if mend else _examined(invocation):
        verdicts.append(verdict)
        if not invocation.json and not (invocation.quiet and verdict.ok):
            _print(verdict)
    diagnosis = Diagnosis(tuple(verdicts))
    if invocation.json:
        screen.print_json(status_wire.diagnosis(diagnosis))
    elif not invocation.quiet:
        screen.print_line(_summary(diagnosis, mended=mend))
    return 0 if diagnosis.ok else 1


def _examined(invocation: Invocation) -> Iterator[Verdict]:
    """Yield each verdict as soon as it is known: in a large vault, all bytes take their time."""
    with invocation.reading() as memory:
        yield from examine(memory)


def _repaired(invocation: Invocation) -> Iterator[Verdict]:
    with invocation.writing() as memory, invocation.progress() as progress:
        diagnosis = repair(memory, progress)
    yield from diagnosis.checks


def _print(verdict: Verdict) -> None:
    if verdict.ok:
        mark, colour = ("mended", "yellow") if verdict.repaired else ("ok", "green")
        screen.print_raw(f"{_styled(f'{mark:>6}', colour)}  {verdict.code}: {verdict.message}")
        return
    screen.print_raw(f"{_styled(' fails', 'red')}  {verdict.code}: {verdict.count} found; {verdict.message}")
    for words in verdict.found:
        screen.print_line(f"          {words}")
    if verdict.count > NAMED:
        screen.print_line(f"          and {verdict.count - NAMED} more")


def _summary(diagnosis: Diagnosis, *, mended: bool) -> str:
    failing = sum(not verdict.ok for verdict in diagnosis.checks)
    if not failing:
        return "All is well."
    remains = f"{failing} of {len(diagnosis.checks)} checks failed"
    return f"{remains} still." if mended else f"{remains}. `vaultsync doctor --repair` mends what it can."


def _styled(word: str, colour: str) -> str:
    return click.style(word, fg=colour) if sys.stdout.isatty() else word
