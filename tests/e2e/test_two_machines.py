"""Two clones of one vault, each with a memory of its own, agree on every uid, and no pull is blocked for long."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from repositories import commit_all, git, try_git
from small_vaults import dump_of, fill_vault, memory_of, sync, uids_of

from vaultsync.app.machines import own_files, writer

if TYPE_CHECKING:
    from pathlib import Path

    from vaultsync.app.notes.report import Report


def prose(subject: str) -> str:
    """A note of some length whose words are its own."""
    return " ".join(f"{subject} has a {number}th {subject}ish property," for number in range(40)) + "\n"


@dataclass(frozen=True)
class Machine:
    """A clone, and what its person does there: change files, sync, commit, pull and push."""

    root: Path

    def rename(self, old: str, new: str) -> None:
        (self.root / new).parent.mkdir(exist_ok=True, parents=True)
        (self.root / old).rename(self.root / new)

    def write(self, path: str, text: str) -> None:
        fill_vault(self.root, {path: text})

    def sync(self) -> Report:
        return sync(self.root)

    def share(self) -> None:
        """Commit what there is, take what the other has, and give it back."""
        commit_all(self.root)
        git(self.root, "pull", "-q", "--no-rebase", "--no-edit")
        git(self.root, "push", "-q")

    def pull(self) -> None:
        git(self.root, "pull", "-q", "--no-rebase", "--no-edit")

    @property
    def uids(self) -> dict[str, str]:
        return uids_of(self.root)

    @property
    def ledger(self) -> str:
        place = self.root / own_files.LEDGER
        return place.read_text(encoding="utf-8") if place.exists() else ""

    def forget(self) -> None:
        """Lose the database, and all that is beside it."""
        with memory_of(self.root, write=True) as memory:
            state = memory.state
        shutil.rmtree(state)


@pytest.fixture
def machines(home: Path, tmp_path: Path) -> tuple[Machine, Machine]:
    """Two that have synced the same six notes; the first one writes."""
    del home
    top = tmp_path.resolve()
    notes = {f"{name}.md": prose(name) for name in ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")}
    fill_vault(top / "origin", {**notes, ".obsidian/app.json": "{}", "links.md": "[[alpha]] and [[beta]]\n"})
    git(top / "origin", "init", "-q")
    commit_all(top / "origin")
    git(top, "clone", "-q", "--bare", "origin", "origin.git")
    for name in ("one", "two"):
        git(top, "clone", "-q", "origin.git", name)
    one, two = Machine(top / "one"), Machine(top / "two")
    for machine in (one, two):
        machine.sync()
    one.rename("zeta.md", "Moved/zeta.md")
    one.sync()
    one.share()
    two.pull()
    two.sync()
    assert one.uids == two.uids
    return one, two


def settle(one: Machine, two: Machine) -> None:
    """Let changes go both ways until both machines have all, then check that they agree and are at rest."""
    for machine in (one, two, one):
        machine.sync()
        commit_all(machine.root) if git(machine.root, "status", "--porcelain") else None
        machine.pull()
        git(machine.root, "push", "-q")
    for machine in (one, two):
        machine.pull()
        machine.sync()
    assert one.uids == two.uids
    assert dump_of(one.root) == dump_of(two.root)
    at_rest(one)
    at_rest(two)


def at_rest(machine: Machine) -> None:
    """One more sync finds nothing to do and leaves nothing behind."""
    uids, status = machine.uids, git(machine.root, "status", "--porcelain")
    report = machine.sync()
    assert (report.added, report.modified, report.removed, report.renamed) == ([], [], [], [])
    assert machine.uids == uids
    assert git(machine.root, "status", "--porcelain") == status == ""


def test_machines_that_first_see_a_vault_agree(machines: tuple[Machine, Machine]) -> None:
    """Without speaking; what was renamed on one stands in the ledger."""
    one, two = machines
    uid = one.uids["Moved/zeta.md"]
    assert one.ledger == two.ledger == f"{uid}\tMoved/zeta.md\n"
    at_rest(one)
    at_rest(two)


def test_edits_and_renames_on_both_sides(machines: tuple[Machine, Machine]) -> None:
    """Each keeps its uid on both, whoever renamed it."""
    one, two = machines
    before = one.uids
    one.rename("alpha.md", "People/alpha.md")
    one.write("beta.md", prose("beta") + "more by one\n")
    two.rename("gamma.md", "a new name.md")
    two.write("delta.md", prose("delta") + "more by two\n")
    settle(one, two)
    moves = {"alpha.md": "People/alpha.md", "gamma.md": "a new name.md"}
    assert one.uids == {moves.get(path, path): uid for path, uid in before.items()}


def test_the_same_rename_on_both(machines: tuple[Machine, Machine]) -> None:
    """As when a person did it twice."""
    one, two = machines
    uid = one.uids["alpha.md"]
    for machine in machines:
        machine.rename("alpha.md", "omega.md")
        machine.sync()
    settle(one, two)
    assert one.uids["omega.md"] == uid


def test_different_renames_of_one_note(machines: tuple[Machine, Machine]) -> None:
    """One of the files keeps the uid, the other is a note of its own."""
    one, two = machines
    uid = one.uids["alpha.md"]
    one.rename("alpha.md", "left.md")
    two.rename("alpha.md", "right.md")
    one.sync()
    two.sync()
    one.share()
    commit_all(two.root)
    assert try_git(two.root, "pull", "-q", "--no-rebase", "--no-edit").returncode != 0
    two.write("left.md", prose("alpha"))
    commit_all(two.root, "both names stay")
    git(two.root, "push", "-q")
    settle(one, two)
    assert {"left.md", "right.md"} <= one.uids.keys()
    assert uid in {one.uids["left.md"], one.uids["right.md"]}


def test_two_notes_made_under_one_name(machines: tuple[Machine, Machine]) -> None:
    """Each was `Untitled` on its machine, by the same uid; they end as two notes, the same two on both."""
    one, two = machines
    for machine in machines:
        machine.write("Untitled.md", "")
        machine.sync()
    one.rename("Untitled.md", "First.md")
    two.rename("Untitled.md", "Second.md")
    settle(one, two)
    assert {"First.md", "Second.md"} <= one.uids.keys()
    assert one.uids["First.md"] != one.uids["Second.md"]


def test_deleted_and_made_again(machines: tuple[Machine, Machine]) -> None:
    """The same path is the same note, on both."""
    one, two = machines
    uid = one.uids["alpha.md"]
    (one.root / "alpha.md").unlink()
    settle(one, two)
    assert "alpha.md" not in two.uids
    two.write("alpha.md", "Another text altogether.\n")
    settle(one, two)
    assert one.uids["alpha.md"] == uid


def test_the_ledgers_lines_are_merged(machines: tuple[Machine, Machine]) -> None:
    """Lines that both sides added stand beside one another; no person has to settle anything."""
    one, two = machines
    assert (one.root / ".vaultsync/.gitattributes").exists()
    one.rename("alpha.md", "A/alpha.md")
    one.sync()
    commit_all(one.root)
    git(one.root, "push", "-q")
    text = two.ledger + "12345678-0000-5000-8000-000000000000\telsewhere.md\n"
    (two.root / own_files.LEDGER).write_text(text, encoding="utf-8")
    two.share()
    assert "<<<<" not in two.ledger
    assert "A/alpha.md" in two.ledger
    assert "elsewhere.md" in two.ledger
    settle(one, two)


def test_a_partial_checkout_takes_no_line_away(machines: tuple[Machine, Machine]) -> None:
    """A writer that lacks a folder knows nothing of what is in it."""
    one, _ = machines
    line = one.ledger
    git(one.root.parent, "clone", "-q", "--no-checkout", "origin.git", "part")
    part = Machine(one.root.parent / "part")
    git(part.root, "sparse-checkout", "set", "--no-cone", "/*", "!/Moved/")
    git(part.root, "checkout", "-q", "main")
    part.sync()
    with memory_of(part.root, write=True) as memory:
        assert writer.take(memory)
    part.rename("alpha.md", "omega.md")
    part.sync()
    assert "Moved/zeta.md" not in part.uids
    assert line in part.ledger
    assert "omega.md" in part.ledger


def test_a_lost_database_gets_the_same_uids(machines: tuple[Machine, Machine]) -> None:
    """From the paths, and from the ledger where they do not say it."""
    one, two = machines
    for old, new in (("alpha.md", "1.md"), ("beta.md", "alpha.md"), ("gamma.md", "Deep/gamma.md")):
        one.rename(old, new)
        one.sync()
    settle(one, two)
    for machine in machines:
        before = machine.uids
        machine.forget()
        machine.sync()
        assert machine.uids == before
        at_rest(machine)


def test_a_lost_ledger_is_written_again_by_the_writer(machines: tuple[Machine, Machine]) -> None:
    """A reader leaves it to the writer."""
    one, two = machines
    before = one.ledger
    for machine in machines:
        (machine.root / own_files.LEDGER).unlink()
        machine.sync()
    assert one.ledger == before
    assert two.ledger == ""


def test_both_synced_before_either_had_committed(home: Path, tmp_path: Path) -> None:
    """One pull is blocked, once; the machine that reads makes way by itself."""
    del home
    top = tmp_path.resolve()
    fill_vault(top / "origin", {f"{name}.md": prose(name) for name in ("alpha", "beta")})
    git(top / "origin", "init", "-q")
    commit_all(top / "origin")
    git(top, "clone", "-q", "--bare", "origin", "origin.git")
    for name in ("one", "two"):
        git(top, "clone", "-q", "origin.git", name)
    one, two = Machine(top / "one"), Machine(top / "two")
    for machine, new in ((one, "A.md"), (two, "B.md")):
        machine.sync()
        machine.rename("alpha.md" if new == "A.md" else "beta.md", new)
        machine.sync()
        assert machine.ledger
    one.share()
    assert try_git(two.root, "pull", "-q").returncode != 0
    two.sync()
    assert two.ledger == ""
    two.pull()
    settle(one, two)
    assert {"A.md", "B.md"} <= one.uids.keys()
