"""What can be wrong inside the database: each function yields what it finds, in words that name it."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.errors import IndexDamaged
from vaultsync.domain.notes import Fingerprint, LinkMatch, NotePath
from vaultsync.domain.scripts import unspaced
from vaultsync.domain.tiling import Stand
from vaultsync.store.edges import DueEdge
from vaultsync.store.names import names_of
from vaultsync.store.text_index import CHUNK_COLUMNS, NODE_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultsync.store.connection import Database, Reader
    from vaultsync.store.names import Names

_TEXT_INDEXES = {"nodes_fts": 1, "chunks_fts": 1}
_SPACED_INDEXES = {"nodes_spaced": 0, "chunks_spaced": 0}
"""1: FTS5 holds the index against its content too; the spaced ones have none."""

_COLUMNS = {"nodes": NODE_COLUMNS, "chunks": CHUNK_COLUMNS}


class ReadFile(NamedTuple):
    """A living note's file as it was read."""

    file_id: int
    path: NotePath
    fingerprint: Fingerprint
    content_hash: str
    encoding: str


class Settled(NamedTuple):
    """A link that is not due, and the node and match that are stored for it."""

    edge: DueEdge
    to_node_id: int | None
    match: LinkMatch | None


def damage(db: Database) -> Iterator[str]:
    """Yield what SQLite's integrity check says, but for the text indexes, which can be built again."""
    with db.rehearse() as whole:
        for (words,) in whole.rows("PRAGMA integrity_check"):
            if words != "ok" and "fts5" not in words.lower():
                yield words


def dangling(db: Reader) -> Iterator[str]:
    """Yield each row that refers to one that is not there."""
    for table, row_id, parent, _ in db.rows("PRAGMA foreign_key_check"):
        yield f"{table} {'' if row_id is None else row_id} refers to {parent} that are not there"


def text_faults(db: Database) -> Iterator[str]:
    """Yield the text indexes that do not hold exactly the text that may be found."""
    yield from _damaged(db, _TEXT_INDEXES)


def spaced_faults(db: Database) -> Iterator[str]:
    """Yield the indexes of text without blanks that are damaged, and each row too many or too few in them."""
    damaged = list(_damaged(db, _SPACED_INDEXES))
    yield from damaged
    if not damaged:
        yield from _misfiled(db.read(), "nodes")
        yield from _misfiled(db.read(), "chunks")


def _damaged(db: Database, indexes: dict[str, int]) -> Iterator[str]:
    for table, depth in indexes.items():
        try:
            with db.rehearse() as tx:
                tx.run(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', {depth})")
        except IndexDamaged:
            yield f"{table} is not what the text says"


def _misfiled(db: Reader, table: str) -> Iterator[str]:
    rows = db.rows(f"SELECT id, {_COLUMNS[table]} FROM {table}_searchable")
    wanted = {row_id for row_id, *texts in rows if any(map(unspaced, texts))}
    present = {row_id for (row_id,) in db.rows(f"SELECT rowid FROM {table}_spaced")}
    for row_id in sorted(wanted ^ present):
        yield f"{table}_spaced {'lacks' if row_id in wanted else 'has'} row {row_id}"


def strays(db: Reader) -> Iterator[str]:
    """Yield each note without a file, and each file that is neither a note's nor left out by its own wish."""
    for (uid,) in db.rows(
        """
        SELECT uid FROM nodes WHERE kind = 'note' AND deleted_at IS NULL
        AND id NOT IN (SELECT node_id FROM files WHERE node_id IS NOT NULL)
        """
    ):
        yield f"the note {uid} has no file"
    for (path,) in db.rows("SELECT path FROM files WHERE node_id IS NULL AND ignored = 0 ORDER BY path"):
        yield f"{path} belongs to no note"


def lost_chunks(db: Reader) -> Iterator[str]:
    """Yield each leaf that stands nowhere, and each that stands in another note's file."""
    for uid, path in db.rows(
        """
        SELECT c.uid, f.path FROM chunks c LEFT JOIN files f ON f.node_id = c.node_id
        WHERE c.kind = 'leaf'
        AND c.id NOT IN (SELECT r.chunk_id FROM raw_refs r JOIN files s ON s.id = r.file_id)
        """
    ):
        yield f"the chunk {uid} of {path} stands nowhere"
    for uid, path in db.rows(
        """
        SELECT c.uid, f.path
        FROM raw_refs r JOIN chunks c ON c.id = r.chunk_id JOIN files f ON f.id = r.file_id
        WHERE f.node_id IS NOT c.node_id
        """
    ):
        yield f"the chunk {uid} of another note stands in {path}"


def misnamed(db: Reader) -> Iterator[tuple[int, NotePath, Names]]:
    """Yield each living node (id, path) that links do not find by its names, and what these should be."""
    stored: defaultdict[int, set[tuple[str, bool]]] = defaultdict(set)
    for node_id, key, is_alias in db.rows("SELECT node_id, key, is_alias FROM names"):
        stored[node_id].add((key, bool(is_alias)))
    for node_id, path, aliases in db.rows("SELECT id, path, aliases FROM node ORDER BY path"):
        wanted = names_of(path, json.loads(aliases))
        if stored[node_id] != wanted:
            yield node_id, path, wanted


def due_links(db: Reader) -> Iterator[str]:
    """Yield each link of a living note that is yet to be resolved."""
    for path, target in db.rows(
        """
        SELECT n.path, e.target FROM edges e JOIN node n ON n.id = e.from_node_id
        WHERE e.due = 1 ORDER BY n.path, e.start
        """
    ):
        yield f"{path}: {target}"


def settled_links(db: Reader) -> Iterator[Settled]:
    """Yield every link of a living note that is not due; those with the same target key stand together."""
    for *edge, to_node_id, match in db.rows(
        """
        SELECT e.id, e.target, e.link, e.kind, f.path, e.from_node_id, e.to_node_id, e.match
        FROM edges e JOIN nodes n ON n.id = e.from_node_id JOIN files f ON f.node_id = n.id
        WHERE e.due = 0 AND n.deleted_at IS NULL ORDER BY e.target_hash, e.id
        """
    ):
        yield Settled(DueEdge.stored(edge), to_node_id, match)


def broken_links(db: Reader) -> Iterator[str]:
    """Yield each link whose target went away, and where the note stands now that it meant."""
    for path, target, new_path in db.rows(
        """
        SELECT n.path, e.target, t.path FROM edges e JOIN node n ON n.id = e.from_node_id
        LEFT JOIN node t ON t.id = e.last_node_id
        WHERE e.to_node_id IS NULL AND e.last_node_id IS NOT NULL ORDER BY n.path, e.start
        """
    ):
        yield f"{path}: {target} (now {new_path})" if new_path else f"{path}: {target} (gone)"


def read_files(db: Reader) -> list[ReadFile]:
    """Return the file of every living note that is not held, by path."""
    rows = db.rows(
        """
        SELECT f.id, f.path, f.size, f.mtime_ns, f.ctime_ns, f.inode, f.device,
               lower(hex(f.content_hash)), f.encoding
        FROM files f JOIN nodes n ON n.id = f.node_id
        WHERE n.deleted_at IS NULL AND n.kind = 'note' AND f.held IS NULL ORDER BY f.path
        """
    )
    return [ReadFile(row[0], row[1], Fingerprint(*row[2:7]), *row[7:]) for row in rows]


def stands(db: Reader, file_id: int) -> list[Stand]:
    """Return where the leaves of a file stand, in its order."""
    rows = db.rows(
        """
        SELECT r.start, r."end", c.text
        FROM files f JOIN chunks c ON c.node_id = f.node_id JOIN raw_refs r ON r.chunk_id = c.id
        WHERE f.id = ? AND r.file_id = f.id ORDER BY r.start, r."end"
        """,
        [file_id],
    )
    return [Stand._make(row) for row in rows]


def waiting(db: Reader) -> Iterator[str]:
    """Yield the work that failed and is not to be tried at once."""
    for stage, subject, words in db.rows(
        """
        SELECT stage, subject, last_error FROM attempts
        WHERE next_attempt_at IS NULL OR next_attempt_at > unixepoch() ORDER BY stage, subject
        """
    ):
        yield f"{stage} {subject}: {words}"
