"""`vaultsync sync`: one pass of every stage until nothing is missing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultsync.app.sync import Wish
from vaultsync.domain.errors import UsageError
from vaultsync.domain.names import is_utf8
from vaultsync.domain.notes import NotePath
from vaultsync.surfaces.cli.invocation import FOLDER, Invocation, common_options, current_folder
from vaultsync.surfaces.cli.passes import run_pass

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.command("sync")
@click.argument("folder", metavar="[DIR]", required=False, type=FOLDER)
@click.option(
    "--only", multiple=True, metavar="PATH", help="Look only at this note or folder; may be repeated."
)
@click.option("--dry-run", is_flag=True, help="Print what would be done and change nothing.")
@click.option("--rehash", is_flag=True, help="Read and parse every note again, whatever is known of it.")
@click.option("--accept-removals", is_flag=True, help="Go on although most notes are gone from the disk.")
@click.option("--no-models", is_flag=True, help="Stop when the text is searchable: no summaries.")
@click.option("--no-summaries", is_flag=True, help="Write no generated notes into the vault.")
@common_options
@click.pass_obj
def verb(
    invocation: Invocation,
    *,
    folder: Path | None,
    only: tuple[str, ...],
    dry_run: bool,
    rehash: bool,
    accept_removals: bool,
    no_models: bool,
    no_summaries: bool,
) -> int:
    """Read what changed in the vault and remember it. The vault: DIR, --vault, or the one around you."""
    opened = invocation.rehearsing(folder) if dry_run else invocation.writing(folder)
    with opened as memory:
        return run_pass(
            invocation,
            memory,
            Wish(to_text=no_models, write=not no_summaries),
            only=_below_root(memory.root, only),
            rehash=rehash,
            accept_removals=accept_removals,
        )


def _below_root(root: Path, only: Sequence[str]) -> list[NotePath] | None:
    """Return the paths of `--only`; None stands for the whole vault, which its root names too."""
    paths = [_below(root, path) for path in only]
    return None if not paths or "." in paths else paths


def _below(root: Path, path: str) -> NotePath:
    """Return a path of `--only` as one below the vault; it may be given from the root or from here."""
    if not path:
        raise UsageError("--only: the name is empty. Name a note or folder in the vault.")
    if not is_utf8(path):
        raise UsageError(f"--only {path!r}: no note has such a name. Name a note or folder in the vault.")
    from_here = Path(os.path.realpath(current_folder() / Path(path).parent)) / Path(path).name
    below = os.path.normpath(
        from_here if from_here.is_relative_to(root) and os.path.lexists(from_here) else root / path
    )
    relative = os.path.relpath(below, root).replace(os.sep, "/")
    if relative.split("/")[0] == "..":
        raise UsageError(f"--only {path}: that lies outside the vault {root}. Name a note or folder in it.")
    return NotePath(relative)
