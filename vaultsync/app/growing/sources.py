"""Which folders are the sources now, and their trees: as the vault's `tree.tsv` says, else as chosen by size once."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING

from vaultsync.app import dues
from vaultsync.app.machines import tree_lines
from vaultsync.domain.folders import holdings, moved_to
from vaultsync.domain.sources import ROOT, choose, sources_of
from vaultsync.store import marks, places, trees
from vaultsync.store.as_json import to_json

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from vaultsync.app.growing.duty import Duty
    from vaultsync.app.machines.tree_lines import Lines
    from vaultsync.app.memory import Memory
    from vaultsync.store.connection import Reader, Writer
    from vaultsync.store.places import NoteRow
    from vaultsync.store.trees import TreeRow

_SOURCES = "sources"
"""The mark of the sources in force, as a list of folders."""

_ASIDE = "\0"
"""What the folder of a tree begins with whose own became another tree's: no note is below it."""


def in_force(db: Reader) -> tuple[str, ...]:
    """Return the folders of the sources, the root source's ("") first; it is the only one before they are chosen."""
    kept = marks.find(db, _SOURCES)
    return tuple(json.loads(kept)) if kept else tuple(sorted({ROOT, *places.summed_up(db)}))


def are_due(db: Reader, duty: Duty, lines: Lines) -> bool:
    """Tell whether `tree.tsv` says what the trees do not follow, or the sources are still to be chosen."""
    if not tree_lines.are_followed(db, lines):
        return True
    return duty.role.may_write and marks.find(db, _SOURCES) is None and places.has_public(db)


def settle_sources(
    tx: Writer, memory: Memory, duty: Duty, lines: Lines, notes: Sequence[NoteRow]
) -> tuple[str, ...]:
    """Return the sources in force, each with its public tree.

    What `tree.tsv` says goes first, on any machine; else they are those of before; else a machine that may write
    chooses them as soon as there is a public note. A source whose notes moved as a whole moves with them. `notes`: all.
    """
    if lines.sources and not tree_lines.are_followed(tx, lines):
        _follow(tx, lines)
        unsaid = places.private_folders(tx).intersection(in_force(tx)) if _are_chosen(tx) else ()
        folders = {ROOT, *lines.sources.values(), *unsaid}
    elif _are_chosen(tx):
        folders = {*in_force(tx)}
    elif duty.role.may_write and places.has_public(tx):
        folders = {ROOT, *_choose(tx, memory)}
    else:
        return _with_trees(tx, memory, lines, {ROOT})
    renames = _moves(trees.every(tx), folders, notes)
    _rename(tx, renames)
    return _enforce(tx, memory, lines, {renames.get(folder, folder) for folder in folders})


def due_sources(memory: Memory) -> list[str]:
    """Return the folders that `rebuild_sources` would make sources: they grew since the choice."""
    index = memory.db.read()
    if not _are_chosen(index):
        return []
    return sorted({*_choose(index, memory)} - {*in_force(index)})


def rebuild_sources(memory: Memory) -> tuple[str, ...]:
    """Choose the sources anew, say so in `tree.tsv`, and return them; the next pass takes the notes there.

    Only for the writer. Raises VaultError if the file can't be written now.
    """
    lines = tree_lines.read(memory)
    with memory.db.write() as tx:
        folders = _enforce(tx, memory, lines, {ROOT, *_choose(tx, memory)})
        dues.owe(tx)
    tree_lines.insist(memory, lines_of(memory.db.read(), lines))
    return folders


def lines_of(db: Reader, lines: Lines) -> Lines:
    """Return the lines with what the store knows better: the sources, and which ordinals no summary's note shows.

    A source all of whose notes became private is named no more.
    """
    folders = set(in_force(db) if _are_chosen(db) else ()) - places.private_folders(db)
    public = [row for row in trees.every(db) if not row.private]
    shown = places.highest_shown(db)
    given = {row.uid: row.next_ordinal - 1 for row in public if row.next_ordinal - 1 > shown.get(row.id, 0)}
    known = {row.uid for row in public}
    return lines._replace(
        sources={row.uid: row.folder for row in public if row.folder in folders},
        ordinals={uid: highest for uid, highest in lines.ordinals.items() if uid not in known} | given,
    )


def _are_chosen(db: Reader) -> bool:
    """Tell whether the store knows the sources: as they were chosen or told, or by the summaries that it took over."""
    return marks.find(db, _SOURCES) is not None or bool(places.summed_up(db))


def _choose(db: Reader, memory: Memory) -> tuple[str, ...]:
    settings = memory.settings
    return choose(places.weights(db), settings.sources, settings.seal_tokens // 4)


def _enforce(tx: Writer, memory: Memory, lines: Lines, folders: Collection[str]) -> tuple[str, ...]:
    marks.put(tx, {_SOURCES: to_json(sorted(folders))})
    return _with_trees(tx, memory, lines, folders)


def _with_trees(tx: Writer, memory: Memory, lines: Lines, folders: Collection[str]) -> tuple[str, ...]:
    for folder in sorted(folders):
        trees.get_or_create(
            tx, memory.vault_id, folder, private=False, taken={*lines.sources, *lines.ordinals}
        )
    return tuple(sorted(folders))


def _follow(tx: Writer, lines: Lines) -> None:
    """Let the public trees be those of the lines; private ones go with the public one of their source."""
    known = {row.uid: row for row in trees.every(tx)}
    _rename(
        tx,
        {
            known[uid].folder: folder
            for uid, folder in lines.sources.items()
            if uid in known and known[uid].folder != folder
        },
    )
    for uid, folder in lines.sources.items():
        if uid not in known:
            _set_aside(tx, [row for row in trees.every(tx) if row.folder == folder and not row.private])
            trees.add(tx, uid, folder, private=False)
    for row in trees.every(tx):
        trees.raise_ordinal(tx, row.id, lines.ordinals.get(row.uid, 0) + 1)


def _rename(tx: Writer, renames: Mapping[str, str]) -> None:
    """Give sources, by their old folders, new ones, also each other's; a tree that is in the way makes room."""
    rows = trees.every(tx)
    moving = [row for row in rows if row.folder in renames]
    wanted = {(renames[row.folder], row.private) for row in moving}
    _set_aside(tx, [row for row in rows if row in moving or (row.folder, row.private) in wanted])
    for row in moving:
        trees.rename(tx, row.id, renames[row.folder])


def _set_aside(tx: Writer, rows: Sequence[TreeRow]) -> None:
    for row in rows:
        trees.rename(tx, row.id, f"{_ASIDE}{row.uid}")


def _moves(rows: Sequence[TreeRow], folders: Collection[str], notes: Sequence[NoteRow]) -> dict[str, str]:
    """Return the new folders of sources whose notes went elsewhere as a whole, by the old ones.

    Only public notes count: where private ones went is not to stand in `tree.tsv`.
    """
    homes = {row.id: row.folder for row in rows}
    public = [note for note in notes if note.usual and not note.private]
    placed = [note for note in public if note.tree_id is not None]
    own: defaultdict[str, list[str]] = defaultdict(list)
    away: defaultdict[str, int] = defaultdict(int)
    for note, source in zip(placed, sources_of((note.path for note in placed), folders), strict=True):
        home = homes[note.tree_id or 0]
        own[home].append(note.path)
        away[home] += source != home
    suspects = [home for home in sorted(own) if home and home in folders and 2 * away[home] > len(own[home])]
    every = holdings(note.path for note in public) if suspects else {}
    moves: dict[str, str] = {}
    for home in suspects:
        if there := moved_to(home, holdings(own[home]), every, {*folders, *moves.values()}):
            moves[home] = there
    return moves
