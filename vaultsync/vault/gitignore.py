"""What a vault's `.gitignore` files ignore, read as git reads them; for where git itself does not answer."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from vaultsync.vault.ignore import BUILD_FOLDERS, composed, is_markdown

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path, PurePath

    from pathspec import GitIgnoreSpec

Layers = tuple[tuple[str, "GitIgnoreSpec"], ...]
"""The `.gitignore` files that speak for a folder, the nearest first, each with the folder it lies in."""


def ignored(root: Path, top: Path, only: Collection[str] | None = None) -> frozenset[str]:
    """Return the markdown files and, with `/` at their end, the folders below `root` that are ignored.

    `top`: the work tree's folder, `root` or one above it, whose `.gitignore` files count as well. `only`: paths below
    `root`; of the others nothing need be said. Costs a listing of every folder that may hold such (no stat); one that
    can't be listed is passed over.
    """
    start = _prefix(root.relative_to(top))
    ways = None if only is None else _ways(start, only)
    found: set[str] = set()
    pending = [(start, _layers_above(top, root))]
    while pending:
        folder, above = pending.pop()
        entries = _entries(top / folder)
        layers = _with_own(top, folder, above) if any(e.name == ".gitignore" for e in entries) else above
        for path in _paths(folder, entries):
            if _is_ignored(path, layers):
                found.add(path.removeprefix(start))
            elif path.endswith("/") and (ways is None or _is_on(ways, path)):
                pending.append((path, layers))
    return frozenset(found)


def _ways(start: str, only: Collection[str]) -> dict[str, bool]:
    """Return the folders that lead to some paths, as keys, each with whether it is itself one of the paths."""
    ways: dict[str, bool] = {}
    for path in only:
        parts = _key(f"{start}{path}").split("/")
        for end in range(1, len(parts) + 1):
            way = "/".join(parts[:end]) + "/"
            ways[way] = ways.get(way, False) or end == len(parts)
    return ways


def _is_on(ways: dict[str, bool], folder: str) -> bool:
    """Tell whether a folder leads to one of the paths, or lies below one."""
    key = _key(folder)
    return key in ways or any(ways.get(key[: end + 1], False) for end, sign in enumerate(key) if sign == "/")


def _key(path: str) -> str:
    """Return the form in which paths are compared: a watcher's spelling may be old (F1, F51)."""
    return composed(path).casefold()


def _layers_above(top: Path, root: Path) -> Layers:
    layers: Layers = ()
    for folder in reversed(root.relative_to(top).parents):
        layers = _with_own(top, _prefix(folder), layers)
    return layers


def _prefix(folder: PurePath) -> str:
    return "".join(f"{part}/" for part in folder.parts)


def _with_own(top: Path, folder: str, above: Layers) -> Layers:
    return ((folder, _read(top / folder / ".gitignore")), *above)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _paths(prefix: str, entries: list[os.DirEntry[str]]) -> list[str]:
    """Return the folders, with `/` at their end, and markdown files that may hold or be notes."""
    folders = [
        f"{prefix}{entry.name}/"
        for entry in entries
        if entry.is_dir(follow_symlinks=False) and entry.name[0] != "." and entry.name not in BUILD_FOLDERS
    ]
    return folders + [
        prefix + entry.name
        for entry in entries
        if is_markdown(entry.name) and entry.is_file(follow_symlinks=False)
    ]


def _is_ignored(path: str, layers: Layers) -> bool:
    """Tell what the nearest `.gitignore` that names the path says."""
    for folder, spec in layers:
        said = _said(spec, path.removeprefix(folder))
        if said is not None:
            return said
    return False


def _said(spec: GitIgnoreSpec, path: str) -> bool | None:
    """Return what the last pattern says that names the path itself.

    pathspec's own answer counts patterns that name a folder above it too; those had their say at that folder.
    """
    for pattern in reversed(spec.patterns):
        found = pattern.match_file(path) if pattern.include is not None else None
        if found is not None and _names(found.match, path):
            return pattern.include
    return None


def _names(found: re.Match[str], path: str) -> bool:
    """Tell if a pattern that matches a path names it, not only a folder above it (`a/`) or all below it (`a/**`)."""
    to_the_end = found.end() == len(path)
    if found.groupdict().get("ps_d") is not None:
        return to_the_end
    return not (to_the_end and path.endswith("/"))


def _read(path: Path) -> GitIgnoreSpec:
    """Read a `.gitignore`; a line that can't be read ignores nothing, and git follows no link here."""
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - 30 ms that a vault without the file need not pay

    text = ""
    with suppress(OSError):
        if path.is_file() and not path.is_symlink():
            text = path.read_bytes().decode("utf-8-sig", "surrogateescape")
    lines = (line.removesuffix("\r") for line in text.split("\n"))
    return GitIgnoreSpec.from_lines([line for line in lines if _is_readable(GitIgnoreSpec, line)])


def _is_readable(spec: type[GitIgnoreSpec], line: str) -> bool:
    try:
        spec.from_lines([line])
    except (ValueError, re.error):
        return False
    return True
