"""`vaultsync show`: one note with all that is known of it, or the rule that left a file out."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultsync.app.show import LeftOut, show
from vaultsync.surfaces import wire
from vaultsync.surfaces.cli import screen
from vaultsync.surfaces.cli.invocation import Invocation, common_options

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.style import Style
    from rich.text import Text

    from vaultsync.app.show import Chunk, Link, Shown
    from vaultsync.domain.notes import Heading

LISTED = 8
"""Headings, links, backlinks or chunks listed before the rest is only counted: all together a screenful."""

OPENING = 70
"""Characters shown of a chunk."""


@click.command("show")
@click.argument("ref")
@common_options
@click.pass_obj
def verb(invocation: Invocation, ref: str) -> None:
    """Show a note: REF is its path in the vault, its title or an alias, or its uid (8 characters will do).

    Of a file that is no note, say which rule left it out.
    """
    with invocation.reading() as memory:
        found = show(memory, _from_here(memory.root, ref))
    if isinstance(found, LeftOut):
        answer = wire.left_out(found)
        if invocation.json:
            screen.print_json(answer)
        else:
            screen.print_line(answer["left_out"]["message"])
    elif invocation.json:
        screen.print_json(wire.node(found))
    else:
        _print(found)


def _from_here(root: Path, ref: str) -> str:
    """Return the vault path of a file that `ref` names from the folder we are in, as a shell completes it."""
    ref = os.fsencode(ref).decode(errors="replace")  # a name that is no text, as `status` lists it
    place = Path(os.path.abspath(ref))  # noqa: PTH100 - a link in the vault stands for itself, not its target
    if os.path.exists(root / ref) and not Path(ref).is_absolute():  # noqa: PTH110 - Path's raises, see below
        return ref
    is_file = os.path.isfile(place)  # noqa: PTH113 - Path's raises where the words are too long for a path
    return place.relative_to(root).as_posix() if is_file and place.is_relative_to(root) else ref


def _print(note: Shown) -> None:
    console = screen.console()
    for line in _head(note):
        console.print(line)
    for line in _lists(note):
        console.print(line, no_wrap=True, overflow="ellipsis")


def _lists(note: Shown) -> Iterator[Text]:
    yield from _section("Outline", [_heading(heading) for heading in note.headings])
    yield from _section("Links", [_link(link) for link in note.links])
    yield from _section(
        "Linked from", [_row((link.path, "cyan"), link.explanation) for link in note.backlinks]
    )
    yield from _section("Chunks", [_chunk(chunk) for chunk in note.chunks])


def _head(note: Shown) -> Iterator[Text]:
    from rich.style import Style  # noqa: PLC0415 - 60 ms that --json need not pay

    yield _text((note.title, "bold"))
    yield _text((note.path, Style(color="cyan", link=note.uri)), (f"  {note.uid}", "dim"))
    facts = {
        "Also called": ", ".join(note.aliases),
        "Tags": " ".join(f"#{tag}" for tag in note.tags),
        "Date": note.event_date or "",
        "Private": "its text never leaves this machine" if note.private else "",
        "Held": f"{note.held}: what is shown may be older than the file" if note.held else "",
        "Template": "it comes last in searches" if note.role == "template" else "",
    }
    for name, fact in facts.items():
        if fact:
            yield _text((f"{name}: ", "dim"), fact)
    for problem in note.problems:
        yield _text(
            (f"{problem.code}{f', line {problem.line}' if problem.line else ''}: ", "red"), problem.message
        )
    if note.description:
        yield _text(note.description)


def _section(name: str, lines: list[Text]) -> Iterator[Text]:
    if lines:
        yield _text("")
        yield _text((name, "bold"), (f"  {len(lines)}", "dim"))
        yield from lines[:LISTED]
    if len(lines) > LISTED:
        yield _text((f"  and {len(lines) - LISTED} more", "dim"))


def _heading(heading: Heading) -> Text:
    return _text("  " * heading.level, heading.text)


def _link(link: Link) -> Text:
    if link.resolved is None:
        return _row(link.target, ("leads to no note", "red"))
    anchor = link.resolved.heading or (link.resolved.block and f"^{link.resolved.block}")
    return _row(link.target, (f"{link.resolved.path}{f' # {anchor}' if anchor else ''}", "cyan"))


def _chunk(chunk: Chunk) -> Text:
    opening = " ".join(chunk.text.split())
    shown = opening if len(opening) <= OPENING else f"{opening[:OPENING]}…"
    places = ", ".join(f"{place.start}-{place.end}" for place in chunk.places)
    return _row((f"{chunk.idx:>2}", "dim"), shown, (f"{chunk.tokens} tokens, bytes {places}", "dim"))


def _row(*parts: str | tuple[str, str]) -> Text:
    """Return parts with some room between them, a little indented."""
    return _text("  ", *_between(parts))


def _between(parts: Iterable[str | tuple[str, str]]) -> Iterator[str | tuple[str, str]]:
    for number, part in enumerate(parts):
        if number:
            yield "  "
        yield part


def _text(*parts: str | tuple[str, str | Style]) -> Text:
    """Assemble parts, some with a style; what a note holds never drives the terminal."""
    from rich.text import Text  # noqa: PLC0415 - as above

    return Text.assemble(
        *(
            screen.printable(part) if isinstance(part, str) else (screen.printable(part[0]), part[1])
            for part in parts
        )
    )
