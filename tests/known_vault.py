"""A vault in which everything is done by somebody who knows each note, and what must be true after a sync."""

from __future__ import annotations

import itertools
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hypothesis import event
from identity_truth import Truth, Verdict, composed, fold
from invented_notes import Note, invent, paragraph, words
from small_vaults import complaints, dump_of, fill_vault, fresh_dump, sync, uids_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultsync.app.notes.report import Renamed, Report

Thing = TypeVar("Thing")


def spelled_alike(things: Mapping[str, Thing]) -> dict[str, Thing]:
    """Key by one Unicode form of a path: all forms of it are one place."""
    return {composed(path): thing for path, thing in things.items()}


class KnownVault:
    """Files, what the person knows of them, and the index; `before` and `now` are the notes by their paths.

    `graves`, `unclear`, `born` as `Truth` takes them, `uids` by token, `branches`: the notes of each, by their paths.
    """

    def make(self) -> None:
        """Start with an empty vault in a folder of its own."""
        self.folder = Path(tempfile.mkdtemp(prefix="identity-"))
        self.root = fill_vault(self.folder / "Vault", {})
        self.state = self.folder / "state"
        self.count = itertools.count()
        self.syncs = 0
        self.before: dict[str, Note] = {}
        self.now: dict[str, Note] = {}
        self.graves: dict[str, Note] = {}
        self.unclear: set[str] = set()
        self.born: dict[int, int] = {}
        self.uids: dict[int, str] = {}
        self.branch = "main"
        self.branches: dict[str, dict[str, Note]] = {}

    def track(self) -> None:
        """Put the vault under git, with two branches that are the same yet."""
        self.git("init", "-q", "-b", self.branch)
        self.commit()
        self.git("branch", "other")
        self.branches = {self.branch: dict(self.now), "other": dict(self.now)}

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
