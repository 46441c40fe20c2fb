"""Sentences that other processes choose are those that this one would."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from grown_vaults import SETTINGS, about, generated, prose
from small_vaults import fill_vault, memory_of

from vaultsync.app.growing import ahead, summarise
from vaultsync.app.sync import Wish, sync
from vaultsync.store import tree_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from vaultsync.app.notes.report import Report
    from vaultsync.config import Settings

    Make = Callable[[Mapping[str, str | bytes]], Path]

NAMES = ("apple", "birch", "clover", "daisy", "elder")


@pytest.fixture
def garden(vault: Make) -> Path:
    """Two sources: two notes fill a summary; two processes may work."""
    return vault({**about(*NAMES), **about("fern", "gorse", "hazel", folder="Woods"), **workers(2)})


def workers(count: int) -> dict[str, str | bytes]:
    """Return the vault's id, and settings by which so many processes may work."""
    return {
        ".vaultsync/id": "a-known-vault\n",
        ".vaultsync/config.toml": f"{SETTINGS}[reading]\nworkers = {count}\n",
    }


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let any vault be large enough."""
    monkeypatch.setattr(ahead, "PARALLEL_FROM", 1)


def run(root: Path) -> Report:
    with memory_of(root, write=True) as memory:
        return sync(memory)


@pytest.mark.usefixtures("eager")
def test_other_processes_choose_the_same(garden: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The vault is the same to the byte, and no sentence of a note was chosen here."""
    here: set[str] = set()
    chosen = summarise.chosen

    def watched(settings: Settings, given: summarise.Input) -> str:
        here.update(source.title for source in given.sources)
        return chosen(settings, given)

    monkeypatch.setattr(summarise, "chosen", watched)
    report = run(garden)
    assert report.tended.changed > 0
    assert here.isdisjoint(NAMES)
    ahead_of_time = generated(garden)
    shutil.rmtree(garden / "_summaries")
    shutil.rmtree(garden / ".vaultsync")
    fill_vault(garden, workers(1))
    monkeypatch.setenv("XDG_STATE_HOME", str(garden.parent / "another state"))
    run(garden)
    assert generated(garden) == ahead_of_time
    assert here.issuperset(NAMES)


@pytest.mark.usefixtures("eager")
def test_a_tree_that_cannot_be_read_fails_alone(garden: Path) -> None:
    """It is told of when its turn comes; what comes behind it is made all the same."""
    with memory_of(garden, write=True) as memory:
        sync(memory, Wish(to_text=True))
        with memory.db.write() as tx:
            tx.run("UPDATE files SET headings = 'broken' WHERE path = 'Garden/apple.md'")
    report = run(garden)
    assert {folder for folder, _ in report.tended.failed} == {"Garden"}
    assert "The fern has" in generated(garden)["Woods/Woods (summary).md"]


@pytest.mark.usefixtures("eager")
def test_an_edit_after_a_first_build(garden: Path) -> None:
    """Where nothing waits, no process is started, and what changed is made again here."""
    run(garden)
    fill_vault(garden, {"Garden/apple.md": prose("apple", 1)})
    assert 1 <= run(garden).tended.remade <= 3
    with memory_of(garden) as memory:
        assert tree_rows.count_loose(memory.db.read()) == 0
