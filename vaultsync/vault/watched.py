"""Which folders of a vault are watched, and which changes in them say something."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from vaultsync.domain.names import is_utf8
from vaultsync.domain.notes import NotePath
from vaultsync.vault.ignore import Rules, is_markdown
from vaultsync.vault.obsidian import ObsidianSettings

if TYPE_CHECKING:
    from collections.abc import Iterator

_SETTINGS = frozenset({
    ".obsidian/app.json", ".obsidian/daily-notes.json", ".obsidian/templates.json",
    ".vaultsync/config.toml", ".vaultsync/identities.tsv", ".vaultsync/tree.tsv",
})  # fmt: skip
"""Files that are no notes and yet change what is known; Obsidian rewrites others there all day."""

_STAND_FOR = {".obsidian": NotePath(".obsidian/app.json"), ".vaultsync": NotePath(".vaultsync/config.toml")}
"""Hidden folders that are looked into, and what a change of the folder itself is a change of."""

_IN_ANY_VAULT = Rules(ObsidianSettings(""))
"""Names only: what settings leave out, reconcile leaves out."""


def folders(root: str, state: str | None) -> frozenset[str]:
    """Return the folders below a real path that may hold notes, and the root, "". `state`: one that is left out.

    Links are not followed: what they lead to is outside, or is here already. One that can't be read can't be watched.
    Raises OSError where the system can't list them.
    """
    found = set()
    pending = [""]
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(f"{root}/{folder}") as entries:
                below = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            continue
        found.add(folder)
        paths = (f"{folder}/{name}" if folder else name for name in below)
        pending += [path for path in paths if is_folder_to_watch(path, state)]
    return frozenset(found)


def is_folder_to_watch(path: str, state: str | None) -> bool:
    """Tell whether a folder may hold something that says something, by its path and those above it."""
    if path == state or not is_utf8(path):
        return False
    return path in _STAND_FOR or all(
        _IN_ANY_VAULT.left_out(folder, is_dir=True) is None for folder in _upward(path)
    )


def telling(root: str, path: str, known: frozenset[str], state: str | None) -> NotePath | None:
    """Return what is to be looked at since something changed at this path, None if it says nothing.

    `known`: the folders that were there, as one that is gone looks like any file.
    """
    folder, _, name = path.rpartition("/")
    if path in _SETTINGS:
        return NotePath(path)
    if folder in _STAND_FOR or (folder and not is_folder_to_watch(folder, state)):
        return None
    if name == ".gitignore" or _may_be_note(path, name):
        return NotePath(path)
    if is_folder_to_watch(path, state) and (path in known or is_folder(f"{root}/{path}")):
        return meaning(path)
    return None


def meaning(folder: str) -> NotePath:
    """Return what is to be looked at when this folder changed."""
    return _STAND_FOR.get(folder, NotePath(folder))


def is_folder(place: str) -> bool:
    """Tell whether a folder, no link to one, is at this place."""
    try:
        return stat.S_ISDIR(os.lstat(place).st_mode)
    except OSError:
        return False


def _may_be_note(path: str, name: str) -> bool:
    return is_markdown(name) and _IN_ANY_VAULT.left_out(path, is_dir=False) is None


def _upward(path: str) -> Iterator[str]:
    """Yield a path and the folders above it."""
    while path:
        yield path
        path = path.rpartition("/")[0]
