"""Generated notes that are gone from the vault, or elsewhere in it."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from grown_vaults import generated, grow, prose, rows_of
from marked_vaults import FIRST, FOLDER, MAP, SECOND, apart, edit, grow_garden, rewrite, row_at, take, tree
from repositories import commit_all, git
from small_vaults import fill_vault, memory_of

from vaultsync.app.outcomes import Adopted
from vaultsync.domain.uids import map_uid

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def garden(vault: Callable[..., Path]) -> Path:
    """A vault with a source of seven summaries below one, and another source; all is written back."""
    return grow_garden(vault({}))


def missing(root: Path) -> dict[str | None, str]:
    return {row.path: row.missing for row in rows_of(root) if row.missing}


def test_a_note_that_a_person_deletes_stays_deleted(garden: Path) -> None:
    """The summary stays in the tree; should the file come back, it is taken over."""
    raw = (garden / FIRST).read_bytes()
    uid = row_at(garden, FIRST).uid
    (garden / FIRST).unlink()
    assert take(garden) == Adopted(deleted=(uid,))
    assert missing(garden) == {FIRST: "deleted"}
    assert take(garden) == Adopted()
    (garden / FIRST).write_bytes(raw)
    assert take(garden) == Adopted(adopted=(uid,))
    assert not missing(garden)


def test_more_than_five_at_once_are_written_again(garden: Path) -> None:
    """Nobody deletes six notes one by one between two passes."""
    before = generated(garden)
    for number in range(1, 7):
        (garden / FOLDER / f"Garden/Garden (summary {number}).md").unlink()
    grow(garden)
    assert not missing(garden)
    assert generated(garden) == before


def test_the_folder_taken_away_turns_writing_off(garden: Path) -> None:
    """A person does not want generated notes; until they are turned on again, none is written."""
    shutil.rmtree(garden / FOLDER)
    found = take(garden)
    assert (found.off, found.deleted) == (True, ())
    assert take(garden).off
    grow(garden)
    assert not (garden / FOLDER).exists()
    assert "off\n" in (garden / ".vaultsync/tree.tsv").read_text()
    assert not take(garden).off


def test_what_a_checkout_takes_away_is_absent_and_returns(garden: Path) -> None:
    """Git is no person: a branch without generated notes deletes nothing, and back on the other all is as before."""
    git(garden, "init", "-q")
    commit_all(garden)
    take(garden)
    before = tree(garden)
    uids = {row.uid for row in rows_of(garden) if row.written_hash}
    git(garden, "checkout", "-qb", "without")
    git(garden, "rm", "-rq", FOLDER)
    git(garden, "commit", "-qm", "without")
    assert set(take(garden).absent) >= uids
    assert set(missing(garden).values()) == {"absent"}
    git(garden, "checkout", "-q", "-")
    assert set(take(garden).adopted) == uids
    assert tree(garden) == before


def shape(garden: Path) -> list[tuple[object, ...]]:
    """Return what the summaries are and what is above them; titles are given later in a pass."""
    return [(row.uid, row.parent, row.text_hash, row.state, row.path) for row in rows_of(garden)]


def test_what_is_there_of_a_tree_says_what_it_is(garden: Path) -> None:
    """What is named by none of its notes that are there is not in it; what one names is, and is as before when back."""
    git(garden, "init", "-q")
    commit_all(garden)
    take(garden)
    before = shape(garden)
    root = next(row for row in rows_of(garden) if row.parent is None and row.level > 1)
    for path, is_known in ((row_at(garden, FIRST).path, True), (root.path, False)):
        uid = row_at(garden, f"{path}").uid
        git(garden, "checkout", "-qb", f"without {path}".replace(" ", "-").replace("(", "").replace(")", ""))
        git(garden, "rm", "-q", f"{path}")
        git(garden, "commit", "-qm", "without")
        assert take(garden) == Adopted(absent=(uid,))
        assert (uid in {row.uid for row in rows_of(garden)}) is is_known
        git(garden, "checkout", "-q", "-")
        assert take(garden) == Adopted(adopted=(uid,))
        assert shape(garden) == before


def test_a_look_at_an_older_commit_leaves_nothing_behind(garden: Path) -> None:
    """Summaries that are there alone are known for as long, and the tree is as before when git is back."""
    git(garden, "init", "-q")
    commit_all(garden)
    for number in range(6):
        (garden / f"Garden/Plant {number}.md").unlink()
    grow(garden)
    commit_all(garden)
    grow(garden)
    before = tree(garden)
    git(garden, "checkout", "-q", "HEAD~1")
    grow(garden)
    assert len(tree(garden)) > len(before)
    git(garden, "checkout", "-q", "-")
    grow(garden)
    assert tree(garden) == before
    assert git(garden, "status", "--porcelain") == ""


def test_a_deletion_is_a_person_s_although_git_moved(garden: Path) -> None:
    """What git never had it can't have taken away."""
    git(garden, "init", "-q")
    git(garden, "add", "Garden")
    git(garden, "commit", "-qm", "notes")
    take(garden)
    (garden / FIRST).unlink()
    fill_vault(garden, {"Garden/Plant 0.md": prose("Plant 0", 2)})
    git(garden, "commit", "-qam", "more")
    assert take(garden).deleted == (rows_of(garden)[0].uid,)


def test_a_stash_takes_away_what_git_does_not_track(garden: Path) -> None:
    """`git stash -u` is git's doing too."""
    git(garden, "init", "-q")
    git(garden, "add", "Garden")
    git(garden, "commit", "-qm", "notes")
    take(garden)
    uid = row_at(garden, FIRST).uid
    git(garden, "stash", "-q", "-u", "--", FIRST)
    assert take(garden).absent == (uid,)


def test_nothing_is_missed_while_git_is_at_work(garden: Path) -> None:
    """In the middle of a merge the files are half there."""
    git(garden, "init", "-q")
    commit_all(garden)
    take(garden)
    (garden / ".git/MERGE_HEAD").write_text("0" * 40)
    (garden / FIRST).unlink()
    assert take(garden) == Adopted()
    (garden / ".git/MERGE_HEAD").unlink()
    assert take(garden).deleted


def test_a_moved_file_is_followed(garden: Path) -> None:
    """Its summary is the same wherever it lies in our folder."""
    row = row_at(garden, FIRST)
    (garden / FIRST).rename(garden / FOLDER / "Elsewhere.md")
    assert take(garden) == Adopted()
    assert row_at(garden, f"{FOLDER}/Elsewhere.md") == row._replace(path=f"{FOLDER}/Elsewhere.md")  # type: ignore[arg-type]


def test_files_that_swap_their_places_are_followed(garden: Path) -> None:
    """Also where one of them was edited at the same time."""
    first, second = row_at(garden, FIRST), row_at(garden, SECOND)
    (garden / FIRST).rename(garden / "aside")
    (garden / SECOND).rename(garden / FIRST)
    (garden / "aside").rename(garden / SECOND)
    edit(garden / FIRST, "The Plant", "My Plant")
    assert take(garden) == Adopted(pinned=(second.uid,))
    assert row_at(garden, FIRST).uid == second.uid
    assert row_at(garden, SECOND) == first._replace(path=SECOND)  # type: ignore[arg-type]


def test_the_map_is_followed_too(garden: Path) -> None:
    """It is no summary, but its file is known, missed and found like theirs."""
    uid = map_uid(memory_id(garden))
    raw = (garden / MAP).read_bytes()
    (garden / MAP).unlink()
    assert take(garden) == Adopted(deleted=(uid,))
    grow(garden, again=True)
    assert not (garden / MAP).exists()
    (garden / MAP).write_bytes(raw)
    assert take(garden) == Adopted()
    assert take(garden) == Adopted()


def memory_id(root: Path) -> str:
    with memory_of(root) as memory:
        return memory.vault_id


def test_what_another_machine_says_is_deleted_is_deleted_here(garden: Path) -> None:
    """A line of `tree.tsv` counts for a note that is not there, however it went."""
    uid = row_at(garden, FIRST).uid
    (garden / FIRST).unlink()
    place = garden / ".vaultsync/tree.tsv"
    place.write_text(place.read_text() + f"deleted\t{uid}\n")
    assert take(garden) == Adopted(deleted=(uid,))
    assert missing(garden) == {FIRST: "deleted"}


def test_a_note_of_which_only_a_person_s_words_are_left_is_no_summary(garden: Path, home: Path) -> None:
    """It stays for the words in it, and is said to; neither here nor after a lost state is it taken over."""
    place = garden / "_summaries/People/People (summary).md"
    place.write_bytes(place.read_bytes() + b"my words\n")
    for name in ("Ann", "Bob", "Cid", "Dan"):
        (garden / f"People/{name}.md").unlink()
    grow(garden)
    assert place.read_bytes().endswith(b"my words\n")
    assert [path for path, _ in take(garden).problems] == ["_summaries/People/People (summary).md"]
    assert take(garden) == Adopted()
    before = tree(garden)
    shutil.rmtree(home / "state")
    grow(garden)
    assert tree(garden) == before
    assert take(garden) == Adopted()
    assert not any(row.folder == "People" for row in rows_of(garden))


def test_a_summary_that_another_machine_ended_is_ended_here(garden: Path) -> None:
    """Its members wait for a place again."""
    row = row_at(garden, FIRST)
    rewrite(garden, FIRST, record=apart(garden / FIRST).record._replace(children=()), text="")
    assert take(garden).removed == (row.uid,)
    assert row.uid not in {row.uid for row in rows_of(garden)}
    assert take(garden) == Adopted()
