"""`vaultsync seal`: seal what is full and make again what changed, without flushing the rest."""

from __future__ import annotations

import click

from vaultsync.app.orders import require_writer
from vaultsync.app.sync import Wish
from vaultsync.surfaces.cli.invocation import Invocation, common_options
from vaultsync.surfaces.cli.passes import run_pass


@click.command("seal")
@common_options
@click.pass_obj
def verb(invocation: Invocation) -> int:
    """Seal the buckets that are full and make again what changed below. A pass over the vault goes before."""
    with invocation.writing() as memory:
        require_writer(memory)
        return run_pass(invocation, memory, Wish(flush="none", asked=True))
