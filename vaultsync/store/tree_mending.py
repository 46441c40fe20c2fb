"""Put the memory tree right: what was wrong in it is taken away, and comes again from the notes at the next pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.store import places, trees
from vaultsync.store.tree_steps import Text

if TYPE_CHECKING:
    from collections.abc import Collection

    from vaultsync.store.connection import Writer
    from vaultsync.store.tree_checks import Astray


def detach(tx: Writer, found: Collection[Astray]) -> None:
    """Let chunks be under nothing, and summaries in the tree that their row says."""
    tx.run(
        """
        UPDATE chunks SET tree_id = (SELECT tree_id FROM summaries WHERE chunk_id = chunks.id)
        WHERE kind = 'summary' AND tree_id IS NOT (SELECT tree_id FROM summaries WHERE chunk_id = chunks.id)
        """
    )
    tx.many("UPDATE chunks SET parent_id = NULL WHERE id = ?", [(astray.row_id,) for astray in found])
    read_again(tx, _trees(found))


def take_out(tx: Writer, found: Collection[Astray]) -> None:
    """Take notes out of all trees."""
    places.end(tx, [astray.row_id for astray in found])
    read_again(tx, _trees(found))


def make_again(tx: Writer, found: Collection[Astray]) -> None:
    """Let the texts of summaries be made again, unless their notes in the vault say them."""
    for astray in found:
        said = Text(tx.value("SELECT text FROM chunks WHERE id = ?", [astray.row_id]), "")
        tx.run("UPDATE chunks SET text_hash = unhex(?) WHERE id = ?", [said.hash, astray.row_id])
        tx.run("UPDATE summaries SET input_digest = '' WHERE chunk_id = ?", [astray.row_id])
    read_again(tx, _trees(found))


def drop(tx: Writer, found: Collection[Astray]) -> None:
    """Delete nodes that are no summaries; what is under them is under nothing."""
    nodes = [(astray.row_id,) for astray in found]
    tx.many("UPDATE nodes SET deleted_at = 0 WHERE id = ?", nodes)  # takes them out of the text indexes
    tx.many("DELETE FROM nodes WHERE id = ?", nodes)
    read_again(tx, _trees(found))


def raise_ordinals(tx: Writer, found: Collection[Astray]) -> None:
    """Let no number of a tree's summaries be given again."""
    for astray in found:
        highest = tx.value("SELECT max(ordinal) FROM summaries WHERE tree_id = ?", [astray.row_id])
        trees.raise_ordinal(tx, astray.row_id, highest + 1)


def look_again(tx: Writer, found: Collection[Astray]) -> None:
    """Let what leaves mention be found anew."""
    leaves = [(astray.row_id,) for astray in found]
    tx.many("DELETE FROM mentions WHERE chunk_id = ?", leaves)
    tx.many("DELETE FROM named WHERE chunk_id = ?", leaves)
    tx.many("UPDATE chunks SET status = NULL WHERE id = ?", leaves)


def read_again(tx: Writer, tree_ids: Collection[int]) -> None:
    """Let the notes of trees be read as on a machine that knows nothing, and the rest be tended."""
    tx.many(
        "UPDATE summaries SET written_hash = NULL, said = NULL WHERE tree_id = ? AND missing IS NULL",
        [(tree_id,) for tree_id in tree_ids],
    )
    trees.stir(tx, tree_ids)


def _trees(found: Collection[Astray]) -> set[int]:
    return {tree_id for astray in found for tree_id in astray.trees}
