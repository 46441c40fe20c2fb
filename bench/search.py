"""How long a text search takes at 100,000 chunks, warm, beside the barest query that FTS5 can be asked.

    python bench/search.py [--chunks 100000] [--database FOLDER]

Prints CPU milliseconds (median and 95th percentile) for each kind of query, and the latter's ratio to the
yardstick: one word, `ORDER BY rank LIMIT 10`. With `--database` the index is kept and used again.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from functools import partial
from hashlib import blake2b
from itertools import accumulate, islice
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING

from vaultsync.app.finding.search import Filters, search
from vaultsync.domain.notes import Fingerprint, Leaf, NotePath, Reading
from vaultsync.domain.uids import note_uid
from vaultsync.store import nodes
from vaultsync.store.connection import Database
from vaultsync.store.nodes import NoteWrite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from vaultsync.domain.notes import Role

ONSETS = [*"bcdfghklmnprstvwz", "st", "tr", "pl"]
SYLLABLES = [onset + rest for onset in ONSETS for rest in [*"aeiou", "ai", "er", "in", "or"]]
SHORT = set(SYLLABLES)
HAN = [chr(code) for code in range(0x4E00, 0x4E00 + 2500)]
COMMON = 60  # ranks below it stand in nearly every chunk, as "the" does
BATCH = 500
QUERIES = 100


class Words:
    """A language whose words follow Zipf's law, as Mandelbrot mended it, spelled in syllables or in Han."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.spelled = list(dict.fromkeys(self._spell(rank) for rank in range(60_000)))
        self.han = ["".join(chance.choices(HAN, k=2)) for _ in self.spelled]
        self.weights = list(accumulate(1 / (rank + 2.7) ** 1.05 for rank in range(len(self.spelled))))

    def _spell(self, rank: int) -> str:
        return "".join(self.chance.choices(SYLLABLES, k=1 if rank < COMMON else self.chance.randint(2, 4)))

    def topic(self) -> list[str]:
        """Return fifteen words that a note keeps coming back to, seldom common ones."""
        ranks = (int(COMMON * self.chance.paretovariate(0.4)) % len(self.spelled) for _ in range(15))
        return [self.spelled[rank] for rank in ranks]

    def text(self, topic: list[str]) -> str:
        """Return about 110 words, one in seven of the topic."""
        size = min(350, max(8, int(self.chance.lognormvariate(4.7, 0.7))))
        words = self.chance.choices(self.spelled, cum_weights=self.weights, k=size)
        words[::7] = self.chance.choices(topic, k=len(words[::7]))
        return ".\n".join(" ".join(words[at : at + 14]) for at in range(0, len(words), 14))

    def unspaced(self) -> str:
        """Return about 220 characters of Han."""
        words = self.chance.choices(self.han, cum_weights=self.weights[: len(self.han)], k=110)
        return "。\n".join("".join(words[at : at + 14]) for at in range(0, len(words), 14))


def make_notes(chunks: int, chance: random.Random) -> Iterator[NoteWrite]:
    """Yield notes of about five chunks each; one in ten is written in Han, one in a hundred is a template."""
    words = Words(chance)
    number = 0
    while chunks > 0:
        leaves = min(chunks, max(1, int(chance.lognormvariate(1.4, 0.7))))
        chunks -= leaves
        topic = words.topic()
        in_han = chance.random() < 0.1
        texts = [words.unspaced() if in_han else words.text(topic) for _ in range(leaves)]
        yield _note(number, topic, texts, chance)
        number += 1


def _note(number: int, topic: list[str], texts: list[str], chance: random.Random) -> NoteWrite:
    title = " ".join(chance.choices(topic, k=chance.randint(1, 4)))
    path = NotePath(f"folder {number % 40}/{title} {number}.md")
    leaves = tuple(
        Leaf(
            5000 * nth,
            5000 * nth + len(text.encode()),
            (title, chance.choice(topic)),
            None,
            len(text) // 4,
            text,
            _hash(text),
        )
        for nth, text in enumerate(texts)
    )
    reading = Reading(
        title=title,
        description=texts[0][:100],
        aliases=(),
        tags=(f"area{number % 40}/{topic[0]}",),
        metadata="{}",
        written="{}",
        property_text="",
        event_date=f"2024-{number % 12 + 1:02}-01" if number % 3 == 0 else None,
        private=False,
        ignored=False,
        encoding="utf-8",
        content_hash=_hash(path),
        problems=(),
        headings=(),
        block_ids=(),
        leaves=leaves,
        links=(),
    )
    role: Role = "template" if number % 100 == 0 else "note"
    fingerprint = Fingerprint(1, number, number, number, 1)
    return NoteWrite(None, path, fingerprint, False, role, None, note_uid("bench", path), "bench", reading)


def _hash(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()


def build(folder: Path, chunks: int) -> Database:
    """Return the database in `folder`, made if it is not there."""
    made = (folder / "index.db").exists()
    database = Database.open(folder / "index.db", write=True)
    if made:
        return database
    for batch in batched(make_notes(chunks, random.Random(1)), BATCH):
        with database.write() as tx:
            nodes.write_notes(tx, batch, 1_700_000_000)
    return database


def batched(notes: Iterator[NoteWrite], size: int) -> Iterator[list[NoteWrite]]:
    """Yield lists of `size` notes, the last one shorter."""
    while batch := list(islice(notes, size)):
        yield batch


class Questions:
    """Queries made of the words of chunks, so that each has an answer."""

    def __init__(self, database: Database, chance: random.Random) -> None:
        self.reader = database.read()
        self.chance = chance
        self.last: int = self.reader.value("SELECT max(id) FROM chunks")

    def _text(self, *, han: bool = False) -> str:
        while True:
            row = self.chance.randint(1, self.last)
            text: str = self.reader.value("SELECT text FROM chunks WHERE id = ?", [row]) or ""
            if text and han == (not text.isascii()):
                return text

    def words(self, count: int, common: int = 0) -> str:
        """Return so many words that stand in one chunk, and so many common ones, in any order."""
        while True:
            found = sorted(set(self._text().replace(".", " ").split()))
            telling = [word for word in found if word not in SHORT]
            fillers = [word for word in found if word in SHORT]
            if len(telling) >= count and len(fillers) >= common:
                asked = self.chance.sample(telling, count) + self.chance.sample(fillers, common)
                return " ".join(self.chance.sample(asked, len(asked)))

    def strewn(self, count: int, common: int) -> str:
        """Return as many words as `words`, each from another chunk: no chunk holds all."""
        return " ".join([self.words(1) for _ in range(count)] + [self.words(0, 1) for _ in range(common)])

    def phrase(self) -> str:
        """Return three words that stand next to each other, in quotes."""
        words = self._text().split("\n")[0].split()
        return f'"{" ".join(words[:3])}"'

    def han(self, length: int) -> str:
        """Return so many characters from the beginning of a line in Han."""
        line = self.chance.choice(self._text(han=True).split("\n"))
        return line[:length]


def measure(ask: Callable[[str], object], queries: list[str]) -> tuple[float, float]:
    """Return the median and the 95th percentile of what a query takes, in CPU milliseconds, best of three."""
    cuts = quantiles((min(_time(ask, query) for _ in range(3)) for query in queries), n=20)
    return cuts[9], cuts[18]


def _time(ask: Callable[[str], object], query: str) -> float:
    start = time.thread_time()
    ask(query)
    return 1000 * (time.thread_time() - start)


def report(database: Database) -> None:
    """Print what each kind of query takes, and the yardstick."""
    questions = Questions(database, random.Random(2))
    reader = database.read()
    bare = "SELECT rowid, rank FROM chunks_fts WHERE chunks_fts MATCH ? ORDER BY rank LIMIT 10"
    narrow = Filters(path="folder 7", since="2024-03")
    broad = Filters(until="2030")
    kinds: dict[str, tuple[Callable[[], str], Filters]] = {
        "one word": (lambda: questions.words(1), Filters()),
        "two words": (lambda: questions.words(2), Filters()),
        "two words, few notes pass": (lambda: questions.words(2), narrow),
        "two words, all notes pass": (lambda: questions.words(2), broad),
        "a common word": (lambda: questions.words(0, 1), Filters()),
        "a common word, few notes pass": (lambda: questions.words(0, 1), narrow),
        "a phrase": (questions.phrase, Filters()),
        "a question of 12 words": (lambda: questions.words(6, 6), Filters()),
        "a question, words strewn": (lambda: questions.strewn(6, 6), Filters()),
        "a question, few notes pass": (lambda: questions.strewn(6, 6), narrow),
        "Han, 2 characters": (lambda: questions.han(2), Filters()),
        "Han, a sentence": (lambda: questions.han(14), Filters()),
    }
    yardstick = measure(
        lambda word: list(reader.rows(bare, [word])), [questions.words(1) for _ in range(QUERIES)]
    )
    print(f"{'yardstick: one word, bare bm25':34} {yardstick[0]:7.1f} {yardstick[1]:7.1f} ms")
    for kind, (make, filters) in kinds.items():
        ask = partial(search, database, filters=filters)
        median, high = measure(ask, [make() for _ in range(QUERIES)])
        print(f"{kind:34} {median:7.1f} {high:7.1f} ms {high / yardstick[1]:6.1f} x")


def main() -> None:
    """Make the index and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--database", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.database or Path(scratch)
        folder.mkdir(exist_ok=True)
        database = build(folder, options.chunks)
        report(database)
        database.close()


if __name__ == "__main__":
    main()
