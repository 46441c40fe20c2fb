"""A daemon looks only at what changed, a part at a time: that comes to the same as looking at the whole vault."""

from __future__ import annotations

import random
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from small_vaults import complaints, dump_of, fill_vault, fresh_dump, sync, uids_of

from vaultsync.domain.notes import NotePath

FOLDERS = ("", "A/", "B/", "A/Deep/", "C c/")
NAMES = ("one", "two", "Two", "three", "\u00e9te\u0301", "日本")
PLACES = [NotePath(f"{folder}{name}.md") for folder in FOLDERS for name in NAMES]

places = st.sampled_from(PLACES)
seeds = st.integers(0, 2**16)


class Looking(RuleBasedStateMachine):
    """A vault, changes to it, and looks at the paths that these touched, in any order and in any parts."""

    @initialize(notes=st.sets(places, min_size=6, max_size=20))
    def begin(self, notes: set[NotePath]) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="looks-"))
        self.root, self.state = fill_vault(self.folder / "Vault", {}), self.folder / "state"
        self.written = 0
        self.touched: list[NotePath] = []
        for place in sorted(notes):
            self.write(place)
        sync(self.root, self.state)
        self.touched.clear()
        self.known = self.notes()

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            try:
                self.look(7, is_at_once=False)
            finally:
                shutil.rmtree(self.folder)

    def text(self) -> str:
        """Return a text that no other note has, long enough to tell it by, with links that other changes bend."""
        self.written += 1
        words = " ".join(f"word{self.written}x{n}" for n in range(60))
        return f"# Note {self.written}\n\n{words}. [[two]], [[A/one]] and [[three#^a]].\n"

    def notes(self) -> dict[str, tuple[str, str]]:
        """Return where each text stands, and its uid; there is one note of each."""
        uids = uids_of(self.root, self.state)
        assert len(set(uids.values())) == len(uids)
        return {(self.root / path).read_text(): (path, uid) for path, uid in uids.items()}

    def standing(self) -> list[NotePath]:
        return [place for place in PLACES if (self.root / place).is_file()]

    @rule(place=places)
    def write(self, place: NotePath) -> None:
        fill_vault(self.root, {place: self.text()})
        self.touched.append(place)

    @rule(seed=seeds)
    def remove(self, seed: int) -> None:
        if standing := self.standing():
            place = random.Random(seed).choice(standing)
            (self.root / place).unlink()
            self.touched.append(place)

    @rule(seed=seeds, new=places)
    def move(self, seed: int, new: NotePath) -> None:
        standing = self.standing()
        if standing and not (self.root / new).exists():
            old = random.Random(seed).choice(standing)
            (self.root / new).parent.mkdir(parents=True, exist_ok=True)
            (self.root / old).rename(self.root / new)
            self.touched += [old, new]

    @rule(seed=seeds)
    def swap(self, seed: int) -> None:
        if len(standing := self.standing()) > 1:
            one, two = random.Random(seed).sample(standing, 2)
            (self.root / one).rename(self.root / "between")
            (self.root / two).rename(self.root / one)
            (self.root / "between").rename(self.root / two)
            self.touched += [one, two]

    @rule(folder=st.sampled_from(["A", "B", "A/Deep", "C c"]), new=st.sampled_from(["D", "A", "B", "B/Deep"]))
    def move_folder(self, folder: str, new: str) -> None:
        here, there = self.root / folder, self.root / new
        if here.is_dir() and not there.exists() and there.parent.is_dir() and here not in there.parents:
            here.rename(there)
            self.touched += [NotePath(folder), NotePath(new)]

    @rule(seed=seeds, is_at_once=st.booleans())
    def look(self, seed: int, is_at_once: bool) -> None:
        """Of a look at all that changed more is asked: it tells a move from an edit."""
        chosen = random.Random(seed)
        chosen.shuffle(self.touched)
        while self.touched:
            size = len(self.touched) if is_at_once else chosen.randint(1, len(self.touched))
            sync(self.root, self.state, only=self.touched[:size])
            del self.touched[:size]
        fresh = self.folder / "fresh"
        assert dump_of(self.root, self.state) == fresh_dump(self.root, fresh)
        shutil.rmtree(fresh)
        assert set(complaints(self.root, self.state)) <= {"broken-links"}
        now = self.notes()
        if is_at_once:
            edited = {path for text, (path, _) in now.items() if text not in self.known}
            stayed = {text for text in now.keys() & self.known.keys() if self.known[text][0] not in edited}
            assert {text: now[text][1] for text in stayed} == {text: self.known[text][1] for text in stayed}
        self.known = now


TestLooking = Looking.TestCase
TestLooking.settings = settings(
    max_examples=12,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
