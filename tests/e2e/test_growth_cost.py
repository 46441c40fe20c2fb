"""What the memory tree of 5,000 notes costs to keep: an edit remakes one chain, and what only moves remakes nothing."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import pytest
from machines import Machine
from model_server import serving, summary_of
from repositories import commit_all, git
from small_vaults import fill_vault

from vaultsync.app.sync import Wish
from vaultsync.store import summaries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from vaultsync.app.notes.report import Report
    from vaultsync.domain.notes import Uid
    from vaultsync.store.summaries import SummaryRow

pytestmark = pytest.mark.slow

NOTES = 5_000
FOLDERS = ("Bees", "Fields", "Rivers", "Stars")
SETTINGS = '[summaries]\nsources = ["Bees", "Fields", "Rivers", "Stars"]\nseal_tokens = 1000\n'

CODED = "Fields/06/note 1570.md"
"""A note that ends in code, of which no summary holds a word."""


def notes(count: int) -> dict[str, str | bytes]:
    """Return so many short notes of sentences of their own, 50 a folder, in four sources."""
    dice = random.Random(1)
    words = ["".join(dice.choices("abcdefghijklmnoprstuvw", k=dice.randint(3, 9))) for _ in range(4_000)]
    each = count // len(FOLDERS)
    found: dict[str, str | bytes] = {}
    for number in range(count):
        path = f"{FOLDERS[number // each]}/{number // 50 % 25:02}/note {number}.md"
        lines = (" ".join(dice.choices(words, k=12)).capitalize() for _ in range(3))
        found[path] = " ".join(f"{line}." for line in lines) + "\n"
    return found


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A vault of 5,000 notes, grown, all of it committed; each test leaves it settled."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
        folder = tmp_path_factory.mktemp("machine")
        root = fill_vault(folder / "Vault", {**notes(NOTES), ".vaultsync/config.toml": SETTINGS})
        coded = root / CODED
        coded.write_text(f"{coded.read_text(encoding='utf-8')}\n```\nspan = 1\n```\n", encoding="utf-8")
        git(root, "init", "-q")
        machine = Machine(root, folder / "home")
        first = machine.grow()
        assert first.tended.sealed > NOTES // 20
        commit_all(root, "first")
        yield machine


class Change(NamedTuple):
    """What a pass did after something changed. `files`: the paths in the summaries folder whose bytes are others.

    `remade`: how many summaries a level were made of something else than before, or have another text.
    """

    report: Report
    files: set[str]
    remade: Counter[int]


def change(machine: Machine, act: Callable[[], object]) -> Change:
    """Do something, run a whole pass, and see that the next has nothing to do."""
    rows, files = known(machine), generated(machine)
    act()
    report = machine.grow()
    now, there = known(machine), generated(machine)
    remade = Counter(
        row.level for uid, row in now.items() if uid not in rows or _said(rows[uid]) != _said(row)
    )
    again = machine.grow()
    assert (again.tended.changed, again.written.touched) == (0, [])
    changed = {path for path in files.keys() | there.keys() if files.get(path) != there.get(path)}
    return Change(report, changed, remade)


def _said(row: SummaryRow) -> tuple[str, str]:
    return row.inputs, row.text_hash


def known(machine: Machine) -> dict[Uid, SummaryRow]:
    """Return all summaries."""
    with machine.memory() as memory:
        return {row.uid: row for row in summaries.every(memory.db.read())}


def generated(machine: Machine) -> dict[str, bytes]:
    """Return the bytes of all generated notes."""
    top = machine.root / "_summaries"
    return {path.relative_to(top).as_posix(): path.read_bytes() for path in top.rglob("*.md")}


def edit(machine: Machine, path: str, old: str, new: str) -> None:
    """Write something else into a note."""
    place = machine.root / path
    text = place.read_text(encoding="utf-8")
    assert old in text
    place.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_an_edit_remakes_one_chain(settled: Machine) -> None:
    """At most one summary a level, from the note upward, and only their files change."""
    path = "Rivers/03/note 2650.md"
    first = (settled.root / path).read_text(encoding="utf-8").split(" ")[0]
    done = change(settled, lambda: edit(settled, path, first, "Gravel weirs"))
    assert done.report.tended.changed == sum(done.remade.values())
    assert done.remade[1] == 1
    assert max(done.remade.values()) == 1
    assert (
        1 <= len(done.files) <= sum(done.remade.values()) + 1
    )  # and the parent that names the topmost's text
    assert all(file.startswith("Rivers/") for file in done.files)


def test_an_edit_that_no_summary_shows_changes_one_file(settled: Machine) -> None:
    """The text came out equal: what is above is not looked at, and one data block names the note's new hash."""
    done = change(settled, lambda: edit(settled, CODED, "span = 1", "span = 2"))
    assert done.remade == {1: 1}
    assert done.report.tended.changed == 1
    assert len(done.files) == 1
    assert done.report.written.written == [f"_summaries/{file}" for file in done.files]


def test_a_renamed_note_remakes_nothing(settled: Machine) -> None:
    """Its place, and the texts above it, stay; the file that links it says its new name."""
    old = settled.root / "Stars/11/note 4301.md"
    done = change(settled, lambda: old.rename(old.with_name("Crab nebula.md")))
    assert not done.remade
    assert not done.report.tended.changed
    assert 1 <= len(done.files) <= 3  # a title may be said in the parent's file and in the tree's map
    assert any(b"Crab nebula" in generated(settled)[file] for file in done.files)


def test_a_moved_folder_remakes_nothing(settled: Machine) -> None:
    """Fifty notes have other paths, and the texts of their summaries stay."""
    folder = settled.root / "Stars/09"
    done = change(settled, lambda: folder.rename(folder.with_name("Comets")))
    assert not done.remade
    assert not done.report.tended.changed
    assert all(file.startswith("Stars/") for file in done.files)


def test_a_moved_source_remakes_nothing(settled: Machine) -> None:
    """A quarter of all notes has another top folder: the tree goes with them, and its notes in the vault."""
    folder = settled.root / "Bees"
    before = {row.uid for row in known(settled).values() if row.folder == "Bees"}
    done = change(settled, lambda: folder.rename(folder.with_name("Hives")))
    assert not done.remade
    assert not done.report.tended.changed
    assert {row.uid for row in known(settled).values() if row.folder == "Hives"} == before
    assert not any(file.startswith("Bees/") for file in generated(settled))


def test_a_branch_switched_there_and_back_remakes_nothing(settled: Machine) -> None:
    """The other branch has other notes and other summaries; each comes with its own."""
    commit_all(settled.root, "before")
    main = git(settled.root, "branch", "--show-current")
    git(settled.root, "switch", "-q", "-c", "other")
    change(settled, lambda: edit(settled, "Fields/01/note 1300.md", ".", " beside the weir."))
    commit_all(settled.root, "other")
    for branch in (main, "other", main):
        done = change(settled, lambda branch=branch: git(settled.root, "switch", "-q", branch))  # type: ignore[misc]
        assert not done.report.tended.changed
        assert not done.report.written.touched
        assert settled.is_clean


def test_a_lost_state_remakes_nothing(settled: Machine) -> None:
    """All is taken over from the vault, and no file is written."""
    before = known(settled)
    done = change(settled, lambda: shutil.rmtree(settled.home / "state"))
    assert not done.report.tended.changed
    assert not done.report.written.touched
    assert {uid: _said(row) for uid, row in known(settled).items()} == {
        uid: _said(row) for uid, row in before.items()
    }


def test_a_first_build_asks_a_model_once_a_summary(home: Path, tmp_path: Path) -> None:
    """As many calls as there are summaries; and none for a rename, a moved folder or source, or a lost state."""
    machine = Machine(
        fill_vault(tmp_path / "Vault", {**notes(200), ".vaultsync/config.toml": SETTINGS}), home
    )
    with serving(speak=summary_of) as server:
        settings = machine.home / "config/vaultsync/config.toml"
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text(
            f'[models]\nsummariser = "openai"\nmodel = "small"\nendpoint = "{server.url}"\ncalls_per_day = 500\n',
            encoding="utf-8",
        )
        report = machine.grow(Wish())
        made = known(machine)
        assert {row.generator for row in made.values()} == {"openai:small/1"}
        assert len(server.asked) == report.refined.calls == len(made) > 10
        for act in (
            lambda: (machine.root / "Fields/01/note 60.md").rename(machine.root / "Fields/01/Weirs.md"),
            lambda: (machine.root / "Fields/01").rename(machine.root / "Fields/Dales"),
            lambda: (machine.root / "Fields").rename(machine.root / "Meadows"),
            lambda: shutil.rmtree(machine.home / "state"),
        ):
            act()
            assert not machine.grow().tended.changed
            assert not machine.grow().tended.changed
        assert len(server.asked) == len(made)
