from __future__ import annotations

import sys
from unicodedata import normalize

import pytest

from vaultsync.domain.names import caseless, link_path, name_key, path_key, target_key


def test_case_composition_and_one_md_do_not_count() -> None:
    """Names that a person takes for the same have one key."""
    assert name_key("Übung.MD") == name_key(normalize("NFD", "übung")) == "übung"
    assert name_key("a.md.md") == "a.md"
    assert name_key("Straße") == name_key("STRASSE")


def test_folding_twice_changes_no_character() -> None:
    """The key of every single character is a fixed point, U+0345 and its like included."""
    characters = [chr(code) for code in range(sys.maxunicode + 1)]
    assert [c for c in characters if caseless(caseless(c)) != caseless(c)] == []


def test_a_path_key_ends_with_the_name_key() -> None:
    """The last part of a path's key is the key under which the note's name stands."""
    assert path_key("Notes/Café & Co.md").rpartition("/")[2] == name_key("Café & Co.md")


@pytest.mark.parametrize(
    ("link", "key"),
    [
        ("Beta", "beta"),
        ("Projects/Beta#Plan#Sub", "beta"),
        ("../b/Beta.md#^q3", "beta"),
        ("/Beta", "beta"),
        ("Beta #Plan", "beta"),
        ("v1.2", "v1.2"),
        ("Node.js", "node.js"),
        ("drawing.excalidraw", "drawing.excalidraw"),
        ("scan.png.md", "scan.png"),
        ("a^b", "a^b"),
    ],
)
def test_the_target_key_is_the_name_key_of_the_last_part(link: str, key: str) -> None:
    """Folders, anchors and `.md` are no part of what is looked up; a dot in a name is."""
    assert target_key(link) == key


@pytest.mark.parametrize(
    "link",
    ["", "#Plan", "#^q3", "##", "scan.PNG", "a/b.pdf#page=2", "Board.canvas", "x.base", "folder/", ".."],
)
def test_own_notes_and_attachments_have_no_target_key(link: str) -> None:
    """Nothing is looked up for a link that can mean no other note."""
    assert target_key(link) is None


def test_the_path_ends_at_the_first_anchor() -> None:
    """`#` ends the path wherever it stands, as in Obsidian."""
    assert link_path("pa#th/note.md") == "pa"
    assert link_path("#Plan") == ""
