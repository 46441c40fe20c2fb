"""What can be wrong in the memory tree: each function yields what it finds, in words that name it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultsync.store.tree_steps import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultsync.store.connection import Reader


class Astray(NamedTuple):
    """A row of which something is wrong, by its id, in words. `trees`: those that are wrong for it."""

    row_id: int
    words: str
    trees: tuple[int, ...] = ()


def wrong_parents(db: Reader) -> Iterator[Astray]:
    """Yield each chunk that is under something else than a summary of its tree, one level up."""
    for chunk_id, uid, parent, *tree_ids in db.rows(
        """
        SELECT c.id, c.uid, p.uid, c.tree_id, p.tree_id, s.tree_id
        FROM chunks c JOIN chunks p ON p.id = c.parent_id LEFT JOIN summaries s ON s.chunk_id = p.id
        WHERE s.chunk_id IS NULL OR p.level <> c.level + 1 OR (c.tree_id, p.tree_id) IS NOT (s.tree_id, s.tree_id)
        """
    ):
        yield Astray(chunk_id, f"the chunk {uid} is under {parent}", tuple(filter(None, tree_ids)))


def split_notes(db: Reader) -> Iterator[Astray]:
    """Yield each note (its id) whose placed leaves are not all in one tree under one summary."""
    for node_id, uid, *tree_ids in db.rows(
        """
        SELECT n.id, n.uid, min(c.tree_id), max(c.tree_id) FROM chunks c JOIN nodes n ON n.id = c.node_id
        WHERE c.kind = 'leaf' AND c.tree_id IS NOT NULL
        GROUP BY n.id HAVING count(DISTINCT c.tree_id) > 1 OR count(DISTINCT coalesce(c.parent_id, 0)) > 1
        """
    ):
        yield Astray(node_id, f"the note {uid} is in several places", tuple(tree_ids))


def altered_texts(db: Reader) -> Iterator[Astray]:
    """Yield each summary (its chunk's id) whose text is not the one that its hash is of."""
    for chunk_id, tree_id, uid, text, text_hash in db.rows(
        """
        SELECT c.id, s.tree_id, c.uid, c.text, lower(hex(c.text_hash))
        FROM summaries s JOIN chunks c ON c.id = s.chunk_id
        """
    ):
        if Text(text, "").hash != text_hash:
            yield Astray(chunk_id, f"the summary {uid}", (tree_id,))


def hollow_summaries(db: Reader) -> Iterator[Astray]:
    """Yield each node that is said to be a summary and has no row that says which."""
    for node_id, tree_id, uid in db.rows(
        """
        SELECT n.id, max(c.tree_id), n.uid FROM nodes n LEFT JOIN chunks c ON c.node_id = n.id
        WHERE n.kind = 'summary' GROUP BY n.id
        HAVING count(c.id) = 0 OR NOT EXISTS (SELECT 1 FROM summaries s WHERE s.chunk_id = c.id)
        """
    ):
        yield Astray(node_id, f"the summary {uid}", (tree_id,) if tree_id else ())


def low_ordinals(db: Reader) -> Iterator[Astray]:
    """Yield each tree whose next summary would get a number that was given."""
    for tree_id, uid, highest in db.rows(
        """
        SELECT t.id, t.uid, max(s.ordinal) FROM trees t JOIN summaries s ON s.tree_id = t.id
        GROUP BY t.id HAVING max(s.ordinal) >= t.next_ordinal
        """
    ):
        yield Astray(tree_id, f"the tree {uid} has a summary {highest}")


def stray_mentions(db: Reader) -> Iterator[Astray]:
    """Yield each leaf (its chunk's id) that is said to mention something outside its text."""
    for chunk_id, uid, text, spans in db.rows(
        """
        SELECT c.id, c.uid, c.text, group_concat(m.spans, ' ')
        FROM mentions m JOIN chunks c ON c.id = m.chunk_id WHERE c.status IS NOT NULL GROUP BY c.id
        """
    ):
        if any(end > len(text) for end in map(_end, spans.split())):
            yield Astray(chunk_id, f"the chunk {uid}")


def _end(span: str) -> int:
    """Return where a span ends that is stored as `start+length`."""
    start, _, length = span.partition("+")
    return int(start) + int(length)
