"""The vault's `tree.tsv` beside the store: what it says of the trees, and that it says what they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.app.machines import own_files, writer
from vaultsync.domain import tree_file
from vaultsync.domain.errors import VaultError
from vaultsync.domain.tree_file import Lines
from vaultsync.store import marks
from vaultsync.store.as_json import to_json

if TYPE_CHECKING:
    from vaultsync.app.memory import Memory
    from vaultsync.store.connection import Reader

__all__ = ["Lines", "are_followed", "followed", "put", "read"]

_FOLLOWED = "tree lines"
"""The mark of the lines on sources and ordinals that the trees follow."""


def read(memory: Memory) -> Lines:
    """Return what the file says. Raises VaultError if it is there and can't be read."""
    return tree_file.read(own_files.find(memory.root, own_files.TREE).text)


def put(memory: Memory, lines: Lines) -> bool:
    """Let the file say these lines; False if this is not the writer, or something else writes the file just now.

    In a vault without a writer this machine becomes it. Raises VaultError, and as `own_files.put`.
    """
    found = own_files.find(memory.root, own_files.TREE)
    text = tree_file.with_lines(found.text, lines)
    if text == found.text:
        return True
    role = writer.find_role(memory)
    if not role.may_write:
        return False
    if role.is_unclaimed:
        text = tree_file.with_writer(text, memory.machine)
    was_followed = are_followed(memory.db.read(), tree_file.read(found.text))
    written = own_files.put(memory, own_files.TREE, text, found)
    if written and was_followed:
        with memory.db.write() as tx:
            marks.put(tx, followed(lines))
    return written


def insist(memory: Memory, lines: Lines) -> None:
    """Let the file say these lines, for a person who waits for it. Raises VaultError if it can't be written now."""
    try:
        is_written = put(memory, lines)
    except OSError as error:
        raise VaultError(f"{memory.root / own_files.TREE} can't be written: {error.strerror}.") from error
    if not is_written:
        raise VaultError(f"{own_files.TREE} changes while it is written. Try again.")


def are_followed(db: Reader, lines: Lines) -> bool:
    """Tell whether the trees follow what the file says."""
    return (marks.find(db, _FOLLOWED) or _said(Lines())) == _said(lines)


def followed(lines: Lines) -> dict[str, str | None]:
    """Return what to leave in the marks once the trees follow the lines."""
    return {_FOLLOWED: _said(lines)}


def _said(lines: Lines) -> str:
    return to_json([sorted(lines.sources.items()), sorted(lines.ordinals.items())])
