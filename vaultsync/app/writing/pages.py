"""The notes that the vault is to have of the trees, each with where it stands now."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app.writing.map_marks import MAP_MISSING, MAP_PATH, MAP_WRITTEN
from vaultsync.domain.summary_titles import Titled, root_of
from vaultsync.domain.uids import map_uid
from vaultsync.store import marks, summaries
from vaultsync.store.summaries import SummaryRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from vaultsync.app.memory import Memory
    from vaultsync.domain.notes import NotePath, Uid
    from vaultsync.store.connection import Writer


class Page(NamedTuple):
    """A generated note: a summary's, or (level 0) the map of sources. `is_root`: of its tree; the map is none's."""

    row: SummaryRow
    is_root: bool

    @property
    def is_map(self) -> bool:
        """Tell whether it has links alone."""
        return self.row.level == 0

    @property
    def stands(self) -> bool:
        """Tell whether its file is in the vault, as far as is known."""
        return self.row.path is not None and self.row.written_hash is not None and self.row.missing is None


def pages(memory: Memory) -> list[Page]:
    """Return all that may have a note: children stand before their parents, roots behind all others, the map last.

    So what ceases to be a root has left the root's path before the new one comes there.
    """
    found = sorted(_of_trees(summaries.every(memory.db.read())), key=_turn)
    sources = {page.row.folder for page in found if page.is_root}
    if sources and "" not in sources:
        found.append(Page(map_row(memory), is_root=True))
    return found


def roots_of(found: Iterable[Page], paths: Mapping[Uid, NotePath]) -> dict[str, NotePath]:
    """Return by source where the note is that stands for all of it. `paths`: of the pages that have a note."""
    roots = (page.row for page in found if page.is_root and not page.is_map)
    return {row.folder: paths[row.uid] for row in roots if row.uid in paths}


def map_row(memory: Memory) -> SummaryRow:
    """Return the map of sources as if it were a summary, of level 0."""
    index = memory.db.read()
    path, written, missing = (marks.find(index, name) for name in (MAP_PATH, MAP_WRITTEN, MAP_MISSING))
    said: dict[str, object] = dict.fromkeys(SummaryRow._fields, "")
    said |= dict.fromkeys(("private", "pinned", "withdrawn"), False)
    said |= {"uid": map_uid(memory.vault_id), "tree_id": 0, "ordinal": 0, "level": 0, "parent": None}
    said |= {
        "state": "sealed",
        "path": path,
        "written_hash": written,
        "missing": missing,
        "fallback": None,
        "said": None,
    }
    return SummaryRow(**said)  # type: ignore[arg-type] # the fields' own types


def forget_map(tx: Writer) -> None:
    """Let the map of sources have no file any more, where a summary takes its place."""
    marks.put(tx, {MAP_PATH: None, MAP_WRITTEN: None})


def stand(tx: Writer, page: Page, path: NotePath, written_hash: str, said: str) -> None:
    """Note where a page's file is, the hash of its bytes, and what it says (`said_by`)."""
    if page.is_map:
        marks.put(tx, {MAP_PATH: path, MAP_WRITTEN: written_hash, MAP_MISSING: None})
    else:
        summaries.stand(tx, page.row.uid, path, written_hash, said)


def _of_trees(rows: Iterable[SummaryRow]) -> Iterator[Page]:
    """Yield the pages of public trees. `rows`: those of a tree beside each other."""
    public = (row for row in rows if not row.private)
    for _, tree in groupby(public, key=lambda row: row.tree_id):
        of_tree = [*tree]
        root = root_of(Titled(row.ordinal, row.level, row.shelf, row.parent) for row in of_tree)
        yield from (Page(row, row.ordinal == root) for row in of_tree)


def _turn(page: Page) -> tuple[bool, int, str, int]:
    return page.is_root, page.row.level, page.row.folder, page.row.ordinal
