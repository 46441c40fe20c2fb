"""Our notes' names mean nothing else to any link, and can be written on any disk."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain.names import name_key, target_key
from vaultsync.domain.notes import NotePath
from vaultsync.domain.summary_names import is_taken, may_stay, moved_path, summary_path

FREE: frozenset[str] = frozenset()


@pytest.mark.parametrize(
    ("source", "ordinal", "path"),
    [
        ("", None, "_summaries/Vault (summary).md"),
        ("", 4, "_summaries/Vault (summary 4).md"),
        ("Garden", None, "_summaries/Garden/Garden (summary).md"),
        ("Garden", 12, "_summaries/Garden/Garden (summary 12).md"),
        ("Areas/Garden", None, "_summaries/Areas/Garden/Garden (summary).md"),
        ("日記", 1, "_summaries/日記/日記 (summary 1).md"),
        ("Cafe\u0301", None, "_summaries/Caf\u00e9/Caf\u00e9 (summary).md"),
        ("C#: a|b?", None, "_summaries/C a b/C a b (summary).md"),
        ("[Old] 100%% ^x", None, "_summaries/Old 100 x/Old 100 x (summary).md"),
        ("etc. ", None, "_summaries/etc/etc (summary).md"),
        (".hidden", None, "_summaries/hidden/hidden (summary).md"),
        ("###", None, "_summaries/Folder/Folder (summary).md"),
        ("..", None, "_summaries/Folder/Folder (summary).md"),
        ("aux", None, "_summaries/_aux/_aux (summary).md"),
        ("Com1.old", None, "_summaries/_Com1.old/_Com1.old (summary).md"),
        ("Conference", None, "_summaries/Conference/Conference (summary).md"),
        ("a\udcffb\u202e", None, "_summaries/a b/a b (summary).md"),
    ],
)
def test_a_note_is_called_after_its_folder(source: str, ordinal: int | None, path: str) -> None:
    """What Obsidian, Windows or an eye would stumble over is left out."""
    assert summary_path("_summaries", source, ordinal, FREE) == path


@pytest.mark.parametrize(
    ("taken", "name"),
    [
        ([], "Garden (summary)"),
        (["garden (SUMMARY)"], "Garden (summary) 2"),
        (["Garden (summary).md", "Garden (summary) 2"], "Garden (summary) 3"),
        (["Garden (summary 2)"], "Garden (summary)"),
    ],
)
def test_a_taken_name_gets_a_counter(taken: list[str], name: str) -> None:
    """Taken is the name or alias of a note and the target of a link that finds nothing, in any case."""
    names = {name_key(other) for other in taken}
    assert summary_path("S", "Garden", None, names) == f"S/Garden/{name}.md"


def test_a_name_taken_later_is_seen() -> None:
    """Then ours is renamed, in whatever Unicode form the user spells it."""
    path = summary_path("S", "Caf\u00e9", 2, FREE)
    assert not is_taken(path, FREE)
    assert is_taken(path, {name_key("CAFE\u0301 (summary 2).md")})


def test_long_names_are_cut() -> None:
    """To 255 bytes with all that follows, between characters."""
    folder, name = summary_path("S", "é" * 127, 123456789, FREE).split("/")[1:]
    assert folder == "é" * 127
    assert name == "é" * 116 + " (summary 123456789).md"
    assert len(name.encode()) <= 255


@given(
    st.text(),
    st.none() | st.integers(1, 10**9),
    st.lists(st.text(st.sampled_from("aA (sumry)é[]#|/."), max_size=30)),
    st.integers(0, 5),
)
def test_no_link_of_a_user_means_our_note(
    source: str, ordinal: int | None, links: list[str], again: int
) -> None:
    """Whatever the vault's names are, and wherever else we have notes, ours can be written and is its own."""
    names = {key for link in links if (key := target_key(link)) is not None}
    for _ in range(again):
        path = summary_path("S", source, ordinal, names)
        assert not is_taken(path, names)
        assert target_key(path) not in names
        assert target_key(path.removesuffix(".md")) == name_key(path.rpartition("/")[2])
        names.add(name_key(path.rpartition("/")[2]))
        for part in path.split("/"):
            assert 0 < len(part.encode()) <= 255
            assert part == part.strip(" ")
            assert not part.startswith(".")
            assert not re.search(r'[*"\\<>:|?#^\[\]\x00-\x1f]', part)


@pytest.mark.parametrize(
    ("path", "is_root", "stays"),
    [
        ("_summaries/Garden/Garden (summary).md", True, True),
        ("_summaries/garden/garden (summary) 3.md", True, True),
        ("_summaries/Garden/Garden (summary) 1.md", True, False),
        ("_summaries/Garden/Yard (summary).md", True, False),
        ("_summaries/Garden/Garden (summary 3).md", True, False),
        ("_summaries/Garden/Garden (summary 3).md", False, True),
        ("_summaries/Garden/Yard (summary 3) 2.md", False, True),
        ("_summaries/Garden/As a person called it.md", False, True),
        ("_summaries/Garden/Garden (summary) 2.md", False, False),
        ("_summaries/Yard/Garden (summary 3).md", False, False),
        ("Garden (summary 3).md", False, False),
    ],
)
def test_a_name_is_for_life_but_for_a_roots(path: str, is_root: bool, stays: bool) -> None:
    """A note moves with its source's folder; whatever becomes or ceases to be a root is renamed."""
    assert may_stay(NotePath(path), "_summaries", "Garden", is_root=is_root) is stays


def test_with_its_source_a_note_moves_under_its_own_name() -> None:
    """Links to it by its name still find it."""
    old = NotePath("_summaries/Yard/Yard (summary 3).md")
    assert moved_path(old, "_summaries", "a/B", FREE) == "_summaries/a/B/Yard (summary 3).md"
    taken = {name_key("yard (summary 3)")}
    assert moved_path(old, "_summaries", "a/B", taken) == "_summaries/a/B/Yard (summary 3) 2.md"


@given(st.text(max_size=300), st.sets(st.integers(1, 5)))
def test_a_roots_own_name_may_stay(source: str, taken: set[int]) -> None:
    """Also one that was shortened, and with a counter."""
    names: set[str] = set()
    for _ in taken:
        names.add(name_key(summary_path("_summaries", source, None, names).rpartition("/")[2]))
    path = summary_path("_summaries", source, None, names)
    assert may_stay(path, "_summaries", source, is_root=True)
    assert not may_stay(path, "_summaries", source, is_root=False)
