"""What a person may call a note, and what is said when it is not clear which one is meant."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Literal

import pytest

from vaultsync.app.finding.refs import find_ref
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.domain.errors import AmbiguousRef, UnknownRef

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vaultsync.app.memory import Memory

    Write = Callable[[str, str], Path]

FORMS: tuple[Literal["NFC"], Literal["NFD"]] = ("NFC", "NFD")


@pytest.fixture
def vault(memory: Memory, note: Write) -> Memory:
    note("Alpha.md", "---\naliases: [First letter]\n---\nOne.")
    note("Projects/Alpha.md", "Two.")
    note("Projects/Beta.md", "---\ntitle: The second\naliases: [Deux]\n---\nThree.")
    note("Reisen/Köln.md", "Vier.")
    note("Archive/Köln.md", "Fünf.")
    note("2026-03-02.md", "Six.")
    reconcile(memory)
    return memory


def path_of(memory: Memory, ref: str) -> str:
    return find_ref(memory.db.read(), ref).label


@pytest.mark.parametrize(
    ("ref", "path"),
    [
        ("Projects/Alpha.md", "Projects/Alpha.md"),
        ("Projects/Alpha", "Projects/Alpha.md"),
        ("projects/ALPHA.MD", "Projects/Alpha.md"),
        ("./Projects/Beta.md", "Projects/Beta.md"),
        (unicodedata.normalize("NFD", "Reisen/Köln.md"), "Reisen/Köln.md"),
        ("Alpha", "Alpha.md"),
        ("beta", "Projects/Beta.md"),
        ("the second", "Projects/Beta.md"),
        ("DEUX", "Projects/Beta.md"),
        ("first letter", "Alpha.md"),
        ("2026-03-02", "2026-03-02.md"),
    ],
)
def test_a_note_is_found_by_path_title_or_alias(ref: str, path: str, vault: Memory) -> None:
    """Case, normal form and `.md` don't matter; a path goes before a name, a name before a uid."""
    assert path_of(vault, ref) == path


def test_a_note_is_found_by_its_uid_or_the_first_eight_characters_of_it(vault: Memory) -> None:
    """Fewer than eight would answer by chance."""
    uid = find_ref(vault.db.read(), "Projects/Beta.md").uid
    assert path_of(vault, uid) == path_of(vault, uid.upper()) == path_of(vault, uid[:8]) == "Projects/Beta.md"
    with pytest.raises(UnknownRef):
        path_of(vault, uid[:7])


def test_a_path_that_two_notes_have_but_for_case_is_the_one_so_spelled(memory: Memory, note: Write) -> None:
    """Where only spelling tells two notes apart, it decides; without it the REF is ambiguous."""
    upper, lower = note("Notes/README.md", "Up."), note("Notes/readme.md", "Down.")
    if upper.samefile(lower):
        pytest.skip("this disk knows no case")
    reconcile(memory)
    assert path_of(memory, "Notes/readme") == "Notes/readme.md"
    assert path_of(memory, "Notes/README.md") == "Notes/README.md"
    with pytest.raises(AmbiguousRef, match=r"Notes/README\.md, Notes/readme\.md"):
        path_of(memory, "notes/Readme")


def test_a_path_that_two_notes_have_but_for_normal_form_is_the_one_so_spelled(
    memory: Memory, note: Write
) -> None:
    """A disk of Linux may hold both forms of a name; each is found by its own (F51)."""
    composed, decomposed = (unicodedata.normalize(form, "Notes/Été.md") for form in FORMS)
    if note(composed, "One.").samefile(note(decomposed, "Two.")):
        pytest.skip("this disk knows one normal form")
    reconcile(memory)
    assert (path_of(memory, composed), path_of(memory, decomposed)) == (composed, decomposed)


def test_a_name_that_several_notes_have_lists_them(vault: Memory) -> None:
    """The error names what was meant, so that one can be chosen."""
    with pytest.raises(AmbiguousRef, match=r'"köln" may mean 2 notes: Archive/Köln\.md, Reisen/Köln\.md\.'):
        path_of(vault, "köln")


def test_a_title_that_is_anothers_alias_is_ambiguous(vault: Memory, note: Write) -> None:
    """A title counts as much as an alias or a file name."""
    note("Gamma.md", "---\ntitle: Deux\n---\n")
    reconcile(vault)
    with pytest.raises(AmbiguousRef, match=r"Gamma\.md, Projects/Beta\.md"):
        path_of(vault, "deux")


@pytest.mark.parametrize(
    ("ref", "near"),
    [
        ("Bteа", "vaultsync search"),
        ("Betta", r"Did you mean Projects/Beta\.md\?"),
        ("Somewhere/Beta.md", r"Did you mean Projects/Beta\.md\?"),
        ("letter", r"Did you mean Alpha\.md\?"),
        ("", "vaultsync search"),
        ("../../etc/passwd", "vaultsync search"),
        ("00000000", "vaultsync search"),
        ("%_", "vaultsync search"),
        ("a\0b", r"No note is called"),
    ],
)
def test_an_unknown_ref_suggests_near_ones(ref: str, near: str, vault: Memory) -> None:
    """A slip of the finger or a wrong folder is told from what is nowhere."""
    with pytest.raises(UnknownRef, match=near):
        path_of(vault, ref)


def test_a_note_that_is_gone_is_unknown(vault: Memory) -> None:
    """A tombstone answers to nothing, not to its uid either."""
    uid = find_ref(vault.db.read(), "Projects/Beta.md").uid
    (vault.root / "Projects/Beta.md").unlink()
    reconcile(vault)
    for ref in ("Projects/Beta.md", "Deux", uid):
        with pytest.raises(UnknownRef):
            path_of(vault, ref)
