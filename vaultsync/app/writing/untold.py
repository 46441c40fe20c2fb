"""Which trees' notes may say something else than the store does, so that a writing costs as much as has changed."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from vaultsync.app.writing.pages import roots_of
from vaultsync.domain.summary_note import FORMAT
from vaultsync.store import marks, trees

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vaultsync.app.memory import Memory
    from vaultsync.app.writing.pages import Page
    from vaultsync.domain.notes import NotePath, Uid
    from vaultsync.store.trees import TreeRow

_SHARED = "notes say alike"
"""The mark of what the notes of all trees depend on."""


def find_untold(memory: Memory, found: Sequence[Page], paths: Mapping[Uid, NotePath]) -> list[TreeRow]:
    """Return the public trees of which some note may have to say something else, and leave word of them.

    That is each to which something happened since its notes said all, and each with a note that is not where it is to
    be (`paths`), or of which it is not known what it says.
    """
    index = memory.db.read()
    public = [row for row in trees.every(index) if not row.private]
    due = {page.row.tree_id for page in found if not _is_settled(page, paths)}
    shared = _shared(memory, found, paths)
    is_news = marks.find(index, _SHARED) != shared
    untold = [row for row in public if is_news or row.id in due or not row.is_told]
    with memory.db.write() as tx:
        trees.retell(tx, [row.id for row in untold if row.is_told])
        marks.put(tx, {_SHARED: shared})
    return untold


def _is_settled(page: Page, paths: Mapping[Uid, NotePath]) -> bool:
    """Tell whether a note is where others link to it, and says what is known; what is withheld need say nothing."""
    row = page.row
    if row.missing == "deleted":
        return True
    is_known = row.withdrawn or (page.stands and row.said is not None)
    return is_known and paths.get(row.uid) == row.path


def _shared(memory: Memory, found: Sequence[Page], paths: Mapping[Uid, NotePath]) -> str:
    roots = sorted(roots_of(found, paths).items())
    gist = FORMAT, memory.settings.links, memory.root.name, memory.vault_id, roots
    return blake2b(repr(gist).encode("utf-8", "backslashreplace"), digest_size=16).hexdigest()
