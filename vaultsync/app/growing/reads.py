"""Reads, told in a file beside the database, which only one process at a time may write; each pass adds them up."""

from __future__ import annotations

import os
import re
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from vaultsync.app.progress import silent
from vaultsync.domain.hotness import WINDOW
from vaultsync.domain.notes import Uid
from vaultsync.store import marks, touches

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from vaultsync.app.memory import Memory
    from vaultsync.app.progress import Progress

LOG = "reads.log"
"""In the state folder; a line a read: the day (since 1970, UTC) and the node's uid."""

FOLDED = "reads folded"
"""The mark with the number of the last file that was added up."""

_LINE = re.compile(r"(\d{1,6})\t([0-9a-f-]{36})")


def tell_read(state: Path, uids: Iterable[Uid], day: int) -> None:
    """Append a line for each node; where the folder can't be written the read itself is not to fail.

    All lines are one write at the end of the file, so that those of two processes do not mix.
    """
    lines = "".join(f"{day}\t{uid}\n" for uid in uids).encode()
    with suppress(OSError):
        log = os.open(state / LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(log, lines)
        finally:
            os.close(log)


def fold_reads(memory: Memory, day: int, progress: Progress = silent) -> None:
    """Add up what was read since the last pass; reads that are too old to count on this day are forgotten.

    The log is set aside under the next number, and the number is noted with the counts, so that a kill at any
    moment neither loses nor doubles a read. One told in the very instant of being set aside may be lost.
    """
    folded = int(marks.find(memory.db.read(), FOLDED) or 0)
    _aside(memory, folded).unlink(missing_ok=True)
    aside = _aside(memory, folded + 1)
    if not aside.exists():
        try:
            (memory.state / LOG).rename(aside)
        except FileNotFoundError:
            return
    reads = _count(aside.read_text("utf-8", "replace"))
    with memory.db.write() as tx:
        touches.record(tx, reads)
        touches.forget(tx, day - WINDOW + 1)
        marks.put(tx, {FOLDED: str(folded + 1)})
    aside.unlink()
    progress("adding up reads", len(reads), len(reads))


def _aside(memory: Memory, number: int) -> Path:
    return memory.state / f"reads.{number}"


def _count(text: str) -> Counter[tuple[Uid, int]]:
    """Count the lines; one that is torn is none."""
    found = map(_LINE.fullmatch, text.splitlines())
    return Counter((Uid(line[2]), int(line[1])) for line in found if line)
