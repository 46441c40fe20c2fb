"""Planning: what a pass reads, buries and holds, decided from two snapshots."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vaultsync.domain.notes import Fingerprint, NotePath, Uid
from vaultsync.domain.planning import GUARD_FROM, Plan, plan
from vaultsync.domain.snapshot import DiskNote, DiskSnapshot, LeftOut
from vaultsync.domain.survey import IndexedFile, is_racy, survey

OLD = Fingerprint(10, 1, 1, 1, 1)
NEW = Fingerprint(11, 2, 2, 1, 1)
PROFILE = "reader 1"


def disk(
    *paths: str,
    fingerprint: Fingerprint = OLD,
    unreadable: tuple[str, ...] = (),
    placeholders: tuple[str, ...] = (),
    left_out: tuple[LeftOut, ...] = (),
) -> DiskSnapshot:
    notes = {NotePath(path): DiskNote(NotePath(path), fingerprint, "note", None) for path in paths}
    return DiskSnapshot(
        0, notes, left_out, unreadable, frozenset(map(NotePath, placeholders)), not unreadable
    )


def row(path: str, file_id: int = 1, **changes: object) -> IndexedFile:
    known = IndexedFile(
        file_id=file_id,
        node_id=file_id,
        uid=Uid(f"uid-{file_id}"),
        path=NotePath(path),
        fingerprint=OLD,
        racy=False,
        content_hash="hash",
        role="note",
        withheld=None,
        held=None,
        ignored=False,
        alive=True,
        profile=PROFILE,
    )
    return known._replace(**changes)  # type: ignore[arg-type]


def decide(snapshot: DiskSnapshot, *rows: IndexedFile, accept: bool = False, rehash: bool = False) -> Plan:
    living = sum(known.alive for known in rows)
    seen = survey(snapshot, rows, profile=PROFILE, rehash=rehash)
    return plan(seen, living=living, accept_removals=accept)


def read_paths(decided: Plan) -> list[str]:
    return [task.note.path for task in decided.read]


def test_an_unchanged_note_is_not_read() -> None:
    """The same fingerprint, read in the same way: nothing to do."""
    decided = decide(disk("a.md"), row("a.md"))
    assert not decided.read
    assert not decided.changes_places
    assert decided.unchanged == 1


@pytest.mark.parametrize(
    "known",
    [
        row("a.md", fingerprint=NEW),
        row("a.md", fingerprint=OLD._replace(ctime_ns=9)),
        row("a.md", fingerprint=OLD._replace(inode=9)),
        row("a.md", racy=True),
        row("a.md", held="unreadable"),
        row("a.md", profile="reader 0"),
        row("a.md", alive=False),
    ],
)
def test_doubt_is_a_reason_to_read(known: IndexedFile) -> None:
    """Another fingerprint or profile, a racy or held row, a tombstone: the note is read."""
    assert read_paths(decide(disk("a.md"), known)) == ["a.md"]


def test_F100_a_file_as_young_as_its_reading_is_racy() -> None:
    """An edit within the timestamps' coarseness can't be seen by them; later ones can."""
    second = 1_000_000_000
    young = Fingerprint(1, 100 * second, 100 * second, 1, 1)
    assert is_racy(young, 101 * second)
    assert not is_racy(young, 103 * second)


def test_rehash_reads_every_note() -> None:
    """Timestamps may lie; --rehash does not believe them."""
    assert read_paths(decide(disk("a.md", "b.md"), row("a.md"), row("b.md", 2), rehash=True)) == [
        "a.md",
        "b.md",
    ]


def test_an_ignored_note_is_not_read_again_and_not_counted() -> None:
    """`vaultsync: ignore` is remembered with the fingerprint."""
    decided = decide(disk("a.md"), row("a.md", ignored=True, alive=False, node_id=None, uid=None))
    assert not decided.read
    assert decided.unchanged == 0


def test_an_ignored_notes_standing_means_nothing() -> None:
    """It is written when the note is read again; until then there is nothing to write."""
    ignored = row("a.md", ignored=True, alive=False, node_id=None, uid=None, role="template", withheld="glob")
    assert not decide(disk("a.md"), ignored).changes_places


def test_a_vanished_note_is_buried() -> None:
    """Removal is a tombstone."""
    decided = decide(disk("b.md"), row("a.md"), row("b.md", 2))
    assert [gone.path for gone in decided.bury] == ["a.md"]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_F50_F51_another_unicode_form_is_the_same_file(form: str) -> None:
    """A path that differs only in composition is read as the same note, not removed and added."""
    composed, decomposed = "Caf\u00e9.md", "Cafe\u0301.md"
    on_disk, known = (decomposed, composed) if form == "NFD" else (composed, decomposed)
    decided = decide(disk(on_disk), row(known))
    assert [(task.note.path, task.known and task.known.path) for task in decided.read] == [(on_disk, known)]
    assert not decided.bury


def test_F50_a_respelled_note_goes_before_a_tombstone_of_that_spelling() -> None:
    """Who stands under the one spelling is meant, not who once stood under the other."""
    composed, decomposed = "Caf\u00e9.md", "Cafe\u0301.md"
    decided = decide(disk(decomposed), row(composed), row(decomposed, 2, alive=False))
    assert [(task.note.path, task.known and task.known.file_id) for task in decided.read] == [(decomposed, 1)]
    assert not decided.bury


def test_F50_two_files_of_one_composed_name_stay_two() -> None:
    """Linux can hold both forms beside each other; neither is taken for the other."""
    decided = decide(disk("Caf\u00e9.md", "Cafe\u0301.md"), row("Caf\u00e9.md"), row("Cafe\u0301.md", 2))
    assert not decided.read
    assert decided.unchanged == 2


def test_F53_paths_that_differ_in_case_are_two_notes() -> None:
    """README.md and readme.md do not collapse."""
    assert read_paths(decide(disk("README.md", "readme.md"), row("README.md"))) == ["readme.md"]


def test_F37_rows_below_an_unreadable_folder_are_held() -> None:
    """A folder without permission says nothing of its notes; a note whose name begins alike is gone."""
    decided = decide(
        disk(unreadable=("a",), left_out=(LeftOut(".git", "dot-folder"),)), row("a/x.md"), row("ab.md", 2)
    )
    assert [(held.row.path, held.code) for held in decided.hold] == [("a/x.md", "unreadable")]
    assert [gone.path for gone in decided.bury] == ["ab.md"]


def test_F44_a_placeholder_keeps_its_rows() -> None:
    """A note that only the cloud has is not gone."""
    decided = decide(disk("b.md", placeholders=("a.md",)), row("a.md"), row("b.md", 2))
    assert [(held.row.path, held.code) for held in decided.hold] == [("a.md", "placeholder")]


def test_a_hold_that_stands_is_not_written_again() -> None:
    """A second pass with the same refusal has nothing to write."""
    decided = decide(disk("b.md", unreadable=("a",)), row("a/x.md", held="unreadable"), row("b.md", 2))
    assert not decided.changes_places


@pytest.mark.parametrize(("gone", "refused"), [(10, False), (11, True)])
def test_F38_more_than_half_of_twenty_is_refused(gone: int, refused: bool) -> None:
    """Half may go; one more is refused, with the words that say why."""
    rows = [row(f"{n:02}.md", n) for n in range(GUARD_FROM)]
    decided = decide(disk(*(known.path for known in rows[gone:])), *rows)
    assert bool(decided.refusal) is refused
    assert len(decided.bury) == (0 if refused else gone)
    assert len(decided.refused) == (gone if refused else 0)


def test_F38_what_was_refused_stays_refused() -> None:
    """New notes change the share that is gone, not what a person thinks of it; other notes may go."""
    rows = [row(f"{n:02}.md", n, held="removal-refused") for n in range(11)]
    others = [row(f"{n:02}.md", n) for n in range(11, 60)]
    snapshot = disk(*(known.path for known in others[1:]))
    decided = decide(snapshot, *rows, *others)
    assert decided.refusal is not None
    assert list(decided.refused) == rows
    assert decided.bury == (others[0],)
    assert len(decide(snapshot, *rows, *others, accept=True).bury) == 12


def test_a_look_at_some_paths_is_no_look_at_an_empty_vault() -> None:
    """`--only` of a note that is gone removes it."""
    known = row("a.md")
    snapshot = replace(disk(), complete=False)
    assert plan(survey(snapshot, [known], profile=PROFILE), living=30).bury == (known,)


def test_a_small_vault_may_lose_most_of_its_notes() -> None:
    """Below twenty notes a clean-out is everyday life."""
    rows = [row(f"{n:02}.md", n) for n in range(GUARD_FROM - 1)]
    assert len(decide(disk(rows[0].path), *rows).bury) == GUARD_FROM - 2


@pytest.mark.parametrize("left", [(), (LeftOut(".DS_Store", "dot-file"),)])
def test_F38_F41_an_empty_folder_removes_nothing(left: tuple[LeftOut, ...]) -> None:
    """An unmounted disk looks like an empty folder, or nearly, however few notes there were."""
    decided = decide(disk(left_out=left), row("a.md"))
    assert decided.refusal is not None
    assert not decided.bury


def test_accepted_removals_go_on() -> None:
    """--accept-removals is a person's word."""
    assert len(decide(disk(), row("a.md"), accept=True).bury) == 1


def test_a_new_role_is_written_without_reading() -> None:
    """A folder that became a template folder changes what its notes are, not what they say."""
    snapshot = disk()
    note = DiskNote(NotePath("a.md"), OLD, "template", "glob")
    snapshot.notes[note.path] = note
    decided = decide(snapshot, row("a.md"))
    assert not decided.read
    assert [change.note.role for change in decided.restand] == ["template"]
