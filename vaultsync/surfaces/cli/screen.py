"""What goes to the terminal: JSON, plain words, tables, links and a progress bar. rich is loaded only for these."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from vaultsync.app.reconcile import Progress

if TYPE_CHECKING:
    from rich.console import Console


def print_json(document: object) -> None:
    """Print one JSON document, readable and in UTF-8 whatever the locale."""
    _write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")


def print_line(text: str) -> None:
    """Print one line in UTF-8 whatever the locale."""
    _write(text + "\n")


def say_error(words: str) -> None:
    """Say on stderr what went wrong."""
    click.secho("Error: ", fg="red", bold=True, nl=False, err=True)
    click.echo(words, err=True)


def console() -> Console:
    """Return a console on stdout; it drops colours and links when stdout is no terminal."""
    from rich.console import Console  # noqa: PLC0415 - 60 ms that --json need not pay

    return Console(highlight=False, soft_wrap=not sys.stdout.isatty())


def _write(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()
