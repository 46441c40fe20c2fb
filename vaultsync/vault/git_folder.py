"""What git's own files say at a glance: where HEAD is, and whether git is in the middle of something."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

_BUSY = (
    "index.lock", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_START",
    "rebase-merge", "rebase-apply", "sequencer",
)  # fmt: skip
"""What stands in git's folder during a merge, cherry-pick, revert, bisect, rebase, `am`, or a row of them."""

_TABLES = "reftable/tables.list"
"""Rewritten whenever a ref of a repository with reftables moves; the tables themselves are git's to read."""

_LINKS = 5
"""How many refs may stand for one another; git follows as many (SYMREF_MAXDEPTH)."""


class _Folders(NamedTuple):
    """Git's folder of this work tree, and the one that all work trees share."""

    own: Path
    common: Path


def work_tree(root: Path) -> Path | None:
    """Return the nearest folder upward that holds `.git`: where there is none, no process need be started."""
    return next((folder for folder in (root, *root.parents) if os.path.lexists(folder / ".git")), None)


def position(root: Path) -> str | None:
    """Return words that differ whenever HEAD, the index or the stash moved; None outside a work tree.

    `root` is a real path. Starts no process, takes 0.1 to 0.4 ms.
    """
    folders = _folders(root)
    if folders is None:
        return None
    head, stash = (_commit(folders, name) for name in ("HEAD", "refs/stash"))
    return f"{head} {_stamp(folders.own / 'index')} {stash} {_tables(folders)}"


def is_busy(root: Path) -> bool:
    """Tell whether git is in the middle of something, when nobody else should write. Starts no process."""
    folders = _folders(root)
    return folders is not None and any(os.path.lexists(folders.own / name) for name in _BUSY)


def upstream_stamp(root: Path) -> str | None:
    """Return words that differ whenever HEAD's upstream branch may be another or have moved; None outside git.

    A fetch leaves its mark, a push moves a remote's branch, a setting is in the config. Starts no process.
    """
    folders = _folders(root)
    if folders is None:
        return None
    head = _text(folders.own / "HEAD")
    branch = head.removeprefix("ref: refs/heads/")
    remotes = sorted((folders.common / "refs/remotes").glob("*"))
    files = (
        folders.own / "FETCH_HEAD",
        folders.common / "config",
        folders.common / "packed-refs",
        *(remote / branch for remote in remotes),
    )
    return " ".join([head, *map(_stamp, files), _tables(folders)])


def _folders(root: Path) -> _Folders | None:
    top = work_tree(root)
    if top is None:
        return None
    own = top / ".git"
    if own.is_file():  # of a second work tree or a submodule
        own = top / _text(own).removeprefix("gitdir: ")
    return _Folders(own, own / _text(own / "commondir"))


def _commit(folders: _Folders, name: str) -> str:
    """Return the commit that a ref leads to, "" if there is none."""
    for _ in range(_LINKS):
        found = _text(folders.own / name) or _text(folders.common / name)
        if not found.startswith("ref: "):
            return found or _packed(folders, name)
        name = found.removeprefix("ref: ")
    return ""


def _packed(folders: _Folders, name: str) -> str:
    try:
        packed = (folders.common / "packed-refs").read_bytes()
    except (OSError, ValueError):
        return ""
    before, found, _ = packed.partition(b" " + os.fsencode(name) + b"\n")
    return os.fsdecode(before.rpartition(b"\n")[2]) if found else ""


def _tables(folders: _Folders) -> str:
    return " ".join(_stamp(folder / _TABLES) for folder in sorted(set(folders)))


def _stamp(path: Path) -> str:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return "-"
    return f"{found.st_mtime_ns}:{found.st_size}:{found.st_ino}"


def _text(path: Path) -> str:
    """Return a small file's text, "" if there is none that can be read, as where a damaged file named it with NUL."""
    try:
        return os.fsdecode(path.read_bytes()).strip()
    except (OSError, ValueError):
        return ""
