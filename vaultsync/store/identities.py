"""What identity asks of the store: the contents of notes without a file, and what the others bear."""

from __future__ import annotations

import json
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.store.as_json import to_json

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from vaultsync.domain.notes import NotePath, Uid
    from vaultsync.store.connection import Reader


class Contents(NamedTuple):
    """What is kept of a note's bytes; `metadata` is JSON, `texts` are its leaves in order."""

    node_id: int
    metadata: str
    property_text: str
    aliases: list[str]
    texts: list[str]


def contents(db: Reader, node_ids: Collection[int]) -> Iterator[Contents]:
    """Yield the contents of notes, living or not, one at a time."""
    rows = db.rows(
        """
        SELECT n.id, n.metadata, n.property_text, n.aliases, c.text
        FROM json_each(?) o JOIN nodes n ON n.id = o.value
        LEFT JOIN chunks c ON c.node_id = n.id AND c.kind = 'leaf'
        ORDER BY n.id, c.chunk_idx
        """,
        [to_json(sorted(node_ids))],
    )
    for said, leaves in groupby(rows, itemgetter(0, 1, 2, 3)):
        node_id, metadata, property_text, aliases = said
        texts = [text for *_, text in leaves if text is not None]
        yield Contents(node_id, metadata, property_text, json.loads(aliases), texts)


def blank(db: Reader, node_ids: Collection[int]) -> set[int]:
    """Return those of these notes that say nothing at all."""
    rows = db.rows(
        """
        SELECT n.id FROM json_each(?) o JOIN nodes n ON n.id = o.value
        WHERE n.metadata = '{}' AND n.property_text = '' AND NOT EXISTS (SELECT 1 FROM chunks c WHERE c.node_id = n.id)
        """,
        [to_json(list(node_ids))],
    )
    return {node_id for (node_id,) in rows}


def paths(db: Reader) -> dict[int, NotePath]:
    """Return where each living note stands, by its node."""
    return dict(
        db.all(
            "SELECT f.node_id, f.path FROM files f JOIN nodes n ON n.id = f.node_id WHERE n.deleted_at IS NULL"
        )
    )


def with_ids(db: Reader, *, buried: bool = False) -> Iterator[tuple[int, str]]:
    """Yield the frontmatter (JSON) of the living notes, or of the tombstones, that may hold an id in it."""
    yield from db.rows(
        f"""
        SELECT id, metadata FROM nodes
        WHERE deleted_at IS {"NOT NULL" if buried else "NULL"} AND (metadata LIKE '%"id"%' OR metadata LIKE '%uid"%')
        """
    )


def first_seen_at(db: Reader, moment: float) -> list[tuple[Uid, str]]:
    """Return the notes that the pass which began at that moment saw first, in seconds since 1970: uid, content hash."""
    last = db.value("SELECT id FROM nodes WHERE created_at < ? ORDER BY id DESC LIMIT 1", [moment])
    return db.all(
        """
        SELECT n.uid, lower(hex(f.content_hash)) FROM nodes n JOIN files f ON f.node_id = n.id WHERE n.id > ?
        """,
        [last or 0],
    )


def first_seen_near_a_loss(db: Reader, since: float) -> list[Uid]:
    """Return the notes first seen since a moment, in seconds since 1970, if others vanished since.

    Those of the first pass of all are none: nothing can have become one of them.
    """
    if db.value("SELECT 1 FROM nodes WHERE deleted_at >= ? LIMIT 1", [int(since)]) is None:
        return []
    first = db.value("SELECT created_at FROM nodes ORDER BY id LIMIT 1")
    last = db.value(
        "SELECT id FROM nodes WHERE created_at < ? OR created_at = ? ORDER BY id DESC LIMIT 1", [since, first]
    )
    return [uid for (uid,) in db.all("SELECT uid FROM nodes WHERE id > ? AND deleted_at IS NULL", [last])]


def frontmatter(db: Reader, node_ids: Collection[int]) -> dict[int, tuple[str, str]]:
    """Return notes' frontmatter and its values as written, both JSON, by node."""
    rows = db.rows(
        "SELECT id, metadata, written FROM nodes WHERE id IN (SELECT value FROM json_each(?))",
        [to_json(list(node_ids))],
    )
    return {node_id: (metadata, written) for node_id, metadata, written in rows}
