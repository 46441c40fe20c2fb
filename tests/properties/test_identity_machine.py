"""Whatever a person does to notes, each keeps its uid where anybody could tell which note it is."""

from __future__ import annotations

import itertools
import shutil
import subprocess
import tempfile
import unicodedata
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import pytest
from hypothesis import HealthCheck, event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from identity_truth import COMMON_NAMES, Truth, Verdict, composed, fold
from invented_notes import KINDS, Note, invent, paragraph, words
from small_vaults import complaints, dump_of, fill_vault, fresh_dump, sync, uids_of

from vaultsync.app import reconcile as passes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultsync.app.report import Renamed, Report

FOLDERS = ("", "Projects/", "Projects/Deep/", "Journal/", "Écrits/")
NEW_FOLDERS = ("Archive/", "Projects/2026/", "Journal/Old/", "Kept/")

MOST_NOTES = 16
"""From twenty notes on, removals are guarded."""

kinds = st.sampled_from(KINDS)
folders = st.sampled_from(FOLDERS)
numbers = st.integers(0, MOST_NOTES - 1)
booleans = st.booleans()


Thing = TypeVar("Thing")


def spelled_alike(things: Mapping[str, Thing]) -> dict[str, Thing]:
    """Key by one Unicode form of a path: all forms of it are one place."""
    return {composed(path): thing for path, thing in things.items()}


class Killed(BaseException):
    """The pass ends here."""


class Identity(RuleBasedStateMachine):
    """A vault, a person who knows each note, and syncs between.

    `pace`: what is done between two syncs; `batch`: notes a transaction, so that a kill comes between two.
    """

    @initialize(
        pace=st.sampled_from([1, 1, 2, 3, 5]),
        batch=st.sampled_from([2, 400]),
        made=st.lists(kinds, min_size=3, max_size=9),
        git=booleans,
    )
    def begin(self, pace: int, batch: int, made: list[str], git: bool) -> None:
        self.batch, passes.BATCH_NOTES = passes.BATCH_NOTES, batch
        self.folder = Path(tempfile.mkdtemp(prefix="identity-"))
        self.root = fill_vault(self.folder / "Vault", {})
        self.state = self.folder / "state"
        self.count = itertools.count()
        self.pace, self.changes, self.syncs = pace, 0, 0
        self.before: dict[str, Note] = {}
        self.now: dict[str, Note] = {}
        self.graves: dict[str, Note] = {}
        self.unclear: set[str] = set()
        self.born: dict[int, int] = {}
        self.uids: dict[int, str] = {}
        self.branch, self.branches = "main", dict[str, dict[str, Note]]()
        for number, kind in enumerate(made):
            self.put(self.free_path(FOLDERS[number % len(FOLDERS)]), self.invent(kind))
        if git:
            self.git("init", "-q", "-b", "main")
            self.commit()
            self.git("branch", "other")
            self.branches = {"main": dict(self.now), "other": dict(self.now)}
        self.sync_all()

    def teardown(self) -> None:
        if not hasattr(self, "folder"):
            return
        try:
            self.sync_all()
            self.check()
        finally:
            passes.BATCH_NOTES = self.batch
            shutil.rmtree(self.folder)

    # What is done to files; the person's knowledge follows.

    def put(self, path: str, note: Note) -> None:
        fill_vault(self.root, {path: note.text})
        self.now[path] = note

    def move(self, old: str, new: str) -> None:
        (self.root / new).parent.mkdir(parents=True, exist_ok=True)
        (self.root / old).replace(self.root / new)
        self.now[new] = self.now.pop(old)

    def shift(self, paths: list[str]) -> None:
        """Move the first to the second's place, that to the third's, and so on; the last to the first's."""
        notes = [self.now.pop(path) for path in paths]
        for number, path in enumerate(paths):
            (self.root / path).replace(self.root / f"{number}.tmp")
        for number, path in enumerate([*paths[1:], paths[0]]):
            (self.root / f"{number}.tmp").replace(self.root / path)
            self.now[path] = notes[number]

    def remove(self, path: str) -> Note:
        (self.root / path).unlink()
        return self.now.pop(path)

    def edit(self, path: str, place: int, count: int = 1) -> None:
        """Replace some paragraphs from `place` on; in a blank note write one."""
        old = list(self.now[path].paragraphs) or [""]
        for number in range(place, place + count):
            old[number % len(old)] = paragraph(1_000_000 + next(self.count), self.linked())
        self.put(path, Note(self.now[path].token, tuple(old)))

    def git(self, *arguments: str) -> None:
        subprocess.run(["git", "-C", self.root, *arguments], check=True)

    def commit(self) -> None:
        self.git("add", "-A", "--", ".", ":!.vaultsync")
        self.git("commit", "-q", "--allow-empty", "-m", "as it stands")

    def invent(self, kind: str) -> Note:
        return invent(next(self.count), kind, self.linked())

    def linked(self) -> str:
        return min(self.now).rpartition("/")[2].removesuffix(".md") if self.now else "Nowhere"

    def free_path(self, folder: str, name: str | None = None) -> str:
        """Return a path where no note is or was, under a name that none has unless `name` is given."""
        path = f"{folder}{name or words(next(self.count), 2).capitalize() + ' é.md'}"
        taken = {fold(known) for known in (*self.before, *self.now, *self.graves, *self.unclear)}
        return self.free_path(folder) if fold(path) in taken else path

    def some(self, *numbers: int) -> list[str]:
        """Return different notes that are there."""
        paths = sorted(self.now)
        return [paths.pop(number % len(paths)) for number in numbers]

    def lost(self) -> list[tuple[str, Note]]:
        """Return the notes that are nowhere now, with their last places, where none is now."""
        alive = {note.token for note in self.now.values()}
        taken = spelled_alike(self.now)
        known = {**self.graves, **spelled_alike(self.before)}
        return [item for item in sorted(known.items()) if item[0] not in taken and item[1].token not in alive]

    def is_respelled(self, paths: Iterable[str]) -> bool:
        """Tell if a path that is known would stand there in another Unicode form."""
        known = spelled_alike(self.before)
        return any(path not in self.before and composed(path) in known for path in paths)

    def changed(self) -> None:
        self.changes += 1
        if self.changes % self.pace == 0:
            self.sync_all()

    # What a person does.

    @precondition(lambda self: len(self.now) < MOST_NOTES)
    @rule(kind=kinds, folder=folders, name=st.none() | st.sampled_from(COMMON_NAMES))
    def create(self, kind: str, folder: str, name: str | None) -> None:
        self.put(self.free_path(folder, name), self.invent(kind))
        self.changed()

    @precondition(lambda self: self.now)
    @rule(number=numbers, place=numbers)
    def edit_note(self, number: int, place: int) -> None:
        (path,) = self.some(number)
        self.edit(path, place)
        self.changed()

    @precondition(lambda self: self.now)
    @rule(number=numbers)
    def append(self, number: int) -> None:
        (path,) = self.some(number)
        note = self.now[path]
        more = paragraph(1_000_000 + next(self.count), self.linked())
        self.put(path, Note(note.token, (*note.paragraphs, more)))
        self.changed()

    @precondition(lambda self: self.now)
    @rule(number=numbers, place=numbers)
    def rewrite(self, number: int, place: int) -> None:
        (path,) = self.some(number)
        self.edit(path, place, max(1, len(self.now[path].paragraphs) - 1))
        self.changed()

    @precondition(lambda self: self.now)
    @rule(number=numbers, edited=booleans, place=numbers)
    def rename_note(self, number: int, edited: bool, place: int) -> None:
        (old,) = self.some(number)
        new = self.free_path(old[: old.rfind("/") + 1])
        self.move(old, new)
        if edited:
            self.edit(new, place)
        self.changed()

    @precondition(lambda self: self.now)
    @rule(number=numbers, folder=folders, edited=booleans, place=numbers)
    def move_note(self, number: int, folder: str, edited: bool, place: int) -> None:
        (old,) = self.some(number)
        new = self.free_path(folder, old.rpartition("/")[2])
        self.move(old, new)
        if edited:
            self.edit(new, place)
        self.changed()

    @rule(
        old=st.sampled_from([*FOLDERS[1:], *NEW_FOLDERS]), new=st.sampled_from([*FOLDERS[1:], *NEW_FOLDERS])
    )
    def rename_folder(self, old: str, new: str) -> None:
        inside = [path for path in sorted(self.now) if path.startswith(old)]
        if inside and not new.startswith(old) and not (self.root / new).exists():
            for path in inside:
                self.move(path, new + path.removeprefix(old))
            shutil.rmtree(self.root / old)
            self.changed()

    @precondition(lambda self: len(self.now) >= 3)
    @rule(number=numbers, second=numbers, third=numbers, count=st.sampled_from([2, 3]))
    def swap_or_cycle(self, number: int, second: int, third: int, count: int) -> None:
        self.shift(self.some(number, second, third)[:count])
        self.changed()

    @precondition(lambda self: len(self.now) >= 3)
    @rule(number=numbers, second=numbers)
    def chain(self, number: int, second: int) -> None:
        first, last = self.some(number, second)
        self.move(last, self.free_path("Journal/"))
        self.move(first, last)
        self.changed()

    @precondition(lambda self: len(self.now) >= 3)
    @rule(number=numbers, second=numbers)
    def move_over(self, number: int, second: int) -> None:
        self.move(*self.some(number, second))
        self.changed()

    @precondition(lambda self: 0 < len(self.now) < MOST_NOTES)
    @rule(number=numbers, folder=folders, named=booleans)
    def copy(self, number: int, folder: str, named: bool) -> None:
        (path,) = self.some(number)
        name = path.rpartition("/")[2] if named else None
        self.put(self.free_path(folder, name), Note(next(self.count), self.now[path].paragraphs))
        self.changed()

    @precondition(lambda self: 0 < len(self.now) < MOST_NOTES)
    @rule(number=numbers, folder=folders)
    def move_seen_in_two_steps(self, number: int, folder: str) -> None:
        """The new file is there before the old one is gone (F15)."""
        (old,) = self.some(number)
        self.put(
            self.free_path(folder, old.rpartition("/")[2]), Note(next(self.count), self.now[old].paragraphs)
        )
        self.sync_all()
        if old in self.now:
            self.remove(old)
            self.sync_all()

    @precondition(lambda self: len(self.now) >= 3)
    @rule(number=numbers, second=numbers)
    def copy_over(self, number: int, second: int) -> None:
        source, path = self.some(number, second)
        self.put(path, Note(self.now[path].token, self.now[source].paragraphs))
        self.changed()

    @precondition(lambda self: len(self.now) >= 3)
    @rule(number=numbers)
    def delete(self, number: int) -> None:
        self.remove(*self.some(number))
        self.changed()

    @precondition(lambda self: self.lost() and len(self.now) < MOST_NOTES)
    @rule(number=numbers, edited=booleans, place=numbers)
    def restore(self, number: int, edited: bool, place: int) -> None:
        path, note = self.lost()[number % len(self.lost())]
        self.put(path, note)
        if edited:
            self.edit(path, place)
        self.changed()

    @precondition(lambda self: self.lost() and len(self.now) < MOST_NOTES)
    @rule(number=numbers, folder=folders)
    def restore_elsewhere(self, number: int, folder: str) -> None:
        path, note = self.lost()[number % len(self.lost())]
        self.put(self.free_path(folder, path.rpartition("/")[2]), note)
        self.changed()

    @precondition(lambda self: self.lost() and len(self.now) < MOST_NOTES)
    @rule(number=numbers, kind=kinds)
    def make_again(self, number: int, kind: str) -> None:
        path, _ = self.lost()[number % len(self.lost())]
        self.put(path, self.invent(kind))
        self.changed()

    @precondition(lambda self: self.now)
    @rule(number=numbers)
    def change_case(self, number: int) -> None:
        """A file of its own, where the disk tells cases apart."""
        (old,) = self.some(number)
        name = old.rpartition("/")[2].removesuffix(".md")
        new = old.removesuffix(f"{name}.md") + f"{name.swapcase()}.md"
        if new not in self.now:
            self.move(old, new)
            self.changed()

    @precondition(lambda self: self.now)
    @rule(number=numbers)
    def respell(self, number: int) -> None:
        """Another system writes the name in its Unicode form; nothing else happens meanwhile (F50)."""
        self.sync_all()
        (old,) = self.some(number)
        form = unicodedata.normalize("NFD", old)
        new = composed(old) if old == form else form
        if composed(old) not in {*self.graves, *self.unclear}:
            self.move(old, new)
            self.sync_all()

    @precondition(lambda self: 0 < len(self.now) < MOST_NOTES)
    @rule(number=numbers, renamed=booleans)
    def split(self, number: int, renamed: bool) -> None:
        """Less than a third leaves for a note of its own."""
        (path,) = self.some(number)
        note = self.now[path]
        keep = len(note.paragraphs) - max(1, len(note.paragraphs) // 4)
        if not note.is_full:
            return
        self.put(path, Note(note.token, note.paragraphs[:keep]))
        self.put(self.free_path("Projects/"), Note(next(self.count), note.paragraphs[keep:]))
        if renamed:
            self.move(path, self.free_path("Journal/"))
        self.changed()

    @precondition(lambda self: len(self.now) >= 3)
    @rule(number=numbers, second=numbers)
    def merge(self, number: int, second: int) -> None:
        path, other = self.some(number, second)
        more = self.remove(other).paragraphs
        self.put(path, Note(self.now[path].token, (*self.now[path].paragraphs, *more)))
        self.changed()

    @precondition(lambda self: self.branches)
    @rule()
    def check_out(self) -> None:
        """Go to the other branch, leaving all that was done in this one."""
        self.commit()
        self.branches[self.branch] = dict(self.now)
        other = "other" if self.branch == "main" else "main"
        if not self.is_respelled(self.branches[other]):
            self.git("checkout", "-q", other)
            self.branch, self.now = other, dict(self.branches[other])
            self.changed()

    # Syncs, and what must be true after them.

    @rule(at=st.integers(0, 6))
    def kill(self, at: int) -> None:
        """A pass is killed after so many steps; the next one finds whatever the first had committed."""
        steps = itertools.count()

        def progress(_stage: str, _done: int, _total: int) -> None:
            if next(steps) == at:
                raise Killed

        with suppress(Killed):
            sync(self.root, self.state, progress=progress)
        self.sync_all(was_killed=True)

    @rule()
    def sync_what_changed(self) -> None:
        """As the daemon does, which is told the paths."""
        paths = {*self.before, *self.now}
        only = sorted(path for path in paths if self.before.get(path) != self.now.get(path))
        self.sync_all(only=only or None)

    @rule()
    def rehearse(self) -> None:
        rehearsed = sync(self.root, self.state, dry_run=True)
        assert rehearsed.renamed == self.sync_all().renamed

    @rule()
    def compare(self) -> None:
        self.sync_all()
        self.check()

    def sync_all(self, only: list[str] | None = None, *, was_killed: bool = False) -> Report:
        report = sync(self.root, self.state, only=only)
        found = uids_of(self.root, self.state)
        assert found.keys() == self.now.keys(), found.keys() ^ self.now.keys()
        uids = spelled_alike(found)
        before, now = spelled_alike(self.before), spelled_alike(self.now)
        verdict = Truth(before, now, self.graves, self.unclear, self.born).judge()
        self.compare_uids(verdict, uids)
        if not was_killed:  # else the killed pass knew some
            self.compare_renames(verdict, report.renamed)
        self.believe(verdict, uids)
        return report

    def compare_uids(self, verdict: Verdict, uids: dict[str, str]) -> None:
        assert len(set(uids.values())) == len(uids)
        for reason in set(verdict.doubts.values()):
            event(f"may lose: {reason}")
        certain = {path: token for path, token in verdict.who.items() if path not in verdict.doubts}
        kept = {path: self.uids[token] for path, token in certain.items() if token in self.uids}
        assert {path: uids[path] for path in kept} == kept
        assert not {uids[path] for path in certain.keys() - kept.keys()} & set(self.uids.values())

    def compare_renames(self, verdict: Verdict, renamed: list[Renamed]) -> None:
        """Each rename that is certain is reported, and none that did not happen; another spelling is none (F50)."""
        was = {note.token: path for path, note in spelled_alike(self.before).items()}
        certain = {
            (self.uids[token], was[token], path)
            for path, token in verdict.who.items()
            if token in was and path not in verdict.doubts and was[token] != path
        }
        reported = {(uid, composed(old), composed(new)) for uid, old, new, _ in renamed}
        assert certain == {rename for rename in reported if rename[2] not in verdict.doubts}

    def believe(self, verdict: Verdict, uids: dict[str, str]) -> None:
        """Let the index say which note is which where nobody could tell."""
        owner = {uid: token for token, uid in self.uids.items()}
        after = {}
        for spelled, note in self.now.items():
            path = composed(spelled)
            new = next(self.count) if path in verdict.doubts else verdict.who[path]
            after[spelled] = Note(owner.get(uids[path], new), note.paragraphs)
            self.uids[after[spelled].token] = uids[path]
        self.bury(spelled_alike(self.before), spelled_alike(after))
        self.syncs += 1
        self.born = {note.token: self.syncs for note in after.values()} | self.born
        self.before, self.now = after, dict(after)

    def bury(self, before: dict[str, Note], after: dict[str, Note]) -> None:
        living = {note.token for note in after.values()}
        dead = {path: note for path, note in before.items() if note.token not in living}
        self.unclear |= {path for path in dead if path in after or path in self.graves}
        self.graves = {
            path: note for path, note in {**self.graves, **dead}.items() if note.token not in living
        }

    def check(self) -> None:
        uids = uids_of(self.root, self.state)
        sync(self.root, self.state)
        assert uids_of(self.root, self.state) == uids
        copy = Path(shutil.copytree(self.root, self.folder / "copy"))  # another index would write our ledger
        assert dump_of(self.root, self.state) == fresh_dump(copy, self.folder / "fresh")
        shutil.rmtree(copy)
        shutil.rmtree(self.folder / "fresh")
        found = complaints(self.root, self.state)
        found.pop("broken-links", None)  # the doctor is right to speak of what a person renamed
        assert found == {}, found


class IdentityAtLength(Identity):
    """The same for minutes."""


TestIdentity = pytest.mark.usefixtures("home")(Identity.TestCase)
TestIdentity.settings = settings(
    max_examples=15,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)

TestIdentityAtLength = pytest.mark.slow(pytest.mark.usefixtures("home")(IdentityAtLength.TestCase))
TestIdentityAtLength.settings = settings(
    max_examples=200,
    stateful_step_count=60,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
