"""`vaultsync config`: the settings in force and where each comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultsync import config
from vaultsync.app.machines import trust
from vaultsync.bootstrap import prepare_state
from vaultsync.surfaces.cli import screen
from vaultsync.surfaces.cli.invocation import Invocation, common_options

if TYPE_CHECKING:
    from vaultsync.bootstrap import Place
    from vaultsync.config import Loaded


@click.group("config", invoke_without_command=True)
@common_options
@click.pass_context
def verb(context: click.Context) -> None:
    """Print the settings in force and where each comes from."""
    invocation = context.ensure_object(Invocation)
    if context.invoked_subcommand is None:
        place = invocation.find_place()
        loaded = trust.load(place.root, place.vault_id)
        if invocation.json:
            screen.print_json(_document(place, loaded))
        else:
            _print(place, loaded)


@verb.command("trust")
@common_options
@click.pass_obj
def accept(invocation: Invocation) -> None:
    """Let what the vault's own settings say of models count, as they are now: your notes may then go there."""
    place = invocation.find_place()
    if place.is_new and trust.load(place.root, place.vault_id).held:
        place = prepare_state(place)  # else it would have another id the next time
    with invocation.holding(place.state):
        accepted = trust.accept(place.root, place.vault_id)
    if invocation.json:
        screen.print_json({"vault": str(place.root), "accepted": accepted})
    elif not accepted:
        screen.print_line(
            f"Nothing that {place.root / config.CONFIG_PATH} says of models waits to be accepted."
        )
    else:
        screen.print_line(
            f"From now on this counts, until {place.root / config.CONFIG_PATH} says something else:"
        )
        for key, value in accepted.items():
            screen.print_line(f"  {key} = {config.to_toml(value)}")


def _document(place: Place, loaded: Loaded) -> dict[str, object]:
    settings = config.listing(loaded)
    return {
        "vault": str(place.root),
        "vault_id": place.vault_id,
        "state": str(place.state),
        "settings": {key: {"value": value, "source": source} for key, value, source in settings},
        "not_trusted": {config.key_of(name): value for name, value in loaded.held.items()},
    }


def _print(place: Place, loaded: Loaded) -> None:
    for line in (f"vault  {place.root}", f"id     {place.vault_id}", f"state  {place.state}", ""):
        screen.print_line(line)
    settings = list(config.listing(loaded))
    width = max(len(key) for key, _, _ in settings)
    for key, value, source in settings:
        screen.print_line(f"{key:<{width}}  {config.to_toml(value):<10}  {source}")
    if loaded.held:
        screen.print_line("")
        screen.print_line(trust.words({config.key_of(name): value for name, value in loaded.held.items()}))
