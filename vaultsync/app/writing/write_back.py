"""Write the summaries into the vault, as notes that a person reads: what differs, and nothing that is not ours."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from vaultsync.app import dues
from vaultsync.app.growing.sources import lines_of
from vaultsync.app.machines import own_files, tree_lines, writer
from vaultsync.app.outcomes import Written
from vaultsync.app.progress import silent
from vaultsync.app.writing.adopt import OFF_DUE
from vaultsync.app.writing.contents import contents, grown
from vaultsync.app.writing.leftovers import find_leftovers, sweep
from vaultsync.app.writing.page_files import STAGE, Busy, Left, PageFiles
from vaultsync.app.writing.page_paths import plan_paths
from vaultsync.app.writing.pages import forget_map, pages, roots_of
from vaultsync.app.writing.untold import find_untold
from vaultsync.config import VAULT_FOLDER
from vaultsync.domain.errors import UsageError, VaultError
from vaultsync.store import attempts, marks, summaries, trees
from vaultsync.vault import files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from vaultsync.app.growing.duty import Duty
    from vaultsync.app.machines.tree_lines import Lines
    from vaultsync.app.memory import Memory
    from vaultsync.app.progress import Progress
    from vaultsync.app.writing.contents import Grown
    from vaultsync.app.writing.pages import Page
    from vaultsync.domain.notes import NotePath, Uid
    from vaultsync.store.connection import Reader
    from vaultsync.store.trees import TreeRow

_OWED = "notes owed"
"""The mark that titles do, and the notes are to be written once they may be."""


def clear_away(memory: Memory) -> None:
    """Remove what a writing that was killed left half done, before the pass looks at the vault."""
    if memory.is_rehearsal or marks.find(memory.db.read(), _OWED) is None:
        return
    if own_files.is_legible(memory.root, own_files.TREE) and writer.find_role(memory).may_write:
        for folder in (memory.settings.folder, VAULT_FOLDER):
            with suppress(UsageError, OSError):
                files.remove_asides(memory.root, folder)


def write_back(memory: Memory, duty: Duty, progress: Progress = silent, *, asked: bool = True) -> Written:
    """Give summaries their titles, and if this machine writes now, make the vault say what the store does.

    Bytes follow from the store alone. Costs three small queries where nothing is due, else as much as the trees to
    which something happened. `asked`: a person wants it now, so what failed is tried again at once.
    `progress`: what it raises between two files leaves the others for the next time.
    """
    forest = _tell_titles(memory, progress) if marks.find(memory.db.read(), dues.NOTES) is not None else {}
    if not duty.may_write or not _is_owed(memory, asked=asked):
        return Written()
    return _Pass(memory, duty, forest, progress).run()


def _tell_titles(memory: Memory, progress: Progress) -> dict[int, Grown]:
    """Give summaries their titles, and leave word that their notes are still to be written; return trees by id."""
    index = memory.db.read()
    untold = [row for row in trees.every(index) if not row.is_told]
    forest = {row.id: tree for row, tree in zip(untold, _grown(index, untold, progress), strict=True)}
    with memory.db.write() as tx:
        for tree in forest.values():
            summaries.name(tx, {row.uid: tree.titles[ordinal] for ordinal, row in tree.rows.items()})
        trees.tell(tx, [tree.tree for tree in forest.values() if tree.tree.private])
        marks.put(tx, {dues.NOTES: None, _OWED: "1"})
    progress("writing notes", 0, 0)
    return forest


def _grown(index: Reader, rows: Iterable[TreeRow], progress: Progress) -> Iterator[Grown]:
    for row in rows:
        progress("writing notes", 0, 0)
        yield grown(index, row)


def _is_owed(memory: Memory, *, asked: bool) -> bool:
    """Tell whether notes are to be written, or a failure is old enough to be tried again."""
    index = memory.db.read()
    if marks.find(index, _OWED) is not None or marks.find(index, OFF_DUE) is not None:
        return True
    failed = (attempt for attempt in attempts.pending(index) if attempt.stage == STAGE)
    return any(asked or (attempt.next_attempt_at or 0) <= memory.clock() for attempt in failed)


class _Pass:
    """One writing of all that is due; what fails stops nothing else."""

    def __init__(self, memory: Memory, duty: Duty, forest: Mapping[int, Grown], progress: Progress) -> None:
        self._memory = memory
        self._role = duty.role
        self._forest = forest
        self._progress = progress
        self._at = PageFiles(memory, duty.role, ())
        self._refused: list[tuple[NotePath, str]] = []
        self._failed: dict[str, str] = {}
        self._has_news = False

    def run(self) -> Written:
        """Write, and leave word of what is to be done again."""
        try:
            lines = tree_lines.read(self._memory)
            if lines.off or self._turn_off(lines):
                return self._stay_off()
            if own_files.folder_fault(self._memory.root, self._memory.settings.folder):
                self._has_news = True  # `adopt` has told why
            else:
                self._write(lines)
        except Busy:
            self._has_news = True
        except (OSError, UsageError, VaultError) as error:
            self._failed[own_files.TREE] = own_files.words(error)
        return self._done()

    def _turn_off(self, lines: Lines) -> bool:
        """Let the vault say that no generated notes are wanted, if a person took their folder away."""
        if marks.find(self._memory.db.read(), OFF_DUE) is None:
            return False
        self._put(lines, lines._replace(off=True))
        if self._has_news:
            raise Busy(f"{own_files.TREE} changes while it is written")
        return True

    def _stay_off(self) -> Written:
        """Leave word that the notes are still owed, should they be wanted again."""
        with self._memory.db.write() as tx:
            marks.put(tx, {OFF_DUE: None, _OWED: "1"})
        return Written()

    def _write(self, lines: Lines) -> None:
        memory = self._memory
        found = pages(memory)
        self._at = PageFiles(memory, self._role, found)
        if not any(page.is_map for page in found):
            with memory.db.write() as tx:
                forget_map(tx)
        paths = plan_paths(memory, found, self._is_free)
        self._tell(found, paths)
        for path in find_leftovers(memory, self._at):
            self._progress("writing notes", 0, 0)
            self._try(path, partial(sweep, memory, self._at, path))
        self._put(lines, _facts(memory, lines, found))

    def _tell(self, found: Sequence[Page], paths: Mapping[Uid, NotePath]) -> None:
        """Write the notes of the trees that have something to tell; one of which a note failed still has it."""
        memory = self._memory
        untold = find_untold(memory, found, paths)
        fresh = _grown(
            memory.db.read(), [row for row in untold if row.id not in self._forest], self._progress
        )
        forest = [*(self._forest[row.id] for row in untold if row.id in self._forest), *fresh]
        said = dict(contents(memory, forest, paths, roots_of(found, paths)))
        failed = set()
        for done, page in enumerate(found):
            self._progress("writing notes", done, len(found))
            path, content = paths.get(page.row.uid), said.get(page.row.uid)
            if path is None or content is None or page.row.withdrawn:
                continue
            if not self._try(path, partial(self._at.write, page, content, path)):
                failed.add(page.row.tree_id)
        with memory.db.write() as tx:
            trees.tell(tx, [tree.tree for tree in forest if tree.tree.id not in failed])

    def _is_free(self, page: Page, path: NotePath, planned: Mapping[Uid, NotePath]) -> bool:
        self._progress("writing notes", 0, 0)
        return self._at.is_free(page, path, planned)

    def _try(self, path: NotePath, act: Callable[[], None]) -> bool:
        """Do what may fail for one file alone, and tell whether it was done."""
        refused = len(self._refused)
        try:
            act()
        except Left as left:
            self._refused.append((path, str(left)))
            self._has_news |= left.is_news
        except (files.WriteRefused, files.ReadFailure) as refusal:
            self._refused.append((path, str(refusal)))
            self._has_news |= refusal.code in {"changed", "exists", "unsettled", "vanished"}
            if refusal.code in {"unreadable", "placeholder"}:
                self._failed[path] = str(refusal)
        except (OSError, UsageError) as error:
            self._refused.append((path, own_files.words(error)))
            self._failed[path] = own_files.words(error)
        return len(self._refused) == refused

    def _put(self, lines: Lines, wanted: Lines) -> None:
        """Let `tree.tsv` say what is wanted."""
        if wanted != lines and not self._memory.is_rehearsal:
            self._at.begin()
            self._has_news |= not tree_lines.put(self._memory, wanted)

    def _done(self) -> Written:
        """Leave word of what failed, and of what is to be done again."""
        index = self._memory.db.read()
        over = [attempt.subject for attempt in attempts.pending(index) if attempt.stage == STAGE]
        with self._memory.db.write() as tx:
            attempts.clear(tx, STAGE, [subject for subject in over if subject not in self._failed])
            attempts.record(tx, STAGE, self._failed.items(), int(self._memory.clock()))
            marks.put(tx, {_OWED: "1" if self._has_news else None})
        at = self._at
        sizes = sum(at.written.values())
        return Written(sorted(at.written), sorted(at.removed), sorted(at.moved), self._refused, sizes)


def _facts(memory: Memory, lines: Lines, found: Sequence[Page]) -> Lines:
    """Return what all machines must agree on that no note says: sources, ordinals, and what a person deleted.

    What is said of summaries that are unknown here stays.
    """
    known = {page.row.uid for page in found}
    gone = {page.row.uid for page in found if page.row.missing == "deleted"}
    return lines_of(memory.db.read(), lines)._replace(deleted=(lines.deleted - known) | gone)
