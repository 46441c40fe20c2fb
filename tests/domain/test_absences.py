"""What it means that generated notes are gone."""

from __future__ import annotations

from vaultsync.domain.absences import MOST_DELETED, Absences, judge
from vaultsync.domain.notes import Uid

SIX = frozenset(Uid(f"{number}") for number in range(MOST_DELETED + 1))
FEW = frozenset(sorted(SIX)[:MOST_DELETED])


def test_a_few_were_deleted_by_a_person() -> None:
    """Up to five, whatever git took meanwhile."""
    assert judge(FEW, [], are_all=False) == Absences(deleted=FEW)
    assert judge(SIX, SIX - FEW, are_all=False) == Absences(absent=SIX - FEW, deleted=FEW)


def test_more_are_an_accident() -> None:
    """They are written again."""
    assert judge(SIX, [], are_all=False) == Absences(again=SIX)


def test_all_of_them_turn_writing_off() -> None:
    """If there was more than one, and git took none."""
    assert judge(SIX, [], are_all=True) == Absences(again=SIX, is_off=True)
    assert judge(FEW, [], are_all=True) == Absences(again=FEW, is_off=True)
    lone = frozenset([Uid("0")])
    assert judge(lone, [], are_all=True) == Absences(deleted=lone)
    assert judge(SIX, SIX, are_all=True) == Absences(absent=SIX)
    assert judge(SIX, lone, are_all=True) == Absences(absent=lone, deleted=SIX - lone)


def test_where_nothing_is_written_nothing_is_deleted() -> None:
    """Turned on again, all come back."""
    assert judge(FEW, [], are_all=False, is_off=True) == Absences(again=FEW)
