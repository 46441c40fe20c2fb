"""The files in `.vaultsync` by which the machines of a vault agree: found, written, and given up."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.config import CONFIG_PATH, VAULT_FOLDER
from vaultsync.domain.errors import VaultError
from vaultsync.store import marks
from vaultsync.vault import files

if TYPE_CHECKING:
    from pathlib import Path

    from vaultsync.app.memory import Memory

ID = f"{VAULT_FOLDER}/id"
TREE = f"{VAULT_FOLDER}/tree.tsv"
LEDGER = f"{VAULT_FOLDER}/identities.tsv"

_ATTRIBUTES = f"{VAULT_FOLDER}/.gitattributes"
_BY_UNION = "*.tsv merge=union\n"
"""Both sides of a merge stay, without conflict markers: every line of these files stands for itself."""


class OwnFile(NamedTuple):
    """What a file says; `content_hash`: as vault.files expects it, "" if there is no file."""

    text: str
    content_hash: str


def find(root: Path, path: str) -> OwnFile:
    """Read one of our files. Raises VaultError if it is there and can't be read, or may be another behind a link."""
    if files.leads_through_link(root, path):
        raise VaultError(
            f"{path} leads through a link, so it is not read or written. Put the file itself there."
        )
    try:
        raw = files.read(root, path).raw
    except files.ReadFailure as error:
        if error.code == "vanished":
            return OwnFile("", "")
        raise VaultError(str(error)) from error
    return OwnFile(raw.decode("utf-8", "surrogateescape"), files.content_hash(raw))


def is_legible(root: Path, path: str) -> bool:
    """Tell whether `find` can read one of our files, or finds none."""
    try:
        find(root, path)
    except VaultError:
        return False
    return True


def is_anothers(memory: Memory, path: str) -> bool:
    """Tell whether a path is one of our tables, or a person's settings beside them, and not as we wrote it last."""
    if path not in {CONFIG_PATH, TREE, LEDGER}:
        return False
    try:
        return find(memory.root, path).content_hash != marks.find(memory.db.read(), _mark(path))
    except VaultError:
        return True


def create(root: Path, path: str, text: str) -> bool:
    """Write a new file, before a table what git is to know of it; False if there is one. Raises as `files.create`."""
    if path.endswith(".tsv"):
        create(root, _ATTRIBUTES, _BY_UNION)
    with suppress(files.WriteRefused):
        files.create(root, path, _encode(text))
        return True
    return False


def put(memory: Memory, path: str, text: str, found: OwnFile) -> bool:
    """Write a file in the place of what was found; False if something else is there by now.

    Raises OSError, UsageError as `files.create` and `files.replace`.
    """
    if not found.content_hash:
        written = create(memory.root, path, text)
    else:
        written = False
        with suppress(files.WriteRefused):
            files.replace(memory.root, path, _encode(text), found.content_hash)
            written = True
    if written:
        with memory.db.write() as tx:
            marks.put(tx, {_mark(path): files.content_hash(_encode(text))})
    return written


def folder_fault(root: Path, folder: str) -> str | None:
    """Return why no generated notes can be in their folder; None if they can, whether it is there or not."""
    if files.leads_through_link(root, folder):
        return f"{folder} leads through a link, so no generated notes are read or written there."
    place = root / folder
    for part in (place, *place.parents[: folder.count("/")]):
        if part.exists() and not part.is_dir():
            return f"{part.relative_to(root)} is no folder, so no generated notes are written there. Move it elsewhere."
    return None


def words(error: Exception) -> str:
    """Return what to say of a failure to write; the system's own words name a file that nobody knows."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def ours(memory: Memory, first_lines: str) -> dict[str, str]:
    """Return those of our files (path -> hash) whose bytes are what we wrote. `first_lines`: of a new `TREE`."""
    fixed = {ID: f"{memory.vault_id}\n", _ATTRIBUTES: _BY_UNION, TREE: first_lines}
    found = {path: find(memory.root, path).content_hash for path in (ID, TREE, LEDGER, _ATTRIBUTES)}
    return {
        path: has for path, has in found.items() if has and has in _written(memory, path, fixed.get(path))
    }


def give_up(memory: Memory, path: str, content_hash: str) -> None:
    """Remove one of our files if its bytes have this hash. Raises OSError."""
    with suppress(files.WriteRefused):
        files.remove(memory.root, path, content_hash)
    with memory.db.write() as tx:
        marks.put(tx, {_mark(path): None})


def _written(memory: Memory, path: str, fixed: str | None) -> set[str | None]:
    """Return the hashes of what we may have written there."""
    recorded = marks.find(memory.db.read(), _mark(path))
    return {recorded} if fixed is None else {recorded, files.content_hash(_encode(fixed))}


def _mark(path: str) -> str:
    return f"wrote {path}"


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
