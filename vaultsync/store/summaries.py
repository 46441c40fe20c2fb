"""Summaries with all that is known of them, and what their notes in the vault are to the store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from vaultsync.store import text_index
from vaultsync.store.as_json import to_json

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from vaultsync.domain.notes import NotePath, Uid
    from vaultsync.domain.tree import State
    from vaultsync.store.connection import Reader, Writer

Missing = Literal["absent", "deleted"]
"""Why a summary's note is not in the vault: it went with git, or a person deleted it."""


class SummaryRow(NamedTuple):
    """A summary. `inputs`: digest of what it was made from; `text_hash` in hex; `parent`: an ordinal of its tree.

    `path`: of its note in the vault, there or about to be; `written_hash`: content hash of the bytes that we last wrote
    or took over; `said`: hash of what the note was to say then, None where that is unknown. `fallback`: why the text is
    not the model's. `withdrawn`: it may quote what is to be seen no more.
    """

    uid: Uid
    tree_id: int
    tree_uid: Uid
    folder: str
    private: bool
    ordinal: int
    level: int
    shelf: str
    state: State
    parent: int | None
    title: str
    text: str
    text_hash: str
    inputs: str
    generator: str
    fallback: str | None
    pinned: bool
    withdrawn: bool
    path: NotePath | None
    written_hash: str | None
    missing: Missing | None
    said: str | None


_ROWS = """
    SELECT uid, tree_id, tree_uid, folder, private, ordinal, level, shelf, state, parent, title, text, text_hash,
           input_digest, generator, fallback, pinned, withdrawn, path, written_hash, missing, said
    FROM summary
"""


def of_tree(db: Reader, tree_id: int) -> list[SummaryRow]:
    """Return the summaries of a tree in the order of their ordinals."""
    return _rows(db, "WHERE tree_id = ? ORDER BY ordinal", [tree_id])


def every(db: Reader) -> list[SummaryRow]:
    """Return all summaries, by source, privacy and ordinal."""
    return _rows(db, "ORDER BY folder, private, ordinal", [])


def with_uids(db: Reader, uids: Collection[str]) -> dict[Uid, SummaryRow]:
    """Return those of these summaries that there are."""
    found = _rows(db, "WHERE uid IN (SELECT value FROM json_each(?))", [to_json(list(uids))])
    return {row.uid: row for row in found}


def members(db: Reader, uid: Uid) -> list[Uid]:
    """Return what is right under a summary, in order: living notes with a leaf that counts, or summaries."""
    rows = db.rows(
        """
        SELECT n.uid FROM chunks p JOIN chunks c ON c.parent_id = p.id JOIN nodes n ON n.id = c.node_id
        WHERE p.uid = ? AND n.deleted_at IS NULL AND c.status = 'admitted'
        GROUP BY n.id ORDER BY min(c.seq)
        """,
        [uid],
    )
    return [member for (member,) in rows]


def any_there(db: Reader, *, private: bool) -> bool:
    """Tell whether there is a summary in a tree of this privacy."""
    found = db.row(
        "SELECT 1 FROM summaries s JOIN trees t ON t.id = s.tree_id WHERE t.private = ?", [private]
    )
    return found is not None


def has_withdrawn(db: Reader, tree_id: int) -> bool:
    """Tell whether a summary of a tree may quote what is to be seen no more."""
    return db.row("SELECT 1 FROM summaries WHERE tree_id = ? AND withdrawn = 1", [tree_id]) is not None


def name(tx: Writer, titles: Mapping[Uid, str]) -> None:
    """Give summaries their titles."""
    rows = tx.all(
        "SELECT uid, id, title FROM nodes WHERE uid IN (SELECT value FROM json_each(?))",
        [to_json(list(titles))],
    )
    renamed = [(titles[uid], node_id) for uid, node_id, title in rows if title != titles[uid]]
    tx.many("UPDATE nodes SET title = ? WHERE id = ?", renamed)
    text_index.mend_nodes(tx, [node_id for _, node_id in renamed])


def stand(
    tx: Writer, uid: Uid, path: NotePath | None, written_hash: str | None, said: str | None = None
) -> None:
    """Note where a summary's note is, the hash of its bytes as they are, and what they are known to say.

    Then it is not missing. Another that was there is so no more.
    """
    tx.run(
        """
        UPDATE summaries SET path = NULL, written_hash = NULL
        WHERE path = ? AND chunk_id <> (SELECT id FROM chunks WHERE uid = ?)
        """,
        [path, uid],
    )
    _set(tx, uid, "path = ?, written_hash = ?, said = ?, missing = NULL", path, written_hash, said)


def miss(tx: Writer, uid: Uid, why: Missing | None) -> None:
    """Note why a summary's note is not in the vault."""
    _set(tx, uid, "missing = ?", why)


def pin(tx: Writer, uid: Uid, *, pinned: bool) -> None:
    """Note that a person wrote a summary's text, or let it be made again."""
    _set(tx, uid, "pinned = ?", pinned)
    if not pinned:
        _set(tx, uid, "input_digest = ?", "")


def outdate(tx: Writer, uids: Collection[Uid]) -> None:
    """Let summaries be made again, whatever they were made from."""
    for uid in uids:
        _set(tx, uid, "input_digest = ?", "")


def withdraw(tx: Writer, node_ids: Collection[int]) -> None:
    """Withhold, until they are remade, all summaries above notes that are not to be seen any more."""
    tx.run(
        """
        WITH RECURSIVE above (id) AS (
            SELECT parent_id FROM chunks WHERE node_id IN (SELECT value FROM json_each(?)) AND parent_id IS NOT NULL
            UNION
            SELECT c.parent_id FROM above a JOIN chunks c ON c.id = a.id WHERE c.parent_id IS NOT NULL)
        UPDATE summaries SET withdrawn = 1 WHERE chunk_id IN (SELECT id FROM above)
        """,
        [to_json(list(node_ids))],
    )


def release(tx: Writer, tree_id: int) -> None:
    """Withhold no longer what quotes nothing that it should not: all is made again but what a person wrote."""
    tx.run(
        """
        WITH RECURSIVE kept (id) AS (
            SELECT chunk_id FROM summaries WHERE tree_id = ?1 AND withdrawn = 1 AND pinned = 1
            UNION
            SELECT c.parent_id FROM kept k JOIN chunks c ON c.id = k.id WHERE c.parent_id IS NOT NULL)
        UPDATE summaries SET withdrawn = 0
        WHERE tree_id = ?1 AND withdrawn = 1 AND chunk_id NOT IN (SELECT id FROM kept)
        """,
        [tree_id],
    )


def _set(tx: Writer, uid: Uid, assignments: str, *values: object) -> None:
    tx.run(
        f"UPDATE summaries SET {assignments} WHERE chunk_id = (SELECT id FROM chunks WHERE uid = ?)",
        [*values, uid],
    )


def _rows(db: Reader, where: str, params: list[object]) -> list[SummaryRow]:
    return [_row(SummaryRow._make(row)) for row in db.all(_ROWS + where, params)]


def _row(row: SummaryRow) -> SummaryRow:
    return row._replace(private=bool(row.private), pinned=bool(row.pinned), withdrawn=bool(row.withdrawn))
