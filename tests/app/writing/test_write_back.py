"""Summaries are written into the vault as notes, around every word that a person wrote there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from grown_vaults import about, generated, grow, prose, rows_of
from machines import files_of
from small_vaults import fill_vault, memory_of, uids_of
from summary_notes import Words, with_words

from vaultsync import bootstrap
from vaultsync.app.growing.duty import find_duty
from vaultsync.app.machines import own_files, tree_lines
from vaultsync.app.writing.write_back import write_back
from vaultsync.domain.summary_note import Parts, take_apart
from vaultsync.store import attempts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from vaultsync.domain.notes import NotePath

    Vault = Callable[[Mapping[str, str | bytes]], Path]

ROOT = "_summaries/Garden/Garden (summary).md"
MINE = Words(
    key=b"mine: kept\n", before=b"Above, by me.\n\n", behind=b"\nBelow, by me.\n", last=b"Last words.\n"
)


def parts_of(root: Path, path: str) -> Parts:
    parts = take_apart((root / path).read_bytes())
    assert isinstance(parts, Parts)
    return parts


def add_words(root: Path, path: str, words: Words = MINE) -> None:
    place = root / path
    place.write_bytes(with_words(place.read_bytes(), words))


def words_in(root: Path, path: str) -> bool:
    text = (root / path).read_bytes()
    return all(word in text for word in MINE)


def edit(root: Path, path: str, version: int = 1) -> None:
    (root / path).write_text(prose(Path(path).stem, version))


def test_each_source_gets_a_note_and_the_vault_a_map(vault: Vault) -> None:
    """Links lead from the vault to its sources, and from there to the notes."""
    root = vault({**about("Beans", "Peas"), **about("Hoe", folder="Tools")})
    done = grow(root)
    texts = generated(root)
    assert list(texts) == ["Garden/Garden (summary).md", "Tools/Tools (summary).md", "Vault (summary).md"]
    assert done.written == sorted(f"_summaries/{path}" for path in texts)
    assert done.bytes == sum(len(text.encode()) for text in texts.values())
    assert "# Garden\n\nThe Beans has " in texts["Garden/Garden (summary).md"]
    assert "- [[Garden/Beans|Beans]]\n" in texts["Garden/Garden (summary).md"]
    assert "- [[_summaries/Tools/Tools (summary)|Tools]]\n" in texts["Vault (summary).md"]


def test_the_root_source_is_the_vaults_own_note(vault: Vault) -> None:
    """It sums up what lies in no source, and then links the sources."""
    root = vault({**about("Beans"), "Solo.md": prose("Solo")})
    grow(root)
    text = generated(root)["Vault (summary).md"]
    assert text.index("# Vault\n\nThe Solo has ") < text.index("- [[Solo|Solo]]") < text.index("## Sources")


def test_a_second_pass_writes_nothing(vault: Vault) -> None:
    """Neither one in which nothing is due nor one that looks at all again."""
    root = vault(about("Beans", "Peas", "Kale"))
    grow(root)
    before = {path: (root / path).stat() for path in ("_summaries/Vault (summary).md", ROOT)}
    assert grow(root).touched == []
    assert grow(root, again=True).touched == []
    assert {path: (root / path).stat() for path in before} == before


def test_an_edit_changes_the_files_above_it_alone(vault: Vault) -> None:
    """A source's root that says the same is not written again, nor is the vault's map."""
    root = vault({**about(*"abcdefgh"), **about("Hoe", folder="Tools")})
    grow(root)
    edit(root, "Garden/c.md")
    done = grow(root)
    assert done.written == ["_summaries/Garden/Garden (summary 2).md", ROOT]


def test_what_a_person_wrote_outside_the_markers_stays(vault: Vault) -> None:
    """Also their frontmatter; our part is made anew between."""
    root = vault(about("Beans", "Peas"))
    grow(root)
    add_words(root, ROOT)
    edit(root, "Garden/Beans.md")
    before = parts_of(root, ROOT)
    assert grow(root).written == [ROOT]
    after = parts_of(root, ROOT)
    assert words_in(root, ROOT)
    assert (after.head, after.middle, after.tail) == (before.head, before.middle, before.tail)
    assert after.part != before.part


def test_lines_that_end_as_on_windows_stay_so(vault: Vault) -> None:
    """An editor made them; ours follow."""
    root = vault(about("Beans", "Peas"))
    grow(root)
    place = root / ROOT
    place.write_bytes(place.read_bytes().replace(b"\n", b"\r\n"))
    edit(root, "Garden/Beans.md")
    assert grow(root).written == [ROOT]
    raw = place.read_bytes()
    assert raw.count(b"\r\n") == raw.count(b"\n")


def test_a_root_that_gets_a_parent_moves_with_the_words_in_it(vault: Vault) -> None:
    """It is one of several now, and its name is the new root's."""
    root = vault(about("a", "b"))
    grow(root)
    add_words(root, ROOT)
    old = parts_of(root, ROOT).record.id
    fill_vault(root, about("c", "d"))
    done = grow(root)
    first = "_summaries/Garden/Garden (summary 1).md"
    assert done.moved == [(ROOT, first)]
    assert words_in(root, first)
    assert parts_of(root, first).record.id == old
    assert parts_of(root, ROOT).is_ours_alone
    assert f"[[{first.removesuffix('.md')}|Garden: a to b]]" in (root / ROOT).read_text()
    assert grow(root, again=True).touched == []


def test_a_root_takes_its_name_back(vault: Vault) -> None:
    """When all others are gone, the words that were in the old root's note stay where they are read."""
    root = vault(about(*"abcdef"))
    grow(root)
    add_words(root, ROOT)
    for name in "cdef":
        (root / f"Garden/{name}.md").unlink()
    grow(root)
    assert list(generated(root)) == ["Garden/Garden (summary).md", "Vault (summary).md"]
    assert words_in(root, ROOT)
    assert parts_of(root, ROOT).record.level == 1
    assert grow(root, again=True).touched == []


def test_a_summary_that_is_gone_takes_its_note_along(vault: Vault) -> None:
    """Where a person wrote in it only our part goes, once."""
    root = vault({**about("a", "b"), **about("x", folder="Tools"), **about("y", folder="Shed")})
    grow(root)
    add_words(root, "_summaries/Tools/Tools (summary).md")
    for path in ("Tools/x.md", "Shed/y.md"):
        (root / path).unlink()
    grow(root)
    assert list(generated(root)) == [
        "Garden/Garden (summary).md",
        "Tools/Tools (summary).md",
        "Vault (summary).md",
    ]
    assert not (root / "_summaries/Shed").exists()
    emptied = parts_of(root, "_summaries/Tools/Tools (summary).md")
    assert (emptied.part, emptied.record.children) == ("", ())
    assert words_in(root, "_summaries/Tools/Tools (summary).md")
    assert grow(root, again=True).touched == []


def test_the_vaults_own_note_keeps_its_words_whatever_it_sums_up(vault: Vault) -> None:
    """A map of sources at first, it sums up the root source once there is one, and is a map again after that."""
    root = vault(about("a", "b"))
    path = "_summaries/Vault (summary).md"
    grow(root)
    add_words(root, path)
    fill_vault(root, {"Solo.md": prose("Solo")})
    grow(root)
    assert "The Solo has" in (root / path).read_text()
    assert words_in(root, path)
    (root / "Solo.md").unlink()
    grow(root)
    assert "The Solo has" not in (root / path).read_text()
    assert "[[_summaries/Garden/Garden (summary)|Garden]]" in (root / path).read_text()
    assert words_in(root, path)
    assert [place for place in generated(root) if "/" not in place] == ["Vault (summary).md"]
    assert grow(root, again=True).touched == []


def test_what_a_person_changed_in_the_map_is_kept_below_it(vault: Vault) -> None:
    """Nobody's text is taken into the store from there, and none is written over."""
    root = vault({**about("a"), **about("b", folder="Tools")})
    place = root / "_summaries/Vault (summary).md"
    grow(root)
    place.write_text(place.read_text().replace("# Vault\n", "# Vault\n\nMy own preface.\n"))
    (root / "Tools/b.md").unlink()
    grow(root)
    ours, _, below = place.read_text().partition("%% vaultsync:end %%")
    assert "|Garden]]" in ours
    assert "|Tools]]" not in ours
    assert "My own preface." in below
    assert grow(root, again=True).touched == []


def test_a_renamed_source_takes_its_notes_along(vault: Vault) -> None:
    """Each under its own name, but for the root, which is called as the folder; no word in them is lost."""
    root = vault(about(*"abcdef"))
    grow(root)
    add_words(root, ROOT)
    add_words(root, "_summaries/Garden/Garden (summary 2).md")
    texts = {row.uid: row.text for row in rows_of(root)}
    (root / "Garden").rename(root / "Yard")
    grow(root)
    assert set(generated(root)) == {
        "Yard/Garden (summary 1).md",
        "Yard/Garden (summary 2).md",
        "Yard/Garden (summary 3).md",
        "Yard/Yard (summary).md",
        "Vault (summary).md",
    }
    assert words_in(root, "_summaries/Yard/Yard (summary).md")
    assert words_in(root, "_summaries/Yard/Garden (summary 2).md")
    assert {row.uid: row.text for row in rows_of(root)} == texts
    assert grow(root, again=True).touched == []


def test_no_name_is_taken_from_a_note_an_alias_or_a_link(vault: Vault) -> None:
    """A link that finds nothing is the user's: what it means is theirs to write."""
    root = vault(
        {
            **about("a"),
            **about("b", folder="Tools"),
            **about("c", folder="Shed"),
            "Other/garden (SUMMARY).md": prose("d"),
            "Other/e.md": "---\naliases: Shed (summary)\n---\n" + prose("e") + "[[Tools (summary)]]\n",
        }
    )
    grow(root)
    found = set(generated(root))
    assert {
        "Garden/Garden (summary) 2.md",
        "Tools/Tools (summary) 2.md",
        "Shed/Shed (summary) 2.md",
        "Other/Other (summary).md",
    } <= found
    assert grow(root, again=True).touched == []


def test_a_name_that_the_user_takes_later_is_left_to_them(vault: Vault) -> None:
    """A link to our note takes nothing: it was made to it."""
    root = vault({**about("a"), **about("b", folder="Tools")})
    grow(root)
    fill_vault(
        root, {"Garden/Garden (summary).md": prose("mine"), "Tools/b.md": prose("b") + "[[Tools (summary)]]"}
    )
    done = grow(root)
    assert done.moved == [(ROOT, "_summaries/Garden/Garden (summary) 2.md")]
    assert "Tools/Tools (summary).md" in generated(root)


def test_a_link_to_a_root_is_to_whatever_is_the_root(vault: Vault) -> None:
    """It was made to our note, so it keeps no later root from the name."""
    root = vault({**about("a", "b"), "Log.md": prose("Log")})
    grow(root)
    fill_vault(root, {**about("c", "d"), "Log.md": prose("Log") + "[[Garden (summary)]]"})
    grow(root)
    assert parts_of(root, ROOT).record.level == 2


def test_a_file_that_is_no_note_keeps_its_place(vault: Vault) -> None:
    """What is not ours is never written over, whatever the index knows of it."""
    theirs = "---\nvaultsync: ignore\n---\nBy hand.\n"
    root = vault({**about("a"), ROOT: theirs})
    grow(root)
    assert (root / ROOT).read_text() == theirs
    assert "Garden/Garden (summary) 2.md" in generated(root)


def test_a_pinned_note_is_left_as_the_person_wrote_it(vault: Vault) -> None:
    """But for the list of its notes, from which a lost index is made again."""
    root = vault(about(*"abcd"))
    grow(root)
    path = "_summaries/Garden/Garden (summary 1).md"
    place = root / path
    place.write_text(place.read_text().replace("The a has", "My a has"))
    pinned = place.read_bytes()
    edit(root, "Garden/a.md")
    grow(root)
    assert place.read_bytes() == pinned
    (root / "Garden/a.md").unlink()
    grow(root)
    ours, theirs = b"%% vaultsync:data", pinned
    assert place.read_bytes().partition(ours)[0] == theirs.partition(ours)[0]
    assert len(parts_of(root, path).record.children) == 1
    assert not parts_of(root, path).is_unchanged
    assert grow(root, again=True).touched == []


def test_a_note_with_both_sides_of_a_merge_is_left(vault: Vault) -> None:
    """It says so, and the others are written."""
    root = vault({**about("a"), **about("b", folder="Tools")})
    grow(root)
    place = root / ROOT
    both = place.read_text().replace("# Garden\n", "<<<<<<< HEAD\n# Garden\n=======\n# Yard\n>>>>>>> other\n")
    place.write_text(both)
    edit(root, "Garden/a.md")
    edit(root, "Tools/b.md")
    done = grow(root)
    assert place.read_text() == both
    assert done.written == ["_summaries/Tools/Tools (summary).md"]
    assert [path for path, _ in done.refused] == [ROOT]


def test_one_that_can_not_be_written_stops_no_other(vault: Vault) -> None:
    """It is told, and tried again when that has been waited for."""
    root = vault({**about("a"), **about("b", folder="Tools"), "_summaries/Tools": "in the way"})
    done = grow(root)
    assert ROOT in done.written
    assert [path for path, _ in done.refused] == ["_summaries/Tools/Tools (summary).md"]
    with memory_of(root, write=True) as memory:
        failed = [attempt for attempt in attempts.pending(memory.db.read()) if attempt.stage == "write"]
        assert [attempt.subject for attempt in failed] == ["_summaries/Tools/Tools (summary).md"]
    assert grow(root).touched == []
    with memory_of(root, write=True) as memory, memory.db.write() as tx:
        tx.run("UPDATE attempts SET next_attempt_at = 0")
    (root / "_summaries/Tools").unlink()
    assert "_summaries/Tools/Tools (summary).md" in grow(root).written


def test_what_a_person_deleted_is_not_written_again(vault: Vault) -> None:
    """The vault says so to all its machines."""
    root = vault({**about("a"), **about("b", folder="Tools")})
    grow(root)
    deleted = parts_of(root, ROOT).record.id
    (root / ROOT).unlink()
    edit(root, "Garden/a.md")
    grow(root)
    assert not (root / ROOT).exists()
    assert f"deleted\t{deleted}\n" in (root / own_files.TREE).read_text()
    assert "Garden" not in generated(root)["Vault (summary).md"]


def test_turned_off_nothing_is_written(vault: Vault) -> None:
    """Titles are given all the same, and once it is on again all is written."""
    root = vault(about("a"))
    with memory_of(root, write=True) as memory:
        assert tree_lines.put(memory, tree_lines.Lines(off=True))
    assert grow(root).touched == []
    assert not (root / "_summaries").exists()
    assert [row.title for row in rows_of(root)] == ["Garden"]
    with memory_of(root, write=True) as memory:
        assert tree_lines.put(memory, tree_lines.read(memory)._replace(off=False))
    assert ROOT in grow(root).written


def test_a_folder_taken_away_turns_it_off(vault: Vault) -> None:
    """By a person, as a whole: they want none of it."""
    root = vault({**about("a"), **about("b", folder="Tools")})
    grow(root)
    for path in sorted((root / "_summaries").rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    (root / "_summaries").rmdir()
    assert grow(root).touched == []
    assert "off\n" in (root / own_files.TREE).read_text()
    edit(root, "Garden/a.md")
    assert grow(root).touched == []
    assert not (root / "_summaries").exists()


def test_another_machines_vault_is_not_written(vault: Vault) -> None:
    """Only the writer writes; a reader's summaries have titles too."""
    root = vault({**about("a"), own_files.TREE: "writer\tffffffffffff\n"})
    assert grow(root).touched == []
    assert not (root / "_summaries").exists()


def test_the_first_to_write_is_the_writer(vault: Vault) -> None:
    """It says so before its first note lies in the vault."""
    root = vault({**about("a"), ".vaultsync/id": "a-known-vault\n"})
    assert not (root / own_files.TREE).exists()
    grow(root)
    with memory_of(root) as memory:
        assert f"writer\t{memory.machine}\n" in (root / own_files.TREE).read_text()


def test_a_rehearsal_writes_nothing_and_says_the_same(vault: Vault) -> None:
    """Of a build, and of a move."""
    root = vault(about("a", "b"))
    grow(root, write=False)
    assert rehearse(root) == grow(root).written
    fill_vault(root, about("c", "d"))
    grow(root, write=False)
    before = files_of(root)
    told = rehearse(root)
    assert files_of(root) == before
    assert told == grow(root).written


def rehearse(root: Path) -> list[NotePath]:
    with bootstrap.rehearse(bootstrap.find_place(root, None, {})) as memory:
        return write_back(memory, find_duty(memory)).written


def test_no_private_note_is_named_or_quoted(vault: Vault) -> None:
    """They have a tree of their own, of which nothing is written."""
    root = vault({**about("a"), "Garden/Secret.md": "---\nprivate: true\n---\n" + prose("Secret")})
    grow(root)
    assert {row.private for row in rows_of(root)} == {True, False}
    assert all("Secret" not in text for text in generated(root).values())


def test_through_a_link_nothing_is_written(vault: Vault, tmp_path: Path) -> None:
    """A summaries folder that leads elsewhere is refused."""
    (tmp_path / "Elsewhere").mkdir()
    root = vault(about("a"))
    (root / "_summaries").symlink_to(tmp_path / "Elsewhere")
    assert grow(root).touched == []
    assert not list((tmp_path / "Elsewhere").iterdir())


def test_F109_two_machines_write_the_same_bytes(vault: Vault, tmp_path: Path) -> None:
    """What is written follows from the notes alone, not from what the vault's folder is called (F109)."""
    notes = {**about(*"abcdef"), "Solo.md": prose("Solo"), ".vaultsync/id": "a-known-vault\n"}
    root, other = vault(notes), fill_vault(tmp_path / "Elsewhere", notes)
    grow(root)
    grow(other)
    assert generated(root) == generated(other)


class Killed(BaseException):
    """Ends a pass as a kill does, whatever would be caught."""


@pytest.mark.slow
@pytest.mark.parametrize("change", ["grow", "shrink", "rename"])
def test_killed_at_any_write_no_word_is_lost_and_the_next_pass_comes_to_the_same(
    home: Path, tmp_path: Path, change: str
) -> None:
    """Each time something is made sure to be on the disk is one where the pass may end."""
    del home
    ends, at = [], 0
    while True:
        root = fill_vault(tmp_path / f"{change} {at}" / "Vault", {".vaultsync/id": "a-known-vault\n"})
        fill_vault(root, about(*("ab" if change == "grow" else "abcd")))
        grow(root)
        add_words(root, ROOT)
        alter(root, change)
        was_killed = killed(root, at)
        assert sum(words_in(root, f"_summaries/{path}") for path in generated(root)) >= 1
        grow(root)
        assert grow(root, again=True).touched == []
        ends.append(generated(root))
        if not was_killed:
            break
        at += 1
    assert at > 3
    assert ends == [ends[-1]] * len(ends)


def alter(root: Path, change: str) -> None:
    if change == "grow":
        fill_vault(root, about("c", "d"))
    elif change == "shrink":
        for name in "cd":
            (root / f"Garden/{name}.md").unlink()
    else:
        (root / "Garden").rename(root / "Yard")


def killed(root: Path, at: int) -> bool:
    """Run a pass that ends at its `at`th call for the disk to hold what was written; False if it has fewer."""
    calls = iter(range(10_000))

    def fsync(descriptor: int) -> None:
        if next(calls) == at:
            raise Killed
        real(descriptor)

    real = os.fsync
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        try:
            grow(root)
        except Killed:
            return True
    return False


def test_F30_our_own_writing_is_no_change_to_follow(vault: Vault) -> None:
    """No note of the user's is touched, and no pass begins because of one before."""
    root = vault(about(*"abcd"))
    before = {path: (root / path).stat().st_mtime_ns for path in notes_in(root)}
    grow(root)
    assert grow(root).touched == []
    assert {path: (root / path).stat().st_mtime_ns for path in before} == before


def notes_in(root: Path) -> list[str]:
    return [path.relative_to(root).as_posix() for path in sorted((root / "Garden").iterdir())]


def test_F74_what_a_name_would_mean_in_markdown_is_escaped_once(vault: Vault) -> None:
    """A link shows the name as it is written, so what would need an escape is left out of it."""
    root = vault({"Garden/A | B [c].md": prose("x"), **about()})
    grow(root)
    text = generated(root)["Garden/Garden (summary).md"]
    line = next(line for line in text.splitlines() if line.startswith("- "))
    assert line.startswith("- [A B (c)](obsidian://")
    assert "\\\\" not in text


def test_F106_without_our_mark_a_file_is_not_ours(vault: Vault) -> None:
    """A person who takes the mark out of a generated note has a note of their own, and no more of ours there."""
    root = vault(about("a"))
    grow(root)
    place = root / ROOT
    place.write_text(place.read_text().replace("vaultsync: ", "was: "))
    theirs = place.read_bytes()
    edit(root, "Garden/a.md")
    grow(root)
    assert place.read_bytes() == theirs
    assert ROOT in uids_of(root)
    assert set(generated(root)) <= {"Garden/Garden (summary).md", "Vault (summary).md"}


def test_F130_generated_notes_are_no_notes(vault: Vault) -> None:
    """They are not read as such, so they feed nothing, and are fewer than the notes."""
    root = vault(about(*"abcdef"))
    grow(root)
    uids = uids_of(root)
    assert set(uids) == {f"Garden/{name}.md" for name in "abcdef"}
    assert len(generated(root)) < len(uids)
