"""Where generated notes are to be: each keeps its name for life, and none takes one that a user's link may mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from vaultsync.domain.names import name_key
from vaultsync.domain.summary_names import is_root_name, is_taken, may_stay, moved_path, summary_path
from vaultsync.store import claimed_names

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from vaultsync.app.memory import Memory
    from vaultsync.app.writing.pages import Page
    from vaultsync.domain.notes import NotePath, Uid
    from vaultsync.store.connection import Reader


class IsFree(Protocol):
    """Tells whether a page may be written at a path, as the files there are. `planned`: where others are to be."""

    def __call__(self, page: Page, path: NotePath, planned: Mapping[Uid, NotePath]) -> bool:
        """Look at the disk."""


def plan_paths(memory: Memory, found: Sequence[Page], is_free: IsFree) -> dict[Uid, NotePath]:
    """Return the path of each page; of those that have none, in the order given.

    A page keeps its path unless it became or ceased to be a root, its source is another folder, or a note of the
    user's has the name now. What a person deleted has none, what quotes withdrawn text gets none.
    """
    found = [page for page in found if page.row.missing != "deleted"]
    names = _Names(memory.db.read(), [page.row.path for page in found if page.row.path])
    planned = {page.row.uid: path for page in found if (path := _kept(memory, page, names, is_free))}
    names.held.update(map(_key, planned.values()))
    for page in found:
        if page.row.uid not in planned and not page.row.withdrawn:
            path = _new_path(memory, page, names, planned, is_free)
            planned[page.row.uid] = path
            names.held.add(_key(path))
    return planned


class _Names:
    """The keys that no new name of ours may have.

    A link to a note that we have, or had when the pass began, means it: it keeps no other of ours from that name.
    """

    def __init__(self, index: Reader, paths: Collection[NotePath]) -> None:
        ours = (file.path for file in claimed_names.our_files(index))
        self.held: set[str] = set()
        self._index = index
        self._own = {_key(path) for path in paths}
        self._borne = claimed_names.borne(index, self._own)
        self._meant = self._own.union(map(_key, ours))

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and (
            key in self.held
            or self._is_borne(key)
            or (key not in self._meant and claimed_names.is_sought(self._index, key))
        )

    def _is_borne(self, key: str) -> bool:
        """Tell whether a note of the user's has a name: of those that are ours, it was asked for all at once."""
        return key in self._borne if key in self._own else bool(claimed_names.borne(self._index, [key]))


def _kept(memory: Memory, page: Page, names: _Names, is_free: IsFree) -> NotePath | None:
    row = page.row
    if row.path is None or is_taken(row.path, names):
        return None
    if not may_stay(row.path, memory.settings.folder, row.folder, is_root=page.is_root):
        return None
    return row.path if page.stands or is_free(page, row.path, {}) else None


def _new_path(
    memory: Memory, page: Page, names: _Names, planned: Mapping[Uid, NotePath], is_free: IsFree
) -> NotePath:
    row, folder = page.row, memory.settings.folder
    ordinal = None if page.is_root else row.ordinal
    tried: set[str] = set()
    while True:
        if row.path and not page.is_root and not is_root_name(row.path):
            path = moved_path(row.path, folder, row.folder, names)
        else:
            path = summary_path(folder, row.folder, ordinal, names)
        if is_free(page, path, planned):
            break
        tried.add(_key(path))
        names.held.add(_key(path))
    names.held -= tried
    return path


def _key(path: NotePath) -> str:
    return name_key(path.rpartition("/")[2])
