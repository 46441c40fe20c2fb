"""Every note gets one place, in the tree of its source, and keeps it as long as it belongs there."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, NamedTuple

import pytest
from machines import prose
from small_vaults import fill_vault

from vaultsync.app import dues
from vaultsync.app.growing import sources
from vaultsync.app.growing.duty import find_duty
from vaultsync.app.growing.extract import extract
from vaultsync.app.growing.place import place
from vaultsync.app.growing.shelving import shelves_of
from vaultsync.app.machines import own_files, tree_lines
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.app.sync import sync
from vaultsync.domain.tree import Summary
from vaultsync.store import marks, summaries, tree_steps, trees
from vaultsync.store.tree_steps import Text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vaultsync.app.memory import Memory

    Note = Callable[[str, str], Path]

LONG = prose("Barley", sections=24)
"""Over 500 tokens: five such notes are a source."""


class Stands(NamedTuple):
    """Where a note is: the folder of its tree, its privacy, and the ordinal of the summary above."""

    source: str
    private: bool = False
    parent: int | None = None


def index(memory: Memory) -> None:
    """Bring the store to where places are given."""
    reconcile(memory, accept_removals=True)
    extract(memory, lambda _stage, _done, _total: None)


def run(memory: Memory) -> None:
    index(memory)
    place(memory, find_duty(memory))


def fill(memory: Memory, *folders: str, count: int = 5) -> None:
    """Write notes enough for a source into folders."""
    fill_vault(
        memory.root,
        {
            f"{folder}/n{number}.md": f"{LONG}\n{folder} {number}"
            for folder in folders
            for number in range(count)
        },
    )


def stands(memory: Memory) -> dict[str, Stands]:
    """Return where each note with a place is; all its leaves must be there."""
    rows = memory.db.read().all(
        """
        SELECT f.path, t.folder, t.private, s.ordinal, count(DISTINCT c.seq)
        FROM chunks c JOIN files f USING (node_id) JOIN trees t ON t.id = c.tree_id
        LEFT JOIN summaries s ON s.chunk_id = c.parent_id
        WHERE c.kind = 'leaf' GROUP BY 1, 2, 3, 4
        """
    )
    assert len({row[0] for row in rows}) == len(rows)
    assert {row[4] for row in rows} <= {1}
    return {path: Stands(folder, private == 1, parent) for path, folder, private, parent, _ in rows}


def order(memory: Memory) -> list[str]:
    """Return the paths of the notes with a place, by tree and order."""
    rows = memory.db.read().all(
        """
        SELECT DISTINCT f.path FROM chunks c JOIN files f USING (node_id) JOIN trees t ON t.id = c.tree_id
        WHERE c.kind = 'leaf' ORDER BY t.folder, t.private, c.seq
        """
    )
    return [path for (path,) in rows]


def sum_up(memory: Memory, folder: str, shelf: str, ordinal: int = 1, *, private: bool = False) -> None:
    """Put all that is in a tree and on this shelf under a summary."""
    with memory.db.write() as tx:
        tree = next(row for row in trees.every(tx) if (row.folder, row.private) == (folder, private))
        made = Summary(ordinal, 1, shelf, "sealed", None, "", "inputs", pinned=False, arrived_at=1)
        tree_steps.put(tx, tree, made, Text(f"All of {folder}.", "test"), 1)
        uids = [uid for uid, on in shelves_of(memory, tx, tree).items() if on == shelf]
        tree_steps.place(tx, tree, uids, ordinal)


def withdrawn(memory: Memory) -> list[int]:
    return [row.ordinal for row in summaries.every(memory.db.read()) if row.withdrawn]


def shelves_made(memory: Memory) -> list[tuple[str, str]]:
    return [(row.folder, row.shelf) for row in summaries.every(memory.db.read())]


def is_due(memory: Memory) -> bool:
    return marks.find(memory.db.read(), dues.PLACES) is not None


def everything(memory: Memory) -> list[object]:
    reader = memory.db.read()
    return [reader.all(f"SELECT * FROM {table}") for table in ("chunks", "trees", "summaries", "marks")]  # noqa: S608 - constants


def test_each_note_is_in_the_tree_of_its_source(memory: Memory) -> None:
    """Folders with little in them, and the vault's own notes, are in the root source's."""
    fill(memory, "Projects/Dome", "Journal")
    fill_vault(memory.root, {"Home.md": "Home again.", "Inbox/x.md": "A thought."})
    run(memory)
    found = stands(memory)
    assert found["Projects/Dome/n1.md"] == Stands("Projects")
    assert found["Journal/n1.md"] == Stands("Journal")
    assert found["Home.md"] == found["Inbox/x.md"] == Stands("")
    assert sources.in_force(memory.db.read()) == ("", "Journal", "Projects")


def test_a_pass_with_nothing_due_changes_nothing(memory: Memory) -> None:
    """Nor one in an empty vault."""
    for folders in ((), ("Projects",)):
        fill(memory, *folders)
        run(memory)
        assert not is_due(memory)
        before = everything(memory)
        run(memory)
        assert everything(memory) == before


def test_what_is_appended_stands_in_the_order_of_dates_and_numbers(memory: Memory, note: Note) -> None:
    """Where most of a shelf has dates these go first; the order does not depend on what was read first."""
    for number in (10, 9, 1):
        note(f"Part {number}.md", "Some words.")
    for day in ("2026-03-09", "2025-12-31", "2026-01-02"):
        note(f"{day}.md", "Some words of a day.")
    run(memory)
    assert order(memory) == [
        "Part 1.md", "Part 9.md", "Part 10.md", "2025-12-31.md", "2026-01-02.md", "2026-03-09.md",
    ]  # fmt: skip


def test_a_first_pass_that_was_killed_comes_to_the_same_order(memory: Memory) -> None:
    """However far it had read or extracted: places are given when all is."""
    fill(memory, "B", "A")
    reconcile(memory, only=["B"])  # type: ignore[list-item] # a path
    fill_vault(memory.root, {"A/n9.md": "Later."})
    run(memory)
    killed = order(memory)
    state = memory.root.parent / "state2"
    from small_vaults import memory_of  # noqa: PLC0415 - for this test alone

    with memory_of(memory.root, state, write=True) as other:
        run(other)
        assert order(other) == killed


def test_new_text_of_a_note_goes_where_the_note_is(memory: Memory, note: Note) -> None:
    """Also where the note is written anew from end to end; the note does not jump among the others."""
    fill(memory, "Projects", "Other")
    run(memory)
    sum_up(memory, "Projects", "/")
    before = order(memory)
    note("Projects/n2.md", f"# New\n\n{prose('Other', 12)}\n\n{LONG}")
    note("Projects/n3.md", "All is different now.")
    run(memory)
    assert (
        stands(memory)["Projects/n2.md"] == stands(memory)["Projects/n3.md"] == Stands("Projects", parent=1)
    )
    assert order(memory) == before


def test_a_folder_moved_within_its_source_keeps_every_place(memory: Memory) -> None:
    """And its shelf is that of the new folder."""
    fill(memory, "Projects/Dome", "Projects/Sea", count=8)
    fill(memory, "Other")
    run(memory)
    sum_up(memory, "Projects", "Dome/", 1)
    sum_up(memory, "Projects", "Sea/", 2)
    before = order(memory)
    (memory.root / "Projects/Dome").rename(memory.root / "Projects/Observatory")
    run(memory)
    assert stands(memory)["Projects/Observatory/n1.md"] == Stands("Projects", parent=1)
    assert shelves_made(memory) == [("Projects", "Observatory/"), ("Projects", "Sea/")]
    assert order(memory) == [path.replace("Dome", "Observatory") for path in before]


@pytest.mark.parametrize("to", ["Work", "Old/Projects", "Other/Projects"])
def test_a_source_moved_as_a_whole_keeps_its_trees(memory: Memory, to: str) -> None:
    """The public and the private one, with all parents."""
    fill(memory, "Projects/Dome", "Projects/Sea", "Other", count=8)
    fill_vault(memory.root, {"Projects/Mine.md": "---\nprivate: true\n---\nMine alone."})
    run(memory)
    sum_up(memory, "Projects", "Dome/")
    sum_up(memory, "Projects", "/", private=True)
    trees_before = {row.uid for row in trees.every(memory.db.read())}
    (memory.root / to).parent.mkdir(exist_ok=True)
    (memory.root / "Projects").rename(memory.root / to)
    run(memory)
    found = stands(memory)
    assert found[f"{to}/Dome/n1.md"] == Stands(to, parent=1)
    assert found[f"{to}/Sea/n1.md"] == Stands(to)
    assert found[f"{to}/Mine.md"] == Stands(to, private=True, parent=1)
    assert found["Other/n1.md"] == Stands("Other")
    assert sources.in_force(memory.db.read()) == tuple(sorted(("", "Other", to)))
    assert {row.uid for row in trees.every(memory.db.read())} == trees_before


def test_sources_that_change_places_change_their_folders(memory: Memory) -> None:
    """Through a third name, each pass with one."""
    fill(memory, "A", "B")
    run(memory)
    sum_up(memory, "A", "/")
    for old, new in (("A", "C"), ("B", "A"), ("C", "B")):
        (memory.root / old).rename(memory.root / new)
        run(memory)
    assert stands(memory)["B/n1.md"] == Stands("B", parent=1)
    assert stands(memory)["A/n1.md"] == Stands("A")


def test_a_note_that_moves_to_another_source_is_the_last_there(memory: Memory) -> None:
    """It leaves its summary; nothing is withheld, as it may be seen."""
    fill(memory, "A", "B")
    run(memory)
    sum_up(memory, "A", "/")
    (memory.root / "A/n1.md").rename(memory.root / "B/m.md")
    run(memory)
    assert stands(memory)["B/m.md"] == Stands("B")
    assert order(memory)[-1] == "B/m.md"
    assert withdrawn(memory) == []


def test_a_note_that_becomes_private_is_in_a_tree_of_its_own(memory: Memory, note: Note) -> None:
    """What quoted it is withheld; when it is public again it is appended."""
    fill(memory, "A", "B")
    run(memory)
    sum_up(memory, "A", "/", 1)
    sum_up(memory, "B", "/", 2)
    was = (memory.root / "A/n1.md").read_text()
    note("A/n1.md", f"---\nprivate: true\n---\n{was}")
    run(memory)
    assert stands(memory)["A/n1.md"] == Stands("A", private=True)
    assert withdrawn(memory) == [1]
    note("A/n1.md", was)
    run(memory)
    assert stands(memory)["A/n1.md"] == Stands("A")


def test_a_note_that_asks_to_be_left_out_is_withheld_and_a_deleted_one_is_not(
    memory: Memory, note: Note
) -> None:
    """A deleted one keeps its place, should it come back; one left out loses it, once."""
    fill(memory, "A", "B")
    run(memory)
    sum_up(memory, "A", "/", 1)
    sum_up(memory, "B", "/", 2)
    gone = (memory.root / "A/n1.md").read_text()
    (memory.root / "A/n1.md").unlink()
    run(memory)
    assert withdrawn(memory) == []
    assert stands(memory)["A/n1.md"] == Stands("A", parent=1)
    note("A/n1.md", gone)
    note("B/n1.md", "---\nvaultsync: ignore\n---\nNothing to see.")
    run(memory)
    assert withdrawn(memory) == [2]
    assert stands(memory)["A/n1.md"] == Stands("A", parent=1)
    assert "B/n1.md" not in stands(memory)


def test_a_note_that_a_setting_leaves_out_is_withheld(memory: Memory) -> None:
    """Its file is still there: nobody deleted it."""
    fill(memory, "A", "B")
    run(memory)
    sum_up(memory, "A", "/")
    fill_vault(memory.root, {".vaultsync/config.toml": '[scope]\nexclude = ["A/n1.md"]\n'})
    from small_vaults import memory_of  # noqa: PLC0415 - for this test alone

    with memory_of(memory.root, memory.state) as reader:
        settings = reader.settings
    from dataclasses import replace  # noqa: PLC0415 - for this test alone

    changed = replace(memory, settings=settings)
    run(changed)
    assert withdrawn(memory) == [1]
    assert "A/n1.md" not in stands(memory)


def test_templates_have_no_place(memory: Memory) -> None:
    """Nor a note that becomes one."""
    fill_vault(
        memory.root, {".obsidian/templates.json": '{"folder": "Templates"}', "Templates/t.md": "Words here."}
    )
    fill(memory, "A")
    run(memory)
    assert "Templates/t.md" not in stands(memory)
    (memory.root / "A/n1.md").rename(memory.root / "Templates/n1.md")
    run(memory)
    assert "Templates/n1.md" not in stands(memory)


def test_later_folders_join_the_root_source_until_they_are_asked_for(memory: Memory) -> None:
    """Status can name them; then `tree.tsv` says so, and the notes move."""
    fill(memory, "A", "B")
    run(memory)
    fill(memory, "C")
    run(memory)
    assert stands(memory)["C/n1.md"] == Stands("")
    assert sources.due_sources(memory) == ["C"]
    assert sources.rebuild_sources(memory) == ("", "A", "B", "C")
    assert is_due(memory)
    run(memory)
    assert stands(memory)["C/n1.md"] == Stands("C")
    assert sources.due_sources(memory) == []
    assert sorted(tree_lines.read(memory).sources.values()) == ["", "A", "B", "C"]
    assert not sources.are_due(memory.db.read(), find_duty(memory), tree_lines.read(memory))


def tell(memory: Memory) -> None:
    """Write into `tree.tsv` what the store knows."""
    lines = tree_lines.read(memory)
    assert tree_lines.put(memory, sources.lines_of(memory.db.read(), lines))


def test_what_the_vault_says_goes_before_all_that_was_chosen(memory: Memory) -> None:
    """Also on a machine that reads: trees are made and renamed as told, and a lost state comes to the same."""
    fill(memory, "A", "B")
    run(memory)
    sum_up(memory, "A", "/", 7)
    tell(memory)
    said = tree_lines.read(memory)
    assert sorted(said.sources.values()) == ["", "A", "B"]
    assert said.ordinals == {}
    fill(memory, "C")
    uid = next(uid for uid, folder in said.sources.items() if folder == "A")
    (memory.root / "A").rename(memory.root / "Z")
    text = (memory.root / own_files.TREE).read_text().replace("\tA\n", "\tZ\n")
    other = memory.root.parent / "Other"
    shutil.copytree(memory.root, other)
    (other / own_files.TREE).write_text(text.replace(memory.machine, "0" * 12) + f"ordinal\t{uid}\t9\n")
    from small_vaults import memory_of  # noqa: PLC0415 - for this test alone

    with memory_of(other, other.parent / "state2", write=True) as reader:
        run(reader)
        assert not find_duty(reader).may_write
        assert stands(reader)["Z/n1.md"] == Stands("Z")
        assert stands(reader)["C/n1.md"] == Stands("")
        found = {row.uid: row for row in trees.every(reader.db.read())}
        assert (found[uid].folder, found[uid].next_ordinal) == ("Z", 10)
        before = (other / own_files.TREE).read_text()
        assert not tree_lines.put(reader, tree_lines.read(reader)._replace(off=True))
        assert (other / own_files.TREE).read_text() == before
    run(memory)
    assert stands(memory)["Z/n1.md"] == Stands("Z", parent=7)


def test_a_machine_that_reads_chooses_nothing(memory: Memory) -> None:
    """Until it is told it knows the root source alone; when it becomes the writer it chooses."""
    fill(memory, "A", "B")
    fill_vault(memory.root, {own_files.TREE: "writer\t000000000000\n"})
    run(memory)
    assert {found.source for found in stands(memory).values()} == {""}
    (memory.root / own_files.TREE).unlink()
    run(memory)
    assert stands(memory)["A/n1.md"] == Stands("A")


def test_ordinals_are_told_only_where_no_summary_shows_them(memory: Memory) -> None:
    """So an ordinary edit leaves the file as it is."""
    fill(memory, "A", "B")
    run(memory)
    sum_up(memory, "A", "/", 1)
    sum_up(memory, "A", "/", 2)
    lines = sources.lines_of(memory.db.read(), tree_lines.Lines())
    assert lines.ordinals == {}
    with memory.db.write() as tx:
        tree = next(row for row in trees.every(tx) if row.folder == "A")
        tree_steps.remove(tx, tree.id, [2])
    assert sources.lines_of(memory.db.read(), lines).ordinals == {tree.uid: 2}
    kept = sources.lines_of(memory.db.read(), lines._replace(ordinals={tree.uid: 1, "x": 5}))  # type: ignore[dict-item] # a uid
    assert kept.ordinals == {tree.uid: 2, "x": 5}


def test_two_sources_that_claim_a_folder_come_to_one(memory: Memory) -> None:
    """A tree that `tree.tsv` gives the folder of another takes it; the other's notes follow."""
    fill(memory, "A", "B")
    run(memory)
    sum_up(memory, "A", "/")
    tell(memory)
    text = (memory.root / own_files.TREE).read_text()
    uid = next(uid for uid, folder in tree_lines.read(memory).sources.items() if folder == "A")
    other = "00000000-0000-5000-8000-000000000000"
    (memory.root / own_files.TREE).write_text(text.replace(uid, other))
    run(memory)
    assert stands(memory)["A/n1.md"] == Stands("A")
    assert [row.uid for row in trees.every(memory.db.read()) if row.folder == "A"] == [other]


PRIVATE = "---\nprivate: true\n---\n"


def test_private_notes_say_nothing_of_the_sources(memory: Memory, note: Note) -> None:
    """They are no reason to choose, and where they go no source goes: its folder would stand in the vault."""
    for number in range(5):
        note(f"A/p{number}.md", f"{PRIVATE}{LONG}")
    run(memory)
    assert stands(memory)["A/p1.md"] == Stands("", private=True)
    fill(memory, "A", "B")
    run(memory)
    assert stands(memory)["A/p1.md"] == Stands("A", private=True)
    for number in range(5):
        (memory.root / f"A/n{number}.md").unlink()
    (memory.root / "A").rename(memory.root / "Secret")
    run(memory)
    assert sources.in_force(memory.db.read()) == ("", "A", "B")
    assert stands(memory)["Secret/p1.md"] == Stands("", private=True)


def test_summaries_that_were_taken_over_say_what_the_sources_are(memory: Memory) -> None:
    """Where `tree.tsv` is lost: nothing is chosen beside them."""
    fill(memory, "A", "B")
    index(memory)
    with memory.db.write() as tx:
        trees.get_or_create(tx, memory.vault_id, "A", private=False)
    sum_up(memory, "A", "/")
    place(memory, find_duty(memory))
    assert sources.in_force(memory.db.read()) == ("", "A")
    assert stands(memory)["B/n1.md"] == Stands("")


def test_a_source_that_is_private_for_a_while_stays_one(memory: Memory) -> None:
    """No line names it meanwhile; a second pass changes nothing, and public again it is what it was."""
    fill(memory, "A", "B")
    sync(memory)
    homes = {path: there.source for path, there in stands(memory).items()}
    texts = {note: note.read_text() for note in (memory.root / "B").iterdir()}
    for head, is_named in ((PRIVATE, False), ("", True)):
        for note, text in texts.items():
            note.write_text(f"{head}{text}")
        sync(memory)
        before = stands(memory)
        assert {path: there.source for path, there in before.items()} == homes
        assert before["B/n0.md"].private is not is_named
        sync(memory)
        assert stands(memory) == before
        assert ("B" in tree_lines.read(memory).sources.values()) is is_named
