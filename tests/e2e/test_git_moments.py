"""Whatever git does to a vault with generated notes, we are not in its way, and coming back costs nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from busy_person import Person, branches, prose, starting_notes
from machines import Machine, files_of, grown_clones, pass_on
from small_vaults import fill_vault

from vaultsync.app.outcomes import Tended
from vaultsync.app.sync import Wish

if TYPE_CHECKING:
    from pathlib import Path

_STEPS = ("edit", "bring_in", "rename_folder", "pin", "delete", "write_beside", "move", "flush")


@pytest.fixture
def clones(home: Path, tmp_path: Path) -> tuple[Machine, Machine]:
    """A writer, whose notes have summaries, and a reader that has pulled and synced."""
    del home
    return grown_clones(tmp_path, starting_notes())


def commit_steps(machine: Machine) -> None:
    """Take a step of each kind, each a commit of its own."""
    person = Person(machine, 5)
    for step in _STEPS:
        person.do(step)
        machine.grow()
        machine.commit()


def grow_idly(machine: Machine) -> None:
    """Run a pass that writes nothing and makes no summary."""
    before = files_of(machine.root)
    report = machine.grow()
    assert files_of(machine.root) == before
    assert report.tended == Tended()


def is_low(branch: dict[str, Any]) -> bool:
    """Tell whether notes are below a summary, so many that it stays when one is gone."""
    return branch["level"] == 1 and len(branch["children"]) > 2


def known(machine: Machine) -> tuple[list[Any], dict[str, bytes]]:
    return machine.trees, files_of(machine.root)


@pytest.mark.slow
@pytest.mark.parametrize("role", ["writer", "reader"])
def test_a_checkout_there_and_back(clones: tuple[Machine, Machine], role: str) -> None:
    """To any older commit, to one before there were generated notes too: nothing is written, nothing made again."""
    one, two = clones
    commit_steps(one)
    pass_on(one, two)
    machine = one if role == "writer" else two
    now = known(machine)
    first = machine.git("rev-list", "--max-parents=0", "HEAD")
    for commit in ("HEAD~1", "HEAD~4", "HEAD~8", first, "HEAD~2"):
        machine.git("checkout", "-q", commit if commit == first else commit.replace("HEAD", "main"))
        grow_idly(machine)
        assert machine.is_clean
        machine.git("checkout", "-q", "main")
        grow_idly(machine)
        assert known(machine) == now


@pytest.mark.slow
@pytest.mark.parametrize("role", ["writer", "reader"])
def test_a_checkout_to_when_a_note_was_public(clones: tuple[Machine, Machine], role: str) -> None:
    """It is shown there and withheld here again; git's files stay as they are."""
    one, two = clones
    first = next(branch for branch in branches({"trees": one.trees}) if is_low(branch))
    note = one.root / first["children"][0]["path"]
    text = note.read_text()
    for said in (f"---\nprivate: true\n---\n{text}", text, f"---\nprivate: true\n---\n{text} more"):
        note.write_text(said)
        pass_on(one, two)
    machine = one if role == "writer" else two
    now = known(machine)
    for commit in ("main~1", "main~2", "main~3"):
        for there in (commit, "main"):
            machine.git("checkout", "-q", there)
            before = files_of(machine.root)
            machine.grow()
            machine.grow()
            assert files_of(machine.root) == before
        assert known(machine) == now


@pytest.mark.slow
def test_a_branch_of_its_own(clones: tuple[Machine, Machine]) -> None:
    """Notes that change on an older branch get their summaries there; back on the first, all is as it was."""
    one, _ = clones
    commit_steps(one)
    now = known(one)
    one.git("checkout", "-q", "-b", "side", "HEAD~4")
    grow_idly(one)
    fill_vault(one.root, {"House/House 1.md": prose("the side", 3), "House/Side.md": prose("side", 4)})
    one.grow()
    one.commit()
    side = known(one)
    for branch, there in (("main", now), ("side", side), ("main", now)):
        one.git("checkout", "-q", branch)
        grow_idly(one)
        assert known(one) == there


@pytest.mark.parametrize(("role", "words"), [("writer", ("-u",)), ("reader", ())])
def test_a_stash_and_its_pop(clones: tuple[Machine, Machine], role: str, words: tuple[str, ...]) -> None:
    """What was not committed goes and comes back, generated notes too."""
    machine = clones[role == "reader"]
    notes = {"House/House 1.md": prose("stashed", 3), "House/House 2.md": prose("stashed too", 3)}
    if words:
        notes["House/New.md"] = prose("new", 3)
    fill_vault(machine.root, notes)
    machine.grow()
    now = known(machine)
    machine.git("stash", "-q", *words)
    grow_idly(machine)
    assert machine.is_clean
    machine.git("stash", "pop", "-q")
    grow_idly(machine)
    assert known(machine) == now


@pytest.mark.slow
def test_a_pull_into_unfinished_work(clones: tuple[Machine, Machine]) -> None:
    """A reader who edits notes stashes them, pulls, and has them again."""
    one, two = clones
    person = Person(one, 5)
    for step in ("bring_in", "edit", "pin"):
        person.do(step)
        one.grow()
        one.commit()
        one.git("push", "-q")
        fill_vault(two.root, {"House/House 3.md": prose(f"unfinished {step}", 2)})
        two.grow()
        two.git("stash", "-q")
        two.grow()
        assert two.pulls()
        two.grow()
        two.git("stash", "pop", "-q")
        two.grow()
        assert two.git("diff", "--name-only") == "House/House 3.md"
        assert two.trees != one.trees
    two.git("checkout", "-q", ".")
    two.grow()
    assert two.trees == one.trees


@pytest.mark.slow
def test_what_git_brings_to_the_writer_waits(clones: tuple[Machine, Machine]) -> None:
    """The writer pulls a reader's notes: they are indexed, and the vault stays as git left it."""
    one, two = clones
    person = Person(two, 5)
    for step in ("edit", "bring_in", "delete", "rename_folder"):
        person.do(step)
        two.grow()
        two.share()
        one.grow()
        assert one.pulls()
        grow_idly(one)
        assert one.is_clean
        one.git("checkout", "-q", "HEAD~1")
        grow_idly(one)
        one.git("checkout", "-q", "main")
        grow_idly(one)
    one.rest_is_over()
    pass_on(one, two)


def sums_up(machine: Machine) -> dict[str, list[str]]:
    """Return the notes below each summary of the first level."""
    first = (branch for branch in branches({"trees": machine.trees}) if branch["level"] == 1)
    return {branch["id"]: [note["path"] for note in branch["children"]] for branch in first}


def test_a_note_that_is_summed_up_elsewhere_on_another_branch(clones: tuple[Machine, Machine]) -> None:
    """It is below the summary that the files of the present branch put it below."""
    one, _ = clones
    before = sums_up(one)
    trees = [tree for tree in one.trees if tree["source"] == "House"]
    summary = next(branch for branch in branches({"trees": trees}) if branch["level"] == 1)
    for note in summary["children"]:
        one.move(note["path"], f"Garden/{note['title']}.md")
    one.grow(Wish("all", asked=True))
    one.commit()
    now = sums_up(one)
    for commit, there in (("main~1", before), ("main", now)):
        one.git("checkout", "-q", commit)
        grow_idly(one)
        assert sums_up(one) == there
