"""`vaultsync remove`: take out the service, the generated notes that nobody changed, and the memory on this machine."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from vaultsync.app.writing.unwriting import forget, take_out
from vaultsync.bootstrap import open_memory, prepare_state
from vaultsync.daemon import instance_lock
from vaultsync.domain.errors import ServiceError
from vaultsync.service.choice import find
from vaultsync.service.steps import Plan
from vaultsync.service.task import find_task
from vaultsync.surfaces.cli import screen
from vaultsync.surfaces.cli.invocation import Invocation, common_options
from vaultsync.surfaces.cli.service import Done, carry_out, ended

if TYPE_CHECKING:
    from vaultsync.app.writing.unwriting import Removal
    from vaultsync.bootstrap import Place

SHOWN = 20
"""Files listed before the rest is only counted."""


@click.command("remove")
@click.option("--dry-run", is_flag=True, help="Say what would be removed and remove nothing.")
@click.option("--all", "everything", is_flag=True, help="Also .vaultsync with its settings, ids and ledgers.")
@common_options
@click.pass_obj
def verb(invocation: Invocation, dry_run: bool, everything: bool) -> int:
    """Take out the service, the generated notes in which nobody wrote, and this machine's memory; list what is left."""
    place = invocation.find_place()
    plan = _without_service(invocation, place)
    speaks = not (dry_run or invocation.json or invocation.quiet)
    # First the service: while its daemon runs, nothing else can be taken out.
    done = Done([step.words for step in plan.steps]) if dry_run else carry_out(plan, speaks=speaks)
    status = ended(done)
    if place.is_new:
        removal = None
    elif dry_run:
        with invocation.rehearsing() as memory:
            removal = take_out(memory, everything=everything, dry_run=True)
    else:
        removal = _remove(place, everything=everything)
    if invocation.json:
        screen.print_json(_json(place, removal, dry_run=dry_run) | {"service": done.steps})
    elif not invocation.quiet:
        for words in done.steps if dry_run else ():
            screen.print_line(f"Would {words}")
        _print(place, removal, dry_run=dry_run)
    return 1 if removal and removal.has_failed else status


def _without_service(invocation: Invocation, place: Place) -> Plan:
    """Plan to take out the service of the vault, if one is installed; else nothing is asked of the system."""
    with suppress(ServiceError):  # of a path for which none can be installed
        service = find(find_task(place.root, invocation.state, os.environ), sys.platform)
        if service and service.is_installed:
            return service.uninstall()
    return Plan(())


def _remove(place: Place, *, everything: bool) -> Removal:
    """Remove all of it under the lock, which goes last. A daemon can't be asked: it would lose its own memory.

    If something can't be removed, the memory stays, so that it can be tried again.
    """
    place = prepare_state(place)
    instance_lock.refuse_daemon(place.state)
    with instance_lock.hold(place.state):
        with open_memory(place, write=True) as memory:
            removal = take_out(memory, everything=everything)
        if not removal.has_failed:
            forget(place.state)
    return removal


def _json(place: Place, removal: Removal | None, *, dry_run: bool) -> dict[str, object]:
    return {
        "vault": str(place.root),
        "dry_run": dry_run,
        "removed": removal.removed if removal else [],
        "left": [{"path": path, "why": why} for path, why in removal.left] if removal else [],
        "state": str(place.home) if removal and not removal.has_failed else None,
    }


def _print(place: Place, removal: Removal | None, *, dry_run: bool) -> None:
    if removal is None:
        screen.print_line(f"Nothing is known of {place.root}, so nothing is to be removed.")
        return
    would = "Would remove" if dry_run else "Removed"
    files = f"{screen.counted(len(removal.removed), 'file')} of {place.root.name}"
    state = "not its memory: mend what is below and try again" if removal.has_failed else str(place.home)
    screen.print_line(f"{would} {files}, and {state}.")
    for path in removal.removed[:SHOWN] if dry_run else ():
        screen.print_line(f"  {path}")
    if dry_run and len(removal.removed) > SHOWN:
        screen.print_line(f"  and {len(removal.removed) - SHOWN} more")
    if removal.left:
        screen.print_line("Left in the vault:")
    for path, why in removal.left:
        screen.print_line(f"  {path}: {why}")
