"""`vaultsync tree`: the summary trees, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultsync.app.finding.tree import Branch, find_trees
from vaultsync.surfaces import tree_wire
from vaultsync.surfaces.cli import lines, screen
from vaultsync.surfaces.cli.invocation import Invocation, common_options

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from rich.text import Text

    from vaultsync.app.finding.tree import Member, SourceTree


@click.command("tree")
@click.argument("source", required=False)
@common_options
@click.pass_obj
def verb(invocation: Invocation, source: str | None) -> None:
    """Draw the summary trees, each from its root down to the notes; of SOURCE alone, if it is given."""
    with invocation.reading() as memory:
        found = find_trees(memory, source)
    if invocation.json:
        screen.print_json(tree_wire.trees(memory, found))
    elif not found:
        screen.say("There are no summaries yet.")
    else:
        _print(memory.root, found)


def _print(root: Path, found: Sequence[SourceTree]) -> None:
    console = screen.console()
    for number, tree in enumerate(found):
        if number:
            console.print()
        for line in _drawn(root, tree):
            console.print(line, no_wrap=True, overflow="ellipsis")


def _drawn(root: Path, tree: SourceTree) -> Iterator[Text]:
    yield lines.text((tree.source or root.name, "bold cyan"), ("  private" if tree.private else "", "yellow"))
    yield from _below(root, tree.roots, "")
    if tree.loose:
        yield lines.text((f"Under no summary yet  {len(tree.loose)}", "dim"))
        yield from _below(root, tree.loose, "")


def _below(root: Path, children: Sequence[Branch | Member], before: str) -> Iterator[Text]:
    for child in children:
        is_last = child is children[-1]
        bough, beside = ("└── ", "    ") if is_last else ("├── ", "│   ")
        if not isinstance(child, Branch):
            yield lines.text((before + bough, "dim"), (child.path, "cyan"))
            continue
        facts = lines.facts(child.summary, is_stale=child.is_stale)
        yield lines.text((before + bough, "dim"), lines.title(root, child.summary), "  ", (facts, "dim"))
        yield from _below(root, child.children, before + beside)
