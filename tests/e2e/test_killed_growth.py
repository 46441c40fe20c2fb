"""A pass killed at any step of its sealing and of its writing comes, run again, to what it would have come to."""

from __future__ import annotations

import multiprocessing
import shutil
import signal
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import dying
import pytest
from grown_vaults import generated, prose
from machines import files_of
from small_vaults import ask, complaints, fill_vault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="processes are forked, and killed by signals"),
]

SETTINGS = '[summaries]\nsources = ["*"]\nseal_tokens = 100\nseal_children = 2\nflush_hours = 0\n'
"""Two notes fill a summary, four summaries one above them, and nothing waits for its bucket to fill."""

VAULT_ID = "5f0c1f6e-3a0b-4c55-9d51-2f6a4be0c7aa"
"""Given, since one that is chosen by chance makes other ids, and the names of all that is made follow from it."""

BESIDE = ["Mine, beside the log.", "Mine, beside the garden.", "Mine, beside what I said."]
WITHIN = "What a person says of it."

STEPS = {
    ("tend", "commit"),
    ("tend", "committed"),
    ("write_back", "commit"),
    ("write_back", "committed"),
    ("write_back", "os.mkdir"),
    ("write_back", "os.link"),
    ("write_back", "os.rename"),
    ("write_back", "os.remove"),
}
"""What there is to be killed at."""


class Outcome(NamedTuple):
    """What a pass has come to."""

    files: dict[str, bytes]
    tree: Any
    complaints: dict[str, tuple[str, ...]]


class Place:
    """A vault with its state, which can be put back to how it was at first."""

    def __init__(self, top: Path) -> None:
        self.root = top / "now" / "Vault"
        self._now, self._first = top / "now", top / "first"
        self._report = top / "points"

    def keep(self) -> None:
        """Let it be put back to this."""
        shutil.copytree(self._now, self._first)

    def put_back(self) -> None:
        shutil.rmtree(self._now)
        shutil.copytree(self._first, self._now)

    def ask(self, *words: str) -> Any:  # noqa: ANN401 - any JSON document
        answer = ask(*self._where, *words, "--json")
        assert answer.status == 0, answer
        return answer.json

    def outcome(self) -> Outcome:
        return Outcome(files_of(self.root), self.ask("tree"), complaints(self.root, self._now / "state"))

    def points(self) -> list[str]:
        """Return the points that a pass goes through, which is not killed."""
        assert self._sync_dying(0) == 0
        return self._report.read_text(encoding="utf-8").splitlines()

    def killed_at(self, number: int) -> bool:
        """Run a pass that kills itself at a point, and tell whether it did."""
        return self._sync_dying(number) == -signal.SIGKILL

    @property
    def _where(self) -> list[str]:
        return ["--vault", str(self.root), "--state", str(self._now / "state")]

    def _sync_dying(self, number: int) -> int | None:
        """Return the status of a process of its own; forked, since it would take longer to start one than to sync."""
        words = [str(number), str(self._report), *self._where, "--quiet", "sync"]
        process = multiprocessing.get_context("fork").Process(target=partial(_die, words))
        process.start()
        process.join()
        return process.exitcode


def _die(words: list[str]) -> None:
    sys.exit(dying.main(*words))


def change(place: Path, text: str, new: str) -> None:
    """Change what a generated note says."""
    before = place.read_text(encoding="utf-8")
    assert text in before
    place.write_text(before.replace(text, new, 1), encoding="utf-8")


def plant(place: Place, names: str = "abc") -> None:
    """Write notes into a garden, and two into a log."""
    garden = {f"Garden/{name}.md": prose(name) for name in names}
    log = {f"Log/{name}.md": prose(name) for name in "hi"}
    known = {".vaultsync/id": f"{VAULT_ID}\n", ".vaultsync/config.toml": SETTINGS}
    fill_vault(place.root, {**known, **garden, **log})


def live_on(place: Place) -> None:
    """Let a person pin a summary and write beside others, then edit, delete and add notes.

    The garden's e and f were one summary, which dissolves; the log's root gets a parent.
    """
    plant(place, "abcdefg")
    place.ask("sync")
    top = place.root / "_summaries"
    pinned = next(path for path, text in sorted(generated(place.root).items()) if "# Garden: c to d" in text)
    change(top / pinned, "# Garden: c to d", f"# Garden: c to d\n\n{WITHIN}")
    place.ask("sync")
    paths = ("Log/Log (summary).md", "Garden/Garden (summary).md", pinned)
    for path, words in zip(paths, BESIDE, strict=True):
        with (top / path).open("a", encoding="utf-8") as file:
            file.write(f"\n{words}\n")
    for name in "ef":
        (place.root / f"Garden/{name}.md").unlink()
    new = {f"Log/{name}.md": prose(name) for name in "jkl"} | {"Garden/m.md": prose("m")}
    fill_vault(place.root, {"Garden/b.md": prose("b", 2), **new})


def written_by_a_person(place: Place) -> tuple[dict[str, bytes], set[str]]:
    """Return a person's own notes, and which of their words stand in generated ones."""
    files = files_of(place.root)
    own = {path: raw for path, raw in files.items() if not path.startswith(("_", ".vaultsync/"))}
    text = "".join(generated(place.root).values())
    return own, {words for words in (*BESIDE, WITHIN) if words in text}


def told_apart(points: list[str]) -> list[tuple[int, str]]:
    """Return the points with their numbers, but those where all is as it is at the next: right after a commit."""
    later = [*points[1:], ""]
    return [
        (number, point)
        for number, (point, after) in enumerate(zip(points, later, strict=True), 1)
        if not point.endswith("committed") or point.partition(":")[0] != after.partition(":")[0]
    ]


@pytest.mark.parametrize(
    ("begin", "expected"), [(plant, STEPS - {("write_back", "os.rename")}), (live_on, STEPS)]
)
def test_killed_at_each_step(
    home: Path, tmp_path: Path, begin: Callable[[Place], None], expected: set[tuple[str, ...]]
) -> None:
    """The next pass makes of it what an undisturbed one does, and what a person wrote is all there."""
    del home
    place = Place(tmp_path)
    begin(place)
    place.keep()
    words = written_by_a_person(place)
    points = place.points()
    whole = place.outcome()
    assert {tuple(point.split(": ")) for point in points} >= expected
    assert written_by_a_person(place) == words
    assert whole.complaints == {}
    for number, point in told_apart(points):
        place.put_back()
        assert place.killed_at(number), f"{number}, {point}"
        assert written_by_a_person(place) == words
        place.ask("sync")
        assert place.outcome() == whole, f"killed at {number}, {point}"
