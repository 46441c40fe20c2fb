"""`tree.tsv` survives merges and newer versions, and names the machine that writes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain import tree_file

ANN, BOB = "aaaaaaaaaaaa", "bbbbbbbbbbbb"


def test_who_writes() -> None:
    """Lines that name no machine count nothing."""
    assert tree_file.writers("") == frozenset()
    assert tree_file.writers(f"off\nwriter\t{BOB}\nwriter\nwriter\tnobody\n") == {BOB}


def test_after_a_merge_two_machines_may_be_named() -> None:
    """By union, or between conflict markers; all readers see both."""
    assert tree_file.writers(f"writer\t{BOB}\nwriter\t{ANN}\n") == {ANN, BOB}
    conflict = f"<<<<<<< HEAD\nwriter\t{BOB}\n=======\nwriter\t{ANN}\n>>>>>>> x\n"
    assert tree_file.writers(conflict) == {ANN, BOB}


def test_a_new_writer_replaces_all_others_and_nothing_else() -> None:
    """The lines of a newer version stay too; sorted, so that one change is one line."""
    before = f"writer\t{BOB}\nwriter\t{ANN}\nsource\tx\tNotes\nlater\t1\noff\n"
    assert tree_file.with_writer(before, ANN) == f"later\t1\noff\nsource\tx\tNotes\nwriter\t{ANN}\n"


@given(st.text())
def test_any_text_is_read_and_settles(text: str) -> None:
    """What was written once is written the same again."""
    written = tree_file.with_writer(text, ANN)
    assert tree_file.writers(written) == {ANN}
    assert tree_file.with_writer(written, ANN) == written
