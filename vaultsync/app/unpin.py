"""Let a summary that a person wrote be made again: their words stay in its note, below our part."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vaultsync.app import dues
from vaultsync.app.machines import own_files
from vaultsync.app.writing.contents import contents, grown
from vaultsync.app.writing.page_files import look
from vaultsync.app.writing.pages import pages, roots_of
from vaultsync.domain.errors import UsageError, VaultError
from vaultsync.domain.summary_note import Parts, unpinned
from vaultsync.store import marks, summaries, trees
from vaultsync.vault import files, git_folder

if TYPE_CHECKING:
    from vaultsync.app.memory import Memory
    from vaultsync.domain.summary_note import Content
    from vaultsync.store.summaries import SummaryRow


def unpin(memory: Memory, row: SummaryRow) -> None:
    """Copy a person's text below our part of its note; the next pass makes the summary again.

    Raises UsageError for a summary that is not pinned, VaultError where its note can't be written now.
    """
    if not row.pinned:
        raise UsageError(f'"{row.title}" is not pinned: its text is no person\'s. Nothing was changed.')
    written_hash = _copy_words(memory, row) if row.path and row.written_hash else row.written_hash
    with memory.db.write() as tx:
        if row.path:
            summaries.stand(tx, row.uid, row.path, written_hash)
        summaries.pin(tx, row.uid, pinned=False)
        trees.stir(tx, [row.tree_id])
        marks.keep(tx, dues.NOTES, "1")


def _copy_words(memory: Memory, row: SummaryRow) -> str:
    """Write the note with the person's text also below our part, and return the hash of its bytes.

    It says that it was made from nothing, so that it is made again even if this process ends here.
    """
    if git_folder.is_busy(memory.root):
        raise VaultError(f"git is in the middle of something in {memory.root}. Finish that, then try again.")
    assert row.path is not None  # noqa: S101 - the caller looked
    try:
        found = look(memory.root, row.path)
        if found is None or not isinstance(found.parts, Parts):
            raise VaultError(f"{row.path} is not as a generated note is made. `vaultsync status` says more.")
        raw = unpinned(found.parts, _content(memory, row))
        files.replace(memory.root, row.path, raw, found.content_hash)
    except (OSError, files.ReadFailure, files.WriteRefused) as error:
        raise VaultError(f"{row.path} can't be written now: {own_files.words(error)}") from error
    return files.content_hash(raw)


def _content(memory: Memory, row: SummaryRow) -> Content:
    index, found = memory.db.read(), pages(memory)
    paths = {page.row.uid: page.row.path for page in found if page.row.path and not page.row.missing}
    tree = grown(index, trees.get(index, row.tree_id))
    said = dict(contents(memory, [tree], paths, roots_of(found, paths)))[row.uid]
    return replace(said, record=said.record._replace(input_digest=""), typed=False)
