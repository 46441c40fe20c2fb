"""`vaultsync search`: notes by their words, best first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from vaultsync.app.finding.lines import line_range
from vaultsync.app.finding.search import Filters, Hit, SearchResult, search
from vaultsync.surfaces import search_wire, wire
from vaultsync.surfaces.cli import screen
from vaultsync.surfaces.cli.invocation import Invocation, common_options

if TYPE_CHECKING:
    from rich.text import Text

    from vaultsync.app.memory import Memory


@click.command("search")
@click.argument("query")
@click.option(
    "--mode",
    type=click.Choice(["hybrid", "text", "vector"]),
    default="hybrid",
    show_default=True,
    help="Which indexes to ask; the answer says which could answer.",
)
@click.option("-k", "k", type=int, default=10, show_default=True, metavar="N", help="How many hits.")
@click.option(
    "--path", metavar="GLOB", help="Only notes whose path begins with this, or matches it (* ? [])."
)
@click.option("--tag", metavar="T", help="Only notes with this tag or one below it.")
@click.option(
    "--kind",
    type=click.Choice(["note", "summary", "all"]),
    default="note",
    show_default=True,
    help="With all, a summary is told of under a note that it quotes.",
)
@click.option("--source", metavar="S", help="Only what is of the source of this folder.")
@click.option(
    "--since", metavar="D", help="Only notes of this day, month or year, or later (2026-03-02, 2026-03)."
)
@click.option("--until", metavar="D", help="Only notes of this day, month or year, or earlier.")
@common_options
@click.pass_obj
def verb(
    invocation: Invocation,
    *,
    query: str,
    mode: Literal["hybrid", "text", "vector"],
    k: int,
    path: str | None,
    tag: str | None,
    kind: Literal["note", "summary", "all"],
    source: str | None,
    since: str | None,
    until: str | None,
) -> None:
    """Find notes by their words, best first. Quotes make a phrase; nothing else has a meaning of its own."""
    if mode == "vector":
        raise click.UsageError("There are no vectors yet; ask with --mode text.")
    filters = Filters(path=path, tag=tag, kind=kind, source=source, since=since, until=until)
    with invocation.reading() as memory:
        result = search(memory.db, query, k=k, filters=filters)
        lines = [_lines(memory, hit) for hit in result.hits]
    if invocation.json:
        screen.print_json(search_wire.search_result(memory.root, query, mode, result, lines))
        return
    for notice in result.notices:
        screen.say(f"Note: {notice}.")
    _print(memory, result, lines)


def _lines(memory: Memory, hit: Hit) -> tuple[int, int]:
    """Return the first and last line of a hit; of a summary, all of its text counts as one."""
    if hit.kind == "summary" or hit.path is None:
        return 1, 1
    return line_range(memory.root, hit.path, hit.start, hit.end)


def _print(memory: Memory, result: SearchResult, lines: list[tuple[int, int]]) -> None:
    from rich.padding import Padding  # noqa: PLC0415 - not for --json

    if not result.hits:
        screen.say("Nothing found.")
        return
    if result.relaxed:
        screen.say("Few notes hold all of these words; some of these hold only some.")
    console = screen.console()
    for number, (hit, (first, _)) in enumerate(zip(result.hits, lines, strict=True), 1):
        console.print(_title(memory, number, hit, first))
        console.print(Padding(_snippet(hit), (0, 4, 1, 4)) if console.is_terminal else _snippet(hit))


def _title(memory: Memory, number: int, hit: Hit, line: int) -> Text:
    from rich.style import Style  # noqa: PLC0415 - not for --json
    from rich.text import Text  # noqa: PLC0415 - not for --json

    text = Text(f"{number:>2}. ", style="dim")
    link = wire.uri(memory.root, hit.path) if hit.path else None
    text.append(screen.printable(hit.title), Style(bold=True, link=link))
    text.append(screen.printable(f"  {_where(hit, line)}"), "cyan")
    headings = hit.heading_path[
        hit.heading_path[:1] == (hit.title,) :
    ]  # the first often says the title again
    if headings:
        text.append(screen.printable("  " + " / ".join(headings)), "dim")
    if hit.event_date:
        text.append(f"  {hit.event_date}", "green")
    if hit.summaries:
        text.append(f"  quoted by {len(hit.summaries)} of the summaries above it", "dim")
    return text


def _where(hit: Hit, line: int) -> str:
    if hit.kind == "summary":
        return hit.path or f"a summary, {hit.uid}"
    return f"{hit.path}:{line}"


def _snippet(hit: Hit) -> Text:
    from rich.text import Text  # noqa: PLC0415 - not for --json

    text = Text(screen.printable(hit.snippet.text))
    for start, end in hit.snippet.marks:
        text.stylize("bold yellow", start, end)
    return text
