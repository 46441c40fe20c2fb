"""Two clones of one vault on two machines agree on every uid after both have synced, whatever was done on either."""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from machines import Machine, agree, files_of, make_clones, prose, rest, two_machines
from repositories import git

from vaultsync.app.machines import own_files

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("alpha", "beta", "gamma", "delta")

Pair = tuple[Machine, Machine]


@pytest.fixture(scope="module")
def clones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the notes of `NAMES` and two clones of it, to be copied."""
    top = tmp_path_factory.mktemp("clones")
    make_clones(top, {f"{name}.md": prose(name) for name in NAMES})
    return top


@pytest.fixture
def pair(clones: Path, home: Path, tmp_path: Path) -> Pair:
    """Two machines with a clone each, both synced once."""
    del home
    pair = two_machines(shutil.copytree(clones, tmp_path.resolve() / "top"))
    for machine in pair:
        machine.sync()
    return pair


def meet(one: Machine, two: Machine) -> None:
    """Let both sync and share what they have until each has all of the other's, and sync."""
    for machine in (one, two):
        machine.sync()
        machine.share()
    assert one.pulls()
    for machine in (one, two):
        machine.sync()


def test_both_see_the_vault_first(pair: Pair) -> None:
    """Two machines that never spoke know each note by the same uid, and nothing is written into the vault."""
    agree(*pair)
    for machine in pair:
        assert machine.git("status", "--porcelain") == ""
    assert len({path.parent for machine in pair for path in machine.home.rglob("index.db")}) == 2


@pytest.mark.slow
def test_edits_and_renames_on_both_sides(pair: Pair) -> None:
    """Each learns the other's, the first to rename writes the ledger, and no pull is blocked."""
    one, two = pair
    was = one.uids
    one.move("alpha.md", "Letters/a.md")
    one.write(beta=prose("beta") + "\n\nMore.")
    meet(one, two)
    two.move("gamma.md", "Letters/c.md")
    two.write(delta=prose("delta") + "\n\nMore.")
    meet(two, one)
    uids = agree(one, two)
    assert uids == {
        "Letters/a.md": was["alpha.md"], "beta.md": was["beta.md"],
        "Letters/c.md": was["gamma.md"], "delta.md": was["delta.md"],
    }  # fmt: skip
    assert (one.writes(), two.writes()) == (True, False)
    rest(one, two)


def test_both_began_to_write_before_they_met(pair: Pair) -> None:
    """One pull is blocked at most: at its next sync the reader makes way, and the pull goes through."""
    one, two = pair
    was = one.uids
    one.move("alpha.md", "a.md")
    two.move("beta.md", "b.md")
    one.sync()
    two.sync()
    assert one.writes()
    assert two.writes()
    one.share()
    two.git("add", "a*", "b*")
    assert not two.pulls()
    two.sync()
    assert two.git("status", "--porcelain", "--", ".vaultsync") == ""
    two.share()
    meet(two, one)
    uids = agree(one, two)
    assert (uids["a.md"], uids["b.md"]) == (was["alpha.md"], was["beta.md"])
    assert (one.writes(), two.writes()) == (True, False)
    rest(one, two)


@pytest.mark.slow
def test_both_committed_what_they_wrote(pair: Pair) -> None:
    """The merge keeps the lines of both, one of the two is the writer, and no pull is blocked."""
    one, two = pair
    was = one.uids
    one.move("alpha.md", "a.md")
    two.move("beta.md", "b.md")
    meet(one, two)
    uids = agree(one, two)
    assert (uids["a.md"], uids["b.md"]) == (was["alpha.md"], was["beta.md"])
    assert one.writes() is not two.writes()
    assert one.lines.keys() == {"a.md", "b.md"}
    rest(one, two)


@pytest.mark.parametrize("names", [("b.md", "a.md"), pytest.param(("a.md", "b.md"), marks=pytest.mark.slow)])
def test_one_note_renamed_differently(pair: Pair, names: tuple[str, str]) -> None:
    """Where the merge keeps both files, the smaller path has the uid, and the other that of its path."""
    one, two = pair
    was = one.uids["alpha.md"]
    for machine, name in zip(pair, names, strict=True):
        machine.move("alpha.md", name)
        machine.sync()
    one.share()
    two.commit()
    assert not two.pulls()
    two.sync()
    keep_both(two, "a.md", "b.md")
    meet(two, one)
    uids = agree(one, two)
    assert uids["a.md"] == was
    assert uids["b.md"] != was
    rest(one, two)


def keep_both(machine: Machine, *paths: str) -> None:
    """End a merge in whose conflict each side has a file of its own."""
    for path in paths:
        machine.git("add", path)
    with suppress(AssertionError):
        machine.git("rm", "-q", "--cached", "alpha.md")
    machine.git("commit", "-qm", "both")
    machine.git("push", "-q")


def test_made_on_both_and_merged_by_hand(pair: Pair) -> None:
    """A conflict in the ledger, where git merges it without the rule of ours: the lines of both sides count."""
    one, two = pair
    was = one.uids
    for machine, old, new in ((one, "alpha.md", "a.md"), (two, "beta.md", "b.md")):
        machine.move(old, new)
        machine.sync()
        (machine.root / ".vaultsync/.gitattributes").write_text("*.tsv -merge\n")
        machine.commit()
    one.share()
    assert not two.pulls()
    two.sync()
    assert two.uids["b.md"] == was["beta.md"]
    as_merged_by_hand(two, own_files.LEDGER, own_files.TREE)
    meet(two, one)
    uids = agree(one, two)
    assert (uids["a.md"], uids["b.md"]) == (was["alpha.md"], was["beta.md"])
    assert one.writes() is not two.writes()
    writer = one if one.writes() else two
    writer.write(gamma=prose("gamma") + "\n\nMore.")
    writer.sync()
    assert (writer.root / own_files.LEDGER).read_text().count("<<<<<<<") == 0
    assert writer.lines.keys() == {"a.md", "b.md"}


def as_merged_by_hand(machine: Machine, *paths: str) -> None:
    """Leave the two sides of a conflict in files, with git's markers, and commit them so."""
    for path in paths:
        sides = [machine.git("show", f"{side}:{path}") for side in ("HEAD", "MERGE_HEAD")]
        text = "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> other\n".format(*sides)
        (machine.root / path).write_text(text, encoding="utf-8")
    machine.git("add", "-A")
    machine.git("commit", "-qm", "merged")
    machine.git("push", "-q")


def test_the_lines_of_a_partial_checkout(pair: Pair) -> None:
    """A writer that has only a part of the notes on its disk keeps the lines of the others."""
    one, two = pair
    one.move("alpha.md", "Letters/a.md")
    one.move("beta.md", "Kept/b.md")
    meet(one, two)
    uids = agree(one, two)
    two.git("sparse-checkout", "set", "Letters", ".vaultsync")
    assert not (two.root / "Kept").exists()
    two.sync()
    assert two.ask("writer", "--take").status == 0
    two.move("gamma.md", "Letters/c.md")
    two.sync()
    assert two.lines == {
        "Letters/a.md": uids["Letters/a.md"],
        "Kept/b.md": uids["Kept/b.md"],
        "Letters/c.md": uids["gamma.md"],
    }
    two.git("sparse-checkout", "disable")
    meet(two, one)
    assert agree(one, two) == {
        ("Letters/c.md" if path == "gamma.md" else path): uid for path, uid in uids.items()
    }


@pytest.mark.slow
def test_a_partial_checkout_from_the_start(clones: Path, home: Path, tmp_path: Path) -> None:
    """A machine that never saw the other notes drops no line of theirs."""
    del home
    one, two = two_machines(shutil.copytree(clones, tmp_path.resolve() / "top"))
    one.sync()
    one.move("alpha.md", "Letters/a.md")
    one.move("beta.md", "Kept/b.md")
    one.sync()
    one.share()
    two.git("sparse-checkout", "set", "Letters", ".vaultsync")
    assert two.pulls()
    two.sync()
    assert "Kept/b.md" not in two.uids
    assert two.ask("writer", "--take").status == 0
    two.move("gamma.md", "c.md")
    two.sync()
    two.share()
    assert one.pulls()
    one.sync()
    assert two.lines.keys() == {"Letters/a.md", "Kept/b.md", "c.md"}
    assert one.uids | two.uids == one.uids


@pytest.mark.slow
def test_a_lost_database_and_the_ledger(pair: Pair) -> None:
    """All uids are there again on either machine, and nothing is written."""
    one, two = pair
    one.move("alpha.md", "a.md")
    one.swap("beta.md", "gamma.md")
    meet(one, two)
    uids = agree(one, two)
    for machine in pair:
        machine.forget()
        machine.sync()
        assert machine.git("status", "--porcelain") == ""
    assert agree(one, two) == uids
    rest(one, two)


def test_the_other_machine_becomes_the_writer(pair: Pair) -> None:
    """After a push and a pull both say so, and what it alone knew stands in the ledger."""
    one, two = pair
    was = one.uids
    one.move("alpha.md", "a.md")
    meet(one, two)
    two.move("beta.md", "b.md")
    two.sync()
    assert not two.writes()
    assert two.lines.keys() == {"a.md"}
    said = two.ask("writer", "--take", "--json").json
    assert (said["is_writer"], said["taken"]) == (True, True)
    meet(two, one)
    assert two.writes()
    assert one.ask("writer", "--json").json["writer"] == said["me"]
    assert agree(one, two)["b.md"] == was["beta.md"]
    assert one.lines.keys() == {"a.md", "b.md"}
    one.move("gamma.md", "c.md")
    one.sync()
    assert one.git("status", "--porcelain", "--", ".vaultsync") == ""
    meet(one, two)
    assert agree(one, two)["c.md"] == was["gamma.md"]
    rest(one, two)


def test_a_private_note_of_one_machine(pair: Pair) -> None:
    """Private there by its own exclude file, it is in no ledger, and its name leaves the machine nowhere."""
    one, two = pair
    (one.root / ".git/info/exclude").write_text("secret*\n")
    one.write(secret=prose("secret"))
    one.sync()
    one.move("secret.md", "secret plans.md")
    one.move("alpha.md", "a.md")
    meet(one, two)
    assert one.lines.keys() == {"a.md"}
    assert {path: uid for path, uid in one.uids.items() if "secret" not in path} == two.uids
    assert "secret" not in "".join(path.read_text() for path in (one.root / ".vaultsync").iterdir())
    rest(one, two)


def test_a_moved_vault_finds_its_memory(pair: Pair) -> None:
    """Nothing is parsed and each note is known; the machine is the writer still."""
    one, _ = pair
    one.move("alpha.md", "a.md")
    one.sync()
    uids = one.uids
    moved = Machine(one.root.rename(one.home / "Elsewhere"), one.home)
    report = moved.sync()
    assert (report.parsed, report.unchanged, report.added) == (0, len(NAMES), [])
    assert moved.uids == uids
    assert moved.writes()
    assert moved.git("status", "--porcelain", "--", ".vaultsync").count("\n") == 0


def test_copies_and_clones_on_one_machine_share_no_memory(pair: Pair) -> None:
    """Each has a database of its own, with the same uids for the notes of the same vault."""
    one, _ = pair
    copy = Machine(shutil.copytree(one.root, one.home / "Copy"), one.home)
    git(one.home, "clone", "-q", "../origin.git", "Clone")
    clone = Machine(one.home / "Clone", one.home)
    uids = one.uids
    for other in (copy, clone):
        assert len(other.sync().added) == len(NAMES)
        assert other.uids == uids
    assert len(list(one.home.rglob("index.db"))) == 3
    copy.move("alpha.md", "a.md")
    copy.sync()
    assert (one.uids, clone.uids) == (uids, uids)


def test_links_after_a_rename_outside_obsidian(pair: Pair) -> None:
    """They mean what they say now; `doctor` tells where the target went; no byte of a note changes."""
    one, _ = pair
    one.write(beta="See [[alpha]] and [[Letters/gamma]].", letter="See [[gamma|that]].")
    one.sync()
    one.move("alpha.md", "a.md")
    one.move("gamma.md", "Letters/gamma.md")
    before = {path: raw for path, raw in files_of(one.root).items() if path.endswith(".md")}
    one.sync()
    targets = {entry["target"]: entry["to"] for entry in map(json.loads, one.dump) if "link" in entry}
    assert targets == {
        "alpha": None, "Letters/gamma": "Letters/gamma.md", "gamma|that": "Letters/gamma.md"
    }  # fmt: skip
    assert one.complaints == {"broken-links": ("beta.md: alpha (now a.md)",)}
    assert {path: raw for path, raw in files_of(one.root).items() if path.endswith(".md")} == before
    one.write(alpha=prose("something new"))
    one.sync()
    assert one.complaints == {}


@pytest.mark.slow
def test_a_branch_without_most_notes(clones: Path, home: Path, tmp_path: Path) -> None:
    """As a process of its own: no guard holds it, and the way back brings every uid."""
    del home
    one, _ = two_machines(shutil.copytree(clones, tmp_path.resolve() / "top"))
    one.write(**{f"note {number}": f"The text of number {number}." for number in range(30)})
    one.git("checkout", "-qb", "full")
    one.commit()
    assert one.run("sync").status == 0
    uids = one.uids
    one.git("checkout", "-q", "main")
    answer = one.run("sync", "--json")
    assert (answer.status, answer.json["removed"], answer.json["refusal"]) == (0, 30, None)
    assert one.uids.keys() == {f"{name}.md" for name in NAMES}
    one.git("checkout", "-q", "full")
    assert one.run("sync").status == 0
    assert one.uids == uids
