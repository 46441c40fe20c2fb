"""What each generated note is to say, read from the store a tree at a time."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

from vaultsync.app.writing.pages import map_row
from vaultsync.domain.summary_maps import maps, sources_map
from vaultsync.domain.summary_names import VAULT
from vaultsync.domain.summary_note import FORMAT, Child, Content, Record
from vaultsync.domain.summary_titles import Member, Titled, root_of, titles
from vaultsync.domain.tree import gather
from vaultsync.store import summaries, tree_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from vaultsync.app.memory import Memory
    from vaultsync.domain.notes import NotePath, Uid
    from vaultsync.domain.summary_note import Section
    from vaultsync.domain.tree import Note
    from vaultsync.store.connection import Reader
    from vaultsync.store.summaries import SummaryRow
    from vaultsync.store.tree_rows import NoteRow
    from vaultsync.store.trees import TreeRow


@dataclass(frozen=True, slots=True)
class Grown:
    """A tree and what is known of its summaries, by ordinal. `root`: the ordinal of the one that stands for all."""

    tree: TreeRow
    rows: Mapping[int, SummaryRow]
    titled: Sequence[Titled]
    children: Mapping[int, tuple[Child, ...]]
    titles: Mapping[int, str]
    root: int | None


def grown(index: Reader, tree: TreeRow) -> Grown:
    """Return a tree as it stands now; one without summaries has nothing to say."""
    rows = {row.ordinal: row for row in summaries.of_tree(index, tree.id)}
    if not rows:
        return Grown(tree, {}, (), {}, {}, None)
    below = _notes_below(index, tree.id)
    known: dict[str, NoteRow] = {note.uid: note for note in tree_rows.notes(index, tree.id)}
    titled = [_titled(row, below[row.ordinal], known) for row in rows.values()]
    children: dict[int, tuple[Child, ...]] = {
        ordinal: tuple(Child(note.key, note.digest) for note in below[ordinal]) for ordinal in rows
    }
    for row in rows.values():
        if row.parent is not None:
            children[row.parent] += (Child(row.uid, row.text_hash),)
    called = titles(tree.folder, titled)
    return Grown(tree, rows, titled, children, called, root_of(titled))


def contents(
    memory: Memory, forest: Iterable[Grown], paths: Mapping[Uid, NotePath], roots: Mapping[str, NotePath]
) -> Iterator[tuple[Uid, Content]]:
    """Yield what the note of each summary of these public trees says, and the map's.

    `paths`: of the pages that have a note, by uid; `roots`: of those that stand for a whole source, by it.
    """
    sources = sources_map({folder: path for folder, path in roots.items() if folder})
    for tree in forest:
        there = {ordinal: paths[row.uid] for ordinal, row in tree.rows.items() if row.uid in paths}
        linked = maps(tree.titled, tree.titles, there)
        for ordinal, row in tree.rows.items():
            is_vaults = tree.tree.folder == "" and ordinal == tree.root
            sections = (linked[ordinal], sources) if is_vaults else (linked[ordinal],)
            yield row.uid, _content(memory, row, tree.titles[ordinal], tree.children[ordinal], sections)
    row = map_row(memory)
    yield row.uid, _content(memory, row, VAULT, (), (sources,))


def said_by(content: Content) -> str:
    """Return a hash of all that a note is to say, by which one that says it already need not be rendered or read."""
    gist = (
        FORMAT,
        content.record,
        content.title,
        content.text,
        content.sections,
        content.links,
        content.vault,
    )
    return blake2b(repr(gist).encode("utf-8", "backslashreplace"), digest_size=16).hexdigest()


def _notes_below(index: Reader, tree_id: int) -> defaultdict[int | None, list[Note]]:
    """Return the notes right under each summary, in order."""
    found = defaultdict(list)
    for note in sorted(gather(tree_rows.leaves(index, tree_id, {})), key=lambda note: (note.seq, note.key)):
        found[note.parent].append(note)
    return found


def _titled(row: SummaryRow, notes: Iterable[Note], known: Mapping[str, NoteRow]) -> Titled:
    members = (known[note.key] for note in notes if note.key in known)
    return Titled(
        row.ordinal,
        row.level,
        row.shelf,
        row.parent,
        tuple(Member(note.title, note.path, note.event_date) for note in members),
    )


def _content(
    memory: Memory, row: SummaryRow, title: str, children: tuple[Child, ...], sections: tuple[Section, ...]
) -> Content:
    record = Record(
        id=row.uid,
        vault=memory.vault_id,
        tree=row.tree_uid,
        level=row.level,
        shelf=row.shelf,
        ordinal=row.ordinal,
        state=row.state,
        generator=row.generator,
        input_digest=row.inputs,
        children=children,
    )
    settings = memory.settings
    return Content(
        record, title, row.text, sections, settings.links, memory.root.name, settings.draft, typed=row.pinned
    )
