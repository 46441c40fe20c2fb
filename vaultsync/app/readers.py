"""Read, parse and chunk notes: in this process when they are few, in several when they are many."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.notes import Fingerprint, NotePath, Problem, Reading, ReadOptions
from vaultsync.domain.planning import is_racy
from vaultsync.vault import files

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

BATCH_NOTES = 48
BATCH_BYTES = 1_000_000
"""What one process reads before it answers: small enough to share out evenly and to hold in memory."""


MOST_BYTES = 256_000_000
"""A file over this size is not read at all: it would take gigabytes of memory, and no one wrote it."""


class Wanted(NamedTuple):
    """A note to read. When its bytes hash to `known_hash` they are not parsed again."""

    path: NotePath
    size: int
    known_hash: str


class Fresh(NamedTuple):
    """A note's reading. `racy`: a later edit may have left the fingerprint as it is; read it again."""

    fingerprint: Fingerprint
    racy: bool
    reading: Reading


class Same(NamedTuple):
    """The bytes are those of the known hash, whatever the timestamps say."""

    fingerprint: Fingerprint
    racy: bool


class Failed(NamedTuple):
    """The note could not be read; the problem's code is `vanished` when it is gone since the scan."""

    problem: Problem


Outcome = Fresh | Same | Failed


def read_batch(root: Path, batch: Sequence[Wanted], options: ReadOptions) -> list[Outcome]:
    """Read a batch of notes in this process; never raises for what a note holds."""
    return [_read(root, wanted, options) for wanted in batch]


def _read(root: Path, wanted: Wanted, options: ReadOptions) -> Outcome:
    from vaultsync.domain.reading import read_note  # noqa: PLC0415 - a pass that reads nothing need not load the parser

    read_ns = time.time_ns()
    if wanted.size > MOST_BYTES:
        return Failed(Problem("too-large", f"{wanted.path} has {wanted.size:,} bytes, too many to read."))
    try:
        found = files.read(root, wanted.path)
    except files.ReadFailure as failure:
        return Failed(Problem(failure.code, str(failure)))
    racy = is_racy(found.fingerprint, read_ns)
    if files.content_hash(found.raw) == wanted.known_hash:
        return Same(found.fingerprint, racy)
    try:
        return Fresh(found.fingerprint, racy, read_note(found.raw, wanted.path, options))
    except Exception as error:  # noqa: BLE001 - a fault of ours in one note must not stop the others (F61)
        fault = f"could not be parsed ({type(error).__name__}: {error}); please report it"
        return Failed(Problem("internal", fault))


def batches(wanted: Iterable[Wanted]) -> Iterator[list[Wanted]]:
    """Yield the wanted notes in batches that one process reads before it answers."""
    batch: list[Wanted] = []
    size = 0
    for item in wanted:
        batch.append(item)
        size += item.size
        if len(batch) >= BATCH_NOTES or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
