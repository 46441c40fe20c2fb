"""Generated notes that are not what we last wrote go into the store: a machine wrote them, or a person."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app import dues
from vaultsync.app.machines import own_files
from vaultsync.app.outcomes import Adopted
from vaultsync.app.progress import silent
from vaultsync.app.writing import marked_files
from vaultsync.app.writing.giving_way import give_way
from vaultsync.app.writing.map_marks import MAP_MISSING, MAP_PATH, MAP_WRITTEN
from vaultsync.app.writing.marked_files import MAP_TREE
from vaultsync.app.writing.taking_over import Taken, take_over
from vaultsync.domain import tree_file
from vaultsync.domain.absences import Absences, judge
from vaultsync.store import attempts, generated, marks, summaries, tree_steps, trees
from vaultsync.vault import git, git_folder

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from vaultsync.app.growing.duty import Duty
    from vaultsync.app.memory import Memory
    from vaultsync.app.progress import Progress
    from vaultsync.app.writing.marked_files import Found
    from vaultsync.domain.notes import NotePath, Problem
    from vaultsync.domain.tree_file import Lines
    from vaultsync.store.connection import Reader, Writer
    from vaultsync.store.generated import Standing
    from vaultsync.store.summaries import Missing

STAGE = "adopt"
"""The name of this work in `attempts`; its subject is the summaries folder."""

OFF_DUE = "off due"
"""The mark that a person took the summaries folder away; taken away itself once `tree.tsv` says so."""

_POSITION = "git position of generated notes"
"""The mark of where git was when generated notes were last looked for."""

_LINES = "tree.tsv told"
"""The mark of the `tree.tsv` of which everything is known here, as its hash."""

_UNMET = "claims unmet"
"""The mark of the summaries that did not get all that their notes name, as their uids."""


class _Gone(NamedTuple):
    """Summaries whose notes are gone, and what becomes of them. `told`: deleted, as another machine says.

    `away`: their notes are in another folder than the setting now names. `removed`: these are known no longer.
    """

    absences: Absences = Absences()
    told: tuple[Standing, ...] = ()
    away: tuple[Standing, ...] = ()
    removed: tuple[Standing, ...] = ()


def adopt(memory: Memory, duty: Duty, progress: Progress = silent) -> Adopted:
    """Take over what generated files say that the store does not; without news nothing is read or written.

    One transaction; what `progress` raises undoes it. Raises VaultError if `tree.tsv` can't be read.
    """
    if not _is_open(memory):
        return Adopted()
    give_way(memory, duty)
    index = memory.db.read()
    tree = own_files.find(memory.root, own_files.TREE)
    lines = tree_file.read(tree.text)
    found = marked_files.look(memory, _unmet(index, duty), is_due=_has(index, dues.PLACES), progress=progress)
    is_news = marks.find(index, _LINES) != tree.content_hash
    gone = _Gone() if duty.is_busy else _find_gone(memory, duty, found, lines, is_news=is_news)
    gone = gone._replace(removed=(*gone.removed, *found.ended))
    noted: dict[str, str | None] = {OFF_DUE: None} if lines.off else {}
    if not duty.is_busy:
        noted |= {_LINES: tree.content_hash, _POSITION: git_folder.position(memory.root) or ""}
    is_noted = all(marks.find(index, name) == value for name, value in noted.items())
    if is_noted and not found.has_news and gone == _Gone():
        return Adopted(off=_has(index, OFF_DUE))
    with memory.db.write() as tx:
        marks.put(tx, noted)
        _lose(tx, found, gone)
        for row, path in found.moved:
            summaries.stand(tx, row.uid, path, row.written_hash)
        for path, content_hash in found.maps:
            marks.put(tx, {MAP_PATH: path, MAP_WRITTEN: content_hash, MAP_MISSING: None})
        taken = take_over(tx, found.takings, memory.settings.folder, lines, memory.clock(), progress=progress)
        while void := generated.void(tx):
            _remove(tx, void)
        _note(tx, found, taken, gone)
    progress("adopting", len(found.takings), len(found.takings))
    return _adopted(memory, found, taken, gone)


def _is_open(memory: Memory) -> bool:
    """Tell whether generated notes can be in their folder, and let `status` know why if they can't."""
    folder = memory.settings.folder
    fault = own_files.folder_fault(memory.root, folder)
    known = {attempt.last_error for attempt in attempts.pending(memory.db.read()) if attempt.stage == STAGE}
    if known != ({fault} if fault else set()):
        with memory.db.write() as tx:
            attempts.clear_others(tx, STAGE, [])
            attempts.record(tx, STAGE, [(folder, fault)] if fault else [], int(memory.clock()))
    return fault is None


def _has(index: Reader, mark: str) -> bool:
    return marks.find(index, mark) is not None


def _unmet(index: Reader, duty: Duty) -> frozenset[str]:
    """Return the summaries whose notes may name what they do not have.

    Where the tree is what the files say, those that wait for notes. Everywhere those that a person wrote and that are
    withheld: their notes stay as they are, and name what became private; it may be public again.
    """
    waiting = frozenset() if duty.role.may_write else frozenset((marks.find(index, _UNMET) or "").split())
    return waiting | generated.withheld_pins(index)


def _find_gone(memory: Memory, duty: Duty, found: Found, lines: Lines, *, is_news: bool) -> _Gone:
    """Find out what becomes of the summaries whose notes are gone. `is_news`: others may have written the lines."""
    told = tuple(row for row in found.missing if row.uid in lines.deleted and row.missing != "deleted")
    told = told if is_news or not duty.role.may_write else ()
    if not duty.role.may_write:
        gone = (row for row in found.missing if row.uid not in lines.deleted and row.tree_id != MAP_TREE)
        return _Gone(told=told, removed=tuple(gone))
    written = [row for row in found.missing if row.written_hash and not row.missing and row not in told]
    away = tuple(row for row in written if not f"{row.path}".startswith(f"{memory.settings.folder}/"))
    paths = {row.path: row.uid for row in written if row.path and row not in away}
    by_git = _taken_by_git(memory, paths)
    absences = judge(
        paths.values(), [paths[path] for path in by_git], are_all=found.left == 0, is_off=lines.off
    )
    return _Gone(absences, told, away)


def _taken_by_git(memory: Memory, paths: Collection[NotePath]) -> frozenset[NotePath]:
    """Return those of the missing paths that went with git since generated notes were last looked for.

    `git stash -u` takes what git does not track too. Else git must have had one of them in some commit, as people
    let it track generated notes or do not.
    """
    last = marks.find(memory.db.read(), _POSITION)
    now = git_folder.position(memory.root)
    if not (paths and last and now) or last == now:
        return frozenset()
    gone = frozenset(paths) - git.unclean(memory.root, paths)
    stash, stash_now = (position.split(" ")[2] for position in (last, now))
    return gone if stash != stash_now or git.had_any(memory.root, gone) else frozenset()


def _lose(tx: Writer, found: Found, gone: _Gone) -> None:
    """Write what becomes of the summaries whose notes are gone."""
    rows = {row.uid: row for row in found.missing}
    for uid in gone.absences.again:
        _miss(tx, rows[uid], None)
    for uid in gone.absences.absent:
        _miss(tx, rows[uid], "absent")
    for row in (*(rows[uid] for uid in gone.absences.deleted), *gone.told):
        _miss(tx, row, "deleted")
    for row in gone.away:
        _miss(tx, row._replace(path=None), None)
    _remove(tx, gone.removed)


def _remove(tx: Writer, rows: Iterable[Standing]) -> None:
    """Take summaries out of the store; what is below them is below none."""
    ordinals = defaultdict(list)
    for row in rows:
        ordinals[row.tree_id].append(row.ordinal)
    for tree_id, of_tree in ordinals.items():
        tree_steps.remove(tx, tree_id, of_tree)
    trees.stir(tx, ordinals.keys())


def _miss(tx: Writer, row: Standing, why: Missing | None) -> None:
    """Note that a note has no file; should one come back, it is taken over as it is then."""
    if row.tree_id == MAP_TREE:
        marks.put(tx, {MAP_PATH: row.path, MAP_WRITTEN: None, MAP_MISSING: why})
    else:
        summaries.stand(tx, row.uid, row.path, None)
        summaries.miss(tx, row.uid, why)


def _note(tx: Writer, found: Found, taken: Taken, gone: _Gone) -> None:
    """Note what is wrong with files, and what there is to do now."""
    fine: dict[NotePath, Problem | None] = {taking.path: None for taking in found.takings}
    fine |= {path: None for _, path in found.moved} | {path: None for path, _ in found.maps}
    generated.complain(tx, fine | found.problems | taken.problems)
    if found.takings:
        marks.put(tx, {_UNMET: " ".join(sorted(taken.unmet)) or None})
    if gone.absences.is_off:
        marks.put(tx, {OFF_DUE: "1"})
    if found.takings or gone.removed:
        marks.keep(tx, dues.PLACES, "1")
    if found.has_news or gone != _Gone():
        marks.keep(tx, dues.NOTES, "1")


def _adopted(memory: Memory, found: Found, taken: Taken, gone: _Gone) -> Adopted:
    return Adopted(
        adopted=tuple(taken.adopted),
        pinned=tuple(taken.pinned),
        absent=tuple(sorted(gone.absences.absent)),
        deleted=tuple(sorted(gone.absences.deleted | {row.uid for row in gone.told})),
        removed=tuple(row.uid for row in gone.removed),
        problems=tuple(sorted((found.problems | taken.problems).items())),
        off=_has(memory.db.read(), OFF_DUE),
    )
