"""`vaultsync leaves`: the text that summaries were made from, page after page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from vaultsync.app.finding.leaves import fetch_leaves
from vaultsync.surfaces import tree_wire
from vaultsync.surfaces.cli import lines, screen
from vaultsync.surfaces.cli.invocation import Invocation, common_options
from vaultsync.surfaces.cli.refs import from_here

if TYPE_CHECKING:
    from pathlib import Path

    from rich.text import Text

    from vaultsync.app.finding.leaves import Leaves
    from vaultsync.store.leaves import LeafRow


@click.command("leaves")
@click.argument("refs", nargs=-1, required=True, metavar="REF...")
@click.option(
    "--limit",
    type=click.IntRange(1, 1000),
    default=50,
    show_default=True,
    metavar="N",
    help="How many chunks.",
)
@click.option("--cursor", metavar="C", help="Go on where an answer said `next`, with the same REFs.")
@common_options
@click.pass_obj
def verb(invocation: Invocation, refs: tuple[str, ...], limit: int, cursor: str | None) -> None:
    """Print every chunk of text under summaries, or of notes, each once, and where it stands."""
    with invocation.reading() as memory:
        page = fetch_leaves(memory, [from_here(memory.root, ref) for ref in refs], limit, cursor)
    if invocation.json:
        screen.print_json(tree_wire.leaves(memory.root, page))
    else:
        _print(memory.root, page)


def _print(root: Path, page: Leaves) -> None:
    console = screen.console()
    for leaf in page.leaves:
        console.print(_head(root, leaf))
        for line in leaf.text.strip("\r\n").splitlines():
            console.print(lines.text(line))
        console.print()
    if page.truncated:
        screen.say("There is more below than there was time to find: ask for a summary further down.")
    if page.next:
        screen.say(f"{page.total:,} in all. Go on with --cursor {page.next}")


def _head(root: Path, leaf: LeafRow) -> Text:
    headings = [heading for heading in json.loads(leaf.heading_path) if heading != leaf.title]
    places = ", ".join(f"{path}, bytes {start}-{end}" for path, start, end in json.loads(leaf.places))
    return lines.text(
        lines.title(root, leaf),
        (f"  {' / '.join(headings)}" if headings else "", "dim"),
        (f"  {places}", "cyan"),
        (f"  {leaf.status}", "dim"),
    )
