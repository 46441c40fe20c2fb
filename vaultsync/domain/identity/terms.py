"""The two sides that are matched, and what comes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from vaultsync.domain.identity.traits import Traits
    from vaultsync.domain.notes import NotePath

Evidence = Literal["frontmatter-id", "inode", "hash", "name", "similarity", "lone", "ledger"]
"""What says that a note is the same; codes are stable. `lone`: the only note that vanished, the only that appeared."""


class Inode(NamedTuple):
    """What the file system says of a file. A rename leaves `mtime_ns`; inodes of deleted files are used again."""

    device: int
    number: int
    mtime_ns: int


class Gone(NamedTuple):
    """A note without a file: it vanished from `path`, now or, if it is a tombstone, some time ago."""

    node_id: int
    path: NotePath
    content_hash: str
    inode: Inode | None
    is_blank: bool
    traits: Traits | None


class Come(NamedTuple):
    """A file that no note claims."""

    path: NotePath
    content_hash: str
    inode: Inode | None
    traits: Traits | None


class Pair(NamedTuple):
    """The note `node_id` is the file at `path` from now on."""

    node_id: int
    path: NotePath
    by: Evidence


class Rewritten(NamedTuple):
    """A path that stands, with the bytes of the last scan and those of now."""

    path: NotePath
    old_hash: str
    new_hash: str


class Young(NamedTuple):
    """A note first seen less than an hour ago."""

    node_id: int
    path: NotePath
    content_hash: str
