"""Whatever happens to a vault between syncs, its index says what one built from nothing would say."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from small_vaults import complaints, dump_of, fill_vault, fresh_dump, memory_of, rehearse_sync, sync, uids_of

from vaultsync.app.finding.show import Shown, show
from vaultsync.domain import survey
from vaultsync.store import canonical
from vaultsync.surfaces import note_wire

PATHS = (
    "Home.md",
    "Alpha.md",
    "Beta.md",
    "beta.md",
    "Projects/Alpha.md",
    "Projects/Deep/Gamma.md",
    "Projects/Deep/Été.md",
    "Projects/Deep/E\u0301te\u0301.md",
    "日本語.md",
    "Daily/2026-03-02.md",
    "Daily/2026-03-02 with Alpha.md",
    "Archive/old [1] #2.md",
)
"""Names that links confuse: equal in another folder, case or normal form; below 20 notes nothing is refused."""

LINES = (
    "[[Alpha]] and [[beta|the second]].",
    "![[Gamma#Plan]] and [[Alpha#^q1]]",
    "[here](Deep/Gamma.md) [there](../Alpha.md) [nowhere](missing.md)",
    "[[Projects/Alpha]] [[Été]] [[E\u0301te\u0301]] [[日本語]] [[The Second]] [[old [1] #2]]",
    "## Plan\n\nA plan in two sentences. The second one.",
    "A line to point at. ^q1",
    "- [ ] task #todo/now\n- item",
    "```\n[[Beta]] in code\n```",
    "日本語の文章です。",
    "%% [[Home]] hidden %%",
    "",
)

HEADS = (
    "",
    "---\naliases: [The Second, Alpha]\n---\n",
    "---\ntags: [one, two/three]\nup: '[[Home]]'\n---\n",
    "---\ntitle: Another name\ndate: 2026-01-05\n---\n",
    "---\nprivate: true\n---\n",
    "---\nvaultsync: ignore\n---\n",
    "---\nbad: yaml: here\n---\n",
)

SETTINGS = (
    '[scope]\nexclude = ["Archive/", "*Gamma*"]\n',
    '[scope]\nprivate = ["Daily/**"]\n',
    '[scope]\ngitignored = "skip"\n',
    "[chunks]\nchunk_target = 16\nchunk_ceiling = 32\n",
    "",
)

GIT_IGNORES = ("Projects/\n", "*.md\n!Alpha.md\n", "Daily/*\n", "")

OTHERS = {
    "Alpha.canvas": "{}",
    "Beta.sync-conflict-20260309-181512-ABCDEFG.md": "a copy",
    "Home.md.tmp": "half a note",
    ".obsidian/app.json": '{"userIgnoreFilters": ["Archive/"]}',
    ".obsidian/daily-notes.json": '{"folder": "Daily"}',
    ".obsidian/templates.json": '{"folder": "Projects"}',
}

SLACKS_NS = (survey.RACY_SLACK_NS, 20_000_000)
"""What it is, under which all that a test writes is read in every pass; and a disk's whose clock ticks each 10 ms."""

paths = st.sampled_from(PATHS)
texts = st.builds(
    lambda head, lines: head + "\n".join(lines),
    st.sampled_from(HEADS),
    st.lists(st.sampled_from(LINES), max_size=4),
)
numbers = st.integers(0, len(PATHS) - 1)
sizes = st.integers(0, 2000)


HISTORY = {"uid", "parent"}
"""What `show` says that may depend on what happened before."""


def shown(root: Path, state: Path) -> list[object]:
    """Return all that `show` says of each note, but for its history: roles, privacy, sentences around links."""
    with memory_of(root, state) as memory:
        paths = [row.path for row in canonical.notes(memory.db.read())]
        return [
            timeless(note_wire.node(found))
            for path in paths
            if isinstance(found := show(memory, path), Shown)
        ]


def timeless(document: object) -> object:
    if isinstance(document, dict):
        return {key: timeless(value) for key, value in document.items() if key not in HISTORY}
    return [timeless(item) for item in document] if isinstance(document, list) else document


class Reconciling(RuleBasedStateMachine):
    """A vault, what a person and other programs do to it, and syncs between."""

    @initialize(
        notes=st.dictionaries(paths, texts, min_size=4),
        pace=st.sampled_from([1, 2, 3, 100]),
        slack_ns=st.sampled_from(SLACKS_NS),
    )
    def begin(self, notes: dict[str, str], pace: int, slack_ns: int) -> None:
        """`pace`: changes between two syncs, beside those that are rules."""
        self.slack_ns = survey.RACY_SLACK_NS
        survey.RACY_SLACK_NS = slack_ns
        self.folder = Path(tempfile.mkdtemp(prefix="reconcile-"))
        self.root = fill_vault(self.folder / "Vault", notes)
        self.state = self.folder / "state"
        self.pace = pace
        self.changes = 0
        self.sync_all()

    def teardown(self) -> None:
        if not hasattr(self, "folder"):
            return
        try:
            self.sync_all()
            self.check()
        finally:
            survey.RACY_SLACK_NS = self.slack_ns
            shutil.rmtree(self.folder)

    def write(self, path: str, text: str | bytes) -> None:
        fill_vault(self.root, {path: text})
        self.changed()

    def sync_all(self) -> None:
        sync(self.root, self.state)
        self.is_synced = True

    def changed(self) -> None:
        self.is_synced = False
        self.changes += 1
        if self.changes % self.pace == 0:
            self.sync_all()

    def standing(self, number: int) -> str | None:
        """Return one of the notes that are there, if any."""
        paths = [path for path in PATHS if (self.root / path).is_file()]
        return paths[number % len(paths)] if paths else None

    @rule(path=paths, text=texts)
    def write_note(self, path: str, text: str) -> None:
        self.write(path, text)

    @rule(number=numbers, line=st.sampled_from(LINES))
    def append_line(self, number: int, line: str) -> None:
        if path := self.standing(number):
            self.write(path, (self.root / path).read_bytes() + b"\n\n" + line.encode())

    @rule(number=numbers, place=sizes)
    def change_one_letter(self, number: int, place: int) -> None:
        """Same size, and the same mtime: what an edit in the same tick of a coarse clock leaves (F100)."""
        if (path := self.standing(number)) and (raw := bytearray((self.root / path).read_bytes())):
            note = self.root / path
            before = note.stat()
            raw[place % len(raw)] = ord("x")
            note.write_bytes(raw)
            os.utime(note, ns=(before.st_atime_ns, before.st_mtime_ns))
            self.changed()

    @rule(number=numbers, place=sizes)
    def cut_short(self, number: int, place: int) -> None:
        if path := self.standing(number):
            raw = (self.root / path).read_bytes()
            self.write(path, raw[: place % (len(raw) + 1)])

    @rule(path=paths, text=texts)
    def save_by_replacing(self, path: str, text: str) -> None:
        """Many editors write a new file and put it in the old one's place (F19)."""
        new = fill_vault(self.root, {"new.md.tmp": text}) / "new.md.tmp"
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        new.replace(self.root / path)
        self.changed()

    @rule(number=numbers, days=st.integers(-400, 400))
    def touch(self, number: int, days: int) -> None:
        if path := self.standing(number):
            note = self.root / path
            then = note.stat().st_mtime_ns + days * 86_400_000_000_000
            os.utime(note, ns=(then, then))
            self.changed()

    @rule(number=numbers)
    def delete_note(self, number: int) -> None:
        if path := self.standing(number):
            (self.root / path).unlink()
            self.changed()

    @rule(number=numbers, new=paths)
    def move_note(self, number: int, new: str) -> None:
        if (old := self.standing(number)) and old != new:
            (self.root / new).parent.mkdir(parents=True, exist_ok=True)
            (self.root / old).replace(self.root / new)
            self.changed()

    @rule(
        folder=st.sampled_from(["Projects/Deep", "Projects", "Daily"]),
        new=st.sampled_from(["Moved", "Daily/Kept"]),
    )
    def move_folder(self, folder: str, new: str) -> None:
        """There and, the next time, back again."""
        here, there = self.root / folder, self.root / new
        if there.exists():
            here, there = there, here
        if here.exists() and not there.exists() and there.parent.exists() and here not in there.parents:
            here.rename(there)
            self.changed()

    @rule(text=st.sampled_from(SETTINGS))
    def change_settings(self, text: str) -> None:
        self.write(".vaultsync/config.toml", text)

    @rule(text=st.sampled_from(GIT_IGNORES), folder=st.sampled_from(["", "Projects/"]))
    def change_gitignore(self, text: str, folder: str) -> None:
        self.write(f"{folder}.gitignore", text)

    @rule(path=st.sampled_from(sorted(OTHERS)), is_there=st.booleans())
    def put_or_take_another_file(self, path: str, is_there: bool) -> None:
        if is_there:
            self.write(path, OTHERS[path])
        else:
            (self.root / path).unlink(missing_ok=True)
            self.changed()

    @rule(only=st.none() | paths, rehash=st.booleans())
    def sync_somehow(self, only: str | None, rehash: bool) -> None:
        sync(self.root, self.state, only=only and [only], rehash=rehash)
        self.is_synced = self.is_synced or only is None

    @rule()
    def rehearse(self) -> None:
        before = dump_of(self.root, self.state, uids=True)
        rehearse_sync(self.root, self.state)
        assert dump_of(self.root, self.state, uids=True) == before

    @precondition(lambda self: self.is_synced)
    @rule()
    def compare(self) -> None:
        self.check()

    @invariant()
    def no_two_notes_have_one_uid(self) -> None:
        """Which of them has which is what the identity machine asks."""
        if hasattr(self, "state"):
            uids = uids_of(self.root, self.state)
            assert len(set(uids.values())) == len(uids)

    def check(self) -> None:
        fresh = self.folder / "fresh"
        assert dump_of(self.root, self.state) == fresh_dump(self.root, fresh)
        assert shown(self.root, self.state) == shown(self.root, fresh)
        shutil.rmtree(fresh)
        found = complaints(self.root, self.state)
        found.pop("broken-links", None)  # the doctor is right to speak of what a person deleted
        assert found == {}


TestReconciling = Reconciling.TestCase
TestReconciling.settings = settings(
    max_examples=15,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
