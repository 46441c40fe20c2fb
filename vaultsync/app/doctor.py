"""Every check that can fail is run, and all that can be derived again is repaired."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app.checks import CHECKS, DAMAGE
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.app.patient import Patient
from vaultsync.app.progress import silent
from vaultsync.domain.errors import StateError, VaultError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from vaultsync.app.checks import Check
    from vaultsync.app.memory import Memory
    from vaultsync.app.progress import Progress

NAMED = 20
"""Things that a verdict names; the rest is counted."""

ROUNDS = 3
"""Repairs before what remains is left to a person: one can lay bare what another must mend."""


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


def repair(memory: Memory, progress: Progress = silent) -> Diagnosis:
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
