from __future__ import annotations

from unicodedata import normalize
from uuid import NAMESPACE_DNS, UUID, uuid5

from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain.notes import NotePath, Uid
from vaultsync.domain.uids import NAMESPACE, chunk_uid, derive_uid, note_uid


def test_the_namespace_is_derived_from_the_name() -> None:
    """Anyone can make our uids again from what is written down."""
    assert uuid5(NAMESPACE_DNS, "vaultsync") == UUID(NAMESPACE)


@given(namespace=st.uuids(), name=st.text(st.characters(exclude_categories=["Cs"])))
def test_a_derived_uid_is_a_uuid5(namespace: UUID, name: str) -> None:
    """Our own fast spelling agrees with the standard library's."""
    assert derive_uid(str(namespace), name) == str(uuid5(namespace, name))


def test_a_note_uid_does_not_depend_on_composition() -> None:
    """F51: two machines that spell an umlaut differently give one uid."""
    composed = NotePath("Pläne/Ü.md")
    decomposed = NotePath(normalize("NFD", composed))
    assert note_uid("v", composed) == note_uid("v", decomposed)
    assert note_uid("v", composed) == str(uuid5(UUID(NAMESPACE), f"v\0{composed}"))


def test_vault_path_and_counter_all_tell_notes_apart() -> None:
    """A uid once given is not given again: the counter makes a new one."""
    uids = {
        note_uid(vault, NotePath(path), n) for vault in "vw" for path in ("a.md", "A.md") for n in range(3)
    }
    assert len(uids) == 12


def test_chunk_uids_tell_equal_texts_apart() -> None:
    """The second chunk with the same text in a note is another chunk, and so is one in another note."""
    note = Uid(str(uuid5(NAMESPACE_DNS, "a")))
    assert chunk_uid(note, "ab", 1) == str(uuid5(UUID(note), "ab\x001"))
    assert chunk_uid(note, "ab", 1, 2) == str(uuid5(UUID(note), "ab\x001\x002"))
    assert len({chunk_uid(note, "ab", 0), chunk_uid(note, "ab", 1), chunk_uid(Uid(NAMESPACE), "ab", 0)}) == 3


def test_a_name_that_is_no_utf8_has_a_uid() -> None:
    """A file name with a stray byte is a name like any other."""
    assert note_uid("v", NotePath("a\udcff.md")) != note_uid("v", NotePath("a.md"))
