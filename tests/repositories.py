"""Real git repositories for tests: run git as a person would, with nobody's settings."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_WHO = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "init.defaultBranch=main")


def git(folder: Path, *words: str) -> str:
    """Run git in a folder and return what it printed; fails the test if git does."""
    ended = try_git(folder, *words)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


def try_git(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run git where it may fail."""
    return subprocess.run(["git", *_WHO, *words], cwd=folder, check=False, capture_output=True, text=True)


def commit_all(folder: Path, message: str = "more") -> str:
    """Commit all that there is, and return the commit."""
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", message)
    return git(folder, "rev-parse", "HEAD")
