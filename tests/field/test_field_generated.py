"""Field cases of generated notes: recognised by their mark, taken over, never mistaken for a user's."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from grown_vaults import about, generated, grow, prose, rows_of
from repositories import commit_all, git
from small_vaults import dump_of, fill_vault, memory_of, sync, uids_of
from summary_notes import CONTENT, ID, edited

from vaultsync.domain.summary_note import render

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SHORT = ID[:18]
BEANS = "# Beans\n\nBeans like company. [[Beds (summary)]]\n"


def ours_of(root: Path) -> dict[str, str]:
    """Return the short ids of what is known as generated, by path."""
    with memory_of(root) as memory:
        rows = memory.db.read().rows("SELECT path, ours FROM files WHERE ours IS NOT NULL AND ignored")
        return dict(rows)


@pytest.mark.parametrize("path", ["_summaries/Garden/Beds (summary).md", "Elsewhere/Beds (summary).md"])
def test_F106_a_marked_file_is_no_note_wherever_it_lies(
    vault: Callable[..., Path], path: str, tmp_path: Path
) -> None:
    """What we generated is no source: no note, no link's target, not in the dump."""
    root = vault({"Beans.md": BEANS, path: render(CONTENT)})
    sync(root)
    assert ours_of(root) == {path: SHORT}
    assert uids_of(root).keys() == {"Beans.md"}
    (root / path).unlink()
    assert dump_of(root) == fresh_dump_without(root, tmp_path / "fresh")


def fresh_dump_without(root: Path, state: Path) -> list[str]:
    """Return what an index says that never saw the generated note."""
    sync(root, state)
    return dump_of(root, state)


def test_F106_an_unmarked_file_in_our_folder_is_an_ordinary_note(vault: Callable[..., Path]) -> None:
    """A user may keep notes of their own there, also one with our markers and without our mark."""
    unmarked = render(CONTENT).replace(f"vaultsync: {SHORT}\n".encode(), b"")
    root = vault({"_summaries/Mine.md": "my own", "_summaries/Copied.md": unmarked})
    sync(root)
    assert not ours_of(root)
    assert uids_of(root).keys() == {"_summaries/Mine.md", "_summaries/Copied.md"}


def test_F108_a_conflict_in_a_generated_note_does_not_make_it_a_user_s(vault: Callable[..., Path]) -> None:
    """Conflict markers in the frontmatter leave it recognised."""
    sides = f"<<<<<<< HEAD\nvaultsync: {SHORT}\n=======\nvaultsync: {SHORT}\n>>>>>>> theirs\n"
    root = vault({"_summaries/Beds (summary).md": edited(f"vaultsync: {SHORT}\n", sides)})
    sync(root)
    assert ours_of(root) == {"_summaries/Beds (summary).md": SHORT}
    assert not uids_of(root)


def test_F130_a_note_that_becomes_ours_is_buried_and_returns_without_the_mark(
    vault: Callable[..., Path],
) -> None:
    """The mark alone decides, at every look; taken away, the note is the user's again, by its old uid."""
    root = vault({"A.md": "# A\n\nwords of mine\n"})
    sync(root)
    before = uids_of(root)
    fill_vault(root, {"A.md": render(CONTENT)})
    sync(root)
    assert not uids_of(root)
    assert ours_of(root) == {"A.md": SHORT}
    fill_vault(root, {"A.md": "# A\n\nwords of mine, and more\n"})
    sync(root)
    assert uids_of(root) == before
    assert not ours_of(root)


def test_F130_a_missing_note_is_never_found_in_a_generated_one(vault: Callable[..., Path]) -> None:
    """A summary quotes its notes: one that vanished in the same pass has not become it."""
    root = vault({"Beans.md": "# Beds\n\nBeans like company.\n\nWater in the morning.\n"})
    sync(root)
    (root / "Beans.md").unlink()
    fill_vault(root, {"_summaries/Beds (summary).md": render(CONTENT)})
    report = sync(root)
    assert (report.renamed, report.removed) == ([], ["Beans.md"])
    assert not uids_of(root)


def test_F130_the_folder_is_read_even_where_a_setting_hides_it(vault: Callable[..., Path]) -> None:
    """Neither `exclude` nor git's word hides our notes from us; a user's note beside them stays on this machine."""
    root = vault(
        {
            ".vaultsync/config.toml": '[scope]\nexclude = ["_summaries/Garden/"]\ngitignored = "skip"\n',
            ".gitignore": "_summaries/\n",
            "A.md": "a",
            "_summaries/Garden/Beds (summary).md": render(CONTENT),
            "_summaries/Garden/Mine.md": "mine",
        }
    )
    git(root, "init", "-q")
    commit_all(root)
    sync(root)
    assert ours_of(root) == {"_summaries/Garden/Beds (summary).md": SHORT}
    with memory_of(root) as memory:
        private: dict[str, int] = dict(memory.db.read().rows("SELECT path, private FROM node"))
    assert private == {"A.md": 0, "_summaries/Garden/Mine.md": 1}


def test_a_generated_note_that_can_t_be_read_is_still_no_note(vault: Callable[..., Path]) -> None:
    """What was ours stays ours while nobody may look at it."""
    path = "_summaries/Beds (summary).md"
    root = vault({path: render(CONTENT)})
    sync(root)
    fill_vault(root, {path: edited("Beans like", "Peas like")})
    (root / path).chmod(0)
    try:
        sync(root)
        assert ours_of(root) == {path: SHORT}
        assert not uids_of(root)
    finally:
        (root / path).chmod(0o644)


NOTE = "Garden/Garden (summary).md"


def test_F104_a_hand_edit_outlasts_all_that_is_made_again(vault: Callable[..., Path]) -> None:
    """What a person typed between the markers, and around them, is there after notes came, changed and went."""
    root = vault(about("Beans", "Carrots", "Dill"))
    grow(root)
    place = root / "_summaries" / NOTE
    place.write_text(place.read_text().replace("The Beans", "My Beans") + "\nbelow\n")
    typed = place.read_bytes()
    fill_vault(root, {"Garden/Beans.md": prose("Beans", 2), "Garden/Endive.md": prose("Endive")})
    grow(root)
    (root / "Garden/Dill.md").unlink()
    grow(root)
    [row] = [row for row in rows_of(root) if row.pinned]
    assert "My Beans" in row.text
    kept = (root / (row.path or "")).read_bytes()
    assert kept[: kept.index(b"%% vaultsync:data")] == typed[: typed.index(b"%% vaultsync:data")]
    assert kept.endswith(b"\nbelow\n")


def test_F108_a_conflict_is_never_written_over(vault: Callable[..., Path]) -> None:
    """Both sides stay as git left them until a person decides, and nobody is said to have edited the note."""
    root = vault(about("Beans", "Carrots", "Dill"))
    grow(root)
    place = root / "_summaries" / NOTE
    sides = "<<<<<<< HEAD\nThe Beans\n=======\nOur Beans\n>>>>>>> theirs\n"
    place.write_text(place.read_text().replace("The Beans", sides, 1))
    left = place.read_bytes()
    fill_vault(root, {"Garden/Beans.md": prose("Beans", 2)})
    grow(root)
    assert place.read_bytes() == left
    assert not any(row.pinned for row in rows_of(root))


def test_F109_a_lost_state_writes_the_same_bytes(vault: Callable[..., Path], home: Path) -> None:
    """Whoever builds the tree from the files has nothing to write."""
    root = vault(about("Beans", "Carrots", "Dill", "Endive", "Fennel", "Garlic"))
    grow(root)
    before = generated(root)
    shutil.rmtree(home / "state")
    assert grow(root).written == []
    assert generated(root) == before
