"""Read, parse and chunk notes: in this process when they are few, in several when they are many."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from vaultsync.domain.notes import Fingerprint, NotePath, Problem, Reading, ReadOptions
from vaultsync.domain.survey import is_racy
from vaultsync.vault import files

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
    from pathlib import Path

    from vaultsync.domain.identity import Traits

T = TypeVar("T")

BATCH_NOTES = 48
BATCH_BYTES = 1_000_000
"""What one process reads before it answers: small enough to share out evenly and to hold in memory."""


PARALLEL_FROM = 600
"""Below this many notes, starting processes costs more than they save (measured in bench/first_sync.py)."""

MOST_BYTES = 256_000_000
"""A file over this size is not read at all: it would take gigabytes of memory, and no one wrote it."""


class Wanted(NamedTuple):
    """A note to read. When its bytes hash to one of `known` they are not parsed."""

    path: NotePath
    size: int
    known: tuple[str, ...] = ()


class Fresh(NamedTuple):
    """A note's reading. `racy`: a later edit may have left the fingerprint as it is; read it again."""

    fingerprint: Fingerprint
    racy: bool
    reading: Reading


class Same(NamedTuple):
    """The bytes are those of a known hash, whatever the timestamps say."""

    fingerprint: Fingerprint
    racy: bool
    content_hash: str


class Failed(NamedTuple):
    """The note could not be read; the problem's code is `vanished` when it is gone since the scan."""

    problem: Problem


Outcome = Fresh | Same | Failed


class Look(NamedTuple):
    """What identity asks of a note's content. `traits`: None where the bytes were not parsed."""

    fingerprint: Fingerprint
    racy: bool
    content_hash: str
    traits: Traits | None


def read_all(
    root: Path,
    wanted: Sequence[Wanted],
    options: ReadOptions,
    processes: int,
    read: Callable[[Path, ReadOptions, Sequence[Wanted]], list[T]],
) -> Generator[T, None, None]:
    """Yield what `read` (one of the two below) says of notes, in order: here when few, in processes when many.

    To be closed by whoever may not take all: processes may be at work.
    """
    if processes == 1 or len(wanted) < PARALLEL_FROM:
        for batch in _batches(wanted):
            yield from read(root, options, batch)
        return
    from vaultsync.app.notes.reader_pool import work_in_pool  # noqa: PLC0415 - 30 ms that a small pass need not pay

    yield from work_in_pool(_batches(wanted), partial(read, root, options), processes)


def read_batch(root: Path, options: ReadOptions, batch: Sequence[Wanted]) -> list[Outcome]:
    """Read a batch of notes in this process; never raises for what a note holds."""
    return [_read(root, wanted, options) for wanted in batch]


def look_batch(root: Path, options: ReadOptions, batch: Sequence[Wanted]) -> list[Look | None]:
    """Look at a batch of notes as `read_batch` reads them, and keep little of each; None if it can't be read."""
    return [_look(_read(root, wanted, options)) for wanted in batch]


def glance(root: Path, path: NotePath) -> Look | None:
    """Look at a file's bytes without parsing them; None if it can't be read."""
    read_ns = time.time_ns()
    try:
        found = files.read(root, path)
    except files.ReadFailure:
        return None
    racy = is_racy(found.fingerprint, read_ns)
    return Look(found.fingerprint, racy, files.content_hash(found.raw), traits=None)


def _look(outcome: Outcome) -> Look | None:
    if isinstance(outcome, Failed):
        return None
    if isinstance(outcome, Fresh) and outcome.reading.ours:
        return None  # it quotes notes, and is none
    if isinstance(outcome, Same):
        return Look(*outcome, traits=None)
    from vaultsync.domain.identity import traits_of  # noqa: PLC0415 - as the parser, where notes are read for it only

    said = outcome.reading
    traits = traits_of(said.metadata, said.property_text, said.aliases, [leaf.text for leaf in said.leaves])
    return Look(outcome.fingerprint, outcome.racy, said.content_hash, traits)


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
    if wanted.known and (content_hash := files.content_hash(found.raw)) in wanted.known:
        return Same(found.fingerprint, racy, content_hash)
    try:
        return Fresh(found.fingerprint, racy, read_note(found.raw, wanted.path, options))
    except Exception as error:  # noqa: BLE001 - a fault of ours in one note must not stop the others (F61)
        fault = f"could not be parsed ({type(error).__name__}: {error}); please report it"
        return Failed(Problem("internal", fault))


def _batches(wanted: Iterable[Wanted]) -> Iterator[list[Wanted]]:
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
