"""`vaultsync dump`: the canonical state as JSON lines."""

from __future__ import annotations

import click

from vaultsync.app.dump import dump
from vaultsync.surfaces.cli import screen
from vaultsync.surfaces.cli.invocation import Invocation, common_options


@click.command("dump")
@click.option("--uids", is_flag=True, help="Show the uids of notes and chunks too.")
@click.option("--tree", is_flag=True, help="The summaries too.")
@common_options
@click.pass_obj
def verb(invocation: Invocation, *, uids: bool, tree: bool) -> None:
    """Print what is known of the vault as JSON lines, in an order that depends on the vault alone."""
    with invocation.reading() as memory:
        for line in dump(memory.db, uids=uids, tree=tree):
            screen.print_raw(line)
