"""`vaultsync source`: what is new in one source, or answers a question best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultsync.app.finding.query_source import query_source
from vaultsync.store.summaries import SummaryRow
from vaultsync.surfaces import tree_wire
from vaultsync.surfaces.cli import lines, screen
from vaultsync.surfaces.cli.invocation import Invocation, common_options

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rich.text import Text

    from vaultsync.app.finding.query_source import SourceAnswer, Told


@click.command("source")
@click.argument("name")
@click.option("--query", metavar="Q", help="What to look for; without it, the newest come first.")
@click.option("--since", metavar="D", help="Only what is of this day, month or year, or later.")
@click.option("--until", metavar="D", help="Only what is of this day, month or year, or earlier.")
@click.option(
    "-k", "k", type=int, default=10, show_default=True, metavar="N", help="How many summaries, and chunks."
)
@common_options
@click.pass_obj
def verb(
    invocation: Invocation, *, name: str, query: str | None, since: str | None, until: str | None, k: int
) -> None:
    """Tell what the source NAME says: its newest summaries, and its text that has none yet.

    NAME: a folder that has a tree of its own, or the last part of its path; "" or the vault's name is the root source.
    """
    with invocation.reading() as memory:
        found = query_source(memory, name, query, since=since, until=until, k=k)
    if invocation.json:
        screen.print_json(tree_wire.source(memory.root, query, found))
    else:
        _print(memory.root, found)


def _print(root: Path, found: SourceAnswer) -> None:
    if not found.summaries and not found.leaves:
        screen.say("Nothing found.")
        return
    more = found.left_out or (0, 0)
    console = screen.console()
    console.print(lines.text((found.source or root.name, "bold cyan")))
    for name, told, left in (
        ("Summaries", found.summaries, more[0]),
        ("Not summed up yet", found.leaves, more[1]),
    ):
        for line in _section(root, name, told, left):
            console.print(line)


def _section(root: Path, name: str, told: Sequence[Told], left: int) -> list[Text]:
    if not told:
        return []
    drawn = [lines.text(""), lines.text((name, "bold"), (f"  {len(told) + left}", "dim"))]
    for one in told:
        facts = lines.facts(one.item) if isinstance(one.item, SummaryRow) else one.item.path
        drawn.append(
            lines.text("  ", (one.day, "green"), "  ", lines.title(root, one.item), "  ", (facts, "dim"))
        )
        drawn.append(lines.text("    ", one.hit.snippet.text if one.hit else lines.gist(one.item)))
    if left:
        drawn.append(lines.text((f"  and {left:,} more", "dim")))
    return drawn
