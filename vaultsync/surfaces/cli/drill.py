"""`vaultsync drill`: from a summary or note up to its root, and down to what it was made from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultsync.app.finding.traverse import drill_down
from vaultsync.store.leaves import LeafRow
from vaultsync.store.summaries import SummaryRow
from vaultsync.surfaces import tree_wire
from vaultsync.surfaces.cli import lines, screen
from vaultsync.surfaces.cli.invocation import Invocation, common_options
from vaultsync.surfaces.cli.refs import from_here

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rich.text import Text

    from vaultsync.app.finding.traverse import Branch, Drilled
    from vaultsync.store.leaves import NoteRow


@click.command("drill")
@click.argument("ref")
@click.option(
    "--depth",
    type=click.IntRange(0, 64),
    default=1,
    show_default=True,
    metavar="N",
    help="How many steps down: summaries, then notes, then their chunks.",
)
@common_options
@click.pass_obj
def verb(invocation: Invocation, ref: str, depth: int) -> None:
    """Climb from the summary or note REF up to its root, and down to what it was made from."""
    with invocation.reading() as memory:
        found = drill_down(memory, from_here(memory.root, ref), depth)
    if invocation.json:
        screen.print_json(tree_wire.drilled(memory.root, found))
        return
    console = screen.console()
    for line in _lines(memory.root, found):
        console.print(line)
    if found.truncated:
        screen.say("There is more below than there was time to look at: go down from a child.")


def _lines(root: Path, found: Drilled) -> Iterator[Text]:
    for depth, above in enumerate(reversed(found.above)):
        yield from _said(root, above, "  " * depth)
    yield from _branch(root, found.node, "  " * len(found.above))


def _branch(root: Path, branch: Branch, before: str) -> Iterator[Text]:
    yield from _said(root, branch.item, before)
    for child in branch.children:
        yield from _branch(root, child, f"{before}  ")


def _said(root: Path, item: SummaryRow | NoteRow | LeafRow, before: str) -> Iterator[Text]:
    if isinstance(item, LeafRow):
        yield lines.text(before, lines.gist(item), ("  ", ""), (item.status, "dim"))
        return
    facts = (lines.facts(item), "dim") if isinstance(item, SummaryRow) else (item.path, "cyan")
    yield lines.text(before, lines.title(root, item), "  ", facts)
    if gist := lines.gist(item):
        yield lines.text(f"{before}  ", (gist, "italic"))
