"""Tends one tree after another: takes the engine's steps, each with its text, and counts what was done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.app import dues
from vaultsync.app.growing import summarise
from vaultsync.app.growing.shelving import shelves_of
from vaultsync.app.machines import own_files
from vaultsync.app.outcomes import Tended
from vaultsync.domain.generators import EXTRACTIVE
from vaultsync.domain.notes import Uid
from vaultsync.domain.tree import Dissolve, Limits, Note, Occasion, Tree, Upkeep, Write, gather, is_due
from vaultsync.store import attempts, marks, summaries, summary_cache, tree_rows, tree_steps, trees
from vaultsync.store.tree_steps import Text

if TYPE_CHECKING:
    from vaultsync.app.growing.summarise import Chosen
    from vaultsync.app.memory import Memory
    from vaultsync.app.progress import Progress
    from vaultsync.config import Settings
    from vaultsync.domain.tree import Step
    from vaultsync.store.connection import Writer
    from vaultsync.store.trees import TreeRow

STAGE = "seal"
"""The name of this work in `attempts`, whose subjects are uids of trees."""

SOURCE_SHELF = "/"
"""The one shelf above the leaves, and the leaves' shelf of a source's own folder."""

_TRIES = 20
"""How often a tree is begun again because its rows changed under a step."""


def load(memory: Memory, tree_id: int, occasion: Occasion) -> tuple[TreeRow, Upkeep]:
    """Return a tree as it is now, and what it needs."""
    with memory.db.snapshot() as index:
        row = trees.get(index, tree_id)
        leaves = tree_rows.leaves(index, tree_id, shelves_of(memory, index, row))
        tree = Tree(SOURCE_SHELF, gather(leaves), tree_rows.summaries(index, tree_id), row.next_ordinal)
    return row, Upkeep(tree, occasion, limits_of(memory.settings))


def limits_of(settings: Settings) -> Limits:
    """Return how much is enough for one summary."""
    return Limits(settings.seal_tokens, settings.seal_leaves, settings.seal_children)


class Gardener:
    """What was done so far is in `tended`. `preferred`, `progress`: of `tend`; `chosen`: of `ahead.choosing`."""

    def __init__(self, memory: Memory, preferred: str, progress: Progress, chosen: Chosen) -> None:
        self.tended = Tended()
        self._memory = memory
        self._preferred = preferred
        self._chosen = chosen
        self._progress = progress

    def tend(self, tree_id: int, flush_before: int | None, *, remake: bool) -> None:
        """Do what a tree needs: all of it to `remake`, or if something is flushed; what changed meanwhile stays due."""
        row, tree = self._work(tree_id, Occasion(remake=remake))
        is_flushed = flush_before is not None and is_due(tree, flush_before)
        del tree  # or there are two in memory when it is loaded again
        if is_flushed:
            row, _ = self._work(tree_id, Occasion(flush_before=flush_before))
        elif not remake:
            return
        self._progress("summing up", 0, 0)
        with self._memory.db.write() as tx:
            trees.settle(tx, row)
            summaries.release(tx, tree_id)
            attempts.clear(tx, STAGE, [row.uid])

    def fail(self, row: TreeRow, error: Exception) -> None:
        """Record that a tree could not be tended."""
        words = own_files.words(error)
        self.tended.failed.append((row.folder, words))
        with self._memory.db.write() as tx:
            attempts.record(tx, STAGE, [(row.uid, words)], int(self._memory.clock()))

    def _work(self, tree_id: int, occasion: Occasion) -> tuple[TreeRow, Tree]:
        """Take step after step until nothing is left; if the rows changed under one, begin again from them."""
        row, upkeep = load(self._memory, tree_id, occasion)
        self._progress("summing up", 0, 0)
        waiting = sum(len(upkeep.tree.loose(bucket)) for bucket in upkeep.tree.buckets())
        done = tries = 0
        while step := upkeep.next():
            text = self._text(row, step) if isinstance(step, Write) and step.needs_text else None
            if self._commit(row, step, text):
                upkeep.done(step, text and text.hash)
                self.tended.count(step)
                done += _placed_by(step)
                self._progress("summing up", min(done, waiting), waiting)
            elif (tries := tries + 1) > _TRIES:
                raise RuntimeError("its notes keep changing while they are summed up")
            else:
                row, upkeep = load(self._memory, tree_id, occasion)
        return row, upkeep.tree

    def _text(self, row: TreeRow, step: Write) -> Text | None:
        """Return what a model once made of this input, else chosen sentences; None if the texts are others by now."""
        index = self._memory.db.read()
        if kept := summary_cache.find(index, step.after.inputs, self._preferred):
            return Text(*kept)
        sentences = self._chosen(row.id, step.members)
        if sentences is None:
            given = summarise.read(index, row.id, step.members)
            if given.digest != step.after.inputs:
                return None
            sentences = summarise.chosen(self._memory.settings, given)
        return Text(sentences, EXTRACTIVE)

    def _commit(self, row: TreeRow, step: Step, text: Text | None) -> bool:
        """Write a step in one transaction with its text, unless the rows are not those that it was planned from."""
        if text is None and isinstance(step, Write) and step.needs_text:
            return False
        with self._memory.db.write() as tx:
            if not _named_rows(tx, row, step).holds(step):
                return False
            tree_steps.commit(tx, row, step, text, self._memory.clock())
            marks.keep(tx, dues.NOTES, "1")
        return True


def _placed_by(step: Step) -> int:
    """Return how many items have a summary now that had none."""
    return sum(member.parent is None for member in step.members) if isinstance(step, Write) else 0


def _named_rows(tx: Writer, row: TreeRow, step: Step) -> Tree:
    """Return the tree as it is now, but only what the step names and what is right above that."""
    members, leaving = (step.members, step.leaving) if isinstance(step, Write) else ((), ())
    shelves = {Uid(str(member.key)): member.shelf for member in members if isinstance(member, Note)}
    keys = [*(member.key for member in members), *leaving]
    uids = [key for key in keys if isinstance(key, str)]
    notes = [*gather(tree_rows.leaves(tx, row.id, shelves, uids))] if uids else []
    ordinals = {key for key in keys if isinstance(key, int)}
    ordinals |= {note.parent for note in notes if note.parent is not None} | _summaries_of(step)
    made = tree_rows.summaries(tx, row.id, ordinals)
    return Tree(SOURCE_SHELF, notes, made, trees.get(tx, row.id).next_ordinal)


def _summaries_of(step: Step) -> set[int]:
    """Return the ordinals of the summaries that a step changes, makes, or leaves its members to."""
    found = {step.before.ordinal} if step.before else set()
    if isinstance(step, Write):
        return found | {step.after.ordinal}
    return found | {step.heir} if isinstance(step, Dissolve) and step.heir else found
