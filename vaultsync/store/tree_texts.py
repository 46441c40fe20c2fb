"""What a summary is made from: the texts of notes, and of the summaries below it."""

from __future__ import annotations

import json
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.store.as_json import to_json

if TYPE_CHECKING:
    from collections.abc import Collection

    from vaultsync.domain.notes import Uid
    from vaultsync.store.connection import Reader


class NoteTexts(NamedTuple):
    """A note's admitted leaves in order. `headings`: its headings as written; `hashes`: in hex, one a text.

    `tokens`: of all texts.
    """

    uid: Uid
    title: str
    headings: tuple[str, ...]
    texts: tuple[str, ...]
    hashes: tuple[str, ...]
    tokens: int


class SummaryText(NamedTuple):
    """A summary's text, its hash in hex, and its length in tokens."""

    ordinal: int
    shelf: str
    text: str
    text_hash: str
    tokens: int


def of_notes(db: Reader, tree_id: int, uids: Collection[str]) -> dict[str, NoteTexts]:
    """Return what the living notes (uids) have in a tree.

    The + keeps SQLite from going through the whole tree instead of these notes.
    """
    rows = db.all(
        """
        SELECT n.uid, n.title, f.headings, c.text, lower(hex(c.text_hash)), c.token_count
        FROM json_each(?1) o JOIN nodes n ON n.uid = o.value JOIN files f ON f.node_id = n.id
        JOIN chunks c ON c.node_id = n.id
        WHERE +c.tree_id = ?2 AND c.kind = 'leaf' AND c.status = 'admitted' AND n.deleted_at IS NULL
        ORDER BY n.uid, c.seq, c.chunk_idx
        """,
        [to_json(list(uids)), tree_id],
    )
    found = {}
    for uid, group in groupby(rows, key=itemgetter(0)):
        leaves = list(group)
        title, headings = leaves[0][1:3]
        texts, hashes, tokens = zip(*(leaf[3:] for leaf in leaves), strict=True)
        found[uid] = NoteTexts(uid, title, _texts(headings), texts, hashes, sum(tokens))
    return found


def of_summaries(db: Reader, tree_id: int, ordinals: Collection[int]) -> dict[int, SummaryText]:
    """Return the texts of these summaries of a tree, by ordinal."""
    rows = db.rows(
        """
        SELECT ordinal, shelf, text, text_hash, token_count FROM summary
        WHERE tree_id = ? AND ordinal IN (SELECT value FROM json_each(?))
        """,
        [tree_id, to_json(list(ordinals))],
    )
    return {row[0]: SummaryText._make(row) for row in rows}


def _texts(headings: str) -> tuple[str, ...]:
    return tuple(heading[0] for heading in json.loads(headings))
