"""The steps of a tree, and whole summaries that come from elsewhere, written with all that goes with them."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.tokens import estimate
from vaultsync.domain.tree import Dissolve, Write
from vaultsync.domain.uids import summary_uid
from vaultsync.store import text_index, trees
from vaultsync.store.as_json import to_json

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from vaultsync.domain.tree import Key, Step, Summary
    from vaultsync.store.connection import Writer
    from vaultsync.store.trees import TreeRow


class Text(NamedTuple):
    """A summary's text, who wrote it, and why it is not the model's, if a model was to write it."""

    text: str
    generator: str
    fallback: str | None = None

    @property
    def hash(self) -> str:
        """Return BLAKE2b-128 of the text in hex: by it a parent knows its child's text."""
        return blake2b(self.text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def commit(tx: Writer, tree: TreeRow, step: Step, text: Text | None, now: float) -> None:
    """Write a step that still holds; `text`: of a Write that needs one. `now`: seconds since 1970."""
    if isinstance(step, Write):
        _write(tx, tree, step, text, now)
    elif isinstance(step, Dissolve):
        _dissolve(tx, tree, step)
    else:
        put(tx, tree, step.before._replace(state=step.state), None, now)


def put(tx: Writer, tree: TreeRow, summary: Summary, text: Text | None, now: float) -> None:
    """Write a summary's rows, new or known by its ordinal; without `text` it keeps the one that it has.

    A new text quotes nothing that was withdrawn. The parent must be there.
    """
    found = tx.row(
        "SELECT chunk_id FROM summaries WHERE tree_id = ? AND ordinal = ?", [tree.id, summary.ordinal]
    )
    chunk_id = found[0] if found else _insert(tx, tree, summary, now)
    tx.run(
        """
        UPDATE chunks SET level = ?, arrived_at = ?, parent_id =
            (SELECT chunk_id FROM summaries WHERE tree_id = ? AND ordinal = ?)
        WHERE id = ?
        """,
        [summary.level, summary.arrived_at, tree.id, summary.parent, chunk_id],
    )
    tx.run(
        "UPDATE summaries SET shelf = ?, state = ?, input_digest = ?, pinned = ? WHERE chunk_id = ?",
        [summary.shelf, summary.state, summary.inputs, summary.pinned, chunk_id],
    )
    if text is not None:
        _put_text(tx, chunk_id, text)


def place(tx: Writer, tree: TreeRow, members: Collection[Key], parent: int | None) -> None:
    """Let notes (uids) with all their leaves in the tree, and summaries (ordinals), be under this summary or none.

    The + keeps SQLite from going through the whole tree instead of these notes.
    """
    above = None
    if parent is not None:
        above = tx.value(
            "SELECT chunk_id FROM summaries WHERE tree_id = ? AND ordinal = ?", [tree.id, parent]
        )
    tx.run(
        """
        UPDATE chunks SET parent_id = ? WHERE +tree_id = ? AND kind = 'leaf' AND node_id IN
            (SELECT id FROM nodes WHERE uid IN (SELECT value FROM json_each(?)))
        """,
        [above, tree.id, to_json([key for key in members if isinstance(key, str)])],
    )
    tx.run(
        """
        UPDATE chunks SET parent_id = ? WHERE id IN
            (SELECT chunk_id FROM summaries WHERE tree_id = ? AND ordinal IN (SELECT value FROM json_each(?)))
        """,
        [above, tree.id, to_json([key for key in members if isinstance(key, int)])],
    )


def remove(tx: Writer, tree_id: int, ordinals: Sequence[int]) -> None:
    """Delete summaries; what is under them is under none."""
    nodes = [
        (node_id,)
        for (node_id,) in tx.all(
            """
            SELECT c.node_id FROM summaries s JOIN chunks c ON c.id = s.chunk_id
            WHERE s.tree_id = ? AND s.ordinal IN (SELECT value FROM json_each(?))
            """,
            [tree_id, to_json(ordinals)],
        )
    ]
    tx.many("UPDATE nodes SET deleted_at = 0 WHERE id = ?", nodes)  # takes them out of the text indexes
    tx.many("DELETE FROM nodes WHERE id = ?", nodes)


def _write(tx: Writer, tree: TreeRow, step: Write, text: Text | None, now: float) -> None:
    place(tx, tree, step.leaving, None)
    put(tx, tree, step.after, text, now)
    place(tx, tree, [member.key for member in step.members], step.after.ordinal)


def _dissolve(tx: Writer, tree: TreeRow, step: Dissolve) -> None:
    params = [tree.id, step.before.ordinal, step.heir]
    tx.run(
        """
        UPDATE chunks SET parent_id = (SELECT chunk_id FROM summaries WHERE tree_id = ?1 AND ordinal = ?3)
        WHERE parent_id = (SELECT chunk_id FROM summaries WHERE tree_id = ?1 AND ordinal = ?2)
        """,
        params,
    )
    remove(tx, tree.id, [step.before.ordinal])


def _insert(tx: Writer, tree: TreeRow, summary: Summary, now: float) -> int:
    """Make the rows of a new summary, still without text, title and place; return its chunk's id."""
    uid = summary_uid(tree.uid, summary.ordinal)
    node_id, chunk_id = tx.next_id("nodes"), tx.next_id("chunks")
    tx.run(
        "INSERT INTO nodes (id, uid, kind, created_at, updated_at, title) VALUES (?, ?, 'summary', ?, ?, '')",
        [node_id, uid, now, int(now)],
    )
    tx.run(
        """
        INSERT INTO chunks (id, uid, node_id, tree_id, chunk_idx, kind, level, status, text_hash, embedding_hash,
                            token_count, heading_path, seq, text)
        VALUES (?, ?, ?, ?, 0, 'summary', ?, 'admitted', x'', x'', 0, '[]', ?, '')
        """,
        [chunk_id, uid, node_id, tree.id, summary.level, summary.ordinal],
    )
    tx.run(
        """
        INSERT INTO summaries (chunk_id, tree_id, ordinal, shelf, state, input_digest, generator)
        VALUES (?, ?, ?, ?, ?, '', '')
        """,
        [chunk_id, tree.id, summary.ordinal, summary.shelf, summary.state],
    )
    text_index.add_nodes(tx, range(node_id, node_id + 1))
    text_index.add_chunks(tx, range(chunk_id, chunk_id + 1))
    trees.raise_ordinal(tx, tree.id, summary.ordinal + 1)
    return chunk_id


def _put_text(tx: Writer, chunk_id: int, text: Text) -> None:
    tx.run(
        "UPDATE summaries SET generator = ?, fallback = ?, withdrawn = 0 WHERE chunk_id = ?",
        [text.generator, text.fallback, chunk_id],
    )
    tx.run(
        """
        UPDATE chunks SET text = ?1, text_hash = unhex(?2), embedding_hash = unhex(?2), token_count = ?3
        WHERE id = ?4 AND (text, text_hash) IS NOT (?1, unhex(?2))
        """,
        [text.text, text.hash, estimate(text.text), chunk_id],
    )
    text_index.mend_chunks(tx, [chunk_id])
