"""Measure decode and parse against markdown-it-py's own full parse: `python bench/parse.py VAULT...`.

Both parse a few notes at a time in turn, and the best of some rounds counts, so that other work on the machine
weighs on both alike. CPU seconds of one process; the ratio is the figure to compare between machines.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

from vaultsync.domain.decoding import decode
from vaultsync.domain.fences import split
from vaultsync.domain.markdown import parse

if TYPE_CHECKING:
    from collections.abc import Callable

SAMPLE = 500
"""Notes of a vault, spread over it in path order."""

BATCH = 50
ROUNDS = 5


def ours(raw: bytes) -> None:
    """Do all that a note's blocks, links, tags and spans take."""
    source = decode(raw)
    fence = split(source.text)
    parse(source, fence.body if fence else 0)


def theirs(raw: bytes) -> None:
    """Do the library's full parse, blocks and inline; it gives no spans."""
    LIBRARY.parse(raw.decode("utf-8", "replace"))


LIBRARY = MarkdownIt("commonmark").enable("table")


def seconds(read: Callable[[bytes], None], notes: list[bytes]) -> float:
    """Return the CPU seconds of reading some notes."""
    before = time.process_time_ns()
    for raw in notes:
        read(raw)
    return (time.process_time_ns() - before) / 1e9


def measure(vault: Path) -> str:
    """Return a vault's figures as a line."""
    paths = sorted(vault.rglob("*.md"))
    notes = [path.read_bytes() for path in paths[:: max(1, len(paths) // SAMPLE)]]
    mine = library = 0.0
    for first in range(0, len(notes), BATCH):
        batch = notes[first : first + BATCH]
        rounds = [(seconds(ours, batch), seconds(theirs, batch)) for _ in range(ROUNDS)]
        mine += min(own for own, _ in rounds)
        library += min(other for _, other in rounds)
    size = sum(map(len, notes))
    return (
        f"{vault.name}: {len(notes)} notes of {size / len(notes) / 1000:.1f} kB; "
        f"ours {len(notes) / mine:.0f} notes/s, {size / mine / 1e6:.1f} MB/s; "
        f"library {len(notes) / library:.0f} notes/s, {size / library / 1e6:.1f} MB/s; "
        f"ratio {library / mine:.2f}"
    )


if __name__ == "__main__":
    for folder in sys.argv[1:]:
        print(measure(Path(folder)))
