"""`vaultsync init`: write the vault's settings, every option explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultsync import bootstrap
from vaultsync.config import CONFIG_PATH
from vaultsync.domain.errors import UsageError
from vaultsync.surfaces.cli import screen
from vaultsync.surfaces.cli.invocation import FOLDER, Invocation, common_options, current_folder

if TYPE_CHECKING:
    from pathlib import Path


@click.command("init")
@click.argument("folder", metavar="[DIR]", required=False, type=FOLDER)
@common_options
@click.pass_obj
def verb(invocation: Invocation, folder: Path | None) -> None:
    """Write .vaultsync/config.toml with every setting explained, at its default. Never overwrites one."""
    root = _find_root(invocation, folder)
    written = bootstrap.write_config(root)
    if invocation.json:
        screen.print_json({"vault": str(root), "path": CONFIG_PATH, "written": written})
    elif written:
        screen.print_line(
            f"Wrote {root / CONFIG_PATH}. Change what you like, then run `vaultsync sync {root}`."
        )
    else:
        screen.print_line(f"{root / CONFIG_PATH} is there already and stays as it is.")


def _find_root(invocation: Invocation, folder: Path | None) -> Path:
    """Return the vault as every verb finds it; where there is none, the folder we are in becomes one."""
    try:
        return invocation.find_place(folder).root
    except UsageError:
        return invocation.find_place(current_folder()).root
