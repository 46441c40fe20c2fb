"""Notes whose files have other paths now, and notes that take other uids: nothing of their texts changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultsync.store import edges, names, paths, text_index, tombstones
from vaultsync.store.as_json import to_json
from vaultsync.store.files import touch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultsync.domain.claims import Relabel
    from vaultsync.domain.notes import NotePath, Role
    from vaultsync.domain.snapshot import Withheld
    from vaultsync.domain.survey import IndexedFile
    from vaultsync.store.connection import Writer
    from vaultsync.store.files import Touch


class MoveWrite(NamedTuple):
    """A note, living or a tombstone, whose file is elsewhere now.

    `touch`: what `stat` says of the file if its bytes are those that were read; None if they are still to be.
    `said`: title and event date as the new path says them; None where they stay.
    """

    file: IndexedFile
    path: NotePath
    role: Role
    withheld: Withheld | None
    touch: Touch | None
    said: tuple[str, str | None] | None


def move(tx: Writer, batch: Sequence[MoveWrite], now: int) -> None:
    """Give notes other paths, also each other's; of their texts nothing changes. Tombstones come back.

    Another's note in the way becomes a tombstone. Links from, to and around them are due afterwards.
    """
    paths.make_room(tx, {note.path: note.file.file_id for note in batch}, now)
    tx.many(
        "UPDATE files SET path = ?, role = ?, withheld = ?, held = NULL, ignored = 0, ours = NULL WHERE id = ?",
        [(note.path, note.role, note.withheld, note.file.file_id) for note in batch],
    )
    touch(tx, [note.touch for note in batch if note.touch])
    by_node = {note.file.node_id: note for note in batch if note.file.node_id}
    said = {node_id: note.said for node_id, note in by_node.items() if note.said}
    tx.many(
        "UPDATE nodes SET title = ?, event_date = ? WHERE id = ?",
        [(*title_and_date, node_id) for node_id, title_and_date in said.items()],
    )
    text_index.mend_nodes(tx, said)
    returned = tombstones.revive(tx, by_node)
    edges.mark_due(tx, names.rename_files(tx, {node_id: note.path for node_id, note in by_node.items()}))
    edges.mark_moved(tx, by_node)
    edges.mark_returned(tx, returned)


def relabel(tx: Writer, batch: Sequence[Relabel]) -> None:
    """Let notes have other uids; those that they had are never given again."""
    ids = [to_json([note.node_id for note in batch])]
    tx.run(
        "INSERT OR IGNORE INTO swept SELECT uid FROM nodes WHERE id IN (SELECT value FROM json_each(?))", ids
    )
    tx.many("DELETE FROM swept WHERE uid = ?", [(note.uid,) for note in batch])
    tx.many("UPDATE nodes SET uid = ? WHERE id = ?", [(note.uid, note.node_id) for note in batch])
