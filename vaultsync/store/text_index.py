"""The full-text indexes, kept equal to what the tables hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.domain.scripts import spaced
from vaultsync.store.as_json import to_json

if TYPE_CHECKING:
    from collections.abc import Collection

    from vaultsync.store.connection import Row, Writer

NODE_COLUMNS = "title, aliases, tags, description, property_text"
CHUNK_COLUMNS = "heading_path, text"

_SLICE = 5000
"""Rows whose texts are in memory at once while all are gone through."""


def add_nodes(tx: Writer, ids: range) -> None:
    """Index new living nodes."""
    _add(tx, "nodes", NODE_COLUMNS, ids)


def add_chunks(tx: Writer, ids: range) -> None:
    """Index new chunks of living nodes."""
    _add(tx, "chunks", CHUNK_COLUMNS, ids)


def mend_nodes(tx: Writer, ids: Collection[int]) -> None:
    """Bring to nodes that changed or returned what the triggers can't do: the spaced text."""
    _mend(tx, "nodes", NODE_COLUMNS, ids)


def mend_chunks(tx: Writer, ids: Collection[int]) -> None:
    """As `mend_nodes`, for chunks."""
    _mend(tx, "chunks", CHUNK_COLUMNS, ids)


def rebuild(tx: Writer) -> None:
    """Build the indexes again from the tables."""
    tx.run("INSERT INTO nodes_fts (nodes_fts) VALUES ('rebuild')")
    tx.run("INSERT INTO chunks_fts (chunks_fts) VALUES ('rebuild')")


def rebuild_spaced(tx: Writer) -> None:
    """Build the indexes of spaced text again from the tables."""
    for table, columns in (("nodes", NODE_COLUMNS), ("chunks", CHUNK_COLUMNS)):
        tx.run(f"INSERT INTO {table}_spaced ({table}_spaced) VALUES ('delete-all')")
        last = tx.value(f"SELECT max(id) FROM {table}_searchable") or 0
        for first in range(1, last + 1, _SLICE):
            slice_ = [first, first + _SLICE]
            rows = tx.rows(f"SELECT id, {columns} FROM {table}_searchable WHERE id >= ? AND id < ?", slice_)
            _space(tx, table, columns, list(rows))


def _add(tx: Writer, table: str, columns: str, ids: range) -> None:
    """One statement for all rows: a statement a row would let FTS5 flush at each."""
    span = [ids.start, ids.stop]
    where = "id >= ? AND id < ?"
    tx.run(
        f"INSERT INTO {table}_fts (rowid, {columns}) SELECT id, {columns} FROM {table}_searchable WHERE {where}",
        span,
    )
    rows = tx.rows(f"SELECT id, {columns} FROM {table}_searchable WHERE {where}", span)
    _space(tx, table, columns, list(rows))


def _mend(tx: Writer, table: str, columns: str, ids: Collection[int]) -> None:
    tx.many(f"DELETE FROM {table}_spaced WHERE rowid = ?", [(row_id,) for row_id in ids])
    rows = tx.rows(
        f"SELECT id, {columns} FROM {table}_searchable WHERE id IN (SELECT value FROM json_each(?))",
        [to_json(list(ids))],
    )
    _space(tx, table, columns, list(rows))


def _space(tx: Writer, table: str, columns: str, rows: list[Row]) -> None:
    """Index whole rows if one of their texts needs blanks, so that a query of both kinds is asked there alone."""
    marks = ", ".join("?" for _ in columns.split(","))
    spaced_rows = [(row, [spaced(text) for text in row[1:]]) for row in rows]
    tx.many(
        f"INSERT INTO {table}_spaced (rowid, {columns}) VALUES (?, {marks})",
        [
            (row[0], *(new or old for new, old in zip(texts, row[1:], strict=True)))
            for row, texts in spaced_rows
            if any(texts)
        ],
    )
