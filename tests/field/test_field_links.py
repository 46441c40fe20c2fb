from __future__ import annotations

from unicodedata import normalize

from vaultsync.domain.links import Candidate, Resolution, resolve
from vaultsync.domain.names import name_key, target_key
from vaultsync.domain.notes import LinkKind, NotePath
from vaultsync.domain.uids import note_uid

SOURCE = NotePath("Area/source.md")


def look_up(link: str, *paths: str, kind: LinkKind = "wikilink", aliases: tuple[str, ...] = ()) -> str | None:
    """Resolve `link` among `paths`; `aliases` belong to the first of them."""
    rows = [(name_key(path.rpartition("/")[2]), n, False) for n, path in enumerate(paths)]
    rows += [(name_key(alias), 0, True) for alias in aliases]
    key = target_key(link)
    candidates = [Candidate(n, NotePath(paths[n]), is_alias) for row, n, is_alias in rows if row == key]
    found = resolve(link, kind, SOURCE, -1, candidates)
    return found and f"{found.match} {paths[found.node_id]}"


def test_F50_a_composed_link_finds_a_decomposed_file_name() -> None:
    """The path comes back with the bytes of the disk."""
    on_disk = normalize("NFD", "Übersicht.md")
    assert look_up("Übersicht", on_disk) == f"name {on_disk}"
    assert look_up(normalize("NFD", "Übersicht"), "Übersicht.md") == "name Übersicht.md"


def test_F51_a_decomposed_folder_name_is_the_same_folder() -> None:
    """A path is compared in one form from its first part to its last."""
    on_disk = normalize("NFD", "Pläne/Größe.md")
    assert look_up("pläne/größe", on_disk) == f"path {on_disk}"
    assert look_up("../Pläne/Größe.md", on_disk, kind="markdown") == f"relative {on_disk}"


def test_F53_two_names_that_differ_in_case_are_two_notes() -> None:
    """The link's own case says which."""
    paths = ("docs/README.md", "docs/readme.md")
    assert look_up("README", *paths) == "name docs/README.md"
    assert look_up("readme", *paths) == "name docs/readme.md"
    assert look_up("docs/readme", *paths) == "path docs/readme.md"
    assert look_up("ReadMe", *paths) == "name docs/README.md"
    assert note_uid("v", NotePath(paths[0])) != note_uid("v", NotePath(paths[1]))


def test_F53_sharp_s_and_double_s_are_two_names() -> None:
    """Names that only full case folding makes equal are told apart by their spelling."""
    assert look_up("Strasse", "a/Straße.md", "a/Strasse.md") == "name a/Strasse.md"
    assert look_up("Straße", "a/Straße.md", "a/Strasse.md") == "name a/Straße.md"


def test_F55_names_that_slug_alike_have_their_own_keys_and_uids() -> None:
    """Neither keys nor uids are made from a slug."""
    names = ("My Note.md", "my-note.md", "my_note.md")
    assert len({name_key(name) for name in names}) == 3
    assert len({note_uid("v", NotePath(name)) for name in names}) == 3


def test_F57_several_untitled_notes_live_side_by_side() -> None:
    """Each has its uid, and a link finds the nearest."""
    paths = ("A/Untitled.md", "Area/Untitled.md", "B/Untitled.md")
    assert len({note_uid("v", NotePath(path)) for path in paths}) == 3
    assert look_up("Untitled", *paths) == "name Area/Untitled.md"


def test_F59_one_function_makes_the_key_of_a_name_and_of_a_link() -> None:
    """`&`, accents and punctuation stand in the key as they are."""
    assert name_key("Café & Bar, Ltd..md") == target_key("x/CAFÉ & Bar, Ltd.#top") == "café & bar, ltd."


def test_F75_an_alias_match_is_marked() -> None:
    """Obsidian itself resolves no aliases."""
    assert look_up("X", "b/n.md", aliases=("X",)) == "alias b/n.md"


def test_F76_a_markdown_link_is_relative_first_then_vault_wide() -> None:
    """`[t](note.md)` finds a note of another folder if its own has none."""
    assert look_up("note.md", "b/note.md", kind="markdown") == "name b/note.md"
    assert look_up("note.md", "b/note.md", "Area/note.md", kind="markdown") == "relative Area/note.md"


def test_F79_a_broken_link_resolves_to_nothing() -> None:
    """It raises nothing, and no other note is taken for it."""
    assert look_up("missing", "b/note.md", kind="markdown") is None


def test_F81_a_link_resolves_when_its_note_appears() -> None:
    """The link's key is known before the note is, so that the new note's name finds the waiting link."""
    assert look_up("b/New note#Plan") is None
    assert target_key("b/New note#Plan") == name_key("New note.md")
    assert look_up("b/New note#Plan", "b/New note.md") == "path b/New note.md"


def test_F82_a_bare_name_is_found_at_the_root_first() -> None:
    """Obsidian's order: the root's note, then one beside the link, then the shortest path."""
    assert look_up("n", "Area/n.md", "n.md", "b/n.md") == "name n.md"
    assert look_up("n", "a/n.md", "Area/n.md") == "name Area/n.md"
    assert look_up("n", "long/n.md", "b/n.md") == "name b/n.md"


def test_F82_a_note_may_link_to_itself_by_name() -> None:
    """A note's own name is a name like any other."""
    found = resolve("source", "wikilink", SOURCE, 7, [Candidate(7, SOURCE, is_alias=False)])
    assert found == Resolution(7, "name")
