"""Measure entities and admission score of leaves of about 350 tokens: `python bench/entities.py VAULT...`.

Without a vault it makes one of invented notes. CPU seconds of one process, the leaves read before; the best of some
rounds counts. Beside it markdown-it-py's full parse of the same texts: that ratio is the figure to compare between
machines. Both together are to take 0.3 ms a leaf.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from vaults import make_vault

from vaultsync.domain.entities import find
from vaultsync.domain.notes import NotePath, ReadOptions
from vaultsync.domain.reading import read_note
from vaultsync.domain.scoring import is_admitted, score

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vaultsync.domain.notes import Leaf

LEAF = 350
NEAR = range(250, 451)
"""Tokens of the leaves whose time is taken: shorter ones cost less each and more a token."""

NOTES = 1_000
SOME = 500
ROUNDS = 5

LIBRARY = MarkdownIt("commonmark").enable("table")


def leaves_of(vault: Path) -> list[Leaf]:
    """Return the searchable leaves of a vault in path order."""
    paths = sorted(vault.rglob("*.md"))
    readings = (read_note(path.read_bytes(), NotePath(path.name), ReadOptions()) for path in paths)
    return [leaf for reading in readings for leaf in reading.leaves if leaf.searchable]


def milliseconds(leaves: Sequence[Leaf], work: Callable[[Leaf], object]) -> float:
    """Return the CPU time of a leaf of 350 tokens, by the best of some rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        before = time.process_time_ns()
        for leaf in leaves:
            work(leaf)
        best = min(best, time.process_time_ns() - before)
    return best / 1e6 * LEAF / max(1, sum(leaf.tokens for leaf in leaves))


def measure(vault: Path) -> str:
    """Return a vault's figures as a line."""
    leaves = leaves_of(vault)
    near = [leaf for leaf in leaves if leaf.tokens in NEAR]
    some = near[:: max(1, len(near) // SOME)]
    finding = milliseconds(some, lambda leaf: next(find([leaf.text])))
    scoring = milliseconds(some, lambda leaf: score(leaf.text, leaf.heading_path, leaf.tokens))
    library = milliseconds(some, lambda leaf: LIBRARY.parse(leaf.text))
    mentions = sum(len(next(find([leaf.text]))) for leaf in some)
    dropped = sum(not is_admitted(score(leaf.text, leaf.heading_path, leaf.tokens)) for leaf in leaves)
    return (
        f"{vault.name}: {len(some)} leaves, {mentions / max(1, len(some)):.1f} mentions each; "
        f"entities {finding:.3f} ms, score {scoring:.3f} ms, "
        f"{(finding + scoring) / library:.2f} of the library's parse "
        f"({library:.3f} ms); {dropped} of {len(leaves)} leaves dropped"
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        for folder in sys.argv[1:]:
            print(measure(Path(folder)))
    else:
        with tempfile.TemporaryDirectory() as made:
            make_vault(Path(made), NOTES)
            print(measure(Path(made)))
