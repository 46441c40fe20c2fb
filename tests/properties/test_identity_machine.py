"""Whatever a person does to notes, each keeps its uid where anybody could tell which note it is."""

from __future__ import annotations

import itertools
import shutil
import unicodedata
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from identity_truth import COMMON_NAMES, composed
from invented_notes import KINDS, Note, paragraph
from known_vault import KnownVault
from small_vaults import rehearse_sync, sync

from vaultsync.app.notes import reconcile as passes

FOLDERS = ("", "Projects/", "Projects/Deep/", "Journal/", "Écrits/")
NEW_FOLDERS = ("Archive/", "Projects/2026/", "Journal/Old/", "Kept/")

MOST_NOTES = 16
"""From twenty notes on, removals are guarded."""

kinds = st.sampled_from(KINDS)
folders = st.sampled_from(FOLDERS)
numbers = st.integers(0, MOST_NOTES - 1)
booleans = st.booleans()


class Killed(BaseException):
    """The pass ends here."""


class Identity(KnownVault, RuleBasedStateMachine):
    """What a person may do to a vault, and syncs between.

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
        self.pace, self.changes = pace, 0
        self.make()
        for number, kind in enumerate(made):
            self.put(self.free_path(FOLDERS[number % len(FOLDERS)]), self.invent(kind))
        if git:
            self.track()
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

    def changed(self) -> None:
        self.changes += 1
        if self.changes % self.pace == 0:
            self.sync_all()

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
        rehearsed = rehearse_sync(self.root, self.state)
        assert rehearsed.renamed == self.sync_all().renamed

    @rule()
    def compare(self) -> None:
        self.sync_all()
        self.check()


class IdentityAtLength(Identity):
    """The same for a minute or two."""


TestIdentity = pytest.mark.usefixtures("home")(Identity.TestCase)
TestIdentity.settings = settings(
    max_examples=15,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)

TestIdentityAtLength = pytest.mark.slow(pytest.mark.usefixtures("home")(IdentityAtLength.TestCase))
TestIdentityAtLength.settings = settings(
    max_examples=40,
    stateful_step_count=50,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
