"""Vaults whose notes are summed up in trees, a tree a folder, and whose summaries are written back."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from small_vaults import memory_of

from vaultsync.app.duty import find_duty
from vaultsync.app.extract import extract
from vaultsync.app.reconcile import reconcile
from vaultsync.app.tend import tend
from vaultsync.app.write_back import DUE, Written, write_back
from vaultsync.domain.tree import ANY_AGE
from vaultsync.store import marks, summaries, trees

if TYPE_CHECKING:
    from pathlib import Path

    from vaultsync.app.memory import Memory
    from vaultsync.store.summaries import SummaryRow

WORDS = (
    "The {0} stands in the north bed. It wants water in the morning and shade at noon. We pick {0} in June."
)


def about(*names: str, folder: str = "Garden") -> dict[str, str]:
    """Return a note of three sentences on each name."""
    return {f"{folder}/{name}.md": f"{WORDS.format(name)}\n" for name in names}


def grow(root: Path, *, flush: bool = True) -> list[SummaryRow]:
    """Read the vault and tend its trees; return the summaries."""
    with memory_of(root, write=True) as memory:
        reconcile(memory)
        extract(memory, lambda *_: None)
        _place(memory)
        tend(memory, find_duty(memory), flush_before=ANY_AGE if flush else None)
        due(memory)
        return summaries.every(memory.db.read())


def written(root: Path) -> Written:
    """Write back all that is due."""
    with memory_of(root, write=True) as memory:
        return write_back(memory, find_duty(memory))


def due(memory: Memory) -> None:
    """Let notes be written back at the next pass."""
    with memory.db.write() as tx:
        marks.keep(tx, DUE, "1")


def generated(root: Path) -> dict[str, str]:
    """Return the texts of all files in the summaries folder, by their path below it."""
    top = root / "_summaries"
    found = sorted(path for path in top.rglob("*") if path.is_file())
    return {path.relative_to(top).as_posix(): path.read_text(encoding="utf-8") for path in found}


def _place(memory: Memory) -> None:
    """Put the leaves of notes that have no place behind those that have, each in the tree of its top folder."""
    with memory.db.write() as tx:
        rows = tx.all(
            """
            SELECT c.id, n.path, n.private FROM chunks c JOIN node n ON n.id = c.node_id
            WHERE c.tree_id IS NULL AND c.kind = 'leaf' AND n.role = 'note' ORDER BY n.path, c.chunk_idx
            """
        )
        last = tx.value("SELECT coalesce(max(seq), 0) FROM chunks")
        for seq, (chunk_id, path, private) in enumerate(rows, last + 1):
            folder = path.partition("/")[0] if "/" in path else ""
            tree = trees.get_or_create(tx, memory.vault_id, folder, private=bool(private))
            tx.run(
                "UPDATE chunks SET tree_id = ?, seq = ?, arrived_at = ? WHERE id = ?",
                [tree.id, seq, int(time.time()), chunk_id],
            )
