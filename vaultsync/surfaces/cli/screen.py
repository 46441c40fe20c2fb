"""What goes to the terminal: JSON, plain words, and a progress bar. rich is loaded only where it is shown."""

from __future__ import annotations

import io
import json
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from vaultsync.app.progress import Progress


_UNPRINTED = dict.fromkeys((*range(32), *range(127, 160)), "\N{REPLACEMENT CHARACTER}")
"""Control characters: a terminal would obey those of a note or a file name."""


def printable(words: str) -> str:
    """Return words of a note or a file name as one line that a terminal may have."""
    return words.translate(_UNPRINTED)


def counted(number: int, thing: str) -> str:
    """Return `1 note`, `2 notes`, `2 summaries`."""
    several = f"{thing[:-1]}ies" if thing.endswith("y") else f"{thing}s"
    return f"{number:,} {thing if number == 1 else several}"


def speak_utf8() -> None:
    """Let all that is printed be UTF-8, whatever the locale; what is no text stays the bytes that it was."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")


def print_json(document: object) -> None:
    """Print one JSON document, readable and in UTF-8 whatever the locale."""
    text = json.dumps(document, ensure_ascii=False, indent=2)
    # What is no text in an argument or a path is a lone surrogate here: written as JSON escapes it.
    print_raw(text.encode("utf-8", "backslashreplace").decode())


def print_line(words: str) -> None:
    """Print a line for people."""
    print_raw(printable(words))


def print_raw(text: str) -> None:
    """Print a line in UTF-8 whatever the locale; what is no text stays the bytes that it was."""
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape") + b"\n")
    sys.stdout.buffer.flush()


def print_bytes(out: bytes, err: bytes) -> None:
    """Print on stdout and stderr what was meant for them, as it is."""
    sys.stdout.buffer.write(out)
    sys.stdout.buffer.flush()
    sys.stderr.write(err.decode("utf-8", "surrogateescape"))


def say(words: str) -> None:
    """Say something on stderr, in one line or several."""
    for line in words.split("\n"):
        click.echo(printable(line), err=True)


def say_error(words: str) -> None:
    """Say on stderr what went wrong."""
    click.secho("Error: ", fg="red", bold=True, nl=False, err=True)
    say(words)


def console() -> Console:
    """Return a console on stdout; where that is no terminal it writes no colours, links or line breaks."""
    from rich.console import Console  # noqa: PLC0415 - 60 ms that --json need not pay

    return Console(highlight=False, soft_wrap=not sys.stdout.isatty())


@contextmanager
def progress(*, shown: bool) -> Iterator[Progress]:
    """Show the progress of long work: a bar on a terminal, lines elsewhere, nothing unless `shown`.

    What can't be counted is not shown.
    """
    if not shown:
        yield lambda _stage, _done, _total: None
    elif sys.stderr.isatty():
        with _bar() as step:
            yield step
    else:
        yield _lines()


@contextmanager
def _bar() -> Iterator[Progress]:
    from rich.console import Console  # noqa: PLC0415 - as above
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description:<8}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, int] = {}

        def step(stage: str, done: int, total: int) -> None:
            if not total:
                return
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total)
            bar.update(tasks[stage], completed=done, total=total)  # type: ignore[arg-type]  # an int in disguise

        yield step


def _lines() -> Progress:
    """Tell of a stage at each further quarter of it, if it is long."""
    told: dict[str, int] = {}

    def step(stage: str, done: int, total: int) -> None:
        quarter = done * 4 // max(total, 1)
        if total >= 1000 and quarter > told.get(stage, 0):  # noqa: PLR2004 - less is done at once
            told[stage] = quarter
            say(f"{stage}: {done:,} of {total:,}")

    return step
