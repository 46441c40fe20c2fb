"""Figures of the whole index, and the lists of what a person should look at."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.notes import NotePath, Problem

if TYPE_CHECKING:
    from vaultsync.store.connection import Reader


class Counts(NamedTuple):
    """How much is known; `silent`: notes of which no text is searchable (blank or frontmatter only).

    `generated`: the notes in the vault that are ours; `ignored`: those that ask to be left out.
    """

    notes: int
    chunks: int
    links: int
    unresolved: int
    due: int
    private: int
    tombstones: int
    ignored: int
    generated: int
    silent: int
    text_bytes: int


def count_all(db: Reader) -> Counts:
    """Count everything in one look."""
    row = db.row(
        """
        SELECT
            (SELECT count(*) FROM node WHERE kind = 'note'),
            (SELECT count(*) FROM node n JOIN chunks c ON c.node_id = n.id),
            (SELECT count(*) FROM node n JOIN edges e ON e.from_node_id = n.id),
            (SELECT count(*) FROM node n JOIN edges e ON e.from_node_id = n.id
             WHERE e.to_node_id IS NULL AND e.target_hash IS NOT NULL),
            (SELECT count(*) FROM node n JOIN edges e ON e.from_node_id = n.id WHERE e.due = 1),
            (SELECT count(*) FROM node WHERE private),
            (SELECT count(*) FROM nodes WHERE deleted_at IS NOT NULL),
            (SELECT count(*) FROM files WHERE ignored = 1 AND ours IS NULL),
            (SELECT count(*) FROM files WHERE ours IS NOT NULL),
            (SELECT count(*) FROM node WHERE chunk_status = 'empty'),
            (SELECT coalesce(sum(f.size), 0) FROM node n JOIN files f ON f.id = n.file_id)
        """
    )
    assert row is not None  # noqa: S101 - a query of counts always has one row
    return Counts._make(row)


def problems(db: Reader) -> list[tuple[NotePath, Problem]]:
    """Return the problems of living notes and of generated ones, by path and then in the note's order.

    Those of templates are left to `show`: their frontmatter is not meant to be YAML before it is filled in.
    """
    return [
        (path, Problem(*problem))
        for path, stored in db.rows(
            """
            SELECT path, problems FROM node WHERE problems <> '[]' AND role <> 'template'
            UNION ALL
            SELECT path, problems FROM files WHERE problems <> '[]' AND ours IS NOT NULL
            ORDER BY path
            """
        )
        for problem in json.loads(stored)
    ]


def held(db: Reader) -> list[tuple[NotePath, str]]:
    """Return the notes that are held back on purpose, each with the code that says why."""
    return [
        (path, code)
        for path, code in db.rows("SELECT path, held FROM node WHERE held IS NOT NULL ORDER BY path")
    ]
