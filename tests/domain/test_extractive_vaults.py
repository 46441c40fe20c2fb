"""Of the notes of real vaults, only whole sentences of their prose come into a summary."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from small_vaults import ask

from vaultsync.domain import fences
from vaultsync.domain.decoding import decode
from vaultsync.domain.extractive import Source, summarise
from vaultsync.domain.extractive.candidates import candidates, spots
from vaultsync.domain.markdown import parse
from vaultsync.domain.notes import NotePath, ReadOptions
from vaultsync.domain.prose import plain
from vaultsync.domain.reading import read_note
from vaultsync.domain.tokens import estimate

if TYPE_CHECKING:
    from collections.abc import Iterator

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "vaults"
SAMPLE = Path(__file__).resolve().parents[2] / "sample_vault"

DEBRIS = re.compile(
    r"`|\||\[|\]|\{|\}|://|www\.|::|%%|</?[A-Za-z!%]|(?:^|\s)#\w|\s\^[\w-]+$|\.md\b|\*\*|__|~~|==|\$\S+\$|&\w+;|\w\(\)"
)
STOP = re.compile("[.!?。！？।॥؟۔።։][\"'”’»“)」』》）】]*")
PROSE = frozenset({"paragraph", "list", "callout", "blockquote", "definition"})
TASK = re.compile(r"^[ \t>]*(?:[-*+]|\d+[.)])[ \t]+\[.\][ \t].*$", re.MULTILINE)
FENCED = re.compile(r"^[ \t>]*(?:[-*+][ \t]+)?(`{3,}|~{3,})[^`\n]*\n.*?^[ \t>]*\1", re.MULTILINE | re.DOTALL)


def squeezed(text: str) -> str:
    return "".join(plain(text).split())


def prose_of(raw: bytes) -> str:
    """Return what a parser of markdown calls prose in a note, as read, without any blank."""
    source = decode(raw)
    fence = fences.split(source.text)
    blocks = parse(source, fence.body if fence else 0).blocks
    pieces = [source.piece(block.start, block.end) for block in blocks if block.kind in PROSE]
    return "\n".join(squeezed(TASK.sub("", FENCED.sub("", piece))) for piece in pieces)


def notes_of(vault: Path) -> Iterator[tuple[bytes, Source]]:
    for path in sorted(set(vault.rglob("*.md")) - set(vault.glob("_summaries/**/*.md"))):
        raw = path.read_bytes()
        reading = read_note(raw, NotePath(path.relative_to(vault).as_posix()), ReadOptions())
        texts = tuple(leaf.text for leaf in reading.leaves if leaf.searchable)
        yield raw, Source(reading.title, tuple(heading.text for heading in reading.headings), texts)


def check(vault: Path) -> int:
    """Look at each sentence that may be taken; return how many there are."""
    count = 0
    for raw, note in notes_of(vault):
        prose = prose_of(raw)
        for candidate in candidates(spots(note.texts), note.title, 0, 10_000):
            assert not DEBRIS.search(candidate.text), (note.title, candidate.text)
            assert "".join(candidate.text.split()) in prose, (note.title, candidate.text)
            count += 1
    return count


def paragraphs(vault: Path) -> Iterator[str]:
    """Yield the paragraphs of all generated notes as read, their headings and links left out."""
    for path in sorted((vault / "_summaries").rglob("*.md")):
        part = path.read_text("utf-8").partition("%% vaultsync:begin %%\n")[2]
        text = re.split(r"^## |^%%", part, flags=re.MULTILINE)[0]
        yield from map(plain, text.strip().split("\n\n")[1:])


def quotes(paragraph: str, prose: str) -> int:
    """Return of how many pieces of prose, from stop to stop and as long as can be, a paragraph is made; 0: of none."""
    text, count, start = "".join(paragraph.split()), 0, 0
    while start < len(text):
        ends = [end for stop in STOP.finditer(text, start) for end in (stop.start() + 1, stop.end())]
        start = max((end for end in ends if text[start:end] in prose), default=0)
        if not start:
            return 0
        count += 1
    return count


def count_generated(vault: Path, folder: Path) -> int:
    """Sync a copy of a vault and look at each sentence of its generated notes; return how many there are.

    What is no sentence is the line of a note without any: its title and headings, or what its folder, month or year
    is called.
    """
    without = shutil.ignore_patterns("_summaries", ".vaultsync")
    root = Path(shutil.copytree(vault, folder / vault.name, ignore=without))
    known = list(notes_of(root))
    prose = "\n".join(prose_of(raw) for raw, _ in known)
    names = {note.title.removesuffix(".excalidraw") for _, note in known} | {
        path.name for path in root.rglob("*/")
    }
    called = "|".join(re.escape(" ".join(name.split())) for name in sorted(names, key=len, reverse=True))
    line = re.compile(rf"(?:{called}|\d{{4}}(?:-\d\d)?)(?:: (.+))?")
    assert ask("sync", root).status == 0
    count = 0
    for paragraph in paragraphs(root):
        if pieces := quotes(paragraph, prose):
            assert not DEBRIS.search(paragraph), paragraph
            count += pieces
        else:
            found = line.fullmatch(paragraph)
            assert found, paragraph
            assert not DEBRIS.search(found[1] or ""), paragraph
    return count


def test_every_sentence_of_the_sample_vault_is_prose() -> None:
    """No code, table, task, tag, field, block id, embed or address; all of it stands in the note."""
    assert check(SAMPLE) > 800


def test_a_vault_of_all_sorts_is_summed_up_within_the_budget() -> None:
    """All notes of the sample vault at once: at most 1,000 tokens, no mark unescaped."""
    summary = summarise([note for _, note in notes_of(SAMPLE)], 1000)
    assert estimate(summary.text) <= 1000
    assert not re.search(r"(?<!\\)[`|*\[\]]", summary.text)


def test_every_generated_sentence_of_the_sample_vault_is_prose(home: Path, tmp_path: Path) -> None:
    """What a person reads after a sync: each sentence stands in a note, and none holds debris."""
    del home
    assert count_generated(SAMPLE, tmp_path) > 150


@pytest.fixture(scope="module")
def vaults(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not SHARED.is_dir():
        pytest.skip("the real vaults are not here")
    folder = tmp_path_factory.mktemp("vaults")
    subprocess.run(["bash", SHARED / "unpack", folder], check=True, capture_output=True)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "least"), [("kepano-tree", 100), ("nolebase", 2000), ("obsidian-tasks", 2000)]
)
def test_every_sentence_of_a_real_vault_is_prose(name: str, least: int, vaults: Path) -> None:
    """The same of the vaults that people keep."""
    assert check(vaults / name) > least


@pytest.mark.slow
@pytest.mark.parametrize(("name", "least"), [("kepano", 30), ("nolebase", 500), ("obsidian-tasks", 600)])
def test_every_generated_sentence_of_a_real_vault_is_prose(
    name: str, least: int, vaults: Path, home: Path, tmp_path: Path
) -> None:
    """The same of the generated notes of the vaults that people keep."""
    del home
    assert count_generated(vaults / name, tmp_path) > least
