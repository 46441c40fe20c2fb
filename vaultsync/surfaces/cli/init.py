"""`vaultsync init`: write the vault's settings, every option explained."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from vaultsync import bootstrap
from vaultsync.config import CONFIG_PATH, Settings
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
    """Write .vaultsync/config.toml with every setting explained, at its default. Never overwrites one.

    On a terminal it asks whether summaries are to be written into the vault.
    """
    root = _find_root(invocation, folder)
    said = {} if _wants_notes(invocation, root) else {"write": False}
    written = bootstrap.write_config(root, said)
    if invocation.json:
        screen.print_json({"vault": str(root), "path": CONFIG_PATH, "written": written})
    elif written:
        screen.print_line(
            f"Wrote {root / CONFIG_PATH}. Change what you like, then run `vaultsync sync {root}`."
        )
    else:
        screen.print_line(f"{root / CONFIG_PATH} is there already and stays as it is.")


def _wants_notes(invocation: Invocation, root: Path) -> bool:
    """Ask whether summaries are to be notes in the vault, if there is somebody to ask and nothing is settled yet."""
    is_settled = os.path.lexists(root / CONFIG_PATH)
    is_alone = sys.stdin is None or not sys.stdin.isatty()  # None: started with no input at all
    if invocation.json or invocation.quiet or is_settled or is_alone:
        return True
    question = f"Write summaries into the vault, as notes in {Settings().folder}/?"
    return click.confirm(question, default=True, err=True)


def _find_root(invocation: Invocation, folder: Path | None) -> Path:
    """Return the vault as every verb finds it; where there is none, the folder we are in becomes one."""
    try:
        return invocation.find_place(folder).root
    except UsageError:
        return invocation.find_place(current_folder()).root
