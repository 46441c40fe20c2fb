from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from vaultsync.domain.links import Candidate, resolve
from vaultsync.domain.names import name_key, target_key
from vaultsync.domain.notes import NotePath

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultsync.domain.notes import LinkKind

ORACLE = Path(__file__).resolve().parents[2].parent / "shared" / "obsidian-oracle"
NOWHERE = -1


def find(
    link: str,
    *paths: str,
    source: str = "Area/src.md",
    kind: LinkKind = "wikilink",
    aliases: Mapping[str, str] | None = None,
    generated: tuple[str, ...] = (),
) -> tuple[str, str] | None:
    """Resolve `link` in a vault of `paths`, as the store would: path and match."""
    notes = [*paths, *generated]
    names = [
        (name_key(p.rpartition("/")[2]), Candidate(n, NotePath(p), False, p in generated))
        for n, p in enumerate(notes)
    ]
    names += [
        (name_key(alias), Candidate(notes.index(p), NotePath(p), True))
        for alias, p in (aliases or {}).items()
    ]
    candidates = [candidate for key, candidate in names if key == target_key(link)]
    found = resolve(link, kind, NotePath(source), NOWHERE, candidates)
    return found and (source if found.node_id == NOWHERE else notes[found.node_id], found.match)


@pytest.mark.parametrize(
    ("link", "match"),
    [
        ("Beta", "name"),
        ("beta.md", "name"),
        ("BETA#Plan", "name"),
        ("Projects/Beta", "path"),
        ("projects/beta.MD", "path"),
        ("/Projects/Beta", "path"),
        ("../Projects/Beta", "relative"),
    ],
)
def test_a_note_is_found_by_any_spelling_of_it(link: str, match: str) -> None:
    """The match says which kind of spelling it was."""
    assert find(link, "Projects/Beta.md", "Alpha.md") == ("Projects/Beta.md", match)


@pytest.mark.parametrize(
    "link",
    ["Gamma", "Other/Beta", "ojects/Beta", "/Beta", "../Other/Beta", "Beta.txt", "Beta.png", "Projects/"],
)
def test_what_is_spelled_otherwise_is_not_found(link: str) -> None:
    """A folder that is not there, or only the end of its name, does not find the note."""
    assert find(link, "Projects/Beta.md") is None


@pytest.mark.parametrize("link", ["#Plan", "#^q3", "#"])
def test_a_link_without_path_means_its_own_note(link: str) -> None:
    """No look-up is needed, and no other note can win."""
    assert find(link, "Area/Plan.md", kind="markdown") == ("Area/src.md", "path")


def test_the_end_of_a_path_is_enough() -> None:
    """`[[b/Note]]` finds `a/b/Note.md`, and prefers a whole path to an end of one."""
    assert find("b/Note", "a/b/Note.md", "c/Note.md") == ("a/b/Note.md", "path")
    assert find("b/Note", "Area/b/Note.md", "b/Note.md") == ("b/Note.md", "path")


def test_a_note_at_the_root_wins_a_bare_name() -> None:
    """Obsidian: its name is its whole path, so that it wins over a note beside the link."""
    assert find("Note", "Area/Note.md", "Note.md") == ("Note.md", "name")


def test_then_the_link_s_own_folder_wins() -> None:
    """Obsidian: what lies in or below it comes before shorter paths; a folder above it counts for nothing."""
    assert find("Note", "b/Note.md", "Area/x/Note.md", "Area/x/y/Note.md") == ("Area/x/Note.md", "name")
    assert find("Note", "b/Note.md", "Area/Note.md", source="Area/deep/src.md") == ("b/Note.md", "name")
    assert find("Note", "b/Note.md", "Areas/Note.md") == ("b/Note.md", "name")


def test_then_the_shortest_path_wins() -> None:
    """Obsidian: fewest characters, not fewest folders; then path order."""
    assert find("Note", "zzzz/Note.md", "a/b/Note.md") == ("a/b/Note.md", "name")
    assert find("Note", "d/Note.md", "c/Note.md") == ("c/Note.md", "name")


def test_a_leading_slash_means_the_root_and_nothing_else() -> None:
    """`[[/b/Note]]` is no end of a path."""
    assert find("/b/Note", "a/b/Note.md") is None
    assert find("/b/Note", "a/b/Note.md", "b/Note.md") == ("b/Note.md", "path")


def test_dots_are_read_from_the_folder_of_the_note() -> None:
    """`../` stops at the root, and what is not there may still be the end of a path."""
    paths = ("Area/n.md", "n.md", "Area/x/n.md", "far/b/n.md")
    assert find("./n", *paths) == ("Area/n.md", "relative")
    assert find("../n", *paths) == ("n.md", "relative")
    assert find("../../../n", *paths) == ("n.md", "relative")
    assert find("./../Area/x/n", *paths) == ("Area/x/n.md", "relative")
    assert find("../b/n", *paths) == ("far/b/n.md", "path")
    assert find("./n", "b/n.md") is None


def test_a_markdown_link_is_read_from_its_folder_first() -> None:
    """Then it is looked for in the whole vault, as a wikilink is."""
    assert find("n.md", "n.md", "Area/n.md", kind="markdown") == ("Area/n.md", "relative")
    assert find("n.md", "n.md", "b/n.md", kind="markdown") == ("n.md", "name")
    assert find("x/n.md", "x/n.md", "Area/x/n.md", kind="markdown") == ("Area/x/n.md", "relative")
    assert find("b/n.md", "far/b/n.md", kind="markdown") == ("far/b/n.md", "path")
    assert find("/n.md", "n.md", "Area/n.md", kind="markdown") == ("n.md", "path")


def test_an_alias_comes_last_and_only_for_a_bare_name() -> None:
    """A real name always wins; a folder in front of an alias means nothing."""
    assert find("X", "b/n.md", aliases={"x": "b/n.md"}) == ("b/n.md", "alias")
    assert find("X", "b/n.md", "far/away/X.md", aliases={"X": "b/n.md"}) == ("far/away/X.md", "name")
    assert find("b/X", "b/n.md", aliases={"X": "b/n.md"}) is None


def test_generated_notes_never_win() -> None:
    """Ours answer where nothing of the user's does, not even an alias."""
    ours = "_summaries/Area (summary).md"
    name = "Area (summary)"
    assert find(name, "b/n.md", generated=(ours,)) == (ours, "name")
    assert find(name, "far/away/Area (summary).md", generated=(ours,)) == (
        "far/away/Area (summary).md",
        "name",
    )
    assert find(name, "b/n.md", aliases={name: "b/n.md"}, generated=(ours,)) == ("b/n.md", "alias")


def test_a_note_about_an_attachment_is_found_by_its_whole_name() -> None:
    """`scan.png` is the picture, `scan.png.md` the note."""
    assert find("scan.png", "b/scan.png.md") is None
    assert find("scan.png.md", "b/scan.png.md") == ("b/scan.png.md", "name")


@pytest.mark.skipif(not ORACLE.is_dir(), reason="Obsidian's dumps are not here")
@pytest.mark.parametrize("kind", ["wikilink", "markdown"])
def test_obsidian_resolves_the_same(kind: LinkKind) -> None:
    """Every link that the dumps resolve finds the same note here, or none where it is no note."""
    dumps: list[dict[str, Any]] = [json.loads(path.read_text()) for path in sorted(ORACLE.glob("*.json"))]
    resolved = [(d["filePath"], *item) for d in dumps for item in d["resolveLinkToPath"].items()]
    notes = {
        path for path in (*(d["filePath"] for d in dumps), *(to for _, _, to in resolved)) if is_note(path)
    }
    assert len(resolved) > 30
    for source, link, to in resolved:
        found = find(link, *sorted(notes), source=source, kind=kind)
        assert (found and found[0]) == (to if is_note(to) else None), link


def is_note(path: str | None) -> bool:
    return path is not None and path.endswith(".md")
