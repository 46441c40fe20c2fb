"""`vaultsync show`: one note with all that is known of it, or the rule that left a file out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultsync.app.finding.climbing import note_path
from vaultsync.app.finding.show import show
from vaultsync.app.finding.show_summary import ShownSummary
from vaultsync.app.growing import heat, reads
from vaultsync.app.notes.left_out import LeftOut
from vaultsync.surfaces import note_wire, tree_wire
from vaultsync.surfaces.cli import lines, screen
from vaultsync.surfaces.cli.invocation import Invocation, common_options
from vaultsync.surfaces.cli.refs import from_here

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rich.text import Text

    from vaultsync.app.finding.climbing import Position
    from vaultsync.app.finding.show import Chunk, Link, Shown
    from vaultsync.domain.notes import Heading
    from vaultsync.surfaces.wire import Document

LISTED = 8
"""Headings, links, backlinks or chunks listed before the rest is only counted: all together a screenful."""

SUMMED_UP = 30
"""Children of a summary listed: ten summaries always, and the notes of most."""

OPENING = 70
"""Characters shown of a chunk."""


@click.command("show")
@click.argument("ref")
@common_options
@click.pass_obj
def verb(invocation: Invocation, ref: str) -> None:
    """Show a note or summary: REF is its path in the vault, its title or an alias, or its uid (8 characters will do).

    Of a file that is no note, say which rule left it out.
    """
    with invocation.reading() as memory:
        found = show(memory, from_here(memory.root, ref))
        if not isinstance(found, LeftOut):
            read = found.row.uid if isinstance(found, ShownSummary) else found.uid
            reads.tell_read(memory.state, [read], heat.today(memory))
    if invocation.json:
        screen.print_json(_document(memory.root, found))
    elif isinstance(found, LeftOut):
        screen.print_line(note_wire.left_out(found)["left_out"]["message"])
    elif isinstance(found, ShownSummary):
        _print_summary(memory.root, found)
    else:
        _print(memory.root, found)


def _document(root: Path, found: Shown | ShownSummary | LeftOut) -> Document:
    if isinstance(found, LeftOut):
        return note_wire.left_out(found)
    return tree_wire.shown_summary(root, found) if isinstance(found, ShownSummary) else note_wire.node(found)


def _print_summary(root: Path, found: ShownSummary) -> None:
    row = found.row
    console = screen.console()
    console.print(lines.text(lines.title(root, row)))
    console.print(lines.text((note_path(row) or "", "cyan"), (f"  {row.uid}", "dim")))
    private = ", private" if row.private else ""
    console.print(lines.text(("Source: ", "dim"), f"{row.folder or root.name}, {lines.facts(row)}{private}"))
    if row.fallback:
        console.print(lines.text(("Not by the model: ", "dim"), row.fallback))
    for paragraph in row.text.split("\n"):
        console.print(lines.text(paragraph))
    for line in _section("Made from", [lines.row(child.title) for child in found.children], SUMMED_UP):
        console.print(line, no_wrap=True, overflow="ellipsis")


def _print(root: Path, note: Shown) -> None:
    console = screen.console()
    for line in _head(root, note):
        console.print(line)
    for line in _lists(note):
        console.print(line, no_wrap=True, overflow="ellipsis")


def _lists(note: Shown) -> Iterator[Text]:
    yield from _section("Outline", [_heading(heading) for heading in note.headings])
    yield from _section("Links", [_link(link) for link in note.links])
    yield from _section(
        "Linked from", [lines.row((link.path, "cyan"), link.explanation) for link in note.backlinks]
    )
    yield from _section("Chunks", [_chunk(chunk) for chunk in note.chunks])


def _head(root: Path, note: Shown) -> Iterator[Text]:
    from rich.style import Style  # noqa: PLC0415 - 60 ms that --json need not pay

    yield lines.text((note.title, "bold"))
    yield lines.text((note.path, Style(color="cyan", link=note.uri)), (f"  {note.uid}", "dim"))
    facts = {
        "Also called": ", ".join(note.aliases),
        "Tags": " ".join(f"#{tag}" for tag in note.tags),
        "Date": note.event_date or "",
        "Source": _standing(root, note.position) if note.position else "",
        "Private": "its text never leaves this machine" if note.private else "",
        "Held": f"{note.held}: what is shown may be older than the file" if note.held else "",
        "Template": "it comes last in searches" if note.role == "template" else "",
    }
    for name, fact in facts.items():
        if fact:
            yield lines.text((f"{name}: ", "dim"), fact)
    for problem in note.problems:
        yield lines.text(
            (f"{problem.code}{f', line {problem.line}' if problem.line else ''}: ", "red"), problem.message
        )
    if note.description:
        yield lines.text(note.description)


def _standing(root: Path, position: Position) -> str:
    above = len(position.parents)
    under = f"under {screen.counted(above, 'summary')}" if above else "under no summary yet"
    return f"{position.source or root.name}, {under}"


def _section(name: str, listed: list[Text], most: int = LISTED) -> Iterator[Text]:
    if listed:
        yield lines.text("")
        yield lines.text((name, "bold"), (f"  {len(listed)}", "dim"))
        yield from listed[:most]
    if len(listed) > most:
        yield lines.text((f"  and {len(listed) - most} more", "dim"))


def _heading(heading: Heading) -> Text:
    return lines.text("  " * heading.level, heading.text)


def _link(link: Link) -> Text:
    if link.resolved is None:
        return lines.row(link.target, ("leads to no note", "red"))
    anchor = link.resolved.heading or (link.resolved.block and f"^{link.resolved.block}")
    return lines.row(link.target, (f"{link.resolved.path}{f' # {anchor}' if anchor else ''}", "cyan"))


def _chunk(chunk: Chunk) -> Text:
    opening = " ".join(chunk.text.split())
    shown = opening if len(opening) <= OPENING else f"{opening[:OPENING]}…"
    places = ", ".join(f"{place.start}-{place.end}" for place in chunk.places)
    return lines.row(
        (f"{chunk.idx:>2}", "dim"), shown, (f"{chunk.tokens} tokens, bytes {places}, {chunk.status}", "dim")
    )
