"""`vaultsync summary`: take back a pinned note, make summaries again, write generated notes or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultsync.app import orders
from vaultsync.app.sync import Wish
from vaultsync.app.unpin import unpin
from vaultsync.surfaces.cli import screen
from vaultsync.surfaces.cli.invocation import Invocation, common_options
from vaultsync.surfaces.cli.passes import run_pass

if TYPE_CHECKING:
    from vaultsync.config import Settings


@click.group("summary")
@common_options
def verb() -> None:
    """Make summaries again, take back one that you changed, write generated notes or not."""


@verb.command("unpin")
@click.argument("ref")
@common_options
@click.pass_obj
def unpin_verb(invocation: Invocation, ref: str) -> int:
    """Let the summary REF be made again; what you wrote in it stays in its note, below our part."""
    with invocation.writing() as memory:
        orders.require_writer(memory)
        row = orders.find_summary(memory, ref)
        unpin(memory, row)
        if row.withdrawn and row.path:
            screen.say(
                f"What stands below our part in {row.path} may still quote notes that are private or left out by now. "
                "Look through it."
            )
        return run_pass(invocation, memory, Wish(asked=True))


@verb.command("rebuild")
@click.argument("ref", required=False)
@common_options
@click.pass_obj
def rebuild_verb(invocation: Invocation, ref: str | None) -> int:
    """Make the summary REF again, or all, in sources chosen anew; pinned ones stay as they are."""
    with invocation.writing() as memory:
        orders.require_writer(memory)
        orders.rebuild(memory, ref)
        return run_pass(invocation, memory, Wish(flush="due" if ref else "all", asked=True))


@verb.command("on")
@common_options
@click.pass_obj
def on_verb(invocation: Invocation) -> int:
    """Write generated notes into the vault."""
    return _switch(invocation, on=True)


@verb.command("off")
@common_options
@click.pass_obj
def off_verb(invocation: Invocation) -> int:
    """Write no generated notes any more; those that are there stay."""
    return _switch(invocation, on=False)


def _switch(invocation: Invocation, *, on: bool) -> int:
    with invocation.writing() as memory:
        orders.require_writer(memory)
        orders.switch(memory, on=on)
        if not (invocation.json or invocation.quiet):
            screen.print_line(_told(memory.settings, on=on))
        return run_pass(invocation, memory, Wish(asked=True))


def _told(settings: Settings, *, on: bool) -> str:
    """Say what holds from now on."""
    if not on:
        return "No summary notes are written any more. Those that are there stay; `vaultsync remove` takes them out."
    if not settings.write:
        return "None are written all the same: `summaries.write` is false (`vaultsync config` says where)."
    return f"Summary notes are written into {settings.folder}/."
