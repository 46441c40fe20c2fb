"""Whatever a person adds to a vault that people keep, no generated note is what a link or a name of theirs means."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import normalize

import pytest
from small_vaults import memory_of

from vaultsync.app.sync import Wish, sync
from vaultsync.domain.names import name_key, target_key
from vaultsync.store.edges import link_of

if TYPE_CHECKING:
    from collections.abc import Iterator

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "vaults"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SHARED.is_dir(), reason="the real vaults are not here"),
]

VAULTS = {"kepano": 6, "kepano-tree": 6, "obsidian-tasks": 2, "nolebase": 2}
"""The vaults, each with how often something is added; a large one takes its time."""


@pytest.fixture(scope="module")
def vaults(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vaults")
    subprocess.run(["bash", SHARED / "unpack", folder], check=True, capture_output=True)
    return folder


def grow(root: Path) -> tuple[set[str], set[str]]:
    """Run a whole pass; return the keys that notes are called by, and those that links mean that find nothing."""
    with memory_of(root, write=True) as memory:
        report = sync(memory, Wish(flush="all", asked=True))
        index = memory.db.read()
        borne = {key for (key,) in index.all("SELECT key FROM names")}
        sought = index.all("SELECT DISTINCT target, link FROM edges WHERE to_node_id IS NULL")
    assert report.written.refused == []
    return borne, {key for row in sought if (key := target_key(link_of(*row)))}


def names_of(root: Path) -> list[str]:
    """Return the names of the generated notes, without `.md`."""
    return sorted(path.stem for path in (root / "_summaries").rglob("*.md"))


def spellings(name: str) -> Iterator[str]:
    """Yield what a person may write for a name."""
    yield from (name, name.upper(), name.lower(), normalize("NFD", name), normalize("NFD", name.title()))


def links(name: str) -> Iterator[str]:
    """Yield links that mean a note of this name."""
    yield from (f"[[{name}]]", f"[[Somewhere/{name}.md|that]]", f"![[{name}#Part]]", f"[[{name.upper()}#^a]]")


def add(root: Path, dice: random.Random, turn: int) -> set[str]:
    """Add three notes with names, aliases and links that ours have or may come to have; return the keys they claim.

    A link to a note of ours that is there means that note, so links are to names that are still free.
    """
    ours = names_of(root)
    name, other = (dice.choice([*spellings(dice.choice(ours))]) for _ in range(2))
    free = [f"{dice.choice(ours)} {number}" for number in (2, 3)]
    free = [each for each in free if name_key(each) not in {name_key(known) for known in ours}]
    written = {
        f"Later {turn}/{name}.md": "A note of a person, about a thing.\n",
        f"Alias {turn}.md": f'---\naliases: ["{other}"]\n---\nAnother note of a person.\n',
        f"Links {turn}.md": f"See {' and '.join(dice.choice([*links(each)]) for each in free)}.\n",
    }
    for path, text in written.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return {name_key(each) for each in (name, other, *free)}


@pytest.mark.parametrize("name", VAULTS)
def test_what_comes_later_takes_its_name(name: str, vaults: Path, home: Path, tmp_path: Path) -> None:
    """Ours are renamed, never to what a link means, and each is there once, with nothing of a person's touched."""
    del home
    root = Path(shutil.copytree(vaults / name, tmp_path / name, symlinks=True))
    borne, sought = grow(root)
    assert not {name_key(ours) for ours in names_of(root)} & (borne | sought)
    dice = random.Random(name)
    claimed: set[str] = set()
    many = len(names_of(root))
    for turn in range(VAULTS[name]):
        claimed |= add(root, dice, turn)
        theirs = theirs_of(root)
        borne, _ = grow(root)
        ours = [name_key(each) for each in names_of(root)]
        assert len({*ours}) == len(ours)
        assert not {*ours} & (borne | sought | claimed)
        assert theirs_of(root) == theirs
    assert len(names_of(root)) >= many


def theirs_of(root: Path) -> dict[str, bytes]:
    """Return the bytes of all notes of the person."""
    found = (path.relative_to(root) for path in root.rglob("*.md") if path.is_file())
    return {
        path.as_posix(): (root / path).read_bytes()
        for path in found
        if path.parts[0] not in {"_summaries", ".git", ".vaultsync"}
    }
