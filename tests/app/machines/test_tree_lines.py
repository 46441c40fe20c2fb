"""`tree.tsv` says what the trees are, written by the writer alone, and all machines come to the same trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from machines import Machine, make_clones, prose, two_machines

from vaultsync.app.growing import sources
from vaultsync.app.growing.duty import find_duty
from vaultsync.app.growing.extract import extract
from vaultsync.app.growing.place import place
from vaultsync.app.machines import own_files, tree_lines
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.store import trees

if TYPE_CHECKING:
    from pathlib import Path

LONG = prose("Barley", sections=24)
NOTES = {f"{folder}/n{number}.md": f"{LONG} {folder}{number}" for folder in ("A", "B") for number in range(5)}


@pytest.fixture
def machines(home: Path, tmp_path: Path) -> tuple[Machine, Machine]:
    """Two machines with a clone each; the first writes."""
    del home
    make_clones(tmp_path, NOTES)
    return two_machines(tmp_path)


def work(machine: Machine) -> bool:
    """Run the stages up to the places, and let `tree.tsv` say what they are; False where it must not be written."""
    with machine.memory() as memory:
        reconcile(memory, accept_removals=True)
        extract(memory, lambda _stage, _done, _total: None)
        place(memory, find_duty(memory))
        lines = tree_lines.read(memory)
        return tree_lines.put(memory, sources.lines_of(memory.db.read(), lines))


def known(machine: Machine) -> dict[str, str]:
    """Return the uid of the tree of each note by path."""
    with machine.memory() as memory:
        rows = memory.db.read().all(
            """
            SELECT DISTINCT f.path, t.uid FROM chunks c JOIN files f USING (node_id) JOIN trees t ON t.id = c.tree_id
            WHERE c.kind = 'leaf'
            """
        )
    assert len(dict(rows)) == len(rows)
    return dict(rows)


def folders(machine: Machine) -> dict[str, str]:
    with machine.memory() as memory:
        return {row.uid: row.folder for row in trees.every(memory.db.read())}


def text(machine: Machine) -> str:
    place_of_lines = machine.root / own_files.TREE
    return place_of_lines.read_text(encoding="utf-8") if place_of_lines.exists() else ""


def test_both_machines_know_the_same_trees(machines: tuple[Machine, Machine]) -> None:
    """The reader writes nothing, ever; a source that is renamed, and folders that grew, are told to it."""
    one, two = machines
    work(one)
    one.share()
    assert two.pulls()
    assert work(two)  # there is nothing to write
    assert known(two) == known(one)
    assert sorted(folders(one).values()) == ["", "A", "B"]

    one.write(**{f"C/n{number}": f"{LONG} C{number}" for number in range(5)})
    (one.root / "A").rename(one.root / "Z")
    work(one)
    with one.memory() as memory:
        assert sources.rebuild_sources(memory) == ("", "B", "C", "Z")
    work(one)
    one.share()
    assert two.pulls()
    work(two)
    assert not two.git("status", "--porcelain")
    assert known(two) == known(one)
    assert sorted(folders(one).values()) == ["", "B", "C", "Z"]


def test_a_lost_state_comes_to_the_same_trees(machines: tuple[Machine, Machine]) -> None:
    """Also where other sources would be chosen now, and one has another name than at first."""
    one, _ = machines
    work(one)
    one.write(**{f"C/n{number}": f"{LONG} C{number}" for number in range(5)})
    (one.root / "A").rename(one.root / "Z")
    work(one)
    before, said = known(one), text(one)
    one.forget()
    work(one)
    assert known(one) == before
    assert text(one) == said


def test_an_edit_changes_no_line(machines: tuple[Machine, Machine]) -> None:
    """Nor does a second pass, a new note, or one that is gone."""
    one, _ = machines
    work(one)
    said = text(one)
    one.write(**{"A/n1": "Quite another text.", "A/new": "A new note.", "Home": "Home."})
    one.remove("B/n1.md")
    work(one)
    assert text(one) == said


def test_the_reader_follows_notes_that_moved_before_it_is_told(machines: tuple[Machine, Machine]) -> None:
    """The notes came with git, the lines will come later: nothing loses its tree in between."""
    one, two = machines
    work(one)
    one.share()
    assert two.pulls()
    work(two)
    before = {uid for path, uid in known(two).items() if path.startswith("A/")}
    (one.root / "A").rename(one.root / "Z")
    one.share()
    for _ in range(2):
        assert two.pulls()
        work(two)
        assert {uid for path, uid in known(two).items() if path.startswith("Z/")} == before
    work(one)
    one.share()
    assert two.pulls()
    work(two)
    assert known(two) == known(one)
    assert "A" not in folders(two).values()
