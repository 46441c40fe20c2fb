"""Notes written straight into a database, for tests that need no vault."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from vaultsync.domain.notes import Fingerprint, Leaf, NotePath, Reading, Role
from vaultsync.domain.uids import note_uid
from vaultsync.store import nodes
from vaultsync.store.connection import Database

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def _leaves(texts: Sequence[str], headings: Sequence[str]) -> tuple[Leaf, ...]:
    leaves = []
    start = 0
    for text in texts:
        end = start + len(text.encode("utf-8", "replace"))
        text_hash = blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()
        leaves.append(Leaf(start, end, tuple(headings), None, len(text) // 4, text, text_hash))
        start = end + 1
    return tuple(leaves)


def write_of(
    path: str,
    *texts: str,
    title: str | None = None,
    aliases: Sequence[str] = (),
    tags: Sequence[str] = (),
    description: str = "",
    headings: Sequence[str] = (),
    properties: str = "",
    event_date: str | None = None,
    changed: int = 1_700_000_000,
    role: Role = "note",
    private: bool = False,
) -> nodes.NoteWrite:
    """Return a new note as it would be read: a leaf a text. `changed`: its mtime, seconds since 1970."""
    reading = Reading(
        title=title if title is not None else path.rpartition("/")[2].removesuffix(".md"),
        description=description,
        aliases=tuple(aliases),
        tags=tuple(tags),
        metadata="{}",
        written="{}",
        property_text=properties,
        event_date=event_date,
        private=private,
        ignored=False,
        encoding="utf-8",
        content_hash="0" * 32,
        problems=(),
        headings=(),
        block_ids=(),
        leaves=_leaves(texts, headings),
        links=(),
    )
    return nodes.NoteWrite(
        file=None,
        path=NotePath(path),
        fingerprint=Fingerprint(1, changed * 10**9, 1, 1, 1),
        racy=False,
        role=role,
        withheld=None,
        uid=note_uid("test", NotePath(path)),
        profile="test",
        reading=reading,
    )


def fill(folder: Path, writes: Sequence[nodes.NoteWrite]) -> Database:
    """Return a database in `folder` that holds these notes."""
    database = Database.open(folder / "index.db", write=True)
    with database.write() as tx:
        nodes.write_notes(tx, writes, 1_700_000_000)
    return database
