"""Generated notes that are not what we last wrote: taken over, or pinned."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest
from grown_vaults import generated, grow, prose, rows_of
from marked_vaults import (
    FIRST,
    FOLDER,
    ROOT,
    SECOND,
    apart,
    edit,
    grow_garden,
    members,
    problems,
    rewrite,
    row_at,
    take,
    texts,
    tree,
)
from repositories import commit_all, git
from small_vaults import fill_vault, memory_of

from vaultsync.app.outcomes import Adopted
from vaultsync.domain.uids import summary_uid
from vaultsync.store import attempts, summary_cache

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def garden(vault: Callable[..., Path]) -> Path:
    """A vault with a source of seven summaries below one, and another source; all is written back."""
    return grow_garden(vault({}))


# What a person writes.


def test_what_a_person_types_between_the_markers_is_kept(garden: Path) -> None:
    """The note is pinned: the store has the person's text as typed, its children stay, and it takes no more."""
    before = row_at(garden, ROOT)
    children = members(garden, before)
    edit(garden / ROOT, before.text, "My **own** words, `code` too.")
    assert take(garden) == Adopted(pinned=(before.uid,))
    row = row_at(garden, ROOT)
    assert (row.pinned, row.text, row.state) == (True, "My **own** words, `code` too.", "sealed")
    assert members(garden, row) == children
    assert take(garden) == Adopted()


def test_an_edit_undone_unpins(garden: Path) -> None:
    """What a machine wrote is a machine's again."""
    raw = (garden / FIRST).read_bytes()
    edit(garden / FIRST, "The Plant 0", "Our Plant 0")
    assert take(garden).pinned
    (garden / FIRST).write_bytes(raw)
    assert take(garden).adopted == (row_at(garden, FIRST).uid,)
    assert not row_at(garden, FIRST).pinned


@pytest.mark.parametrize("by", ["crlf", "around", "targets"])
def test_what_does_not_change_the_text_pins_nothing(garden: Path, by: str) -> None:
    """Line ends, words outside the markers and the targets of links are not the summary's text."""
    before = texts(garden)
    place = garden / FIRST
    if by == "crlf":
        place.write_bytes(place.read_bytes().replace(b"\n", b"\r\n"))
    elif by == "around":
        edit(place, "%% vaultsync:begin", "my words\n%% vaultsync:begin")
    else:
        edit(place, "[[Garden/Plant 0|", "[[Plant 0|")
    uid = row_at(garden, FIRST).uid
    assert take(garden) == Adopted(adopted=(uid,))
    assert not row_at(garden, FIRST).pinned
    assert texts(garden) == before
    assert take(garden) == Adopted()


# What a machine writes.


def test_another_machine_s_text_is_taken_over(garden: Path) -> None:
    """Text, state, generator and input are the file's; a model's text is kept for whoever asks for it again."""
    row = row_at(garden, FIRST)
    parts = apart(garden / FIRST)
    record = parts.record._replace(generator="openai/some model/1", state="open", input_digest="ab" * 16)
    rewrite(garden, FIRST, text="What a model said.", record=record)
    assert take(garden) == Adopted(adopted=(row.uid,))
    now = row_at(garden, FIRST)
    assert (now.text, now.generator, now.state) == ("What a model said.", "openai/some model/1", "open")
    assert (now.inputs, now.pinned) == ("ab" * 16, False)
    with memory_of(garden) as memory:
        kept = summary_cache.find(memory.db.read(), "ab" * 16, "")
    assert kept == ("What a model said.", "openai/some model/1")


def test_children_follow_the_file(garden: Path) -> None:
    """What a file names is there, in its order; what no file names waits on its shelf in the same tree."""
    first, second = row_at(garden, FIRST), row_at(garden, SECOND)
    record = apart(garden / FIRST).record
    plants = members(garden, first)
    of_second = members(garden, second)
    rewrite(
        garden,
        FIRST,
        record=record._replace(children=(apart(garden / SECOND).record.children[1], record.children[0])),
    )
    rewrite(
        garden,
        SECOND,
        record=apart(garden / SECOND).record._replace(children=apart(garden / SECOND).record.children[:1]),
    )
    assert set(take(garden).adopted) == {first.uid, second.uid}
    assert members(garden, first) == [of_second[1], plants[0]]
    assert members(garden, second) == of_second[:1]
    with memory_of(garden) as memory:
        loose = memory.db.read().all(
            "SELECT n.uid, c.tree_id FROM chunks c JOIN nodes n ON n.id = c.node_id "
            "WHERE c.parent_id IS NULL AND c.kind = 'leaf' AND c.status = 'admitted' AND c.tree_id IS NOT NULL"
        )
    assert (plants[1], first.tree_id) in loose


def test_a_child_known_by_another_id_is_found_by_its_text(garden: Path) -> None:
    """A note whose uid differs on this machine is the one that says just what was summed up."""
    row = row_at(garden, FIRST)
    before = members(garden, row)
    record = apart(garden / FIRST).record
    stranger = record.children[0]._replace(id="00000000-0000-5000-8000-000000000000")
    rewrite(garden, FIRST, record=record._replace(children=(stranger, record.children[1])))
    take(garden)
    assert members(garden, row) == before


def test_a_note_named_where_it_is_private_stays_out_and_the_text_is_withheld(garden: Path) -> None:
    """A file may still quote what is private here."""
    row = row_at(garden, FIRST)
    fill_vault(garden, {"Garden/Plant 0.md": "---\nprivate: true\n---\n" + prose("Plant 0")})
    edit(garden / FIRST, "%% vaultsync:begin", "mine\n%% vaultsync:begin")
    take(garden)
    assert len(members(garden, row)) == 1
    withdrawn = {row.path for row in rows_of(garden) if row.withdrawn}
    assert withdrawn == {FIRST, ROOT}


def test_a_lost_state_is_built_again_from_the_files(garden: Path, home: Path) -> None:
    """Ids, ordinals, parents, order, texts and pins; and nothing is made or written anew."""
    edit(garden / SECOND, "The Plant", "My Plant")
    fill_vault(garden, {"Garden/Plant 3.md": prose("Plant 3", 1), "Garden/Plant 99.md": prose("Plant 99")})
    grow(garden)
    grow(garden)
    before, files = tree(garden), generated(garden)
    shutil.rmtree(home / "state")
    grow(garden)
    assert tree(garden) == before
    assert any(row.pinned for row in rows_of(garden))
    assert generated(garden) == files


def test_the_files_name_the_vault_where_nothing_else_does(garden: Path, home: Path) -> None:
    """Out of its repository, without an id: a copy takes over what is there all the same."""
    before, files = tree(garden), generated(garden)
    shutil.rmtree(home / "state")
    (garden / ".vaultsync/id").unlink()
    grow(garden)
    assert tree(garden) == before
    assert generated(garden) == files


# What is wrong with files.


def test_conflict_markers_are_a_problem_until_they_are_gone(garden: Path) -> None:
    """Nothing is taken and nothing written; `status` lists the file."""
    raw = (garden / FIRST).read_bytes()
    before = tree(garden)
    edit(garden / FIRST, "The Plant 0", "<<<<<<< ours\nThe Plant 0\n=======\nX\n>>>>>>> theirs\nThe Plant 0")
    found = take(garden)
    assert [path for path, _ in found.problems] == [FIRST]
    assert problems(garden) == {FIRST: "conflict-markers"}
    assert (tree(garden), take(garden)) == (before, Adopted())
    (garden / FIRST).write_bytes(raw)
    assert take(garden) == Adopted()
    assert not problems(garden)


def test_a_copy_of_a_generated_note_is_left_alone(garden: Path) -> None:
    """Of two files with one id the one where we wrote it counts, or where that is gone, the other."""
    row = row_at(garden, FIRST)
    copy = f"{FOLDER}/Copy.md"
    shutil.copy(garden / FIRST, garden / copy)
    edit(garden / copy, "The Plant 0", "Our Plant 0")
    assert not take(garden).pinned
    assert problems(garden) == {copy: "summary-duplicate"}
    assert take(garden) == Adopted()
    (garden / FIRST).unlink()
    assert take(garden) == Adopted(pinned=(row.uid,))
    assert row_at(garden, copy).pinned
    assert not problems(garden)


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("vault", "another", "summary-foreign"),
        ("ordinal", 99, "summary-data"),
        ("ordinal", 10**30, "summary-data"),
        ("level", 33, "summary-data"),
        ("tree", "no uid", "summary-data"),
    ],
)
def test_what_is_no_summary_of_this_vault_is_left_alone(
    garden: Path,
    field: str,
    value: Any,  # noqa: ANN401 - of whatever field
    code: str,
) -> None:
    """A record that can't be of this vault is a problem, and nothing of it is taken."""
    before = tree(garden)
    record = apart(garden / FIRST).record._replace(**{field: value})
    rewrite(garden, FIRST, record=record, text="other")
    take(garden)
    assert problems(garden) == {FIRST: code}
    assert tree(garden) == before


def test_a_source_that_has_another_tree_keeps_it(garden: Path) -> None:
    """A stranger's tree for a folder that has one with summaries is not taken in."""
    stranger = "11111111-2222-5333-8444-555555555555"
    record = apart(garden / FIRST).record._replace(
        tree=stranger,
        ordinal=1,
        id=summary_uid(stranger, 1),  # type: ignore[arg-type]
    )
    path = f"{FOLDER}/Garden/Strange.md"
    shutil.copy(garden / FIRST, garden / path)
    rewrite(garden, path, record=record)
    take(garden)
    assert problems(garden) == {path: "summary-foreign"}


def test_a_summaries_folder_that_is_a_link_is_left_alone(garden: Path, tmp_path: Path) -> None:
    """Nothing is taken from behind it, and nothing counts as deleted; `status` says so until it is a folder."""
    before = tree(garden)
    (garden / FOLDER).rename(tmp_path / "elsewhere")
    (garden / FOLDER).symlink_to(tmp_path / "elsewhere")
    assert take(garden) == take(garden) == Adopted()
    assert tree(garden) == before
    with memory_of(garden) as memory:
        assert [attempt.stage for attempt in attempts.pending(memory.db.read())] == ["adopt"]
    (garden / FOLDER).unlink()
    (tmp_path / "elsewhere").rename(garden / FOLDER)
    assert take(garden) == Adopted()
    with memory_of(garden) as memory:
        assert not attempts.pending(memory.db.read())


# Merges.


@pytest.fixture
def merged(garden: Path) -> Path:
    """The vault after a merge whose text of a generated note is neither side's."""
    git(garden, "init", "-q")
    commit_all(garden)
    take(garden)
    git(garden, "checkout", "-qb", "other")
    rewrite(garden, FIRST, text="One line.\n\nThe same.\n\nOther end.")
    commit_all(garden)
    git(garden, "checkout", "-q", "-")
    rewrite(garden, FIRST, text="Our line.\n\nThe same.\n\nAn end.")
    commit_all(garden)
    git(garden, "merge", "-q", "-s", "ours", "--no-commit", "other")
    edit(garden / FIRST, "An end.", "Other end.")
    commit_all(garden, "merge")
    return garden


def test_a_mixture_that_git_made_is_made_again(merged: Path) -> None:
    """Neither parent had the text, so nobody wrote it: it is not pinned, and stale."""
    uid = row_at(merged, FIRST).uid
    text = row_at(merged, FIRST).text
    assert take(merged) == Adopted(adopted=(uid,))
    row = row_at(merged, FIRST)
    assert (row.pinned, row.inputs, row.text) == (False, "", text)


def test_a_mixture_is_known_also_after_later_commits(merged: Path) -> None:
    """What counts is the last commit that changed the file."""
    fill_vault(merged, {"Garden/New.md": "new"})
    commit_all(merged)
    assert not take(merged).pinned


def test_what_a_person_typed_outlives_a_merge(merged: Path) -> None:
    """A line that neither side had, and the text of a side that a person had changed, are a person's."""
    edit(merged / FIRST, "Other end.", "My end.")
    git(merged, "commit", "-qa", "--amend", "--no-edit")
    assert take(merged).pinned


def test_a_side_that_a_person_wrote_is_kept(garden: Path) -> None:
    """A merge of a machine's text and a person's is pinned, also where it has no line of its own."""
    git(garden, "init", "-q")
    commit_all(garden)
    take(garden)
    git(garden, "checkout", "-qb", "phone")
    edit(garden / FIRST, "The Plant 0", "My Plant 0")
    commit_all(garden)
    git(garden, "checkout", "-q", "-")
    rewrite(garden, FIRST, text="Our line.\n\nThe same.")
    commit_all(garden)
    git(garden, "merge", "-q", "-s", "ours", "--no-commit", "phone")
    edit(garden / FIRST, "The same.", "My Plant 0")
    commit_all(garden, "merge")
    assert take(garden).pinned


def test_an_edit_after_a_merge_is_a_person_s(merged: Path) -> None:
    """Bytes that no commit has were typed."""
    edit(merged / FIRST, "Other end.", "My end.")
    assert take(merged).pinned


def test_a_committed_edit_is_a_person_s(garden: Path) -> None:
    """What a person typed on another machine comes as a commit like any other."""
    git(garden, "init", "-q")
    commit_all(garden)
    take(garden)
    edit(garden / FIRST, "The Plant 0", "My Plant 0")
    commit_all(garden)
    assert take(garden).pinned
