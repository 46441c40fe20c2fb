"""A folder of ours goes when nothing is in it any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from vaultsync.domain.errors import UsageError
from vaultsync.vault import files

if TYPE_CHECKING:
    from pathlib import Path


def test_empty_folders_go_up_to_the_top_one(tmp_path: Path) -> None:
    """That one too, and nothing above it."""
    (tmp_path / "Mine/_summaries/a/b").mkdir(parents=True)
    files.remove_empty(tmp_path, "Mine/_summaries/a/b", "Mine/_summaries")
    assert [path.name for path in tmp_path.rglob("*")] == ["Mine"]


def test_a_folder_that_holds_something_stays(tmp_path: Path) -> None:
    """And so do all above it; what lies elsewhere is no concern of ours."""
    (tmp_path / "_summaries/a/b").mkdir(parents=True)
    (tmp_path / "_summaries/a/mine.txt").touch()
    (tmp_path / "_summaries-of-mine").mkdir()
    files.remove_empty(tmp_path, "_summaries/a/b", "_summaries")
    files.remove_empty(tmp_path, "_summaries-of-mine", "_summaries")
    found = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*"))
    assert found == ["_summaries", "_summaries-of-mine", "_summaries/a", "_summaries/a/mine.txt"]


def test_no_folder_behind_a_link_is_removed(tmp_path: Path) -> None:
    """It may be another's."""
    (tmp_path / "theirs").mkdir()
    (tmp_path / "Vault").mkdir()
    (tmp_path / "Vault/_summaries").symlink_to(tmp_path / "theirs")
    with pytest.raises(UsageError):
        files.remove_empty(tmp_path / "Vault", "_summaries", "_summaries")
    assert (tmp_path / "theirs").is_dir()
