"""`vaultsync flush`: sum up now what still waits for a summary, whatever its age."""

from __future__ import annotations

import click

from vaultsync.app.finding.source_names import find_source
from vaultsync.app.growing import sources
from vaultsync.app.orders import require_writer
from vaultsync.app.sync import Wish
from vaultsync.surfaces.cli.invocation import Invocation, common_options
from vaultsync.surfaces.cli.passes import run_pass


@click.command("flush")
@click.argument("source", required=False)
@common_options
@click.pass_obj
def verb(invocation: Invocation, source: str | None) -> int:
    """Sum up everything that has no summary yet, in SOURCE or in all sources. A pass over the vault goes before."""
    with invocation.writing() as memory:
        require_writer(memory)
        known = sources.in_force(memory.db.read())
        folder = None if source is None else find_source(known, source, memory.root.name)
        return run_pass(invocation, memory, Wish(flush="all", source=folder, asked=True))
