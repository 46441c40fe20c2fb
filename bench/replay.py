"""Sync every commit of a git repository, and hold the renames found against git's: `python bench/replay.py REPO`."""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app.dump import dump
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.bootstrap import find_place, open_memory, prepare_state
from vaultsync.store import canonical

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultsync.app.notes.report import Report

RECALL = 0.98
"""Of the pairs that git finds at a similarity of one half, at least."""


class Pair(NamedTuple):
    """Two paths of one note. `by`: git's similarity (R097), or our evidence."""

    old: str
    new: str
    by: str


class Difference(NamedTuple):
    """A pair that only one of the two found, with the sizes of its files in bytes."""

    commit: str
    only: str
    by: str
    old: str
    new: str
    old_bytes: int
    new_bytes: int


@dataclass(slots=True)
class Tally:
    """What came of all steps. `found`: pairs of git's whose uid was kept; `blank`: of files without text."""

    steps: int = 0
    git: int = 0
    found: int = 0
    blank: int = 0
    found_blank: int = 0
    ours: int = 0
    held: int = 0
    unequal: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)


class Replay:
    """A clone whose commits are checked out one by one, and the memory of it."""

    def __init__(self, repository: Path, folder: Path) -> None:
        self._root = folder / "vault"
        self._folder = folder
        self.tally = Tally()
        _git(folder, "clone", "-q", "--no-checkout", str(repository.resolve()), str(self._root))

    def commits(self, branch: str, every: int, limit: int | None) -> list[str]:
        """Return each n-th commit of a branch's first parents, oldest first, and the last one."""
        found = _git(self._root, "rev-list", "--reverse", "--first-parent", branch).decode().split()
        return [*found[:-1:every], found[-1]][:limit]

    def run(self, commits: Sequence[str], check: int) -> None:
        """Sync commit after commit; every `check` steps the index must be what a new one would be."""
        old, known = "", dict[str, str]()
        for number, commit in enumerate(commits, 1):
            _git(self._root, "checkout", "-q", "--force", "--detach", commit)
            report, notes = self._sync("state")
            self._count(report)
            if old:
                self._compare(old, commit, known, notes, report)
            if check and number % check == 0 and self._dump("state") != self._dump("fresh"):
                self.tally.unequal.append(commit)
            old, known = commit, notes
            if number % 100 == 0:
                print(f"  {number} of {len(commits)} steps", flush=True)

    def _sync(self, state: str) -> tuple[Report, dict[str, str]]:
        """Sync; return what was done, and each note's uid by its path."""
        place = find_place(self._root, self._folder / state, {})
        with open_memory(prepare_state(place), write=True) as memory:
            report = reconcile(memory)
            return report, {row.path: row.uid for row in canonical.notes(memory.db.read())}

    def _dump(self, state: str) -> list[str]:
        if state == "fresh":
            state = tempfile.mkdtemp(dir=self._folder)
            self._sync(state)
        with open_memory(find_place(self._root, self._folder / state, {})) as memory:
            return list(dump(memory.db))

    def _count(self, report: Report) -> None:
        self.tally.steps += 1
        self.tally.held += report.refusal is not None
        self.tally.seconds.append(report.seconds)

    def _compare(
        self, old: str, new: str, known: dict[str, str], notes: dict[str, str], report: Report
    ) -> None:
        """Hold the pairs of a step against git's; what is no note for us is left out."""
        tally = self.tally
        git = [pair for pair in renames(self._root, old, new) if pair.old in known and pair.new in notes]
        ours = [Pair(pair.old, pair.new, pair.by) for pair in report.renamed]
        for pair in git:
            kept, blank = known[pair.old] == notes[pair.new], self._is_blank(old, new, pair)
            tally.found += kept
            tally.blank += blank
            tally.found_blank += kept and blank
            if not kept:
                tally.differences.append(self._difference(old, new, "git", pair))
        tally.git += len(git)
        tally.ours += len(ours)
        agreed = {(pair.old, pair.new) for pair in git}
        for pair in ours:
            if (pair.old, pair.new) not in agreed and pair.old in known:
                tally.differences.append(self._difference(old, new, "ours", pair))

    def _difference(self, old: str, new: str, only: str, pair: Pair) -> Difference:
        sizes = len(self._text(old, pair.old)), len(self._text(new, pair.new))
        return Difference(new[:10], only, pair.by, pair.old, pair.new, *sizes)

    def _is_blank(self, old: str, new: str, pair: Pair) -> bool:
        return not self._text(new, pair.new).strip() and not self._text(old, pair.old).strip()

    def _text(self, commit: str, path: str) -> bytes:
        return _git(self._root, "cat-file", "blob", f"{commit}:{path}")


def renames(root: Path, old: str, new: str) -> Iterator[Pair]:
    """Yield git's renames of markdown files between two commits."""
    words = _git(
        root, "diff", "-M50%", "-l0", "--diff-filter=R", "--name-status", "-z", old, new, "--", "*.md"
    )
    fields = iter(words.decode(errors="surrogateescape").split("\0")[:-1])
    for score in fields:
        yield Pair(next(fields), next(fields), score)


def _git(folder: Path, *words: str) -> bytes:
    return subprocess.run(["git", "-C", folder, *words], check=True, capture_output=True).stdout


def main() -> None:
    """Replay and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--branch", default="HEAD")
    parser.add_argument("--every", type=int, default=1, help="check out only each N-th commit")
    parser.add_argument("--limit", type=int, help="end after so many steps")
    parser.add_argument("--check", type=int, default=0, help="compare with a new index every N steps")
    parser.add_argument("--pairs", type=Path, help="where to list what only git or only we found")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        replay = Replay(arguments.repository, Path(folder))
        started = time.perf_counter()
        replay.run(replay.commits(arguments.branch, arguments.every, arguments.limit), arguments.check)
        _print(replay.tally, time.perf_counter() - started)
    if arguments.pairs:
        lines = ["\t".join(map(str, difference)) for difference in replay.tally.differences]
        arguments.pairs.write_text(
            "\n".join(["\t".join(Difference._fields), *lines]) + "\n", encoding="utf-8"
        )
    if replay.tally.unequal:
        raise SystemExit(f"the index was not that of the vault at {', '.join(replay.tally.unequal)}")


def _print(tally: Tally, seconds: float) -> None:
    only = [difference.only for difference in tally.differences]
    print(f"{tally.steps:,} steps in {seconds:.0f} s; git found {tally.git:,} renames, we {tally.ours:,}")
    print(f"  recall                {_share(tally.found, tally.git)}   (budget: {RECALL})")
    text, found = tally.git - tally.blank, tally.found - tally.found_blank
    print(f"  without blank files   {_share(found, text)}")
    print(f"  only git found        {only.count('git'):,}")
    print(f"  only we found         {only.count('ours'):,}")
    print(f"  removals held         {tally.held:,} steps")
    longest = sorted(tally.seconds)
    print(
        f"  a sync                {median(longest):.3f} s, p95 {longest[int(0.95 * len(longest))]:.3f} s, "
        f"longest {longest[-1]:.3f} s",
        flush=True,
    )


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f} ({part:,} of {whole:,})" if whole else "- (of none)"


if __name__ == "__main__":
    main()
