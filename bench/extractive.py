"""Measure the summariser on buckets of about 8,000 tokens: `python bench/extractive.py VAULT...`.

Without a vault it makes one of invented notes. CPU seconds of one process, the notes read before; the best of some
rounds counts. Beside it markdown-it-py's full parse of some of the same texts: that ratio is the figure to compare
between machines. Sealing is to take 3,000 leaves a second, storing included.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from vaults import make_vault

from vaultsync.domain.extractive import Source, summarise
from vaultsync.domain.notes import NotePath, ReadOptions
from vaultsync.domain.reading import read_note

if TYPE_CHECKING:
    from collections.abc import Iterator

FULL = 8_000
"""Tokens at which a bucket seals."""

MOST = 1_000
NOTES = 1_000
ROUNDS = 3
SOME = 15
"""Buckets that the library parses."""

LIBRARY = MarkdownIt("commonmark").enable("table")


def buckets(vault: Path) -> Iterator[tuple[list[Source], int, int]]:
    """Yield the notes of each bucket in path order, with its tokens and its leaves."""
    notes: list[Source] = []
    tokens = leaves = 0
    for path in sorted(vault.rglob("*.md")):
        reading = read_note(path.read_bytes(), NotePath(path.relative_to(vault).as_posix()), ReadOptions())
        kept = [leaf for leaf in reading.leaves if leaf.searchable]
        headings = tuple(heading.text for heading in reading.headings)
        notes.append(Source(reading.title, headings, tuple(leaf.text for leaf in kept)))
        tokens += sum(leaf.tokens for leaf in kept)
        leaves += len(kept)
        if tokens >= FULL:
            yield notes, tokens, leaves
            notes, tokens, leaves = [], 0, 0
    if notes:
        yield notes, tokens, leaves


def seconds(full: list[tuple[list[Source], int, int]]) -> float:
    """Return the CPU seconds of summarising all buckets once."""
    before = time.process_time_ns()
    for notes, tokens, _ in full:
        summarise(notes, min(MOST, tokens // 4))
    return (time.process_time_ns() - before) / 1e9


def parsing(full: list[tuple[list[Source], int, int]]) -> float:
    """Return the CPU seconds that markdown-it-py needs for the texts of all buckets, by some of them."""
    some = full[:: max(1, len(full) // SOME)]
    before = time.process_time_ns()
    for notes, _, _ in some:
        for note in notes:
            LIBRARY.parse("\n\n".join(note.texts))
    spent = (time.process_time_ns() - before) / 1e9
    return spent * sum(leaves for _, _, leaves in full) / sum(leaves for _, _, leaves in some)


def measure(vault: Path) -> str:
    """Return a vault's figures as a line."""
    full = list(buckets(vault))
    best = min(seconds(full) for _ in range(ROUNDS))
    library = min(parsing(full) for _ in range(ROUNDS))
    leaves = sum(leaves for _, _, leaves in full)
    tokens = sum(tokens for _, tokens, _ in full)
    return (
        f"{vault.name}: {len(full)} buckets, {leaves} leaves of {tokens / max(1, leaves):.0f} tokens; "
        f"{leaves / best:.0f} leaves/s, {best / max(1, len(full)) * 1000:.1f} ms a bucket; "
        f"the library's parse takes {library / best:.2f} times as long"
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        for folder in sys.argv[1:]:
            print(measure(Path(folder)))
    else:
        with tempfile.TemporaryDirectory() as made:
            make_vault(Path(made), NOTES)
            print(measure(Path(made)))
