"""One look at a vault's folders: every note's fingerprint, and what is no note; no note is opened."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from vaultsync.domain.errors import VaultError
from vaultsync.domain.names import is_utf8
from vaultsync.domain.notes import NotePath
from vaultsync.domain.snapshot import DiskNote, DiskSnapshot, LeftOut
from vaultsync.domain.surroundings import refusal_words
from vaultsync.vault import git
from vaultsync.vault.fingerprints import fingerprint, is_dataless
from vaultsync.vault.ignore import composed, is_markdown, is_plain_note

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vaultsync.domain.snapshot import Rule
    from vaultsync.vault.ignore import Rules

_KNOWS_CLOUDS = hasattr(os.stat_result, "st_flags")

Wanted = dict[str, "Wanted"]
"""Path parts, as `_key` spells them, to what is wanted below; the part "" stands for all that is below."""


def scan(
    root: Path,
    rules: Rules,
    *,
    only: Sequence[NotePath] | None = None,
    step: Callable[[], None] = lambda: None,
) -> DiskSnapshot:
    """Look at the whole vault, or at `only`: notes or folders, there or not, in any normal form and case.

    Links are never followed: what they lead to inside the vault is a note already. Raises VaultError if the
    root can't be listed; a folder below it that can't be is reported as unreadable. `step`: called before each folder.
    """
    started_ns = time.time_ns()
    walk = _Walk(os.path.realpath(root), rules)
    pending: list[tuple[str, Wanted | None]] = [("", None if only is None else _below(_wanted(only)))]
    while pending:
        step()
        pending += walk.look_into(*pending.pop())
    return DiskSnapshot(
        started_ns=started_ns,
        notes=walk.notes,
        left_out=tuple(walk.left_out),
        unreadable=tuple(walk.unreadable),
        placeholders=frozenset(walk.placeholders - walk.notes.keys()),
        complete=only is None and not walk.unreadable,
    )


def explain(root: Path, rules: Rules, path: str) -> Rule | None:
    """Return the rule that leaves out the file or folder at this path, or a folder above it; else None."""
    wanted = _path_key(path)
    for entry in scan(root, rules, only=[NotePath(path)]).left_out:
        if f"{wanted}/".startswith(f"{_path_key(entry.path)}/"):
            return entry.rule
    return None


class _Walk:
    """What the folders looked into so far have shown."""

    def __init__(self, root: str, rules: Rules) -> None:
        self.root = root
        self.rules = rules
        self.notes: dict[NotePath, DiskNote] = {}
        self.left_out: list[LeftOut] = []
        self.unreadable: list[str] = []
        self.placeholders: set[NotePath] = set()

    def look_into(self, folder: str, wanted: Wanted | None) -> list[tuple[str, Wanted | None]]:
        """Take up what the folder holds and return the folders in it that are to be looked into."""
        entries = self._listing(folder)
        names = {entry.name for entry in entries}
        if folder and (left_out := self.rules.left_out_inside(folder, names)):
            self.left_out.append(left_out)
            return []
        if folder and ".git" in names:  # the vault's own git says nothing of what lies in another's work tree
            self.rules.ignore_inside(folder, git.ignored(Path(self.root, folder)))
        prefix = f"{folder}/" if folder else ""
        below = []
        for entry, inside in _chosen(entries, wanted):
            path = prefix + entry.name
            try:
                if self._is_plain_note(entry, path):
                    self._take(path, entry.stat(follow_symlinks=False))
                elif self._is_folder_to_read(entry, path, names):
                    below.append((path, inside))
            except FileNotFoundError:
                continue  # gone since the listing, so no note
            except OSError:
                self.unreadable.append(path)
        return below

    def _listing(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(f"{self.root}/{folder}") as entries:
                return list(entries)
        except OSError as error:
            if not folder:
                raise VaultError(refusal_words(f"The vault {self.root}", error, sys.platform)) from error
            if not isinstance(error, FileNotFoundError | NotADirectoryError):
                self.unreadable.append(folder)
            return []

    def _is_plain_note(self, entry: os.DirEntry[str], path: str) -> bool:
        """Tell quickly that an entry is a note, as nearly all are; False says nothing."""
        name = entry.name
        return (
            is_plain_note(name)
            and entry.is_file(follow_symlinks=False)
            and (name.isascii() or is_utf8(name))
            and not self.rules.left_out_by_setting(path)
        )

    def _is_folder_to_read(self, entry: os.DirEntry[str], path: str, beside: set[str]) -> bool:
        """Take up one entry, unless it is a folder that is to be looked into."""
        is_link = entry.is_symlink()
        is_dir = _is_folder(entry.path) if is_link else entry.is_dir(follow_symlinks=False)
        if not is_utf8(entry.name):
            self.left_out.append(LeftOut(_legible(path), "name-not-utf8"))
        elif left_out := self.rules.left_out(path, is_dir=is_dir, beside=beside):
            self._leave_out(left_out, entry.name)
        elif is_link:
            self.left_out.append(self._link(path))
        elif is_dir:
            return True
        elif entry.is_file(follow_symlinks=False):
            self._take(path, entry.stat(follow_symlinks=False))
        else:
            self.left_out.append(LeftOut(path, "special-file"))
        return False

    def _take(self, name: str, status: os.stat_result) -> None:
        path = NotePath(name)
        if _KNOWS_CLOUDS and is_dataless(status):
            self.placeholders.add(path)
            return
        self.notes[path] = DiskNote(
            path, fingerprint(status), self.rules.role(path), self.rules.withheld(path)
        )

    def _leave_out(self, left_out: LeftOut, name: str) -> None:
        """Take up what is no note; iCloud's `.Name.md.icloud` is none, but stands for one."""
        awaited = NotePath(left_out.path.removesuffix(name) + _note_name(name))
        if (
            is_markdown(awaited)
            and _note_name(name) != name
            and not self.rules.left_out(awaited, is_dir=False)
        ):
            self.placeholders.add(awaited)
        else:
            self.left_out.append(left_out)

    def _link(self, path: str) -> LeftOut:
        target = os.path.realpath(f"{self.root}/{path}")
        if target.startswith(f"{self.root.rstrip('/')}/"):
            return LeftOut(path, "symlink-inside", os.path.relpath(target, self.root))
        return LeftOut(path, "symlink-outside")


def _wanted(paths: Sequence[NotePath]) -> Wanted:
    top: Wanted = {}
    for path in paths:
        at = top
        for part in path.split("/"):
            at = at.setdefault(_key(part), {})
        at[""] = {}
    return top


def _chosen(
    entries: list[os.DirEntry[str]], wanted: Wanted | None
) -> list[tuple[os.DirEntry[str], Wanted | None]]:
    """Return the entries that are wanted, each with what is wanted below it."""
    if wanted is None:
        return [(entry, None) for entry in entries]
    return [(entry, _below(wanted[part])) for entry in entries if (part := _key(entry.name)) in wanted]


def _below(wanted: Wanted) -> Wanted | None:
    return None if "" in wanted else wanted


def _key(name: str) -> str:
    """Return the form in which names are compared with `only`: a watcher's spelling may be old (F1, F51)."""
    return composed(_note_name(name)).casefold()


def _path_key(path: str) -> str:
    return "/".join(map(_key, path.split("/")))


def _note_name(name: str) -> str:
    """Return `Name.md` for iCloud's `.Name.md.icloud`, any other name as it is."""
    is_placeholder = name.startswith(".") and name.endswith(".icloud")
    return name[1:].removesuffix(".icloud") if is_placeholder else name


def _is_folder(link: str) -> bool:
    return os.path.isdir(link)  # noqa: PTH112 - Path.is_dir raises where a link leads to a forbidden place


def _legible(path: str) -> str:
    return os.fsencode(path).decode(errors="replace")
