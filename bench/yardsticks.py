"""What the parts of a first sync cost when done by the plainest means, in CPU seconds of one process."""

from __future__ import annotations

import time
from hashlib import blake2b
from itertools import islice
from typing import TYPE_CHECKING

import apsw
from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

BATCH = 400
"""Notes a transaction, as many as a sync takes."""

SAMPLE = 500
"""Notes that the library parses; it takes some 2 ms for each."""


def notes_of(vault: Path) -> list[Path]:
    """Return the vault's notes in path order."""
    return sorted(vault.rglob("*.md"))


def read_and_hash(notes: Sequence[Path]) -> float:
    """Read every note whole and hash its bytes."""
    return _cpu(lambda: [blake2b(note.read_bytes(), digest_size=16).hexdigest() for note in notes])


def insert_text(notes: Sequence[Path], database: Path) -> float:
    """Insert every note's text into one full-text table, with the tokenizer of ours, and nothing else."""
    connection = apsw.Connection(str(database))
    connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32000")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2')")
    spent = 0.0
    for texts in _texts(notes):
        spent += _cpu(lambda texts=texts: _insert(connection, texts))  # type: ignore[misc]
    connection.close()
    return spent


def parse_fully(notes: Sequence[Path]) -> float:
    """Parse by markdown-it-py's own rules, blocks and inline; a sample, scaled to all notes."""
    sample = notes[:: max(1, len(notes) // SAMPLE)]
    texts = [note.read_text(encoding="utf-8") for note in sample]
    parser = MarkdownIt("commonmark").enable("table")
    return _cpu(lambda: [parser.parse(text) for text in texts]) * len(notes) / len(sample)


def _texts(notes: Sequence[Path]) -> Iterator[list[tuple[str]]]:
    left = iter(notes)
    while batch := list(islice(left, BATCH)):
        yield [(note.read_text(encoding="utf-8"),) for note in batch]


def _insert(connection: apsw.Connection, texts: list[tuple[str]]) -> None:
    with connection:
        connection.executemany("INSERT INTO t (text) VALUES (?)", texts)


def _cpu(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started
