"""What each generated note is to say, read from the store a tree at a time."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app.writing.map_marks import MAP_MISSING, MAP_PATH, MAP_WRITTEN
from vaultsync.domain.summary_maps import maps, sources_map
from vaultsync.domain.summary_names import VAULT
from vaultsync.domain.summary_note import FORMAT, Child, Content, Record
from vaultsync.domain.summary_titles import Member, Titled, root_of, titles
from vaultsync.domain.tree import gather
from vaultsync.domain.uids import map_uid
from vaultsync.store import marks, summaries, tree_rows, trees
from vaultsync.store.summaries import SummaryRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from vaultsync.app.memory import Memory
    from vaultsync.domain.notes import NotePath, Uid
    from vaultsync.domain.summary_note import Section
    from vaultsync.domain.tree import Note
    from vaultsync.store.connection import Reader, Writer
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


def find_trees(memory: Memory) -> list[Grown]:
    """Return the trees that have summaries, public and private, in the order of their folders."""
    index = memory.db.read()
    grown = (_grown(index, tree) for tree in trees.every(index))
    return [tree for tree in grown if tree.rows]


def pages(memory: Memory, forest: Iterable[Grown]) -> list[Page]:
    """Return all that may have a note: children stand before their parents, roots behind all others, the map last.

    So what ceases to be a root has left the root's path before the new one comes there.
    """
    public = [tree for tree in forest if not tree.tree.private]
    found = [Page(row, ordinal == tree.root) for tree in public for ordinal, row in tree.rows.items()]
    found.sort(key=_turn)
    sources = {tree.tree.folder for tree in public if tree.root is not None}
    if sources and "" not in sources:
        found.append(Page(map_row(memory), is_root=True))
    return found


def contents(
    memory: Memory, forest: Iterable[Grown], paths: Mapping[Uid, NotePath]
) -> Iterator[tuple[Uid, Content]]:
    """Yield what each public summary's note says, and the map's. `paths`: of those that have a note, by uid."""
    public = [tree for tree in forest if not tree.tree.private]
    roots = {
        tree.tree.folder: paths[row.uid]
        for tree in public
        if tree.root is not None and (row := tree.rows[tree.root]).uid in paths
    }
    sources = sources_map({folder: path for folder, path in roots.items() if folder})
    for tree in public:
        there = {ordinal: paths[row.uid] for ordinal, row in tree.rows.items() if row.uid in paths}
        linked = maps(tree.titled, tree.titles, there)
        for ordinal, row in tree.rows.items():
            is_vaults = tree.tree.folder == "" and ordinal == tree.root
            sections = (linked[ordinal], sources) if is_vaults else (linked[ordinal],)
            yield row.uid, _content(memory, row, tree.titles[ordinal], tree.children[ordinal], sections)
    row = map_row(memory)
    yield row.uid, _content(memory, row, VAULT, (), (sources,))


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


def _turn(page: Page) -> tuple[bool, int, str, int]:
    return page.is_root, page.row.level, page.row.folder, page.row.ordinal


def _grown(index: Reader, tree: TreeRow) -> Grown:
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
