"""What a person may order of the memory tree: make summaries again, unpin one, write generated notes or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.app import dues
from vaultsync.app.finding.refs import find_ref
from vaultsync.app.growing import sources
from vaultsync.app.machines import tree_lines, writer
from vaultsync.app.writing.map_marks import MAP_MISSING
from vaultsync.domain.errors import UnknownRef, UsageError, VaultError
from vaultsync.domain.uids import map_uid
from vaultsync.store import marks, summaries, summary_cache, trees
from vaultsync.vault import git_folder

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from vaultsync.app.memory import Memory
    from vaultsync.domain.notes import Uid
    from vaultsync.store.summaries import SummaryRow


def require_writer(memory: Memory) -> None:
    """Raise UsageError, which names the writer, where another machine writes this vault's summaries.

    Raises VaultError while git is in the middle of something: nothing is written into the vault then.
    """
    role = writer.settle(memory)
    if not role.may_write:
        raise UsageError(
            f"Machine {role.writer} writes the summaries of {memory.root}; this one ({role.me}) only reads them. "
            "Run it there, or make this machine the writer with `vaultsync writer --take`."
        )
    if git_folder.is_busy(memory.root):
        raise VaultError(f"git is in the middle of something in {memory.root}. Finish that, then try again.")


def find_summary(memory: Memory, ref: str) -> SummaryRow:
    """Return the summary that a REF means. Raises UnknownRef and AmbiguousRef."""
    index = memory.db.read()
    found = find_ref(index, ref)
    row = summaries.with_uids(index, [found.uid]).get(found.uid)
    if row is None:
        raise UnknownRef(f'"{ref}" is a note, no summary. `vaultsync tree` lists the summaries.')
    return row


def rebuild(memory: Memory, ref: str | None) -> None:
    """Let a summary be made again at the next pass, whatever is kept of it; without `ref` all, in sources chosen anew.

    A note of theirs that a person deleted is written again. Raises VaultError if `tree.tsv` can't be written now.
    """
    if ref is not None:
        outdated = [find_summary(memory, ref)]
    else:
        sources.rebuild_sources(memory)
        outdated = summaries.every(memory.db.read())
    uids = {row.uid for row in outdated} | (set() if ref else {map_uid(memory.vault_id)})
    _want_again(memory, uids)
    with memory.db.write() as tx:
        if ref is None:
            marks.put(tx, {MAP_MISSING: None})
        summary_cache.forget(tx, [row.inputs for row in outdated])
        for row in outdated:
            summaries.miss(tx, row.uid, None)
        summaries.outdate(tx, [row.uid for row in outdated if not row.pinned])
        trees.stir(tx, {row.tree_id for row in outdated})
        marks.keep(tx, dues.NOTES, "1")


def _want_again(memory: Memory, uids: AbstractSet[Uid]) -> None:
    """Take back that a person deleted the notes of these summaries, for all machines."""
    lines = tree_lines.read(memory)
    wanted = lines._replace(deleted=lines.deleted - uids)
    if wanted != lines:
        tree_lines.insist(memory, wanted)


def switch(memory: Memory, *, on: bool) -> bool:
    """Let generated notes be written into the vault, or not; False if it was so before. Raises as `rebuild`."""
    lines = tree_lines.read(memory)
    if lines.off is not on:
        return False
    tree_lines.insist(memory, lines._replace(off=not on))
    with memory.db.write() as tx:
        marks.keep(tx, dues.NOTES, "1")
    return True
