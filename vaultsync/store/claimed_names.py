"""Which names notes bear and links mean, so that none of our own notes takes one; and which files are ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.names import target_key
from vaultsync.store.as_json import to_json
from vaultsync.store.edges import link_of
from vaultsync.store.names import key_hash

if TYPE_CHECKING:
    from collections.abc import Collection

    from vaultsync.domain.notes import NotePath
    from vaultsync.store.connection import Reader


class OurFile(NamedTuple):
    """A file that carries our mark. `short_id`: of its summary."""

    path: NotePath
    short_id: str


def borne(db: Reader, keys: Collection[str]) -> set[str]:
    """Return those of the keys that a living note has as file name or alias."""
    rows = db.rows(
        """
        SELECT n.key FROM json_each(?) k CROSS JOIN names n ON n.key = k.value JOIN nodes d ON d.id = n.node_id
        WHERE d.deleted_at IS NULL
        """,
        [to_json(list(keys))],
    )
    return {key for (key,) in rows}


def is_sought(db: Reader, key: str) -> bool:
    """Tell whether a link that finds nothing may mean a note of this name; a vanished note's may come back."""
    rows = db.rows(
        "SELECT target, link FROM edges WHERE target_hash = ? AND to_node_id IS NULL", [key_hash(key)]
    )
    return any(target_key(link_of(target, link)) == key for target, link in rows)


def our_files(db: Reader) -> list[OurFile]:
    """Return the files that carry our mark, wherever they lie, in the order of their paths."""
    rows = db.all("SELECT path, ours FROM files WHERE ours IS NOT NULL ORDER BY path")
    return [OurFile._make(row) for row in rows]
