"""`vaultsync writer`: which machine writes what a vault's machines share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultsync.app.machines import writer
from vaultsync.surfaces import status_wire
from vaultsync.surfaces.cli import screen
from vaultsync.surfaces.cli.invocation import Invocation, common_options

if TYPE_CHECKING:
    from vaultsync.app.machines.writer import Role
    from vaultsync.app.memory import Memory


@click.command("writer")
@click.option("--take", is_flag=True, help="Make this machine the writer.")
@common_options
@click.pass_obj
def verb(invocation: Invocation, take: bool) -> None:
    """Say which machine writes what the machines of this vault share; only one does, so that no pull is blocked."""
    with invocation.writing() if take else invocation.reading() as memory:
        taken = take and writer.take(memory)
        role = writer.find_role(memory)
        if invocation.json:
            screen.print_json(status_wire.writer(memory, role, taken=taken))
        elif not invocation.quiet:
            for line in _words(memory, role, taken=taken):
                screen.print_line(line)


def _words(memory: Memory, role: Role, *, taken: bool) -> list[str]:
    if taken:
        return [
            f"This machine ({role.me}) writes .vaultsync in {memory.root} from now on.",
            "Let the other machines have .vaultsync/tree.tsv (commit and push it), which tells them so.",
        ]
    if role.is_writer:
        return [f"This machine ({role.me}) writes .vaultsync in {memory.root}."]
    if role.is_unclaimed:
        return [
            f"No machine writes .vaultsync in {memory.root} yet; the first that has to will.",
            f"This one is {role.me}; `vaultsync writer --take` makes it the writer now.",
        ]
    return [
        f"Machine {role.writer} writes .vaultsync in {memory.root}; this one ({role.me}) reads what that one writes.",
        "If that machine is gone, `vaultsync writer --take` makes this one the writer.",
    ]
