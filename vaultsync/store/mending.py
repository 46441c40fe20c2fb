"""Put right in the database what can be derived again, and mark for the next pass what must be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.store import edges, entities, names, text_index, tree_mending

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultsync.store.connection import Writer
    from vaultsync.store.names import Names


def drop_dangling(tx: Writer) -> None:
    """Delete the rows that refer to what is not there; links to it are due. Text indexes are built again."""
    tx.run("DELETE FROM raw_refs WHERE file_id NOT IN (SELECT id FROM files)")
    tx.run("DELETE FROM raw_refs WHERE chunk_id NOT IN (SELECT id FROM chunks)")
    tx.run("DELETE FROM names WHERE node_id NOT IN (SELECT id FROM nodes)")
    tx.run("DELETE FROM edges WHERE from_node_id NOT IN (SELECT id FROM nodes)")
    tx.run("UPDATE edges SET to_node_id = NULL, due = 1 WHERE to_node_id NOT IN (SELECT id FROM nodes)")
    tx.run("UPDATE edges SET last_node_id = NULL WHERE last_node_id NOT IN (SELECT id FROM nodes)")
    tx.run("DELETE FROM chunks WHERE node_id NOT IN (SELECT id FROM nodes)")
    _drop_from_trees(tx)
    tx.run("DELETE FROM named WHERE chunk_id NOT IN (SELECT id FROM chunks)")
    entities.drop_dangling(tx)
    tx.run("DELETE FROM touches WHERE node_id NOT IN (SELECT id FROM nodes)")
    tx.run("UPDATE files SET profile_id = NULL WHERE profile_id NOT IN (SELECT id FROM profile)")
    tx.run("DELETE FROM files WHERE node_id NOT IN (SELECT id FROM nodes)")
    text_index.rebuild(tx)
    text_index.rebuild_spaced(tx)


def _drop_from_trees(tx: Writer) -> None:
    """Forget summaries of which the text or the tree is gone, and let what was under them find a place again."""
    lost = "parent_id NOT IN (SELECT id FROM chunks)"
    torn = {
        tree_id for (tree_id,) in tx.all(f"SELECT DISTINCT tree_id FROM chunks WHERE {lost} AND tree_id > 0")
    }
    tx.run(f"UPDATE chunks SET parent_id = NULL WHERE {lost}")
    tx.run("DELETE FROM summaries WHERE chunk_id NOT IN (SELECT id FROM chunks)")
    tx.run("DELETE FROM summaries WHERE tree_id NOT IN (SELECT id FROM trees)")
    tree_mending.read_again(tx, torn)


def drop_strays(tx: Writer) -> None:
    """Forget notes without a file, and files without a note: a file that is there is found by the next pass.

    The uid is not kept from being given again: at the same path the note gets the one it had.
    """
    stray = "kind = 'note' AND id NOT IN (SELECT node_id FROM files WHERE node_id IS NOT NULL)"
    tx.run(f"UPDATE nodes SET deleted_at = 0 WHERE deleted_at IS NULL AND {stray}")
    tx.run(f"UPDATE edges SET due = 1 WHERE to_node_id IN (SELECT id FROM nodes WHERE {stray})")
    tx.run(f"DELETE FROM nodes WHERE {stray}")
    tx.run("DELETE FROM files WHERE node_id IS NULL AND ignored = 0")


def reread_lost_chunks(tx: Writer) -> None:
    """Let the notes be read again whose chunks stand nowhere or in another note's file."""
    lost = """
        SELECT id FROM chunks WHERE kind = 'leaf'
        AND id NOT IN (SELECT r.chunk_id FROM raw_refs r JOIN files s ON s.id = r.file_id)
    """
    astray = """
        SELECT c.id FROM raw_refs r JOIN chunks c ON c.id = r.chunk_id JOIN files f ON f.id = r.file_id
        WHERE f.node_id IS NOT c.node_id
    """
    files = "chunks c JOIN files f ON f.node_id = c.node_id"
    found = list(tx.rows(f"SELECT c.id, f.id FROM {files} WHERE c.id IN ({lost} UNION {astray})"))
    reread(tx, {file_id for _, file_id in found})
    tx.many("DELETE FROM chunks WHERE id = ?", [(chunk_id,) for chunk_id, _ in found])


def reread(tx: Writer, file_ids: Iterable[int]) -> None:
    """Let these files be read and parsed by the next pass, though their bytes may be the known ones."""
    tx.many(
        "UPDATE files SET racy = 1, content_hash = x'' WHERE id = ?", [(file_id,) for file_id in file_ids]
    )


def rename(tx: Writer, nodes: dict[int, Names]) -> None:
    """Give nodes these names and no others; links that may mean them are due."""
    edges.mark_due(tx, names.replace(tx, nodes))


def resolve_again(tx: Writer, edge_ids: Iterable[int]) -> None:
    """Let these links be resolved again; one that was wrong to lead to a living note has not lost it."""
    tx.many(
        """
        UPDATE edges SET due = 1, match = NULL,
               to_node_id = (SELECT id FROM nodes WHERE id = to_node_id AND deleted_at IS NOT NULL)
        WHERE id = ?
        """,
        [(edge_id,) for edge_id in edge_ids],
    )


def rearm(tx: Writer) -> None:
    """Let all work that failed be tried at once."""
    tx.run("UPDATE attempts SET next_attempt_at = 0")
