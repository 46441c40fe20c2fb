"""Every check that can fail, what each failure means, and the repair of all that can be derived again."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from vaultsync.app import patient as at
from vaultsync.app.patient import Patient
from vaultsync.app.reconcile import reconcile
from vaultsync.domain.errors import StateError, VaultError
from vaultsync.store import checks, mending, text_index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from vaultsync.app.memory import Memory
    from vaultsync.app.progress import Progress
    from vaultsync.store.connection import Reader, Writer

NAMED = 20
"""Things that a verdict names; the rest is counted."""

ROUNDS = 3
"""Repairs before what remains is left to a person: one can lay bare what another must mend."""


class Check(NamedTuple):
    """A promise that can be broken. `fine`: it holds; `advice`: what it means where not, what to do."""

    code: str
    fine: str
    advice: str
    find: Callable[[Patient], Iterable[str]]
    mend: Callable[[Patient], None] | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found: `count` things, the first of them in words. `repaired`: it had failed before."""

    code: str
    count: int
    found: tuple[str, ...]
    message: str
    repaired: bool = False

    @property
    def ok(self) -> bool:
        """Whether the promise holds."""
        return not self.count


class Diagnosis(NamedTuple):
    """The verdicts of all checks that ran."""

    checks: tuple[Verdict, ...]

    @property
    def ok(self) -> bool:
        """Whether all promises hold."""
        return all(verdict.ok for verdict in self.checks)


def examine(memory: Memory) -> Iterator[Verdict]:
    """Run every check and yield each verdict; in a damaged database, the first one alone. Changes nothing."""
    patient = Patient(memory)
    for check in CHECKS:
        verdict = _judge(check, patient)
        yield verdict
        if check.code == DAMAGE and not verdict.ok:
            return


def repair(memory: Memory, progress: Progress = lambda _stage, _done, _total: None) -> Diagnosis:
    """Mend what can be derived from the vault and return what is found then; the vault is only read.

    Raises StateError when the database can't be written.
    """
    before = after = tuple(examine(memory))
    for _ in range(ROUNDS):
        failing = {verdict.code for verdict in after if not verdict.ok}
        mends = [check.mend for check in CHECKS if check.mend and check.code in failing]
        if not mends or DAMAGE in failing:
            break
        _mend(memory, mends, progress)
        after = tuple(examine(memory))
    failed = {verdict.code for verdict in before if not verdict.ok}
    return Diagnosis(
        tuple(replace(verdict, repaired=verdict.ok and verdict.code in failed) for verdict in after)
    )


def _judge(check: Check, patient: Patient) -> Verdict:
    try:
        found = iter(check.find(patient))
        named = tuple(islice(found, NAMED))
        count = len(named) + sum(1 for _ in found)
    except (StateError, VaultError) as error:
        named, count = (str(error),), 1
    return Verdict(check.code, count, named, check.advice if count else check.fine)


def _mend(memory: Memory, mends: Iterable[Callable[[Patient], None]], progress: Progress) -> None:
    patient = Patient(memory)
    for mend in mends:
        mend(patient)
    with suppress(VaultError):  # the check of refusals says why the vault can't be read
        reconcile(memory, progress=progress)


def _inside(find: Callable[[Reader], Iterable[str]]) -> Callable[[Patient], Iterable[str]]:
    return lambda patient: find(patient.memory.db.read())


def _by(mend: Callable[[Writer], None]) -> Callable[[Patient], None]:
    def run(patient: Patient) -> None:
        with patient.memory.db.write() as tx:
            mend(tx)

    return run


def _rename(patient: Patient) -> None:
    misnamed = {node_id: names for node_id, _, names in checks.misnamed(patient.memory.db.read())}
    with patient.memory.db.write() as tx:
        mending.rename(tx, misnamed)


def _resolve_again(patient: Patient) -> None:
    wrong = [fault.row_id for fault in patient.misresolved]
    with patient.memory.db.write() as tx:
        mending.resolve_again(tx, wrong)


def _reread(patient: Patient) -> None:
    wrong = [fault.row_id for fault in (*patient.proof.unseen, *patient.proof.misplaced)]
    with patient.memory.db.write() as tx:
        mending.reread(tx, wrong)


def _read_changes(patient: Patient) -> None:
    """Do nothing: the pass that follows every repair reads what changed and resolves what is due."""


DAMAGE: Final = "database"

CHECKS: Final = (
    Check(
        DAMAGE,
        "SQLite finds no damage in the database",
        "move the state folder aside and run `vaultsync sync`, which builds it again from the notes",
        lambda patient: checks.damage(patient.memory.db),
    ),
    Check(
        "text-index",
        "the text indexes hold exactly what may be found",
        "searches miss text or find what is gone; --repair builds the indexes again",
        lambda patient: checks.text_faults(patient.memory.db),
        _by(text_index.rebuild),
    ),
    Check(
        "spaced-index",
        "text in scripts without blanks between words is indexed",
        "searches in Chinese, Japanese, Thai and their like miss text; --repair builds their index again",
        lambda patient: checks.spaced_faults(patient.memory.db),
        _by(text_index.rebuild_spaced),
    ),
    Check(
        "foreign-keys",
        "every row refers to rows that are there",
        "something else wrote into the database; --repair drops such rows",
        _inside(checks.dangling),
        _by(mending.drop_dangling),
    ),
    Check(
        "strays",
        "every note has a file, every file a note",
        "--repair forgets them and reads what is there",
        _inside(checks.strays),
        _by(mending.drop_strays),
    ),
    Check(
        "lost-chunks",
        "every chunk stands in its note's file",
        "--repair reads these notes again",
        _inside(checks.lost_chunks),
        _by(mending.reread_lost_chunks),
    ),
    Check(
        "spans",
        "every chunk is the bytes it says, and chunks hold every note's body",
        "--repair reads these notes again",
        lambda patient: [fault.words for fault in patient.proof.misplaced],
        _reread,
    ),
    Check(
        "unseen-changes",
        "no file changed without a trace in its timestamps",
        "a program changed these notes and put their old times back; --repair reads them",
        lambda patient: [fault.words for fault in patient.proof.unseen],
        _reread,
    ),
    Check(
        "disk",
        "the index knows the notes that are on the disk",
        "run `vaultsync sync`",
        at.differences,
        _read_changes,
    ),
    Check(
        "names",
        "links find every note by its file name and aliases",
        "--repair writes the names of these notes again",
        lambda patient: [path for _, path, _ in checks.misnamed(patient.memory.db.read())],
        _rename,
    ),
    Check(
        "links-due",
        "every link was resolved",
        "run `vaultsync sync`",
        _inside(checks.due_links),
        _read_changes,
    ),
    Check(
        "links",
        "every link leads where it would lead if it were resolved now",
        "--repair resolves these links again",
        lambda patient: [fault.words for fault in patient.misresolved],
        _resolve_again,
    ),
    Check(
        "broken-links",
        "no link has lost its target",
        "the notes that these links led to have another name now or are gone: change the links, or bring them back",
        _inside(checks.broken_links),
    ),
    Check(
        "failures",
        "no failed work waits",
        "--repair lets it be tried at once",
        _inside(checks.waiting),
        _by(mending.rearm),
    ),
    Check(
        "access",
        "every folder and note of the vault can be read",
        "what is known of them stays until they can be read",
        at.refusals,
    ),
    Check(
        "state-folder",
        "no sync program copies the state folder",
        "a copied database gets damaged: name another folder with --state DIR or VAULTSYNC_STATE",
        at.copiers,
    ),
    Check(
        "ledger",
        "every line of .vaultsync/identities.tsv can be read",
        "nothing else is lost by it: take these lines out, or run `vaultsync sync` where the writer is",
        at.odd_lines,
    ),
    Check(
        "git",
        "git answers, or is not needed",
        "ignored notes are known from .gitignore alone: install git, or let `git status` work in the vault",
        at.silences,
    ),
)
