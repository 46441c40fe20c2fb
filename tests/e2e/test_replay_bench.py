"""The replay of a history says of each rename of git's whether the uid was kept."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from invented_notes import words
from small_vaults import fill_vault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

REPLAY = Path(__file__).resolve().parents[2] / "bench" / "replay.py"


def commit(root: Path) -> None:
    for arguments in (["add", "-A"], ["commit", "-q", "-m", "as it is"]):
        subprocess.run(["git", "-C", root, *arguments], check=True)


def test_a_replay_counts_kept_and_lost_renames(
    vault: Callable[[Mapping[str, str]], Path], tmp_path: Path
) -> None:
    """A note renamed with an edit is found; of two blank ones git makes a pair that nobody else sees."""
    text = words(1, 60)
    root = vault({"Alpha.md": text, "Blank.md": "", "Gamma.md": words(3, 60)})
    subprocess.run(["git", "init", "-q", root], check=True)
    commit(root)
    for name in ("Alpha.md", "Blank.md"):
        (root / name).unlink()
    fill_vault(root, {"Beta.md": f"{text}\n\nAnd a line.", "Another.md": ""})
    commit(root)
    pairs = tmp_path / "pairs.tsv"
    ended = subprocess.run(
        [sys.executable, REPLAY, root, "--pairs", pairs, "--check", "1"], capture_output=True, check=True
    )
    assert b"recall                0.500 (1 of 2)" in ended.stdout
    assert b"without blank files   1.000 (1 of 1)" in ended.stdout
    only = [line.split("\t") for line in pairs.read_text().splitlines()[1:]]
    assert [line[1:5] for line in only] == [["git", "R100", "Blank.md", "Another.md"]]
