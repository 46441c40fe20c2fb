"""Summary trees grown over notes that are in the store, by the engine itself and with texts that quote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.app.notes.reconcile import reconcile
from vaultsync.domain.sentences import first_sentence
from vaultsync.domain.tree import ANY_AGE, Limits, Occasion, Summary, Tree, Upkeep, Write, gather
from vaultsync.store import summaries, tree_rows, tree_steps, tree_texts, trees
from vaultsync.store.tree_steps import Text

if TYPE_CHECKING:
    from vaultsync.app.memory import Memory
    from vaultsync.domain.tree import Step
    from vaultsync.store.connection import Reader
    from vaultsync.store.trees import TreeRow

SMALL = Limits(tokens=60, leaves=6, children=2)
"""So that a few short notes fill a summary."""

NOW = 1_700_000_000


def grow(memory: Memory, folder: str = "", *, private: bool = False, limits: Limits = SMALL) -> TreeRow:
    """Admit all leaves of the notes below a folder, place them in its tree, and tend that until nothing waits."""
    tree = place(memory, folder, private=private)
    tend(memory, tree, limits)
    return tree


def place(memory: Memory, folder: str = "", *, private: bool = False) -> TreeRow:
    """Admit and place the leaves below a folder that are in no tree, in the order of their paths."""
    with memory.db.write() as tx:
        tree = trees.get_or_create(tx, memory.vault_id, folder, private=private)
        begin = f"{folder}/" if folder else ""
        leaves = tx.all(
            """
            SELECT c.id FROM chunks c JOIN node n ON n.id = c.node_id
            WHERE c.kind = 'leaf' AND c.tree_id IS NULL AND substr(n.path, 1, length(:begin)) = :begin
              AND n.private = :private
            ORDER BY n.path, c.chunk_idx
            """,
            {"begin": begin, "private": private},
        )
        last = tx.value("SELECT max(seq) FROM chunks WHERE tree_id = ? AND kind = 'leaf'", [tree.id]) or 0
        tx.many(
            "UPDATE chunks SET status = 'admitted', tree_id = ?, seq = ?, arrived_at = ? WHERE id = ?",
            [(tree.id, last + nth, NOW, chunk_id) for nth, (chunk_id,) in enumerate(leaves, 1)],
        )
    return tree


def tend(memory: Memory, tree: TreeRow, limits: Limits = SMALL) -> None:
    """Seal and flush a tree; each text is the first sentence of each member, titles name level and ordinal."""
    with memory.db.write() as tx:
        notes = gather(tree_rows.leaves(tx, tree.id, {}))
        upkeep = Upkeep(
            Tree("", notes, tree_rows.summaries(tx, tree.id)), Occasion(flush_before=ANY_AGE), limits
        )
        while step := upkeep.next():
            text = _text(tx, tree, step)
            tree_steps.commit(tx, tree, step, text, NOW)
            upkeep.done(step, text.hash if text else None)
        named = summaries.of_tree(tx, tree.id)
        where = tree.folder or memory.root.name
        summaries.name(tx, {row.uid: f"{where} {row.level}.{row.ordinal}" for row in named})


def _text(db: Reader, tree: TreeRow, step: Step) -> Text | None:
    if not isinstance(step, Write):
        return None
    notes = [member.key for member in step.members if not isinstance(member, Summary)]
    found = tree_texts.of_notes(db, tree.id, notes)
    below = tree_texts.of_summaries(
        db, tree.id, [member.ordinal for member in step.members if isinstance(member, Summary)]
    )
    texts = [found[uid].texts[0] for uid in notes] + [summary.text for summary in below.values()]
    return Text(" ".join(first_sentence(text) for text in texts), "test")


def plant(memory: Memory) -> TreeRow:
    """Write nine beds of a garden and four days of a log, read them, and grow the garden's tree: two levels."""
    for number in range(1, 10):
        said = f"Bed {number} holds crop number {number}. It was dug in spring."
        _write(memory, f"Garden/Bed {number}.md", f"{said} {'Nothing else is said of the soil. ' * 4}\n")
    for day in range(1, 5):
        _write(memory, f"Log/2026-03-0{day}.md", f"The rain of day {day} was heavy. We stayed in.\n")
    reconcile(memory)
    return grow(memory, "Garden", limits=Limits(tokens=150, leaves=6, children=2))


def _write(memory: Memory, path: str, text: str) -> None:
    place = memory.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")
