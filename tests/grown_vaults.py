"""Vaults whose top folders are sources, with summaries of a few notes each, grown by all stages of a pass."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from small_vaults import memory_of

from vaultsync.app import dues
from vaultsync.app.growing.duty import find_duty
from vaultsync.app.growing.extract import extract
from vaultsync.app.growing.place import place
from vaultsync.app.growing.tend import tend
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.app.outcomes import Written
from vaultsync.app.writing.adopt import adopt
from vaultsync.app.writing.write_back import write_back
from vaultsync.domain.tree import ANY_AGE
from vaultsync.store import marks, summaries, trees

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vaultsync.store.summaries import SummaryRow

SETTINGS = '[summaries]\nsources = ["*"]\nseal_tokens = 100\n'
"""Each top folder is a source, and two of the notes `about` something fill a summary."""

WORDS = (
    *(
        "amber",
        "barley",
        "candle",
        "drift",
        "ember",
        "fallow",
        "gravel",
        "harbor",
        "indigo",
        "juniper",
        "kettle",
    ),
    *("lantern", "meadow", "nettle", "orchard", "pebble", "quarry", "ripple", "saffron", "thistle", "umber"),
)


def about(*names: str, folder: str = "Garden") -> dict[str, str]:
    """Return a note of three sentences on each name, and the settings."""
    notes = {f"{folder}/{name}.md": prose(name) for name in names}
    return {".vaultsync/config.toml": SETTINGS, **notes}


def prose(name: str, version: int = 0) -> str:
    """Return three sentences on a name, of words of its own."""
    chosen = random.Random(f"{name} {version}")
    lines = (" ".join(chosen.sample(WORDS, 7)) for _ in range(3))
    return " ".join(f"The {name} has {line}." for line in lines) + "\n"


def grow(root: Path, *, flush: bool = True, write: bool = True, again: bool = False) -> Written:
    """Run all stages of a pass. `again`: look at every generated note, whether something is due or not."""
    with memory_of(root, write=True) as memory:
        reconcile(memory)
        extract(memory, lambda *_: None)
        duty = find_duty(memory)
        adopt(memory, duty)
        place(memory, duty)
        tend(memory, duty, flush_before=ANY_AGE if flush else None)
        if again:
            with memory.db.write() as tx:
                marks.keep(tx, dues.NOTES, "1")
                trees.retell(tx, [row.id for row in trees.every(tx)])
        if not write:
            return Written()
        done = write_back(memory, duty)
        reconcile(memory, only=done.touched)
        return done


def rows_of(root: Path) -> Sequence[SummaryRow]:
    """Return all summaries."""
    with memory_of(root) as memory:
        return summaries.every(memory.db.read())


def generated(root: Path) -> dict[str, str]:
    """Return the texts of all files in the summaries folder, by their path below it."""
    top = root / "_summaries"
    found = sorted(path for path in top.rglob("*") if path.is_file())
    return {path.relative_to(top).as_posix(): path.read_bytes().decode() for path in found}
