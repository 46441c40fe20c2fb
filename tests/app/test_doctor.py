"""Each check of the doctor fails when what it watches is broken, and a repair mends what can be derived."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

import apsw
import pytest

from vaultsync.app.checks import CHECKS
from vaultsync.app.doctor import Diagnosis, examine, repair
from vaultsync.app.dump import dump
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.bootstrap import DATABASE, find_place, open_memory, prepare_state
from vaultsync.surfaces import status_wire

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from vaultsync.app.memory import Memory

    Write = Callable[[str, str], Path]
    Break = Callable[[Memory], None]


@pytest.fixture
def vault(memory: Memory, note: Write) -> Memory:
    note(
        "Alpha.md",
        "---\naliases: [First]\n---\n# Alpha\n\n[[Beta]], [[日記]], [[Nowhere]].\n\n## More\n\nText.\n",
    )
    note("Notes/Beta.md", "Back to [[First]].\n")
    note("Notes/日記.md", "今日は天気がいい。\n")
    reconcile(memory)
    return memory


def failing(memory: Memory) -> set[str]:
    return {verdict.code for verdict in examine(memory) if not verdict.ok}


@contextmanager
def another_program(memory: Memory) -> Iterator[apsw.Connection]:
    """A connection that heeds no foreign key and no CHECK."""
    connection = apsw.Connection(str(memory.state / DATABASE))
    connection.execute("PRAGMA ignore_check_constraints = 1")
    try:
        yield connection
    finally:
        connection.close()


def by(*statements: str) -> Break:
    """Statements in which :alpha is a node, :chunk one of its chunks, and :beta_file another note's file."""

    def run(memory: Memory) -> None:
        value = memory.db.read().value
        ids = {
            "alpha": value("SELECT id FROM nodes WHERE title = 'Alpha'"),
            "beta_file": value("SELECT file_id FROM node WHERE title = 'Beta'"),
            "chunk": value(
                "SELECT min(c.id) FROM chunks c JOIN nodes n ON n.id = c.node_id WHERE title = 'Alpha'"
            ),
        }
        with another_program(memory) as connection:
            for sql in statements:
                connection.execute(sql, ids)

    return run


def change_unseen(memory: Memory) -> None:
    """Write other bytes, and let the memory know the file's present fingerprint with the old hash."""
    place = memory.root / "Notes/Beta.md"
    place.write_text("On to [[Third]] at last.\n")
    seen = place.stat()
    with another_program(memory) as connection:
        connection.execute(
            "UPDATE files SET racy = 0, size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, device = ?"
            " WHERE path = 'Notes/Beta.md'",
            (seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino, seen.st_dev),
        )


def add_note(memory: Memory) -> None:
    (memory.root / "New.md").write_text("New.")


def remove_note(memory: Memory) -> None:
    (memory.root / "Notes/日記.md").unlink()


LOST = {"lost-chunks", "spans"}
UNLINKED = {"links", "links-due", "disk", "lost-chunks"}

MENDABLE: list[tuple[str, set[str], Break]] = [
    ("text-index", set(), by("DELETE FROM chunks_fts_data WHERE id > 10")),
    ("text-index", set(), by("DELETE FROM nodes_fts_docsize WHERE id = :alpha")),
    ("spaced-index", set(), by("DELETE FROM chunks_spaced")),
    ("spaced-index", set(), by("DELETE FROM nodes_spaced_data WHERE id > 10")),
    ("foreign-keys", LOST, by("DELETE FROM chunks WHERE id = :chunk")),
    ("strays", UNLINKED, by("DELETE FROM files WHERE path = 'Alpha.md'")),
    ("foreign-keys", {"links"}, by("UPDATE edges SET to_node_id = 99 WHERE target = 'Beta'")),
    ("strays", UNLINKED, by("UPDATE files SET node_id = NULL WHERE node_id = :alpha")),
    ("lost-chunks", LOST, by("DELETE FROM raw_refs WHERE chunk_id = :chunk")),
    ("lost-chunks", LOST, by("UPDATE raw_refs SET file_id = :beta_file WHERE chunk_id = :chunk")),
    ("spans", set(), by("UPDATE raw_refs SET start = start + 1 WHERE chunk_id = :chunk")),
    ("spans", set(), by("UPDATE chunks SET text = text || '!' WHERE id = :chunk")),
    ("spans", set(), by("DELETE FROM raw_refs", "DELETE FROM chunks")),
    ("unseen-changes", set(), change_unseen),
    ("disk", set(), add_note),
    ("names", {"links"}, by("DELETE FROM names WHERE node_id = :alpha AND is_alias = 1")),
    ("names", set(), by("INSERT INTO names VALUES ('other', :alpha, 1)")),
    ("links-due", set(), by("UPDATE edges SET due = 1")),
    ("links", set(), by("UPDATE edges SET to_node_id = :alpha WHERE target = 'Beta'")),
    ("links", set(), by("UPDATE edges SET to_node_id = :alpha WHERE target = 'Nowhere'")),
    ("links", set(), by("UPDATE edges SET to_node_id = NULL, match = NULL WHERE target = 'First'")),
    ("failures", set(), by("INSERT INTO attempts VALUES ('embed', 'x', 1, NULL, 'no answer')")),
]
"""The check that fails, those that may fail along with it, and what breaks it."""


def test_a_sound_memory_passes_every_check(vault: Memory) -> None:
    """No check fails where nothing is wrong; every check ran."""
    verdicts = list(examine(vault))
    assert [verdict for verdict in verdicts if not verdict.ok] == []
    assert [verdict.code for verdict in verdicts] == [check.code for check in CHECKS]


@pytest.mark.parametrize(("code", "along", "destroy"), MENDABLE)
def test_what_is_derived_is_found_broken_and_mended(
    code: str, along: set[str], destroy: Break, vault: Memory
) -> None:
    """F91: the check fails, a repair mends it, and the memory says again what the vault says."""
    destroy(vault)
    before = {path: path.read_bytes() for path in vault.root.rglob("*.md")}
    assert code in failing(vault)
    assert failing(vault) <= {code, *along}
    diagnosis = repair(vault)
    assert [(verdict.code, verdict.found) for verdict in diagnosis.checks if not verdict.ok] == []
    assert code in {verdict.code for verdict in diagnosis.checks if verdict.repaired}
    assert before == {path: path.read_bytes() for path in vault.root.rglob("*.md")}
    assert list(dump(vault.db, uids=True)) == list(_dump_of_new(vault))


def test_a_memory_broken_in_every_way_at_once_is_mended(vault: Memory) -> None:
    """One repair may lay bare what another must mend; in the end all is well."""
    for _, _, destroy in MENDABLE:
        destroy(vault)
    assert failing(vault) >= {"text-index", "spaced-index", "strays", "disk"}
    assert repair(vault).ok
    assert list(dump(vault.db, uids=True)) == list(_dump_of_new(vault))


def _dump_of_new(memory: Memory) -> Iterator[str]:
    """Return what a memory built from nothing would print."""
    shutil.rmtree(memory.state.parent / "new", ignore_errors=True)
    place = prepare_state(find_place(memory.root, memory.state.parent / "new", {}))
    with open_memory(place, write=True) as new:
        reconcile(new)
        yield from dump(new.db, uids=True)


def test_F23_the_disk_is_looked_at_not_a_flag(vault: Memory) -> None:
    """F23: a new, a changed and a missing file are each named."""
    add_note(vault)
    remove_note(vault)
    (vault.root / "Alpha.md").write_text("Changed.")
    (verdict,) = [verdict for verdict in examine(vault) if not verdict.ok]
    assert (verdict.code, verdict.found) == (
        "disk",
        ("Alpha.md changed", "New.md is new", "Notes/日記.md is gone"),
    )


def test_a_damaged_database_is_told_alone_and_not_touched(vault: Memory) -> None:
    """Where SQLite itself finds damage, no other check means anything, and a repair could only do harm."""
    by("UPDATE files SET racy = 7")(vault)
    assert [verdict.code for verdict in examine(vault)] == ["database"]
    diagnosis = repair(vault)
    assert [(verdict.code, verdict.ok) for verdict in diagnosis.checks] == [("database", False)]
    assert "move the state folder aside" in diagnosis.checks[0].message


def test_a_link_whose_target_went_is_a_persons_to_mend(vault: Memory) -> None:
    """The link is named with its note; a repair leaves it."""
    remove_note(vault)
    reconcile(vault)
    assert failing(vault) == {"broken-links"}
    (verdict,) = [verdict for verdict in repair(vault).checks if not verdict.ok]
    assert verdict.found == ("Alpha.md: 日記 (gone)",)


def test_a_link_to_a_removed_note_is_found(vault: Memory) -> None:
    """An edge that still points to a tombstone is a wrong one."""
    remove_note(vault)
    reconcile(vault)
    by("UPDATE edges SET to_node_id = last_node_id, match = 'name' WHERE target = '日記'")(vault)
    assert failing(vault) == {"links"}


def test_F48_what_cannot_be_read_is_named_with_what_to_do(vault: Memory) -> None:
    """F48: a note that is held because it can't be read is told with the system's reason."""
    (vault.root / "Alpha.md").unlink()
    by("UPDATE files SET held = 'unreadable' WHERE path = 'Alpha.md'")(vault)
    (verdict,) = [verdict for verdict in examine(vault) if verdict.code == "access"]
    assert verdict.found[0].startswith("Alpha.md: No such file or directory; ")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_F48_a_forbidden_folder_is_named_with_what_to_do(vault: Memory) -> None:
    """F48: permissions that refuse are told as such, and never taken for an empty folder."""
    (vault.root / "Notes").chmod(0)
    try:
        (verdict,) = [verdict for verdict in examine(vault) if verdict.code == "access"]
        assert verdict.found[0].startswith("Notes: Permission denied; its permissions refuse")
    finally:
        (vault.root / "Notes").chmod(0o755)


@pytest.mark.parametrize("folder", ["Dropbox/x", "OneDrive - Firm/x", "Shared/x"])
def test_F102_a_state_folder_that_is_copied_is_told(folder: str, vault: Memory, tmp_path: Path) -> None:
    """F102: a sync program would copy half a database; its folder's name or its mark gives it away."""
    (tmp_path / "Shared/.stfolder").mkdir(parents=True)
    place = prepare_state(find_place(vault.root, tmp_path / folder, {}))
    with open_memory(place, write=True) as memory:
        reconcile(memory)
        assert failing(memory) == {"state-folder"}


def test_a_git_that_does_not_answer_is_told(vault: Memory) -> None:
    """In a work tree that git refuses, what it ignores is only guessed."""
    (vault.root / ".git").mkdir()
    assert failing(vault) == {"git"}


def test_a_ledger_line_that_says_nothing_is_told(vault: Memory) -> None:
    """The lines of a conflict are understood, what is left of a bad edit is not."""
    ledger = vault.root / ".vaultsync/identities.tsv"
    ledger.parent.mkdir(exist_ok=True)
    ledger.write_text(
        "<<<<<<< HEAD\n2c077d87-4cf2-5a27-9ca9-9221d6517a60\tBeta.md\n=======\nBeta.md\n>>>>>>> other\n"
    )
    (verdict,) = [verdict for verdict in examine(vault) if verdict.code == "ledger"]
    assert verdict.found == (".vaultsync/identities.tsv: 1 lines are no `UID<TAB>PATH`",)


def test_a_vault_that_is_gone_fails_and_is_not_emptied(vault: Memory) -> None:
    """A repair without the vault keeps what is known."""
    vault.root.rename(vault.root.parent / "Away")
    by("UPDATE edges SET due = 1")(vault)
    assert {"disk", "access", "links-due"} <= failing(vault)
    repair(vault)
    assert vault.db.read().value("SELECT count(*) FROM node") == 3


def test_doctor_runs_while_another_process_only_reads(vault: Memory) -> None:
    """Without --repair nothing needs the right to write, and nothing is written."""
    place = find_place(vault.root, vault.state, {})
    with open_memory(place) as reader:
        assert failing(reader) == set()
        by("DELETE FROM chunks_fts_docsize WHERE id = 1")(vault)
        assert failing(reader) == failing(reader) == {"text-index"}


def test_the_json_of_a_diagnosis(vault: Memory) -> None:
    """Each check by its stable code, with what it found and what to do."""
    add_note(vault)
    document = status_wire.diagnosis(Diagnosis(tuple(examine(vault))))
    assert document["ok"] is False
    assert [check for check in document["checks"] if not check["ok"]] == [
        {
            "code": "disk",
            "ok": False,
            "count": 1,
            "found": ["New.md is new"],
            "message": "run `vaultsync sync`",
            "repaired": False,
        }
    ]
