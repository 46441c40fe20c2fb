"""Bring every note into the tree of its source: new ones are appended, moved ones leave the place that they had."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app import dues
from vaultsync.app.growing import sources
from vaultsync.app.growing.shelving import shelve
from vaultsync.app.machines import tree_lines
from vaultsync.app.progress import silent
from vaultsync.domain.folders import holdings
from vaultsync.domain.shelves import renamed
from vaultsync.domain.sources import sources_of
from vaultsync.domain.tree import Arrival, in_order
from vaultsync.store import marks, places, summaries, trees
from vaultsync.vault import access, obsidian

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from vaultsync.app.growing.duty import Duty
    from vaultsync.app.machines.tree_lines import Lines
    from vaultsync.app.memory import Memory
    from vaultsync.app.progress import Progress
    from vaultsync.domain.notes import Uid
    from vaultsync.store.connection import Reader, Writer
    from vaultsync.store.places import NoteRow
    from vaultsync.vault.obsidian import ObsidianSettings


class _Home(NamedTuple):
    """The tree of a source, by folder and privacy."""

    folder: str
    private: bool


def place(memory: Memory, duty: Duty, progress: Progress = silent) -> None:
    """Give each note whose text was extracted its place in a tree, once all of a pass is extracted.

    One transaction, so that a first pass that was killed comes to the same order. Costs three look-ups where nothing
    is due; what `progress` raises undoes it. Raises VaultError if `tree.tsv` is there and can't be read.
    """
    index = memory.db.read()
    lines = tree_lines.read(memory)
    if not _is_due(index, duty, lines):
        return
    seen = obsidian.read_settings(memory.root)
    left_out = _left_out(memory, index)
    with memory.db.write() as tx:
        _take_out(tx, left_out)
        notes = places.notes(tx)
        progress("placing", 0, 0)
        folders = sources.settle_sources(tx, memory, duty, lines, notes)
        progress("placing", 0, 0)
        if marks.find(tx, dues.MOVES) is not None:
            _rename_shelves(tx, notes)
        _move(tx, memory, seen, notes, frozenset(folders), progress=progress)
        marks.put(tx, {dues.PLACES: None, dues.MOVES: None, **tree_lines.followed(lines)})
        marks.keep(tx, dues.NOTES, "1")
    progress("placing", len(notes), len(notes))


def _is_due(index: Reader, duty: Duty, lines: Lines) -> bool:
    return (
        marks.find(index, dues.PLACES) is not None
        or sources.are_due(index, duty, lines)
        or places.has_unplaced(index)
    )


def _left_out(memory: Memory, index: Reader) -> list[int]:
    """Return the tombstones whose file is still there: they ask to be left out, or a setting leaves them out."""
    return [
        node_id for node_id, path, asks in places.buried(index) if asks or access.stands(memory.root, path)
    ]


def _take_out(tx: Writer, node_ids: Collection[int], *, withhold: bool = True) -> None:
    """End the places of notes; `withhold`: they are not to be seen any more, nor what quotes them."""
    if withhold and node_ids:
        summaries.withdraw(tx, node_ids)
    places.end(tx, node_ids)


def _rename_shelves(tx: Writer, notes: Sequence[NoteRow]) -> None:
    """Let the shelf of a folder that was renamed within its source be that of the new one."""
    every = holdings(note.path for note in notes if note.usual)
    for tree in trees.every(tx):
        places.relabel(tx, tree.id, renamed(tree.folder, places.below_shelves(tx, tree.id), every))


def _move(
    tx: Writer,
    memory: Memory,
    seen: ObsidianSettings,
    notes: Sequence[NoteRow],
    folders: Collection[str],
    *,
    progress: Progress,
) -> None:
    """Append notes to the trees that they belong in; they keep nothing of a place in another."""
    homes = {row.id: _Home(row.folder, row.private) for row in trees.every(tx)}
    members: defaultdict[_Home, list[NoteRow]] = defaultdict(list)
    arrived: defaultdict[_Home, list[NoteRow]] = defaultdict(list)
    for note, source in zip(notes, sources_of((note.path for note in notes), folders), strict=True):
        was = homes.get(note.tree_id or 0)
        home = _Home(source, note.private) if note.usual else None
        if was and was != home:
            _take_out(tx, [note.node_id], withhold=note.private and not was.private)
        if home and note.extracted:
            members[home].append(note)
            if was != home:
                arrived[home].append(note)
    tokens = places.tokens(tx) if any(len(group) > 1 for group in arrived.values()) else {}
    for home, group in sorted(arrived.items()):
        progress("placing", 0, 0)
        tree = trees.get_or_create(tx, memory.vault_id, home.folder, private=home.private)
        texts = [(note.uid, note.path, tokens.get(note.node_id, 0)) for note in members[home]]
        shelf_of = shelve(memory, seen, tx, tree, texts) if len(group) > 1 else {}
        progress("placing", 0, 0)
        places.append(tx, tree.id, _in_order(group, shelf_of), int(memory.clock()))


def _in_order(notes: Sequence[NoteRow], shelf_of: Mapping[Uid, str]) -> list[int]:
    """Return the ids of notes in the order in which they are appended."""
    ids = {str(note.uid): note.node_id for note in notes}
    arrivals = (
        Arrival(note.uid, shelf_of.get(note.uid, ""), note.path, note.event_date, 0) for note in notes
    )
    return [ids[arrival.note] for arrival in in_order(arrivals)]
