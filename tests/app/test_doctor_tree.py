"""A broken memory tree is found; what a repair takes out of it, the next sync brings again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest
from grown_vaults import about
from machines import files_of
from small_vaults import ask, complaints, memory_of

from vaultsync.app.finding.tree import find_trees
from vaultsync.bootstrap import DATABASE
from vaultsync.surfaces import tree_wire

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from typing import Any

    Vault = Callable[[Mapping[str, str | bytes]], Path]


@pytest.fixture
def grown(vault: Vault) -> Path:
    """Return a vault with a tree of two levels, another tree, and notes in the vault for all summaries but one."""
    secret = {"Garden/secret.md": "---\nprivate: true\n---\nNobody is to know of Northhouse.\n"}
    root = vault({**about(*"abcdefgh"), **about("x", folder="Shed"), **secret})
    assert ask("--vault", root, "sync").status == 0
    return root


def tree(root: Path) -> Any:  # noqa: ANN401 - any JSON document
    with memory_of(root) as memory:
        return tree_wire.trees(memory, find_trees(memory))


def by(root: Path, *statements: str) -> None:
    """Let another program, which heeds no foreign key, run statements.

    In these :leaf is a leaf of Garden, :low a summary above leaves, :top the one above it, :shed one of another tree.
    """
    with memory_of(root) as memory:
        value = memory.db.read().value
        low = value("SELECT min(chunk_id) FROM summary WHERE level = 1 AND parent_id IS NOT NULL")
        ids = {
            "low": low,
            "top": value("SELECT parent_id FROM chunks WHERE id = ?", [low]),
            "leaf": value("SELECT min(id) FROM chunks WHERE parent_id = ?", [low]),
            "shed": value("SELECT chunk_id FROM summary WHERE folder = 'Shed'"),
        }
        database = memory.state / DATABASE
    connection = apsw.Connection(str(database))
    try:
        for sql in statements:
            connection.execute(sql, ids)
    finally:
        connection.close()


BROKEN: list[tuple[set[str], str]] = [
    ({"tree-levels"}, "UPDATE chunks SET parent_id = :top WHERE id = :leaf"),
    ({"tree-levels"}, "UPDATE chunks SET parent_id = :shed WHERE id = :leaf"),
    ({"tree-levels"}, "UPDATE chunks SET parent_id = :low WHERE id = :shed"),
    ({"tree-levels"}, "UPDATE chunks SET tree_id = NULL WHERE id = :leaf"),
    ({"tree-levels"}, "UPDATE chunks SET tree_id = NULL WHERE id = :shed"),
    ({"tree-levels"}, "UPDATE chunks SET level = 5 WHERE id = :low"),
    (
        {"tree-places"},
        """
        INSERT INTO chunks SELECT NULL, 'u', node_id, tree_id, NULL, 9, kind, level, status, 0, text_hash,
                                  embedding_hash, arrived_at, token_count, heading_path, NULL, seq, NULL, text
        FROM chunks WHERE id = :leaf
        """,
    ),
    ({"tree-numbers"}, "UPDATE trees SET next_ordinal = 1"),
    ({"summaries", "tree-levels"}, "DELETE FROM summaries WHERE chunk_id = :low"),
    ({"summaries", "foreign-keys"}, "DELETE FROM chunks WHERE id = :low"),
    ({"summary-texts"}, "UPDATE chunks SET text = 'Not what was written.' WHERE id = :low"),
    ({"summary-texts"}, "UPDATE chunks SET text_hash = x'00' WHERE kind = 'summary'"),
    ({"mentions"}, "UPDATE mentions SET spans = '1+2 100000+3'"),
]
"""The checks that fail, and what breaks them."""


@pytest.mark.parametrize(("codes", "harm"), BROKEN)
def test_a_broken_tree_is_found_and_grows_again(codes: set[str], harm: str, grown: Path) -> None:
    """The check fails, a repair mends it without a byte in the vault, and the next sync has the same tree as before."""
    before, files = tree(grown), files_of(grown)
    by(grown, harm)
    assert codes <= complaints(grown).keys() <= codes | {"lost-chunks"}
    assert ask("--vault", grown, "doctor", "--repair").status == 0
    assert files_of(grown) == files
    assert ask("--vault", grown, "sync").status == 0
    assert complaints(grown) == {}
    assert (tree(grown), files_of(grown)) == (before, files)


def test_a_tree_broken_in_every_way_at_once_grows_again(grown: Path) -> None:
    """One repair may lay bare what another must mend; in the end all is well."""
    before, files = tree(grown), files_of(grown)
    for _, harm in BROKEN:
        by(grown, harm)
    assert ask("--vault", grown, "doctor", "--repair").status == 0
    ask("--vault", grown, "sync")
    assert complaints(grown) == {}
    assert (tree(grown), files_of(grown)) == (before, files)


def test_a_generated_note_that_is_gone_is_told_until_a_sync_knows_why(grown: Path) -> None:
    """It is named; once a whole pass has noted that a person deleted it, nothing is wrong."""
    (grown / "_summaries/Shed/Shed (summary).md").unlink()
    assert complaints(grown).keys() == {"disk", "generated-notes"}
    ask("--vault", grown, "sync", "--no-models")
    assert complaints(grown) == {"generated-notes": ("_summaries/Shed/Shed (summary).md",)}
    ask("--vault", grown, "sync")
    assert complaints(grown) == {}
