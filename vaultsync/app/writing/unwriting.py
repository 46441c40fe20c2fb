"""Take out of a vault, and off this machine, what vaultsync put there; what a person wrote in it is left."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vaultsync.app.machines import own_files, writer
from vaultsync.app.notes.scope import find_scope
from vaultsync.config import CONFIG_PATH, VAULT_FOLDER
from vaultsync.domain.errors import StateError, UsageError, VaultError
from vaultsync.domain.notes import NotePath, Problem
from vaultsync.domain.summary_note import take_apart
from vaultsync.store import generated
from vaultsync.vault import files, git_folder
from vaultsync.vault.scanner import scan

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vaultsync.app.memory import Memory

_OWN_FILES = (
    CONFIG_PATH,
    f"{VAULT_FOLDER}/edges.tsv",
    f"{VAULT_FOLDER}/.gitattributes",
    own_files.LEDGER,
    own_files.TREE,
    own_files.ID,
)
"""The last says which vault it is, so it goes last."""

_OF_THE_STATE = ("index.db", "vault.json", "reads.", "requests", "daemon.json", "lock")
"""With these begin the names in a state folder; the lock goes last, as it keeps others out."""


@dataclass(slots=True)
class Removal:
    """What was taken out of the vault, and what is left there and why, in words.

    `has_failed`: some of it could not be removed now, which should be tried again.
    """

    removed: list[NotePath] = field(default_factory=list)
    left: list[tuple[NotePath, str]] = field(default_factory=list)
    has_failed: bool = False


def take_out(memory: Memory, *, everything: bool = False, dry_run: bool = False) -> Removal:
    """Remove the generated notes in which no word is a person's, with `everything` the files in `.vaultsync` too.

    Where another machine writes them they are left: they are what all machines of the vault share. Raises VaultError
    if git is in the middle of something, or the vault's word on its writer can't be read.
    """
    if git_folder.is_busy(memory.root):
        raise VaultError(f"git is in the middle of something in {memory.root}. Finish that, then try again.")
    role = writer.find_role(memory)
    removal = Removal()
    others = None if role.may_write else f"machine {role.writer} writes it; run `vaultsync remove` there"
    for path, theirs, content_hash in _candidates(memory, everything=everything):
        kept = theirs or others
        failure = None if kept or dry_run else _remove(memory, path, content_hash)
        removal.has_failed |= failure is not None
        if why := kept or failure:
            removal.left.append((path, why))
        else:
            removal.removed.append(path)
    if not (others or dry_run):
        _remove_empty(memory)
    return removal


def forget(state: Path) -> None:
    """Delete a memory, closed before, from this machine, and its folder if nothing else is in it.

    Raises StateError.
    """
    try:
        for start in _OF_THE_STATE:
            for path in sorted(state.glob(f"{start}*")):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        if not any(state.iterdir()):
            state.rmdir()
    except OSError as error:
        raise StateError(f"The state folder {state} can't be removed: {error.strerror}.") from error


def _candidates(memory: Memory, *, everything: bool) -> Iterator[tuple[NotePath, str | None, str]]:
    """Yield what may be removed: path, why it is to be left, content hash."""
    folder = NotePath(memory.settings.folder)
    for path in sorted(scan(memory.root, find_scope(memory).rules, only=[folder]).notes):
        try:
            raw = files.read(memory.root, path).raw
        except files.ReadFailure as failure:
            yield path, str(failure), ""
            continue
        parts = take_apart(raw)
        if isinstance(parts, Problem):
            yield path, parts.message, ""
        elif parts and parts.record.vault != memory.vault_id:
            yield path, "it is a generated note of another vault", ""
        elif parts:
            why = None if parts.is_ours_alone else "a person wrote in it"
            yield path, why, files.content_hash(raw)
    for own in _OWN_FILES if everything else ():
        if content_hash := own_files.find(memory.root, own).content_hash:
            yield NotePath(own), None, content_hash


def _remove_empty(memory: Memory) -> None:
    """Remove the folders that generated notes were in, those that a person deleted too, if nothing is in them."""
    for row in generated.standing(memory.db.read()):
        with suppress(OSError, UsageError):
            files.remove_empty(memory.root, (row.path or "").rpartition("/")[0], memory.settings.folder)


def _remove(memory: Memory, path: NotePath, content_hash: str) -> str | None:
    """Remove a file with these bytes, and folders of ours that are empty then; else return why it is left."""
    try:
        files.remove(memory.root, path, content_hash)
        top = VAULT_FOLDER if path in _OWN_FILES else memory.settings.folder
        files.remove_empty(memory.root, path.rpartition("/")[0], top)
    except files.WriteRefused as refusal:
        return str(refusal)
    except (OSError, UsageError) as error:
        return own_files.words(error)
    return None
