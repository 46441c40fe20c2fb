"""Two machines with one vault have one memory tree: one writes it, the other reads it, and git is never in a hurry."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from busy_person import STEPS, Person, branches, starting_notes, use_model
from machines import Machine, files_of, grown_clones, pass_on
from model_server import serving, summary_of
from small_vaults import fill_vault

from vaultsync.app.outcomes import Adopted

if TYPE_CHECKING:
    from pathlib import Path

_SEED = 11


@pytest.fixture
def clones(home: Path, tmp_path: Path) -> tuple[Machine, Machine]:
    """A writer, whose notes have summaries, and a reader that has pulled and synced."""
    del home
    return grown_clones(tmp_path, starting_notes())


@pytest.mark.slow
def test_fifty_pulls(clones: tuple[Machine, Machine]) -> None:
    """Whatever a person does on the one, the other's copy stays clean, takes every pull, and has the same tree."""
    one, two = clones
    person = Person(one, _SEED)
    for step in [*STEPS * 4][:50]:
        person.do(step)
        pass_on(one, two)
    assert max(branch["level"] for branch in branches({"trees": one.trees})) >= 3


def test_a_step_of_each_kind_that_moves_notes(clones: tuple[Machine, Machine]) -> None:
    """The short form of the long walk."""
    one, two = clones
    person = Person(one, _SEED)
    for step in ("rename_folder", "pin", "delete", "unpin"):
        person.do(step)
        pass_on(one, two)


def test_the_writer_s_role_moves(clones: tuple[Machine, Machine]) -> None:
    """The other takes it: the first one reads from its next fetch on, and pulls what the new writer commits."""
    one, two = clones
    assert two.ask("writer", "--take").status == 0
    Person(two, _SEED).do("edit")
    two.grow()
    two.share()
    one.git("fetch", "-q")
    one.grow()
    assert not one.writes()
    assert one.ask("flush").status == 2
    assert one.pulls()
    person = Person(two, _SEED + 1)
    for step in ("bring_in", "rename_folder"):
        person.do(step)
        pass_on(two, one)


@pytest.mark.slow
def test_a_reader_that_edits_notes(clones: tuple[Machine, Machine]) -> None:
    """What it commits reaches the writer, whose summaries follow, and come back."""
    one, two = clones
    person = Person(two, _SEED)
    for step in ("edit", "bring_in", "delete", "rename"):
        person.do(step)
        two.grow()
        two.share()
        one.grow()
        assert one.pulls()
        one.grow()
        assert one.is_clean
        one.rest_is_over()
        pass_on(one, two)


@pytest.mark.slow
def test_machines_with_different_models(clones: tuple[Machine, Machine]) -> None:
    """None makes again what the other's wrote, whoever is the writer."""
    one, two = clones
    with serving(speak=summary_of) as server:
        use_model(one, server)
        Person(one, _SEED).do("edit")
        pass_on(one, two)
        asked = len(server.asked)
        assert asked == len([*branches({"trees": one.trees})])
        assert two.ask("writer", "--take").status == 0
        before = two.trees
        pass_on(two, one)
        assert two.trees == before
        Person(two, _SEED).do("bring_in")
        pass_on(two, one)
        assert len(server.asked) == asked


def test_a_note_that_is_private_for_a_while(clones: tuple[Machine, Machine]) -> None:
    """It comes back below a summary that a person wrote, whose note names it still, on every machine."""
    one, two = clones
    first = (branch for branch in branches({"trees": one.trees}) if branch["level"] == 1)
    pinned = next(branch for branch in first if len(branch["children"]) > 1)
    place, note = one.root / pinned["path"], one.root / pinned["children"][0]["path"]
    place.write_text(place.read_text().replace("The ", "My ", 1))
    pass_on(one, two)
    trees = one.trees
    text = note.read_text()
    for said in (f"---\nprivate: true\n---\n{text}", text):
        note.write_text(said)
        pass_on(one, two)
        assert [machine.grow().adopted for machine in clones] == [Adopted()] * 2
    assert one.trees == trees
    files = files_of(one.root)
    one.forget()
    one.grow()
    assert one.trees == trees
    assert files_of(one.root) == files


def mirror(source: Path, target: Path) -> None:
    """Let one copy of a vault be as another, as a tool does that knows nothing of git."""
    wanted = files_of(source)
    for path, raw in files_of(target).items():
        if wanted.get(path) != raw:
            (target / path).unlink()
    missing = {path: raw for path, raw in wanted.items() if not (target / path).exists()}
    fill_vault(target, missing)


@pytest.mark.slow
def test_files_that_another_tool_brings(clones: tuple[Machine, Machine]) -> None:
    """Byte for byte, without git: the other machine has the same tree, and writes nothing."""
    one, two = clones
    for machine in clones:
        shutil.rmtree(machine.root / ".git")
    person = Person(one, _SEED)
    for step in ("edit", "bring_in", "rename_folder", "pin", "delete", "hide", "unpin", "rename"):
        person.do(step)
        one.grow()
        mirror(one.root, two.root)
        two.grow()
        assert files_of(two.root) == files_of(one.root)
        assert two.trees == one.trees
