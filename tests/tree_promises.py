"""What the memory tree and its notes promise after every pass, each as what is wrong with it in words."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app.growing import sources, summarise
from vaultsync.app.growing.shelving import shelves_of
from vaultsync.app.machines import tree_lines
from vaultsync.app.writing.contents import contents, grown
from vaultsync.app.writing.page_files import around, look
from vaultsync.app.writing.pages import pages, roots_of
from vaultsync.domain.generators import EXTRACTIVE
from vaultsync.domain.shelves import SOURCE
from vaultsync.domain.sources import sources_of
from vaultsync.domain.summary_note import Parts, render, take_apart
from vaultsync.domain.tree import Limits, Tree, Upkeep, gather, is_stale
from vaultsync.store import generated, summaries, tree_rows, trees

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vaultsync.app.memory import Memory
    from vaultsync.domain.tree import Summary
    from vaultsync.store.connection import Reader
    from vaultsync.store.trees import TreeRow

_LINK = re.compile(r"\[\[([^|\]]+)\|")


class _Leaf(NamedTuple):
    """A leaf of a living note, with its place; `above`: the tree and the level of the summary that it is under."""

    path: str
    private: bool
    usual: bool
    status: str | None
    tree_id: int | None
    seq: int | None
    parent: int | None
    above: tuple[int, int] | None


def faults(memory: Memory, *, is_flushed: bool = False) -> list[str]:
    """Return all that is wrong after a whole pass of the machine that writes. `is_flushed`: it flushed everything."""
    index = memory.db.read()
    return [
        *_misplaced(index),
        *_misgrown(index),
        *(
            fault
            for row in trees.every(index)
            for fault in _undone(memory, index, row, is_flushed=is_flushed)
        ),
        *_untold(memory),
    ]


def _leaves(index: Reader) -> Iterator[_Leaf]:
    rows = index.all(
        """
        SELECT f.path, n.private OR f.withheld IS NOT NULL, f.role = 'note', c.status, c.tree_id, c.seq, c.parent_id,
               p.tree_id, p.level
        FROM chunks c JOIN nodes n ON n.id = c.node_id JOIN files f ON f.node_id = n.id
        LEFT JOIN chunks p ON p.id = c.parent_id
        WHERE c.kind = 'leaf' AND n.deleted_at IS NULL
        """
    )
    for path, private, usual, status, tree_id, seq, parent, above, level in rows:
        yield _Leaf(
            path,
            private == 1,
            usual == 1,
            status,
            tree_id,
            seq,
            parent,
            None if above is None else (above, level),
        )


def _misplaced(index: Reader) -> Iterator[str]:
    """Every leaf that counts is in the tree of its source, and all of a note are in one bucket or under one summary."""
    homes = {row.id: (row.folder, row.private) for row in trees.every(index)}
    leaves = [*_leaves(index)]
    wanted = sources_of([leaf.path for leaf in leaves], sources.in_force(index))
    places_of: dict[str, set[object]] = {}
    for leaf, source in zip(leaves, wanted, strict=True):
        home = (source, leaf.private) if leaf.usual else None
        places_of.setdefault(leaf.path, set()).add((leaf.tree_id, leaf.seq, leaf.parent))
        if leaf.status is None:
            yield f"a leaf of {leaf.path} waits for extraction"
        if homes.get(leaf.tree_id or 0) != home:
            yield f"a leaf of {leaf.path} is in {homes.get(leaf.tree_id or 0)}, not in {home}"
        if leaf.parent is not None and leaf.above != (leaf.tree_id, 1):
            yield f"a leaf of {leaf.path} is under {leaf.above}"
    yield from (f"{path} is cut: {found}" for path, found in places_of.items() if len(found) > 1)


def _misgrown(index: Reader) -> Iterator[str]:
    """Levels never skip, and a bucket has one open summary."""
    rows = summaries.every(index)
    known = {(row.tree_id, row.ordinal): row for row in rows}
    for row in rows:
        above = None if row.parent is None else known[row.tree_id, row.parent]
        if above and above.level != row.level + 1:
            yield f"{row.title}, level {row.level}, is under level {above.level}"
        if row.withdrawn and not row.pinned:
            yield f"{row.title} is still withdrawn"
    opened = Counter(
        (row.folder, row.private, row.level, row.shelf)
        for row in rows
        if row.state == "open" and not row.pinned
    )
    yield from (f"{count} open summaries in {bucket}" for bucket, count in opened.items() if count > 1)


def _undone(memory: Memory, index: Reader, row: TreeRow, *, is_flushed: bool) -> Iterator[str]:
    """Nothing is left to do, no summary is of one summary, of nothing or of something else than it says."""
    tree = _load(memory, index, row)
    settings = memory.settings
    limits = Limits(settings.seal_tokens, settings.seal_leaves, settings.seal_children)
    if step := Upkeep(tree, limits=limits).next():
        yield f"there is still to do: {step}"
    for summary in tree.summaries():
        members = tree.children(summary.ordinal)
        if not members:
            yield f"{row.folder} {summary.ordinal} is of nothing"
        elif not summary.pinned:
            if summary.level > 1 and len(members) == 1:
                yield f"{row.folder} {summary.ordinal} is of one summary"
            if is_stale(summary, members):
                yield f"{row.folder} {summary.ordinal} is stale"
            else:
                yield from _untrue(memory, index, row, summary, tree)
    counting = [*gather(tree_rows.leaves(index, row.id, {}))]
    if is_flushed and (len(tree.roots()) != bool(counting) or any(note.parent is None for note in counting)):
        yield f"{row.folder} was flushed and has the roots {[root.ordinal for root in tree.roots()]}"


def _load(memory: Memory, index: Reader, row: TreeRow) -> Tree:
    leaves = tree_rows.leaves(index, row.id, shelves_of(memory, index, row))
    return Tree(SOURCE, gather(leaves), tree_rows.summaries(index, row.id), row.next_ordinal)


def _untrue(memory: Memory, index: Reader, row: TreeRow, summary: Summary, tree: Tree) -> Iterator[str]:
    """A text of chosen sentences is the one that would be chosen now."""
    known = next(one for one in summaries.of_tree(index, row.id) if one.ordinal == summary.ordinal)
    if known.generator == EXTRACTIVE:
        given = summarise.read(index, row.id, tree.children(summary.ordinal))
        if summarise.chosen(memory.settings, given) != known.text:
            yield f"{known.title} says what it was not made from: {known.text}"


def _untold(memory: Memory) -> Iterator[str]:
    """The files are what the store says around a person's words, and all that they link to is there."""
    if tree_lines.read(memory).off or not memory.settings.write:
        return
    index, found = memory.db.read(), pages(memory)
    forest = [grown(index, row) for row in trees.every(index) if not row.private]
    standing = {page.row.uid: page.row.path for page in found if page.row.path and page.stands}
    said = dict(contents(memory, forest, standing, roots_of(found, standing)))
    for page in found:
        path = standing.get(page.row.uid)
        if path is None:
            if page.row.missing != "deleted" and not page.row.withdrawn:
                yield f"{page.row.title} of {page.row.folder} has no note"
            continue
        file = look(memory.root, path)
        if file is None or not isinstance(file.parts, Parts):
            yield f"{path} is not as it was made"
        elif around(page, file.parts, said[page.row.uid]) != file.raw:
            yield f"{path} does not say what it should"
        elif not page.row.pinned and file.parts.is_ours_alone and file.raw != render(said[page.row.uid]):
            yield f"{path} would be written otherwise"
        else:
            yield from _dead_links(memory.root, path, file.parts)
    ours = {file.path for file in generated.files_below(memory.db.read(), memory.settings.folder)}
    for path in ours.difference(standing.values()):
        parts = take_apart((memory.root / path).read_bytes())
        if isinstance(parts, Parts) and parts.is_ours_alone:
            yield f"{path} is left over"


def _dead_links(root: Path, path: str, parts: Parts) -> Iterator[str]:
    if parts.is_unchanged:
        for target in _LINK.findall(parts.part):
            if not (root / f"{target}.md").exists():
                yield f"{path} links to {target}, which is not there"


def typed(root: Path, folder: str = "_summaries") -> Counter[str]:
    """Return the lines that are a person's in generated notes: all but those that a machine wrote."""
    found: Counter[str] = Counter()
    for place in sorted((root / folder).rglob("*.md")):
        raw = place.read_bytes()
        parts = take_apart(raw)
        if not isinstance(parts, Parts):
            found.update(raw.decode().splitlines())
            continue
        own = parts.head, "" if parts.is_unchanged else parts.part, parts.middle, parts.tail
        found.update(line for piece in (*own, *parts.block.others) for line in piece.splitlines())
    return found


def made(root: Path, folder: str = "_summaries") -> dict[str, str]:
    """Return what machines wrote between the markers of generated notes, by path."""
    found = {}
    for place in sorted((root / folder).rglob("*.md")):
        parts = take_apart(place.read_bytes())
        if isinstance(parts, Parts) and parts.is_unchanged:
            found[place.relative_to(root).as_posix()] = parts.part
    return found
