"""The summary trees as they stand, each from its roots down to the notes, and what is under no summary yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app.finding.climbing import withhold
from vaultsync.app.finding.source_names import find_source
from vaultsync.domain import tree as engine
from vaultsync.domain.tree import gather
from vaultsync.store import summaries, tree_rows, trees

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from vaultsync.app.memory import Memory
    from vaultsync.domain.notes import NotePath, Uid
    from vaultsync.domain.tree import Item
    from vaultsync.store.connection import Reader
    from vaultsync.store.summaries import SummaryRow
    from vaultsync.store.tree_rows import NoteRow
    from vaultsync.store.trees import TreeRow


class Member(NamedTuple):
    """A note of a tree. `digest`: of its leaves that count, in hex."""

    uid: Uid
    path: NotePath
    title: str
    digest: str


@dataclass(frozen=True, slots=True)
class Branch:
    """A summary and its children in order: summaries or, at level 1, notes. `is_stale`: they say something else now."""

    summary: SummaryRow
    is_stale: bool
    children: tuple[Branch | Member, ...]


@dataclass(frozen=True, slots=True)
class SourceTree:
    """A source's tree of one privacy. `loose`: the notes that are under no summary yet, by path."""

    uid: Uid
    source: str
    private: bool
    roots: tuple[Branch, ...]
    loose: tuple[Member, ...]


def find_trees(memory: Memory, source: str | None = None) -> list[SourceTree]:
    """Return the trees that hold anything, by source, those of one source if it is given.

    Raises UnknownRef and AmbiguousRef as `find_source`.
    """
    with memory.db.snapshot() as db:
        known = trees.every(db)
        if source is not None:
            folder = find_source((row.folder for row in known), source, memory.root.name)
            known = [row for row in known if row.folder == folder]
        drawn = [_drawn(db, row) for row in known]
    return [tree for tree in drawn if tree.roots or tree.loose]


def load(db: Reader, tree_id: int) -> engine.Tree:
    """Return a tree as its rows are. Shelves do not matter to who only looks at what is above what."""
    notes = gather(tree_rows.leaves(db, tree_id, {}))
    return engine.Tree("", notes, tree_rows.summaries(db, tree_id))


def _drawn(db: Reader, row: TreeRow) -> SourceTree:
    tree = load(db, row.id)
    notes: dict[str, NoteRow] = {note.uid: note for note in tree_rows.notes(db, row.id)}
    grown: dict[int, Branch] = {}
    for summary in sorted(
        summaries.of_tree(db, row.id), key=lambda summary: (summary.level, summary.ordinal)
    ):
        members = tree.children(summary.ordinal)
        found = tree.summary(summary.ordinal)
        grown[summary.ordinal] = Branch(
            withhold(summary),
            found is not None and engine.is_stale(found, members),
            tuple(_child(member, notes, grown) for member in members),
        )
    roots = tuple(grown[root.ordinal] for root in tree.roots())
    loose = sorted(_loose(tree, notes), key=lambda member: member.path)
    return SourceTree(row.uid, row.folder, row.private, roots, tuple(loose))


def _child(item: Item, notes: Mapping[str, NoteRow], grown: Mapping[int, Branch]) -> Branch | Member:
    return grown[item.ordinal] if isinstance(item, engine.Summary) else _member(item, notes)


def _member(item: engine.Note, notes: Mapping[str, NoteRow]) -> Member:
    row = notes[item.key]
    return Member(row.uid, row.path, row.title, item.digest)


def _loose(tree: engine.Tree, notes: Mapping[str, NoteRow]) -> Iterator[Member]:
    for bucket in tree.buckets():
        for item in tree.loose(bucket):
            if isinstance(item, engine.Note):
                yield _member(item, notes)
