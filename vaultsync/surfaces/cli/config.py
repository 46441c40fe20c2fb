"""`vaultsync config`: the settings in force and where each comes from."""

from __future__ import annotations

import click

from vaultsync import config
from vaultsync.surfaces.cli import screen
from vaultsync.surfaces.cli.invocation import Invocation, common_options


@click.command("config")
@common_options
@click.pass_obj
def verb(invocation: Invocation) -> None:
    """Print the settings in force and where each comes from."""
    place = invocation.find_place()
    loaded = config.load(place.root)
    settings = list(config.listing(loaded))
    if invocation.json:
        screen.print_json(
            {
                "vault": str(place.root),
                "vault_id": place.vault_id,
                "state": str(place.state),
                "settings": {key: {"value": value, "source": source} for key, value, source in settings},
            }
        )
        return
    for line in (f"vault  {place.root}", f"id     {place.vault_id}", f"state  {place.state}", ""):
        screen.print_line(line)
    width = max(len(key) for key, _, _ in settings)
    for key, value, source in settings:
        screen.print_line(f"{key:<{width}}  {config.to_toml(value):<10}  {source}")
