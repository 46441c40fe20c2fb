"""The leaves of notes: a changed note keeps the rows of the text that it kept, and of what its text became."""

from __future__ import annotations

from collections import Counter, defaultdict
from hashlib import blake2b
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.lineage import Piece, Place, trace
from vaultsync.domain.uids import chunk_uid
from vaultsync.store import places, text_index
from vaultsync.store.as_json import heading_json, to_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from vaultsync.domain.notes import Leaf, Uid
    from vaultsync.store.connection import Writer


class NoteLeaves(NamedTuple):
    """The leaves of a node, in the order in which they stand in its file."""

    node_id: int
    uid: Uid
    file_id: int
    leaves: Sequence[Leaf]


class _State(NamedTuple):
    """All that may change while a leaf keeps its uid; `text_hash` in hex, `headings` as JSON."""

    node_id: int
    chunk_idx: int
    searchable: bool
    tokens: int
    headings: str
    block_id: str | None
    text_hash: str
    text: str
    file_id: int
    start: int
    end: int


_REF = _State._fields.index("file_id")
"""From here on a state is a row of `raw_refs`."""


class _Placed(NamedTuple):
    """A leaf that a note has now: the `nth` of the note with this text, from 0."""

    note_uid: Uid
    nth: int
    state: _State


class _Stored(NamedTuple):
    """A leaf's row."""

    id: int
    state: _State


def write(tx: Writer, batch: Sequence[NoteLeaves]) -> None:
    """Let nodes, new or known, have these leaves and no others.

    A leaf that was there before (`domain.lineage` tells which) keeps its row, and with it the uid; if its text or
    headings changed it is to be extracted again. The place in the tree is the note's: all its leaves have it, new ones
    and those that come from another note too.
    """
    stored = _stored(tx, batch)
    held = places.of(tx, {place.note for place in stored})
    placed = {place: leaf for note in batch for place, leaf in _place(note)}
    kept = _trace(stored, placed) if stored else {}
    _delete(tx, [stored[place].id for place in stored.keys() - set(kept.values())])
    _settle(tx, [(stored[old].id, new.note) for new, old in kept.items() if new.note != old.note])
    pairs = [(stored[old], placed[new].state) for new, old in kept.items()]
    _update(tx, sorted((row.id, state) for row, state in pairs if row.state != state))
    _insert(tx, [leaf for place, leaf in placed.items() if place not in kept])
    places.give(tx, held)


def _place(note: NoteLeaves) -> Iterator[tuple[Place, _Placed]]:
    seen: Counter[str] = Counter()
    for at, leaf in enumerate(note.leaves):
        headings = heading_json(leaf.heading_path)
        said = (leaf.searchable, leaf.tokens, headings, leaf.block_id, leaf.text_hash, leaf.text)
        state = _State(note.node_id, at, *said, note.file_id, leaf.start, leaf.end)
        yield Place(note.node_id, at), _Placed(note.uid, seen[leaf.text_hash], state)
        seen[leaf.text_hash] += 1


def _stored(tx: Writer, batch: Sequence[NoteLeaves]) -> dict[Place, _Stored]:
    """Return the rows that nodes have now, in the order of their text."""
    rows = tx.rows(
        """
        SELECT c.id, c.node_id, c.chunk_idx, c.searchable, c.token_count, c.heading_path, c.block_id,
               lower(hex(c.text_hash)), c.text, r.file_id, r.start, r."end"
        FROM chunks c JOIN raw_refs r ON r.chunk_id = c.id
        WHERE c.node_id IN (SELECT value FROM json_each(?)) AND c.kind = 'leaf'
        ORDER BY c.node_id, c.chunk_idx
        """,
        [to_json([note.node_id for note in batch])],
    )
    found: dict[Place, _Stored] = {}
    seen: Counter[int] = Counter()
    for chunk_id, *columns in rows:
        state = _State(*columns)
        found[Place(state.node_id, seen[state.node_id])] = _Stored(chunk_id, state)
        seen[state.node_id] += 1
    return found


def _trace(stored: Mapping[Place, _Stored], placed: Mapping[Place, _Placed]) -> dict[Place, Place]:
    return trace(
        _pieces(row.state for row in stored.values()), _pieces(leaf.state for leaf in placed.values())
    )


def _pieces(states: Iterable[_State]) -> dict[int, list[Piece]]:
    pieces: defaultdict[int, list[Piece]] = defaultdict(list)
    for state in states:
        pieces[state.node_id].append(Piece(state.text_hash, state.headings, state.text))
    return pieces


def _delete(tx: Writer, ids: Iterable[int]) -> None:
    tx.many("DELETE FROM chunks WHERE id = ?", [(chunk_id,) for chunk_id in sorted(ids)])


def _insert(tx: Writer, new: Sequence[_Placed]) -> None:
    first = tx.next_id("chunks")
    ids = range(first, first + len(new))
    tx.many(
        """
        INSERT INTO chunks (id, uid, embedding_hash, node_id, chunk_idx, searchable, token_count, heading_path,
                            block_id, text_hash, text)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, unhex(?), ?)
        """,
        [
            (chunk_id, uid, _embedding_hash(leaf.state), *leaf.state[:_REF])
            for chunk_id, uid, leaf in zip(ids, _mint(tx, new), new, strict=True)
        ],
    )
    tx.many(
        'INSERT INTO raw_refs (chunk_id, file_id, start, "end") VALUES (?, ?, ?, ?)',
        [(chunk_id, *leaf.state[_REF:]) for chunk_id, leaf in zip(ids, new, strict=True)],
    )
    text_index.add_chunks(tx, ids)


def _mint(tx: Writer, new: Sequence[_Placed]) -> list[Uid]:
    """Return uids that no chunk has; one that was edited may have the uid of a text that is here again.

    The uids of deleted chunks are not remembered: text that comes back to its note has the uid that it had.
    """
    uids = [_uid(placed, 0) for placed in new]
    unsure = list(range(len(new)))
    for counter in count(1):
        taken = _taken(tx, [uids[at] for at in unsure])
        unsure = [at for at in unsure if uids[at] in taken]
        if not unsure:
            break
        for at in unsure:
            uids[at] = _uid(new[at], counter)
    return uids


def _uid(leaf: _Placed, counter: int) -> Uid:
    return chunk_uid(leaf.note_uid, leaf.state.text_hash, leaf.nth, counter)


def _taken(tx: Writer, uids: Sequence[Uid]) -> set[Uid]:
    rows = tx.rows("SELECT uid FROM chunks WHERE uid IN (SELECT value FROM json_each(?))", [to_json(uids)])
    return {uid for (uid,) in rows}


def _settle(tx: Writer, moved: Sequence[tuple[int, int]]) -> None:
    """Give chunks to other nodes; a place in the tree belongs to the note and stays behind."""
    tx.many(
        """
        UPDATE chunks
        SET node_id = ?2, tree_id = NULL, parent_id = NULL, seq = NULL, arrived_at = NULL, status = NULL
        WHERE id = ?1
        """,
        moved,
    )


def _update(tx: Writer, changed: Sequence[tuple[int, _State]]) -> None:
    """Write rows anew, in the order of their ids: at each step back FTS5 would write out what it gathered."""
    tx.many(
        """
        UPDATE chunks
        SET embedding_hash = ?2, node_id = ?3, chunk_idx = ?4, searchable = ?5, token_count = ?6,
            heading_path = ?7, block_id = ?8, text_hash = unhex(?9), text = ?10,
            status = iif(searchable = ?5 AND heading_path = ?7 AND text_hash = unhex(?9), status, NULL)
        WHERE id = ?1
        """,
        [(chunk_id, _embedding_hash(state), *state[:_REF]) for chunk_id, state in changed],
    )
    tx.many(
        'UPDATE raw_refs SET file_id = ?, start = ?, "end" = ? WHERE chunk_id = ?',
        [(*state[_REF:], chunk_id) for chunk_id, state in changed],
    )
    text_index.mend_chunks(tx, [chunk_id for chunk_id, _ in changed])


def _embedding_hash(leaf: _State) -> bytes:
    """Return what names the text that is embedded: BLAKE2b-128 of headings and text with LF."""
    text = leaf.text if "\r" not in leaf.text else leaf.text.replace("\r\n", "\n").replace("\r", "\n")
    return blake2b(f"{leaf.headings}\n{text}".encode(), digest_size=16).digest()
