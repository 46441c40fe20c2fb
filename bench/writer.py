"""What the first sync is bound by: the one writer, beside the least that SQLite needs for the same text.

    python bench/writer.py [--notes 5000] [--batch 400]

Prints CPU time a note, bytes of the database a byte of text, and both as ratios to the bare writer.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import apsw

from vaultsync.app.notes.resolve import resolve_due
from vaultsync.domain.notes import Fingerprint, Heading, Leaf, Link, NotePath, Reading
from vaultsync.domain.uids import note_uid
from vaultsync.store import nodes
from vaultsync.store.connection import Database
from vaultsync.store.nodes import NoteWrite

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LEAVES = 5
WORDS = 170  # about 1 kB a leaf, 5 kB a note
LINKS = 8


class Cost(NamedTuple):
    """CPU milliseconds a note, and bytes of the database a byte of text."""

    cpu_ms: float
    size: float


def make_notes(count: int) -> list[NoteWrite]:
    """Return notes of words that follow Zipf's law, with the links, headings and names of usual ones."""
    chance = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(chance.choices(letters, k=chance.randint(2, 10))) for _ in range(20_000)]
    weights = list(accumulate(1 / (rank + 1) ** 0.9 for rank in range(len(words))))
    return [_note(number, count, chance, words, weights) for number in range(count)]


def _note(
    number: int, count: int, chance: random.Random, words: list[str], weights: list[float]
) -> NoteWrite:
    path = NotePath(f"folder {number % 50}/note {number}.md")
    texts = [" ".join(chance.choices(words, cum_weights=weights, k=WORDS)) for _ in range(LEAVES)]
    links = [_link(int(count * chance.random() ** 3)) for _ in range(LINKS)]
    return NoteWrite(
        file=None,
        path=path,
        fingerprint=Fingerprint(5000, number, number, number, 1),
        racy=False,
        role="note",
        withheld=None,
        uid=note_uid("bench", path),
        profile="bench",
        reading=Reading(
            title=f"note {number}",
            description=texts[0][:120],
            aliases=(f"alias {number}",) if number % 5 == 0 else (),
            tags=("project", "project/alpha"),
            metadata='{"tags":["project"],"date":"2026-01-02"}',
            written="{}",
            property_text="project 2026-01-02",
            event_date="2026-01-02",
            private=False,
            ignored=False,
            encoding="utf-8",
            content_hash=_hash(path),
            problems=(),
            headings=(Heading("Alpha", 1, 0, 7), Heading("Goals", 2, 1000, 1008)),
            block_ids=(),
            leaves=tuple(_leaf(index, text) for index, text in enumerate(texts)),
            links=tuple(links),
        ),
    )


def _leaf(index: int, text: str) -> Leaf:
    return Leaf(
        1000 * index, 1000 * index + len(text), ("Alpha", f"Goals {index}"), None, 300, text, _hash(text)
    )


def _link(target: int) -> Link:
    return Link("wikilink", f"note {target}", f"note {target}", None, 5, 20)


def _hash(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()


def bare(path: Path, notes: Sequence[NoteWrite], batch: int) -> None:
    """Write the leaves into one table and one full-text index."""
    db = apsw.Connection(str(path))
    db.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32000")
    db.execute("CREATE TABLE chunks (id INTEGER PRIMARY KEY, text TEXT)")
    db.execute("CREATE VIRTUAL TABLE found USING fts5 (text, content = 'chunks', content_rowid = 'id')")
    for first in range(0, len(notes), batch):
        texts = [(leaf.text,) for note in notes[first : first + batch] for leaf in note.reading.leaves]
        with db:
            db.executemany("INSERT INTO chunks (text) VALUES (?)", texts)
            db.execute(
                "INSERT INTO found (rowid, text) SELECT id, text FROM chunks WHERE id > ?", [first * LEAVES]
            )
    db.close()


def ours(path: Path, notes: Sequence[NoteWrite], batch: int) -> None:
    """Write the notes as a first sync does, links not yet resolved."""
    db = Database.open(path, write=True)
    for first in range(0, len(notes), batch):
        with db.write() as tx:
            nodes.write_notes(tx, notes[first : first + batch], 0)
    db.close()


def linked(path: Path, _notes: Sequence[NoteWrite], _batch: int) -> None:
    """Resolve all links of what `ours` wrote."""
    db = Database.open(path, write=True)
    resolve_due(db, lambda _stage, _done, _total: None)
    db.close()


def looked(path: Path, _notes: Sequence[NoteWrite], _batch: int) -> None:
    """Read what a pass without changes reads."""
    db = Database.open(path, write=False)
    nodes.files(db.read())
    db.close()


def measure(
    work: Callable[[Path, Sequence[NoteWrite], int], None], path: Path, notes: Sequence[NoteWrite], batch: int
) -> Cost:
    """Return what `work` costs."""
    text = sum(len(leaf.text) for note in notes for leaf in note.reading.leaves)
    before = time.process_time()
    work(path, notes, batch)
    spent = time.process_time() - before
    return Cost(spent / len(notes) * 1000, path.stat().st_size / text)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--notes", type=int, default=5000)
    options.add_argument("--batch", type=int, default=400)
    wanted = options.parse_args()
    notes = make_notes(wanted.notes)
    with tempfile.TemporaryDirectory() as folder:
        yardstick = measure(bare, Path(folder, "bare.db"), notes, wanted.batch)
        for work in (ours, linked, looked):
            report(work.__name__, measure(work, Path(folder, "vaultsync.db"), notes, wanted.batch), yardstick)
        report("bare", yardstick, yardstick)


def report(name: str, cost: Cost, yardstick: Cost) -> None:
    """Print a line."""
    times = cost.cpu_ms / yardstick.cpu_ms
    print(f"{name:8}{cost.cpu_ms:8.3f} ms a note ({times:.2f} x bare){cost.size:6.2f} x the text")


if __name__ == "__main__":
    main()
