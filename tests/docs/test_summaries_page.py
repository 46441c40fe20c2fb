"""The summaries in the docs are what a sync makes of the sample vault, and come from where the docs say."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from small_vaults import ask

from vaultsync.domain.prose import plain
from vaultsync.domain.sentences import boundaries

PAGE = Path(__file__).resolve().parents[2] / "docs" / "summaries.md"

_EXAMPLE = re.compile(
    r"^`(_summaries/[^`]+)`\n\n```markdown\n(.*?)^```\n\n((?:^\|[^\n]*\n)+)", re.MULTILINE | re.DOTALL
)
_ROW = re.compile(r"^\| (\d+) \| `([^`]+)` \|(?: (.*) \|)?$", re.MULTILINE)
_PROPERTIES = re.compile(r"\A---\n.*?^---\n", re.MULTILINE | re.DOTALL)
_UNDERLINED = re.compile(r"^(.+)\n(?:=+|-+)$", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6} (.*)\n", re.MULTILINE)


class Example(NamedTuple):
    """A summary in the docs: the path of its note, our part of it, and (paragraph, note, headings) by row."""

    path: str
    part: str
    rows: list[tuple[int, str, list[str]]]


def examples() -> list[Example]:
    """Return the examples of the page."""
    found = []
    for path, part, table in _EXAMPLE.findall(PAGE.read_text("utf-8")):
        rows = [
            (int(nth), note, [*filter(None, under.split(", "))]) for nth, note, under in _ROW.findall(table)
        ]
        found.append(Example(path, part.strip(), rows))
    return found


def squeezed(text: str) -> str:
    return "".join(plain(text).split())


def sentences(paragraph: str) -> list[str]:
    """Return the sentences of a paragraph without any blank."""
    cuts = [0, *boundaries(paragraph), len(paragraph)]
    return [squeezed(paragraph[start:end]) for start, end in pairwise(cuts)]


def sections(text: str) -> dict[str, str]:
    """Return what stands under each heading of a note without any blank, nothing of those below it."""
    text = _UNDERLINED.sub(r"# \1", _PROPERTIES.sub("", text))
    parts = ["", *_HEADING.split(text)]
    return {heading: squeezed(under) for heading, under in zip(parts[::2], parts[1::2], strict=True)}


def test_there_are_three_examples_of_the_sample_vault(sample_vault: Path) -> None:
    """Each is copied exactly, from the heading to the last link; each sentence is in the note that its row names."""
    assert len(examples()) == 3
    assert ask("sync", sample_vault).status == 0
    for example in examples():
        text = (sample_vault / example.path).read_text("utf-8")
        part = text.partition("%% vaultsync:begin %%\n")[2].partition("%% vaultsync:end %%")[0]
        assert part.strip() == example.part
        said = re.split(r"^## ", example.part, flags=re.MULTILINE)[0].strip().split("\n\n")[1:]
        assert [nth for nth, _, _ in example.rows] == [*range(1, len(said) + 1)]
        for nth, note, under in example.rows:
            there = sections((sample_vault / note).read_text("utf-8"))
            named = [there[heading] for heading in under or there]
            told = sentences(said[nth - 1])
            assert all(any(sentence in text for text in named) for sentence in told), (note, told)
            assert not under or all(any(sentence in text for sentence in told) for text in named), (
                note,
                under,
            )
