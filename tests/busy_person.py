"""A person who keeps a vault that grows summaries, and what they do to its notes, as chance has it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from grown_vaults import WORDS
from small_vaults import fill_vault

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from machines import Machine
    from model_server import ModelServer

SETTINGS = """\
[summaries]
sources = ["*"]
seal_tokens = 400
seal_children = 3
tokens = 120
[chunks]
chunk_target = 60
chunk_ceiling = 100
"""
"""Each top folder is a source, and so little fills a summary that a few dozen notes make three levels."""

STEPS = (
    *(
        "edit",
        "retouch",
        "write",
        "rename",
        "move",
        "rename_folder",
        "rename_subfolder",
        "delete",
        "hide",
        "show",
    ),
    *("bring_in", "flush", "seal", "pin", "unpin", "write_beside"),
)
"""What a person does: each is a method of `Person`."""

_HIDDEN = "---\nprivate: true\n---\n"
_BEGIN = "%% vaultsync:begin"


def prose(subject: str, sections: int = 6) -> str:
    """Return a note of several sections, two sentences each, of words of its own."""
    chosen = random.Random(subject)
    told = [f"The {subject} has {_words(chosen, 9)}. It {_words(chosen, 8)}.\n\n" for _ in range(sections)]
    return "".join(f"## {subject} {number}\n\n{text}" for number, text in enumerate(told))


def _words(chosen: random.Random, count: int) -> str:
    return " ".join(chosen.sample(WORDS, count))


def starting_notes() -> dict[str, str]:
    """Return a vault of five sources, with folders below, days, and notes of many lengths; and the settings."""
    folders = ("Garden", "House", "Music", "Travel/Asia", "Travel/Europe")
    notes = {
        f"{folder}/{folder} {n}.md": prose(f"{folder} {n}", 1 + n % 6) for folder in folders for n in range(6)
    }
    notes |= {f"Note {n}.md": prose(f"Note {n}", 3) for n in range(4)}
    notes |= {
        f"Days/2026-0{month}-0{day}.md": prose(f"day {month} {day}", 2)
        for month in (1, 2)
        for day in (1, 4, 9)
    }
    return {".vaultsync/config.toml": SETTINGS, **notes}


def use_model(machine: Machine, server: ModelServer) -> None:
    """Let a machine's own settings name a model, which may be asked as often as is wanted."""
    said = {"summariser": "openai", "model": "small", "endpoint": server.url}
    place = machine.home / "config/vaultsync/config.toml"
    place.parent.mkdir(parents=True, exist_ok=True)
    lines = [f'{key} = "{value}"' for key, value in said.items()]
    place.write_text("\n".join(["[models]", *lines, "calls_per_day = 1000", ""]), encoding="utf-8")


class Person:
    """Takes one step after another at a machine, the same ones for the same seed."""

    def __init__(self, machine: Machine, seed: int) -> None:
        self._machine = machine
        self._root = machine.root
        self._chance = random.Random(seed)
        self._count = 0

    def do(self, step: str) -> None:
        """Take one of `STEPS`."""
        self._count += 1
        getattr(self, step)()

    def edit(self) -> None:
        place = self._one()
        place.write_text(place.read_text() + prose(f"more {self._count}", 1))

    def retouch(self) -> None:
        place = self._one()
        place.write_text(place.read_text().replace("amber", "copper", 1) + " ")

    def write(self) -> None:
        folder = self._chance.choice(["Garden/", "House/", "Travel/Asia/", "Days/", ""])
        self._fill({f"{folder}New {self._count}.md": prose(f"New {self._count}", self._chance.randint(1, 5))})

    def bring_in(self) -> None:
        """Write many notes at once, so that summaries are sealed."""
        folder = self._chance.choice(["Garden", "Music", "Travel/Asia", f"Box {self._count}"])
        names = [f"Old {self._count}-{number}" for number in range(self._chance.randint(8, 20))]
        self._fill({f"{folder}/{name}.md": prose(name, self._chance.randint(1, 6)) for name in names})

    def rename(self) -> None:
        place = self._one()
        place.rename(place.with_name(f"Named {self._count}.md"))

    def move(self) -> None:
        place = self._one()
        folder = self._root / self._chance.choice(["Garden", "House", "Travel/Europe"])
        folder.mkdir(parents=True, exist_ok=True)
        place.rename(folder / f"Moved {self._count}.md")

    def rename_folder(self) -> None:
        self._rename_one_of("*", "Folder")

    def rename_subfolder(self) -> None:
        self._rename_one_of("*/*", "Sub")

    def delete(self) -> None:
        for _ in range(self._chance.randint(1, 4)):
            self._one().unlink()

    def hide(self) -> None:
        """Make a note private."""
        place = self._one()
        place.write_text(_HIDDEN + place.read_text().removeprefix(_HIDDEN))

    def show(self) -> None:
        """Make private notes public again."""
        for place in self._notes():
            place.write_text(place.read_text().removeprefix(_HIDDEN))

    def flush(self) -> None:
        self._ask("flush")

    def seal(self) -> None:
        self._ask("seal")

    def pin(self) -> None:
        """Change what a generated note says."""
        place = self._chance.choice([place for place in self._generated() if "Vault (" not in place.name])
        place.write_text(place.read_text().replace("The ", "My ", 1))

    def write_beside(self) -> None:
        """Write into a generated note outside the markers."""
        place = self._chance.choice(self._generated())
        place.write_text(place.read_text().replace(_BEGIN, f"My words, {self._count}.\n\n{_BEGIN}", 1))

    def unpin(self) -> None:
        pinned = [
            branch["id"] for branch in branches(self._machine.ask("tree", "--json").json) if branch["pinned"]
        ]
        if pinned:
            self._ask("summary", "unpin", self._chance.choice(pinned))

    def _ask(self, *words: str) -> None:
        answer = self._machine.ask(*words)
        assert answer.status == 0, answer.err

    def _fill(self, notes: dict[str, str]) -> None:
        fill_vault(self._root, notes)

    def _rename_one_of(self, pattern: str, name: str) -> None:
        found = sorted(place for place in self._root.glob(pattern) if place.is_dir() and self._is_open(place))
        if found:
            place = self._chance.choice(found)
            place.rename(place.with_name(f"{name} {self._count}"))

    def _one(self) -> Path:
        return self._chance.choice(self._notes())

    def _notes(self) -> list[Path]:
        return sorted(place for place in self._root.rglob("*.md") if self._is_open(place))

    def _generated(self) -> list[Path]:
        return sorted((self._root / "_summaries").rglob("*.md"))

    def _is_open(self, place: Path) -> bool:
        return place.relative_to(self._root).parts[0][0] not in "._"


def branches(tree: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield all summaries of a `tree --json`, parents before children."""
    todo = [root for one in tree["trees"] for root in one["roots"]]
    while todo:
        branch = todo.pop()
        yield branch
        todo += [child for child in branch["children"] if "id" in child]
