"""`tree.tsv` survives merges and newer versions, and names the machine that writes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain import tree_file
from vaultsync.domain.notes import Uid
from vaultsync.domain.tree_file import Lines

ONE, TWO, SUMMARY = (Uid(f"{digit * 8}-0000-5000-8000-{digit * 12}") for digit in "123")
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


def test_what_is_said_of_trees_is_read_as_it_was_written() -> None:
    """Beside what others say: the writer and lines of a newer version stay, in any number of rounds."""
    lines = Lines({ONE: "", TWO: "A\tb/c\\d"}, {TWO: 12}, frozenset({SUMMARY}), off=True)
    others = f"later\t1\nsource\t{ONE}\tNotes\tmore\nwriter\t{ANN}\n"
    text = tree_file.with_lines(others, lines)
    assert text == (
        f"deleted\t{SUMMARY}\nlater\t1\noff\nordinal\t{TWO}\t12\nsource\t{ONE}\t/\n"
        f"source\t{ONE}\tNotes\tmore\nsource\t{TWO}\tA\\tb/c\\\\d\nwriter\t{ANN}\n"
    )
    assert tree_file.read(text) == lines
    assert tree_file.with_lines(text, lines) == text
    assert tree_file.with_lines(text, Lines()) == others


def test_a_merge_says_the_same_to_all() -> None:
    """The highest ordinal; of two folders of a tree, and of two trees of a folder, the smaller."""
    text = (
        f"ordinal\t{ONE}\t2\nordinal\t{ONE}\t10\nsource\t{ONE}\tB\nsource\t{ONE}\tA\nsource\t{TWO}\tA\n"
        f"source\t{TWO}\tC\n"
    )
    assert tree_file.read(text) == Lines({ONE: "A", TWO: "C"}, {ONE: 10})


def test_folders_are_composed_and_below_the_vault() -> None:
    """Whatever the disk spells; a line that leads out of the vault says nothing and stays."""
    text = f"source\t{ONE}\tCafe\u0301\nsource\t{TWO}\t../B\nordinal\t{ONE}\t0\nordinal\tx\t1\n"
    assert tree_file.read(text) == Lines({ONE: "Caf\u00e9"})
    assert "../B" in tree_file.with_lines(text, Lines())


@given(st.text())
def test_any_text_says_something_or_nothing(text: str) -> None:
    """And what it says survives being written."""
    lines = tree_file.read(text)
    assert tree_file.read(tree_file.with_lines(text, lines)) == lines
