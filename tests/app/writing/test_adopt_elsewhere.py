"""Two machines with one vault: the reader's tree is what the writer's files say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from grown_vaults import about, grow, prose
from machines import Machine, make_clones, two_machines
from small_vaults import fill_vault, memory_of

from vaultsync.app.growing.duty import find_duty
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.app.writing.adopt import adopt
from vaultsync.store import summaries, trees

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FOLDER = "_summaries/Garden"


@pytest.fixture
def clones(home: Path, tmp_path: Path) -> tuple[Machine, Machine]:
    """A writer, whose notes have summaries, and a reader that has pulled and synced."""
    del home
    make_clones(tmp_path, about(*(f"Plant {number}" for number in range(14))))
    one, two = two_machines(tmp_path)
    pass_on(one)
    one.share()
    assert two.pulls()
    pass_on(two)
    assert tree(two) == tree(one)
    return one, two


def pass_on(machine: Machine) -> None:
    """Run all stages of a pass."""
    with machine.at_work():
        grow(machine.root)


def tree(machine: Machine) -> list[object]:
    """What both machines know of the summaries, and what is below which in which order."""
    with machine.at_work(), memory_of(machine.root) as memory:
        index = memory.db.read()
        folders = [(row.uid, row.folder) for row in trees.every(index)]
        every = [row._replace(tree_id=0, withdrawn=False, said=None) for row in summaries.every(index)]
        return [folders, *((row, summaries.members(index, row.uid)) for row in every)]


def remove(machine: Machine, *numbers: int) -> None:
    for number in numbers:
        machine.remove(f"Garden/Plant {number}.md")


def is_clean(machine: Machine) -> bool:
    return not machine.git("status", "--porcelain")


def test_the_reader_follows_the_writer(clones: tuple[Machine, Machine]) -> None:
    """After every pull both have one tree, and the reader's copy is as git left it."""
    one, two = clones
    edits: list[Callable[[], object]] = [
        lambda: fill_vault(one.root, {"Garden/Plant 3.md": prose("Plant 3", 7)}),
        lambda: fill_vault(
            one.root, {f"Garden/New {number}.md": prose(f"New {number}") for number in range(9)}
        ),
        lambda: remove(one, 0, 1, 2, 8),
        lambda: one.move("Garden/Plant 5.md", "Garden/Beds/Renamed 5.md"),
        lambda: (one.root / "Garden").rename(one.root / "Allotment"),
        lambda: None,
        lambda: fill_vault(
            one.root, {"Allotment/Plant 9.md": "---\nprivate: true\n---\n" + prose("Plant 9")}
        ),
        lambda: fill_vault(one.root, {"Allotment/Plant 9.md": prose("Plant 9")}),
    ]
    for edit in edits:
        edit()
        pass_on(one)
        one.share()
        assert two.pulls()
        pass_on(two)
        assert is_clean(two)
        assert tree(two) == tree(one)


def test_a_person_s_words_reach_the_reader(clones: tuple[Machine, Machine]) -> None:
    """Pinned here and there."""
    one, two = clones
    place = one.root / FOLDER / "Garden (summary 1).md"
    place.write_text(place.read_text().replace("The Plant 0", "My Plant 0"))
    pass_on(one)
    one.share()
    assert two.pulls()
    pass_on(two)
    assert tree(two) == tree(one)
    assert any(row.pinned for row in rows(two))


def rows(machine: Machine) -> list[summaries.SummaryRow]:
    with machine.at_work(), memory_of(machine.root) as memory:
        return summaries.every(memory.db.read())


def test_the_reader_has_what_the_files_say_and_no_more(clones: tuple[Machine, Machine]) -> None:
    """A summary without a file is none there, unless the writer says that a person deleted it."""
    one, two = clones
    two.remove(f"{FOLDER}/Garden (summary 1).md")
    with two.at_work(), memory_of(two.root, write=True) as memory:
        reconcile(memory)
        found = adopt(memory, find_duty(memory))
        assert len(found.removed) == 1
        assert adopt(memory, find_duty(memory)) == type(found)()
    assert len(rows(two)) == len(rows(one)) - 1
    one.remove(f"{FOLDER}/Garden (summary 2).md")
    pass_on(one)
    one.share()
    two.git("checkout", "-q", ".")
    assert two.pulls()
    pass_on(two)
    assert tree(two) == tree(one)
    assert [row.missing for row in rows(two) if row.missing] == ["deleted"]


def test_files_that_come_one_by_one_make_the_same_tree(clones: tuple[Machine, Machine]) -> None:
    """A file may name what is not there yet: it waits for it."""
    one, two = clones
    fill_vault(one.root, {f"Garden/New {number}.md": prose(f"New {number}") for number in range(9)})
    remove(one, 0, 1, 2)
    pass_on(one)
    there = {path.relative_to(one.root).as_posix() for path in one.root.rglob("*.md")}
    theirs = {path.relative_to(two.root).as_posix() for path in two.root.rglob("*.md")}
    for path in sorted(there | theirs, reverse=True):
        new = (one.root / path).read_bytes() if path in there else None
        old = (two.root / path).read_bytes() if path in theirs else None
        if new is None:
            two.remove(path)
        elif new != old:
            fill_vault(two.root, {path: new})
        else:
            continue
        pass_on(two)
    assert tree(two) == tree(one)


def test_a_machine_that_is_overruled_makes_way(home: Path, tmp_path: Path) -> None:
    """What it wrote and nobody committed goes before it would stop a pull; what a person wrote in stays."""
    del home
    make_clones(tmp_path, about(*(f"Plant {number}" for number in range(14))))
    one, two = two_machines(tmp_path)
    pass_on(two)
    assert (two.root / FOLDER).is_dir()
    place = two.root / "_summaries/Vault (summary).md"
    place.write_bytes(place.read_bytes() + b"my words\n")
    pass_on(two)
    pass_on(one)
    one.share()
    two.git("fetch", "-q")
    pass_on(two)
    assert not (two.root / FOLDER).exists()
    assert place.read_bytes().endswith(b"my words\n")
    assert not rows(two)
    place.unlink()
    assert two.pulls()
    pass_on(two)
    assert is_clean(two)
    assert tree(two) == tree(one)
