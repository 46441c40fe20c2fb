"""The leaves of notes: a changed note keeps the rows of all text that it kept."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.uids import chunk_uid
from vaultsync.store import text_index
from vaultsync.store.as_json import heading_json, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultsync.domain.notes import Leaf, Uid
    from vaultsync.store.connection import Row, Writer


class NoteLeaves(NamedTuple):
    """The leaves of a node, in the order in which they stand in its file."""

    node_id: int
    uid: Uid
    file_id: int
    leaves: Sequence[Leaf]


class _Placed(NamedTuple):
    """A leaf with its place among the chunks of a node."""

    uid: Uid
    note: NoteLeaves
    chunk_idx: int
    leaf: Leaf


def add(tx: Writer, batch: Sequence[NoteLeaves]) -> None:
    """Write the leaves of nodes that have none yet."""
    _insert(tx, [placed for note in batch for placed in _place(note)])


def replace(tx: Writer, batch: Sequence[NoteLeaves]) -> None:
    """Let nodes have these leaves and no others.

    A leaf with the text of an old one (the n-th equal text of its note stays the n-th) keeps its row, and
    with it uid, vector and place in the tree; one whose headings changed is to be extracted again.
    """
    stored = _stored(tx, [note.node_id for note in batch])
    new: list[_Placed] = []
    changed: list[tuple[int, _Placed]] = []
    for note in batch:
        for placed in _place(note):
            row = stored.pop(placed.uid, None)
            if row is None:
                new.append(placed)
            elif row[1:] != _state(placed):
                changed.append((row[0], placed))
    tx.many("DELETE FROM chunks WHERE id = ?", [(row[0],) for row in stored.values()])
    _update(tx, changed)
    _insert(tx, new)


def _place(note: NoteLeaves) -> Iterator[_Placed]:
    seen: Counter[str] = Counter()
    for chunk_idx, leaf in enumerate(note.leaves):
        yield _Placed(chunk_uid(note.uid, leaf.text_hash, seen[leaf.text_hash]), note, chunk_idx, leaf)
        seen[leaf.text_hash] += 1


def _stored(tx: Writer, node_ids: Sequence[int]) -> dict[Uid, Row]:
    """Return the rows that notes have now, (id, then the state), by uid."""
    rows = tx.rows(
        """
        SELECT c.uid, c.id, c.node_id, c.chunk_idx, c.searchable, c.token_count, c.heading_path, c.block_id,
               c.text, r.file_id, r.start, r."end"
        FROM chunks c JOIN raw_refs r ON r.chunk_id = c.id
        WHERE c.node_id IN (SELECT value FROM json_each(?)) AND c.kind = 'leaf'
        """,
        [to_json(list(node_ids))],
    )
    return {uid: tuple(row) for uid, *row in rows}


def _state(placed: _Placed) -> Row:
    """Return all that may change while a leaf keeps its uid, as `_stored` selects it."""
    _, note, chunk_idx, leaf = placed
    headings = heading_json(leaf.heading_path)
    columns = (note.node_id, chunk_idx, leaf.searchable, leaf.tokens, headings, leaf.block_id, leaf.text)
    return (*columns, note.file_id, leaf.start, leaf.end)


def _insert(tx: Writer, new: Sequence[_Placed]) -> None:
    first = tx.next_id("chunks")
    ids = range(first, first + len(new))
    tx.many(
        """
        INSERT INTO chunks (id, uid, text_hash, embedding_hash, node_id, chunk_idx, searchable, token_count,
                            heading_path, block_id, text)
        VALUES (?, ?, unhex(?), ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
            (chunk_id, placed.uid, placed.leaf.text_hash, _embedding_hash(placed.leaf), *_state(placed)[:-3])
            for chunk_id, placed in zip(ids, new, strict=True)
        ],
    )
    tx.many(
        'INSERT INTO raw_refs (chunk_id, file_id, start, "end") VALUES (?, ?, ?, ?)',
        [
            (chunk_id, placed.note.file_id, placed.leaf.start, placed.leaf.end)
            for chunk_id, placed in zip(ids, new, strict=True)
        ],
    )
    text_index.add_chunks(tx, ids)


def _update(tx: Writer, changed: Sequence[tuple[int, _Placed]]) -> None:
    tx.many(
        """
        UPDATE chunks
        SET embedding_hash = ?2, node_id = ?3, chunk_idx = ?4, searchable = ?5, token_count = ?6,
            status = iif(heading_path = ?7, status, NULL), heading_path = ?7, block_id = ?8,
            text = ?9
        WHERE id = ?1
        """,
        [(chunk_id, _embedding_hash(placed.leaf), *_state(placed)[:-3]) for chunk_id, placed in changed],
    )
    tx.many(
        'UPDATE raw_refs SET file_id = ?, start = ?, "end" = ? WHERE chunk_id = ?',
        [(*_state(placed)[-3:], chunk_id) for chunk_id, placed in changed],
    )
    text_index.mend_chunks(tx, [chunk_id for chunk_id, _ in changed])


def _embedding_hash(leaf: Leaf) -> bytes:
    """Return what names the text that is embedded: BLAKE2b-128 of headings and text with LF."""
    text = leaf.text if "\r" not in leaf.text else leaf.text.replace("\r\n", "\n").replace("\r", "\n")
    return blake2b(f"{heading_json(leaf.heading_path)}\n{text}".encode(), digest_size=16).digest()
