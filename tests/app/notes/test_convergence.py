"""Two machines whose vault a sync tool copies, without git, come to one uid a note by what the ledger says."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from machines import Machine, agree, files_of, prose, rest, two_machines
from small_vaults import fill_vault

from vaultsync.app.machines import own_files

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NAMES = ("alpha", "beta", "gamma", "delta")


class Carrier:
    """A sync tool such as Syncthing between two machines. `agreed`: the files of both when it last ran."""

    def __init__(self, one: Machine, two: Machine) -> None:
        self.one = one
        self.two = two
        self.agreed: dict[str, bytes] = {}

    def carry(self) -> None:
        """Bring to each side what changed on the other; of two changes the first's stays, the second's is a copy."""
        ours, theirs = files_of(self.one.root), files_of(self.two.root)
        for path in sorted(ours.keys() | theirs.keys() | self.agreed.keys()):
            old, here, there = (files.get(path) for files in (self.agreed, ours, theirs))
            if here == there:
                continue
            if old == here or (old != there and here is None):
                self._put(self.one, path, there)
                continue
            if old != there and there is not None:
                self._put(self.one, _copy_name(path), there)
                self._put(self.two, _copy_name(path), there)
            self._put(self.two, path, here)
        self.agreed = files_of(self.one.root)

    @staticmethod
    def _put(machine: Machine, path: str, raw: bytes | None) -> None:
        if raw is None:
            machine.remove(path)
        else:
            fill_vault(machine.root, {".obsidian/arriving": raw})
            machine.move(".obsidian/arriving", path)


def _copy_name(path: str) -> str:
    stem, dot, suffix = path.rpartition(".")
    return f"{stem}.sync-conflict-20260301-120000-ABCDEFG{dot}{suffix}"


@pytest.fixture
def carrier(home: Path, tmp_path: Path) -> Carrier:
    """What carries a vault, which the first machine made, between two; both have synced it."""
    del home
    one, two = two_machines(tmp_path.resolve())
    fill_vault(one.root, {f"{name}.md": prose(name) for name in NAMES})
    fill_vault(two.root, {})
    one.sync()
    carrier = Carrier(one, two)
    carrier.carry()
    two.sync()
    return carrier


def meet(carrier: Carrier) -> None:
    """Let both sync, hear of each other, and of what the writer made of it."""
    for _ in range(2):
        carrier.one.sync()
        carrier.two.sync()
        carrier.carry()
    carrier.one.sync()
    carrier.two.sync()
    carrier.carry()


def test_the_reader_writes_nothing(carrier: Carrier) -> None:
    """Its own rename is told by the writer, and both agree."""
    one, two = carrier.one, carrier.two
    was = one.uids
    two.move("alpha.md", "a.md")
    one.move("beta.md", "b.md")
    two.sync()
    assert two.lines == {}
    meet(carrier)
    uids = agree(one, two)
    assert (uids["a.md"], uids["b.md"]) == (was["alpha.md"], was["beta.md"])
    assert one.lines == two.lines == {"a.md": was["alpha.md"], "b.md": was["beta.md"]}
    rest(one, two)


def test_the_same_rename_on_both(carrier: Carrier) -> None:
    """Made before they met, it is one note on both afterwards."""
    one, two = carrier.one, carrier.two
    was = one.uids["alpha.md"]
    for machine in (one, two):
        machine.move("alpha.md", "a.md")
    meet(carrier)
    uids = agree(one, two)
    assert uids["a.md"] == was
    assert len(uids) == len(NAMES)
    rest(one, two)


@pytest.mark.parametrize("names", [("a.md", "b.md"), ("b.md", "a.md")])
def test_one_note_renamed_differently(carrier: Carrier, names: tuple[str, str]) -> None:
    """Both files stay; one has the note's uid, the other that of its path, the same on both machines."""
    one, two = carrier.one, carrier.two
    was = one.uids["alpha.md"]
    for machine, name in zip((one, two), names, strict=True):
        machine.move("alpha.md", name)
    meet(carrier)
    uids = agree(one, two)
    assert uids[names[0]] == was
    rest(one, two)


def test_of_two_lines_for_one_note_the_smaller_path_counts(carrier: Carrier) -> None:
    """As a merge by union leaves them, when both machines had written."""
    one, two = carrier.one, carrier.two
    was = one.uids["alpha.md"]
    for machine in (one, two):
        machine.remove("alpha.md")
        machine.write(a=prose("alpha"), b=prose("alpha") + "\n\nMore.")
        fill_vault(machine.root, {own_files.LEDGER: f"{was}\tb.md\n{was}\ta.md\n"})
        machine.sync()
    meet(carrier)
    assert agree(one, two)["a.md"] == was
    rest(one, two)


def test_untitled_made_twice(carrier: Carrier) -> None:
    """Two notes that began at one path and were renamed: one keeps that path's uid, the other has its own."""
    one, two = carrier.one, carrier.two
    for machine, name in zip((one, two), ("gardens", "harbours"), strict=True):
        machine.write(Untitled=f"About {name}.")
        machine.sync()
        machine.move("Untitled.md", f"{name}.md")
        machine.sync()
        machine.write(**{name: prose(name)})
    meet(carrier)
    assert agree(one, two).keys() == {*(f"{name}.md" for name in NAMES), "gardens.md", "harbours.md"}
    rest(one, two)


@pytest.mark.parametrize("who", ["writer", "reader"])
def test_made_deleted_and_made_again(carrier: Carrier, who: str) -> None:
    """One machine sees both steps, the other the outcome alone: it is the note of that path."""
    one, two = carrier.one, carrier.two
    machine = one if who == "writer" else two
    was = one.uids["alpha.md"]
    machine.remove("alpha.md")
    machine.sync()
    machine.write(alpha=prose("something else"))
    meet(carrier)
    assert agree(one, two)["alpha.md"] == was
    rest(one, two)


STEPS: dict[str, Callable[[Machine], object]] = {
    "delete": lambda machine: machine.remove("alpha.md"),
    "make": lambda machine: machine.write(omega=prose("alpha") + "\n\nMore."),
    "make equal": lambda machine: machine.write(omega=prose("alpha")),
    "rename": lambda machine: machine.move("alpha.md", "omega.md"),
    "rewrite": lambda machine: machine.write(omega=prose("omega")),
    "replace": lambda machine: machine.write(alpha=prose("omega")),
    "rename other": lambda machine: machine.move("beta.md", "alpha.md"),
    "rename third": lambda machine: machine.move("gamma.md", "beta.md"),
    "swap": lambda machine: machine.swap("alpha.md", "beta.md"),
    "shorten": lambda machine: machine.write(alpha="Short now.", beta="Short too."),
    "rename back": lambda machine: machine.move("omega.md", "alpha.md"),
    "copy": lambda machine: machine.write(copy=(machine.root / "alpha.md").read_text()),
    "rewrite copy": lambda machine: machine.write(copy=prose("copy")),
    "move": lambda machine: machine.move("alpha.md", "Deep/alpha.md"),
    "split": lambda machine: machine.write(alpha=prose("alpha", 3), omega=prose("alpha")[-300:]),
}

WALKS = (
    ("delete", "make"),
    ("delete", "make equal"),
    ("rename", "replace"),
    ("rename", "rename other", "rename third"),
    ("split", "delete"),
)

MORE_WALKS = (
    ("rename", "rewrite"),
    ("rename", "rewrite", "rename back"),
    ("copy", "delete"),
    ("copy", "rewrite copy", "delete"),
    ("copy", "delete", "rewrite copy"),
    ("move", "replace"),
)


@pytest.mark.parametrize("who", ["writer", "reader"])
@pytest.mark.parametrize(
    "walk", [*WALKS, *(pytest.param(walk, marks=pytest.mark.slow) for walk in MORE_WALKS)], ids=str
)
def test_one_sees_each_step_and_the_other_the_outcome(
    carrier: Carrier, walk: tuple[str, ...], who: str
) -> None:
    """Whichever of them is the writer, they agree in the end."""
    one, two = carrier.one, carrier.two
    machine = one if who == "writer" else two
    for step in walk:
        STEPS[step](machine)
        machine.sync()
    meet(carrier)
    agree(one, two)
    rest(one, two)


def test_a_swap_that_the_writer_saw(carrier: Carrier) -> None:
    """The reader learns it from the ledger, where nothing on the disk tells it any more."""
    one, two = carrier.one, carrier.two
    was = one.uids
    for step in ("swap", "shorten"):
        STEPS[step](one)
        one.sync()
    meet(carrier)
    uids = agree(one, two)
    assert (uids["alpha.md"], uids["beta.md"]) == (was["beta.md"], was["alpha.md"])
    rest(one, two)


def test_the_ledger_goes_before_what_a_machine_would_find_out(carrier: Carrier) -> None:
    """A note that the writer took as new is no rename to the reader, however much it looks like one."""
    one, two = carrier.one, carrier.two
    for step in ("delete", "make equal"):
        STEPS[step](one)
        one.sync()
    carrier.carry()
    report = two.sync()
    assert (report.added, report.removed, report.renamed) == (["omega.md"], ["alpha.md"], [])
    agree(one, two)
    rest(one, two)


def test_a_displaced_note_is_not_looked_for(carrier: Carrier) -> None:
    """Each took another copy for the note; what the ledger moves leaves its place to a note of its own."""
    one, two = carrier.one, carrier.two
    was = one.uids["alpha.md"]
    two.write(a=prose("alpha"))
    two.sync()
    two.move("alpha.md", "b.md")
    two.sync()
    assert two.uids["b.md"] == was
    meet(carrier)
    assert agree(one, two)["a.md"] == was
    rest(one, two)


def hours_pass(machine: Machine) -> None:
    """Let all that a machine saw have been two hours before."""
    with machine.memory() as memory, memory.db.write() as tx:
        tx.run("UPDATE nodes SET created_at = created_at - 7200, deleted_at = deleted_at - 7200")


def test_a_new_note_is_told_only_near_a_loss(carrier: Carrier) -> None:
    """What is made while nothing vanished needs no line, nor what was made or lost long before."""
    one, two = carrier.one, carrier.two
    one.write(made=prose("made"))
    meet(carrier)
    assert one.lines == {}
    hours_pass(one)
    one.remove("alpha.md")
    one.sync()
    hours_pass(one)
    one.write(later=prose("later"))
    meet(carrier)
    assert one.lines == {}
    one.remove("beta.md")
    meet(carrier)
    assert one.lines.keys() == {"later.md"}
    agree(one, two)
    rest(one, two)


def test_a_lost_ledger_is_written_again(carrier: Carrier) -> None:
    """By the writer; the reader, which lost it too, keeps all uids meanwhile."""
    one, two = carrier.one, carrier.two
    one.move("alpha.md", "a.md")
    meet(carrier)
    uids, lines = agree(one, two), one.lines
    two.remove(own_files.LEDGER)
    two.sync()
    carrier.carry()
    assert one.lines == two.lines == {}
    assert two.uids == uids
    meet(carrier)
    assert one.lines == two.lines == lines
    assert agree(one, two) == uids
    rest(one, two)


@pytest.mark.parametrize("who", ["writer", "reader"])
def test_a_lost_database(carrier: Carrier, who: str) -> None:
    """Built anew from the vault and its ledger, it has the same uids, and is the same machine."""
    one, two = carrier.one, carrier.two
    one.move("alpha.md", "a.md")
    one.swap("beta.md", "gamma.md")
    one.sync()
    two.move("delta.md", "alpha.md")
    meet(carrier)
    uids, lines = agree(one, two), one.lines
    assert len(lines) == len(NAMES)
    (one if who == "writer" else two).forget()
    meet(carrier)
    assert agree(one, two) == uids
    assert one.lines == lines
    assert (one.writes(), two.writes()) == (True, False)
    rest(one, two)


def test_private_notes_stay_out_of_the_ledger(carrier: Carrier) -> None:
    """Private on one machine or by the note's own word: no line names it, an old one goes."""
    one, two = carrier.one, carrier.two
    was = one.uids
    one.move("alpha.md", "a.md")
    one.write(beta="---\nprivate: true\n---\n" + prose("beta"))
    one.sync()
    one.move("beta.md", "b.md")
    meet(carrier)
    assert one.lines == {"a.md": was["alpha.md"]}
    assert agree(one, two)["b.md"] == was["beta.md"]
    one.write(a="---\nprivate: true\n---\n" + prose("alpha"))
    meet(carrier)
    assert one.lines == {}
    assert agree(one, two)["a.md"] == was["alpha.md"]
    rest(one, two)


def test_a_deletion_that_arrives_before_the_new_file(carrier: Carrier) -> None:
    """A sync tool that carries a rename in two steps costs no uid."""
    one, two = carrier.one, carrier.two
    was = one.uids["alpha.md"]
    one.move("alpha.md", "Letters/alpha.md")
    one.sync()
    two.remove("alpha.md")
    two.sync()
    meet(carrier)
    assert agree(one, two)["Letters/alpha.md"] == was
    rest(one, two)


def test_a_new_file_that_arrives_before_the_deletion(carrier: Carrier) -> None:
    """Nor one that carries the new file first."""
    one, two = carrier.one, carrier.two
    was = one.uids["alpha.md"]
    one.move("alpha.md", "omega.md")
    one.sync()
    two.write(omega=prose("alpha"))
    two.sync()
    meet(carrier)
    assert agree(one, two)["omega.md"] == was
    rest(one, two)


def test_the_writer_is_taken_over(carrier: Carrier) -> None:
    """Both count the new one once it was carried, and it writes what it alone had seen."""
    one, two = carrier.one, carrier.two
    two.move("alpha.md", "a.md")
    two.sync()
    was = two.uids["a.md"]
    assert two.ask("writer", "--take").status == 0
    assert two.writes()
    meet(carrier)
    assert (one.writes(), two.writes()) == (False, True)
    assert two.lines == {"a.md": was}
    agree(one, two)
    rest(one, two)


class Walk:
    """What two people do at random, each to notes of their own: a note is renamed by its own person only."""

    def __init__(self, carrier: Carrier, seed: int) -> None:
        self.carrier = carrier
        self.random = random.Random(seed)
        self.notes = {carrier.one: ["alpha", "beta"], carrier.two: ["gamma", "delta"]}
        self.count = 0

    def step(self) -> None:
        """Let one machine change something, sync, or hear of the other."""
        machine = self.random.choice([self.carrier.one, self.carrier.two])
        acts: list[Callable[[Machine], object]] = [
            self.edit,
            self.rename,
            self.rename,
            self.make,
            self.delete,
        ]
        act = self.random.choice([*acts, Machine.sync, self.hear])
        act(machine)

    def hear(self, _machine: Machine) -> None:
        self.carrier.carry()

    def new_name(self) -> str:
        self.count += 1
        return f"{self.random.choice(['', 'Letters/', 'Letters/Old/'])}note {chr(96 + self.count)}"

    def edit(self, machine: Machine) -> None:
        name = self.random.choice(self.notes[machine])
        with (machine.root / f"{name}.md").open("a", encoding="utf-8") as file:
            file.write(f"\n\nAnd {self.random.randrange(10**9)}.")

    def rename(self, machine: Machine) -> None:
        notes = self.notes[machine]
        number, name = self.random.randrange(len(notes)), self.new_name()
        machine.move(f"{notes[number]}.md", f"{name}.md")
        notes[number] = name

    def make(self, machine: Machine) -> None:
        name = self.new_name()
        machine.write(**{name: prose(name)})
        self.notes[machine].append(name)

    def delete(self, machine: Machine) -> None:
        if len(self.notes[machine]) > 1:
            machine.remove(f"{self.notes[machine].pop()}.md")


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 40))])
def test_whatever_two_people_do(carrier: Carrier, seed: int) -> None:
    """To notes of full length, in any order of changes, syncs and exchanges."""
    walk = Walk(carrier, seed)
    for _ in range(30):
        walk.step()
    meet(carrier)
    uids = agree(carrier.one, carrier.two)
    assert len(uids) == sum(map(len, walk.notes.values()))
    rest(carrier.one, carrier.two)
