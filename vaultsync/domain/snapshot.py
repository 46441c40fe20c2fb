"""What one look at a vault's folders found: the notes, and what is no note with the rule that says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from vaultsync.domain.notes import Fingerprint, NotePath, Role

Withheld = Literal["glob", "gitignored"]
"""Why a note is private because of its path: a glob of the setting `private`, or git ignores it."""

Rule = Literal[
    "dot-folder", "trash", "build-folder", "state-folder", "vault-inside", "excluded", "gitignored",
    "dot-file", "temp-file", "conflict-copy", "not-markdown", "canvas", "base",
    "symlink-outside", "symlink-inside", "special-file", "name-not-utf8",
]  # fmt: skip
"""Why a path is no note; the codes are stable, `status` counts by them."""


class DiskNote(NamedTuple):
    """A note file as the disk shows it, unread."""

    path: NotePath
    fingerprint: Fingerprint
    role: Role
    withheld: Withheld | None


class LeftOut(NamedTuple):
    """A path that is no note. A folder stands for all below it.

    `detail`: the path of a conflict copy's original, or of what a link inside the vault leads to.
    """

    path: str
    rule: Rule
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class DiskSnapshot:
    """One scan. `started_ns`: the wall clock just before it, nanoseconds since the epoch.

    `unreadable`: folders and files that could not be looked at; what was known of them and below them stands.
    `placeholders`: notes that a cloud keeps and has not downloaded; what was known of them stands.
    `complete`: the whole vault was asked for and every folder of it was read.
    """

    started_ns: int
    notes: dict[NotePath, DiskNote]
    left_out: tuple[LeftOut, ...]
    unreadable: tuple[str, ...]
    placeholders: frozenset[NotePath]
    complete: bool
