"""What is to be known of summaries before a model is asked for their texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultsync.domain.notes import Uid
    from vaultsync.store.connection import Reader

_WANTING = "NOT (private OR pinned OR withdrawn) AND generator LIKE 'extractive%'"


def has_private(db: Reader, uid: Uid) -> bool:
    """Tell whether a leaf anywhere under a summary is of a note that is private by now, whatever its tree says."""
    row = db.row(
        """
        WITH RECURSIVE below (id, node_id) AS (
            SELECT id, node_id FROM chunks WHERE uid = ?
            UNION
            SELECT c.id, c.node_id FROM below b JOIN chunks c ON c.parent_id = b.id)
        SELECT 1 FROM below b JOIN node n ON n.id = b.node_id WHERE n.private
        """,
        [uid],
    )
    return row is not None


def fallen_back(db: Reader) -> set[str]:
    """Return the uids of summaries whose text, as it is now, the model was asked for in vain."""
    return {uid for (uid,) in db.rows("SELECT uid FROM summary WHERE fallback IS NOT NULL")}


def flagged(db: Reader) -> int:
    """Return how many texts name somebody or something that is in none of their notes (`domain.flags`)."""
    return int(db.value("SELECT count(*) FROM summary WHERE text LIKE '%*Not in the notes: %.*'"))


def count_wanting(db: Reader, most: int) -> tuple[int, int]:
    """Return how many summaries may get a model's text, and the tokens of all that they are made from.

    `most`: tokens that are read of one summary's notes.
    """
    row = db.row(
        f"""
        SELECT count(*), coalesce(sum(iif(level = 1, min(tokens, ?), tokens)), 0)
        FROM (SELECT level, (SELECT coalesce(sum(c.token_count), 0) FROM chunks c JOIN nodes n ON n.id = c.node_id
                             WHERE c.parent_id = summary.chunk_id AND c.status = 'admitted' AND n.deleted_at IS NULL)
                            AS tokens
              FROM summary WHERE {_WANTING})
        """,
        [most],
    )
    return (row[0], row[1]) if row else (0, 0)
