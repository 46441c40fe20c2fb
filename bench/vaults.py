"""Make a vault of invented notes that looks like a person's: `python bench/vaults.py DIR NOTES`."""

from __future__ import annotations

import argparse
import itertools
import random
import time
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

NOTE_CHARACTERS = 4_700
"""Target of a note's body: with frontmatter about 5 kB, as the vaults behind the budgets have."""

WORDS = 20_000
STREAM = 150_000
"""Words drawn once; all text is stretches of them, so that a note costs slices and few draws."""

_ONSETS: tuple[str, ...] = (*"bcdfghklmnprstvw", "br", "ch", "dr", "fl", "gr", "pl", "st", "tr", "")
_VOWELS: tuple[str, ...] = (*"aeiouaeo", "ea", "ou")
_CODAS: tuple[str, ...] = ("", "", "", "", "", *"nrslt", "nd", "ck")
_CYRILLIC = str.maketrans("abcdefghiklmnoprstuvw", "абцдефгхиклмнопрстувж")
_HAN = range(0x4E00, 0x5600)
_CODE = ("python", "sh", "js", "")
_CALLOUTS = ("note", "tip", "warning")
_STATES = ("draft", "done", "growing")


class Text(NamedTuple):
    """A long text and where its words, or its sentences, start; `gap` characters stand between them."""

    text: str
    starts: list[int]
    gap: int

    def stretch(self, count: int, place: float) -> str:
        """Return so many words, or sentences, from a place in [0, 1)."""
        first = int(place * (len(self.starts) - 1 - count))
        return self.text[self.starts[first] : self.starts[first + count] - self.gap]


class Language(NamedTuple):
    """Words without sentences, and prose of the same words; `glue` stands between words."""

    words: Text
    prose: Text
    glue: str


class Place(NamedTuple):
    """Where a note stands: its folder below the vault, and its name without `.md`."""

    folder: str
    name: str


class Names(NamedTuple):
    """The names of a whole vault."""

    places: list[Place]
    tags: list[str]


def vocabulary(dice: random.Random, count: int = WORDS) -> list[str]:
    """Return invented words, all different, the most frequent (and shortest) first."""
    words: dict[str, None] = {}
    while len(words) < count:
        size = 1 + (len(words) > 150) + (len(words) > 5000)
        words["".join(_syllable(dice) for _ in range(size))] = None
    return list(words)


def make_vault(root: Path, notes: int, seed: int = 1) -> int:
    """Write a vault of `notes` notes below `root`, the same for the same seed; return its bytes of text."""
    writer = _Writer(root, notes, seed)
    return sum(writer.write(number) for number in range(notes))


def _syllable(dice: random.Random) -> str:
    return dice.choice(_ONSETS) + dice.choice(_VOWELS) + dice.choice(_CODAS)


def _languages(dice: random.Random, words: list[str]) -> tuple[Language, Language, Language]:
    # Zipf-Mandelbrot: a word's share falls with its rank; 2.7 is Mandelbrot's shift for English.
    shares = list(itertools.accumulate(1 / (rank + 2.7) for rank in range(len(words))))
    stream = dice.choices(words, cum_weights=shares, k=STREAM)
    cyrillic = [word.translate(_CYRILLIC) for word in stream[: STREAM // 10]]
    han = [chr(character) for character in dice.choices(_HAN, k=STREAM // 10)]
    return (
        _language(dice, stream, " ", "."),
        _language(dice, cyrillic, " ", "."),
        _language(dice, han, "", "。"),
    )


def _language(dice: random.Random, stream: list[str], glue: str, stop: str) -> Language:
    sentences = []
    start = 0
    while start < len(stream):
        end = start + dice.randint(5, 23)
        sentences.append(glue.join(stream[start:end]).capitalize() + stop)
        start = end
    return Language(_text(stream, glue), _text(sentences, glue), glue)


def _text(parts: list[str], glue: str) -> Text:
    starts = itertools.accumulate((len(part) + len(glue) for part in parts), initial=0)
    return Text(glue.join(parts), list(starts), len(glue))


def _names(dice: random.Random, words: list[str], notes: int) -> Names:
    words = words[100:]
    folders = [f"{_title(dice, words, 1)}/{_title(dice, words, 2)}" for _ in range(max(4, notes // 40))]
    folders += [folder.partition("/")[0] for folder in folders[: len(folders) // 4]]
    first = date(2015, 1, 1)
    places = []
    for number in range(notes):
        if number % 12 == 5:
            day = first + timedelta(days=number // 12)
            places.append(Place(f"Daily/{day.year}", day.isoformat()))
        else:
            name = f"{_title(dice, words, 3)} {number}"  # the number makes it unique
            places.append(Place(dice.choice(folders), name))
    tags = [dice.choice(words[:2000]) for _ in range(150)]
    tags += [f"{parent}/{dice.choice(words[:2000])}" for parent in tags[:50]]
    return Names(places, tags)


def _title(dice: random.Random, words: list[str], count: int) -> str:
    return " ".join(dice.choices(words, k=count)).capitalize()


class _Writer:
    """Writes the notes of one vault, one by one."""

    def __init__(self, root: Path, notes: int, seed: int) -> None:
        self._dice = random.Random(seed)
        words = vocabulary(self._dice)
        self._latin, self._cyrillic, self._han = _languages(self._dice, words)
        self._names = _names(self._dice, words, notes)
        self._root = root
        for folder in {place.folder for place in self._names.places}:
            (root / folder).mkdir(parents=True, exist_ok=True)
        (root / ".obsidian").mkdir(exist_ok=True)

    def write(self, number: int) -> int:
        """Write one note; return its bytes."""
        place = self._names.places[number]
        note = Note(self._dice, self._language(number), self._names)
        text = note.frontmatter() + note.body()
        return (self._root / place.folder / f"{place.name}.md").write_bytes(text.encode())

    def _language(self, number: int) -> Language:
        """Three notes in a hundred are not in Latin letters."""
        return {7: self._han, 41: self._cyrillic, 83: self._han}.get(number % 100, self._latin)


class Note:
    """One note, piece by piece."""

    def __init__(self, dice: random.Random, language: Language, names: Names) -> None:
        self._dice = dice
        self._language = language
        self._names = names

    def frontmatter(self) -> str:
        """Return frontmatter, which three notes in four have."""
        draw = self._dice.random
        if draw() < 0.25:
            return ""
        lines = [f"created: 20{int(10 + 15 * draw())}-0{int(1 + 9 * draw())}-1{int(10 * draw())}"]
        if draw() < 0.3:
            lines.append(f"title: {self._words(3).capitalize()}")
        if draw() < 0.6:
            lines.append(f"tags: [{self._tag()}, {self._tag()}]")
        if draw() < 0.3:
            lines += ["aliases:", f"  - {self._words(2)}"]
        if draw() < 0.3:
            lines.append(f'up: "[[{self._place().name}]]"')
        if draw() < 0.4:
            lines.append(f"status: {_STATES[int(3 * draw())]}")
        return "---\n" + "\n".join(lines) + "\n---\n"

    def body(self) -> str:
        """Return sections of paragraphs and other blocks, up to a length around the target."""
        target = NOTE_CHARACTERS * (0.3 + 1.4 * self._dice.random())
        if not self._language.glue:
            target /= 3  # a Han character is three bytes
        blocks = [f"# {self._words(4).capitalize()}"]
        size = 0
        while size < target:
            block = self._block()
            blocks.append(block)
            size += len(block)
        return "\n\n".join(blocks) + "\n"

    def _block(self) -> str:
        draw = self._dice.random()
        if draw < 0.56:
            return self._paragraph()
        if draw < 0.74:
            return f"{'##' if draw < 0.68 else '###'} {self._words(3).capitalize()}"
        if draw < 0.88:
            return self._list()
        if draw < 0.92:
            return self._table()
        if draw < 0.96:
            return self._fence()
        return f"> [!{_CALLOUTS[int(draw * 300) % 3]}] {self._words(3)}\n> {self._prose(1)}"

    def _paragraph(self) -> str:
        draw = self._dice.random()
        parts = [self._prose(2 + int(4 * self._dice.random()))]
        if draw < 0.62:
            parts.append(f"{self._words(5).capitalize()} {self._link()} {self._words(5)}.")
        if draw < 0.12:
            parts.append(f"#{self._tag()}")
        if draw > 0.97:
            parts.append(f"^{int(draw * 1e9):x}")
        return " ".join(parts)

    def _list(self) -> str:
        marks = ("- ", "- [ ] ", "1. ", "  - ", "- [x] ")
        kind = int(3 * self._dice.random())
        items = [marks[kind] + self._words(9) for _ in range(3 + int(5 * self._dice.random()))]
        items[-1] = marks[kind] + self._link() + self._language.glue + self._words(4)
        return "\n".join(items)

    def _table(self) -> str:
        cells = [(self._words(2), self._words(3), str(number)) for number in range(5)]
        cells[-1] = (f"[[{self._place().name}\\|{self._words(1)}]]", self._words(3), "-")
        rows = [f"| {' | '.join(row)} |" for row in cells]
        return "\n".join([rows[0], "|---|---|--:|", *rows[1:]])

    def _fence(self) -> str:
        name, other = self._latinish(), self._latinish()
        lines = [f"{name} = {other}({number})  # {self._words(3)}" for number in range(5)]
        return f"```{self._dice.choice(_CODE)}\n" + "\n".join(lines) + "\n```"

    def _link(self) -> str:
        draw = self._dice.random()
        if draw < 0.86:
            return self._wikilink(draw)
        place = self._place()
        if draw < 0.92:
            target = f"/{place.folder}/{place.name}.md".replace(" ", "%20")
            return f"[{self._words(2)}]({target})"
        if draw < 0.97:
            return f"[{self._words(2)}](https://example.org/{int(draw * 1e9)})"
        return f"[[{self._words(2)}]]"  # leads nowhere yet

    def _wikilink(self, draw: float) -> str:
        place = self._place()
        if draw < 0.6:
            return f"[[{place.name}]]"
        if draw < 0.75:
            return f"[[{place.folder}/{place.name}|{self._words(2)}]]"
        return f"[[{place.name}#{self._words(3)}]]" if draw < 0.83 else f"![[{place.name}]]"

    def _words(self, count: int) -> str:
        return self._language.words.stretch(count, self._dice.random())

    def _prose(self, sentences: int) -> str:
        return self._language.prose.stretch(sentences, self._dice.random())

    def _latinish(self) -> str:
        return self._tag().replace("/", "_")

    def _tag(self) -> str:
        return self._names.tags[int(len(self._names.tags) * self._dice.random() ** 2)]

    def _place(self) -> Place:
        """Return a note to link to; a few notes get most of the links."""
        return self._names.places[int(len(self._names.places) * self._dice.random() ** 3)]


def main() -> None:
    """Make a vault from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("notes", type=int)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    started = time.perf_counter()
    size = make_vault(arguments.folder, arguments.notes, arguments.seed)
    rate = arguments.notes / (time.perf_counter() - started)
    print(f"{arguments.notes:,} notes, {size / arguments.notes:,.0f} bytes a note, {rate:,.0f} notes/s")


if __name__ == "__main__":
    main()
