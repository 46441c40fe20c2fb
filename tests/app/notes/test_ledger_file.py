"""The ledger's file says after a pass what other machines must know, and only the writer writes it."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, NamedTuple

import pytest
from notebook import write_of
from repositories import git
from small_vaults import fill_vault, memory_of

from vaultsync.app.machines import own_files, writer
from vaultsync.app.notes import ledger
from vaultsync.domain.errors import VaultError
from vaultsync.domain.ledger import Facts, Line
from vaultsync.domain.notes import NotePath, Uid
from vaultsync.domain.uids import note_uid
from vaultsync.store import attempts, nodes, tombstones
from vaultsync.store import ledger as seen_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vaultsync.app.memory import Memory

OTHER = "000000000000"
FOREIGN = Uid("12345678-0000-5000-8000-000000000000")


@pytest.fixture
def memory(home: Path, tmp_path: Path) -> Iterator[Memory]:
    """The memory of a vault that no machine has written yet."""
    del home
    root = fill_vault(tmp_path.resolve() / "Vault", {".vaultsync/id": "a-vault-id\n"})
    with memory_of(root, write=True) as opened:
        yield opened


class Known(NamedTuple):
    """A note put into the index at a path, with the uid of the path at which it was first seen."""

    path: str
    first: str
    private: bool = False


def know(memory: Memory, *notes: Known) -> list[Uid]:
    """Let the index know of notes, and return their uids."""
    uids = [note_uid(memory.vault_id, NotePath(note.first)) for note in notes]
    writes = [
        write_of(note.path, private=note.private)._replace(uid=uid)
        for note, uid in zip(notes, uids, strict=True)
    ]
    with memory.db.write() as tx:
        nodes.write_notes(tx, writes, 1)
    return uids


def bury(memory: Memory, uid: Uid) -> None:
    with memory.db.write() as tx:
        tombstones.bury(tx, [tx.value("SELECT id FROM nodes WHERE uid = ?", [uid])], 1)


def save(memory: Memory, *touched: Uid, doubtful: tuple[Uid, ...] = (), may_write: bool = True) -> None:
    ledger.save(memory, writer.settle(memory), touched=touched, doubtful=doubtful, may_write=may_write)


def text(memory: Memory) -> str | None:
    place = memory.root / own_files.LEDGER
    return place.read_text(encoding="utf-8") if place.exists() else None


def put(memory: Memory, *lines: tuple[Uid, str]) -> None:
    fill_vault(memory.root, {own_files.LEDGER: "".join(f"{uid}\t{path}\n" for uid, path in lines)})


def load(memory: Memory, *paths: str, appeared: bool = False) -> Facts:
    return ledger.load(memory, {NotePath(path) for path in paths}, appeared=appeared)


def test_nothing_to_say_no_file_and_no_writer(memory: Memory) -> None:
    """A vault whose notes keep their paths stays as it is."""
    save(memory, *know(memory, Known("a.md", "a.md")))
    assert text(memory) is None
    assert writer.find_role(memory).is_unclaimed
    assert load(memory, "a.md", appeared=True) == Facts()


def test_a_renamed_note_is_told_and_the_machine_becomes_the_writer(memory: Memory) -> None:
    """With it comes what git is to know of the tables."""
    (uid,) = know(memory, Known("b.md", "a.md"))
    save(memory, uid)
    assert text(memory) == f"{uid}\tb.md\n"
    assert writer.find_role(memory).is_writer
    assert (memory.root / ".vaultsync/.gitattributes").exists()
    assert load(memory, "b.md", appeared=True) == Facts(old={NotePath("b.md"): uid})


def test_a_pass_that_changed_nothing_writes_nothing(memory: Memory) -> None:
    """Neither the file nor the database."""
    save(memory, *know(memory, Known("b.md", "a.md")))
    before = (memory.root / own_files.LEDGER).stat()
    version = memory.db.read().value("PRAGMA data_version")
    save(memory)
    assert (memory.root / own_files.LEDGER).stat() == before
    assert memory.db.read().value("PRAGMA data_version") == version


def test_later_passes_add_and_drop_lines(memory: Memory) -> None:
    """Only what was touched is asked for; the rest of the file stays."""
    first, gone = know(memory, Known("b.md", "a.md"), Known("y.md", "x.md"))
    save(memory, first, gone)
    (second,) = know(memory, Known("d.md", "c.md"))
    bury(memory, gone)
    save(memory, second, gone)
    assert text(memory) == "".join(sorted((f"{first}\tb.md\n", f"{second}\td.md\n")))


def test_a_lost_ledger_is_written_again(memory: Memory) -> None:
    """With the lines that only it remembered."""
    plain, moved = know(memory, Known("a.md", "a.md"), Known("c.md", "b.md"))
    save(memory, plain, moved, doubtful=(plain,))
    before = text(memory)
    assert before is not None
    assert f"{plain}\ta.md\n" in before
    (memory.root / own_files.LEDGER).unlink()
    save(memory)
    assert text(memory) == before


def test_private_notes_are_in_no_ledger(memory: Memory) -> None:
    """Their paths stay on this machine."""
    save(memory, *know(memory, Known("secret.md", "a.md", private=True)))
    assert text(memory) is None


def test_news_are_facts_until_they_are_done(memory: Memory) -> None:
    """A pass that could not see to them leaves them, and the file, to the next."""
    (uid,) = know(memory, Known("a.md", "a.md"))
    save(memory, uid)
    put(memory, (FOREIGN, "a.md"))
    for _ in range(2):
        assert load(memory, "a.md") == Facts({NotePath("a.md"): FOREIGN})
        save(memory)
        assert text(memory) == f"{FOREIGN}\ta.md\n"
    with memory.db.write() as tx:
        tx.run("UPDATE nodes SET uid = ? WHERE uid = ?", [FOREIGN, uid])
    save(memory, FOREIGN)
    assert load(memory, "a.md", appeared=True) == Facts(old={NotePath("a.md"): FOREIGN})


def test_a_ledger_that_has_not_changed_is_not_read_again(memory: Memory) -> None:
    """Unless a path is new, which one of its lines may speak of."""
    save(memory, *know(memory, Known("b.md", "a.md")))
    assert load(memory, "b.md") == Facts()
    assert load(memory, "b.md", appeared=True).old


def test_a_reader_reads_and_writes_nothing(memory: Memory) -> None:
    """What it sees is no news any more; what it knows better it keeps to itself."""
    fill_vault(memory.root, {own_files.TREE: f"writer\t{OTHER}\n"})
    (uid,) = know(memory, Known("b.md", "a.md"))
    put(memory, (uid, "b.md"), (FOREIGN, "elsewhere.md"))
    before = text(memory)
    save(memory, uid, *know(memory, Known("d.md", "c.md")))
    assert text(memory) == before
    assert seen_lines.seen(memory.db.read()) == {Line(uid, NotePath("b.md"))}


def test_who_becomes_the_writer_tells_what_it_kept_to_itself(memory: Memory) -> None:
    """All of it, though no note changed since."""
    fill_vault(memory.root, {own_files.TREE: f"writer\t{OTHER}\n"})
    (uid,) = know(memory, Known("b.md", "a.md"))
    save(memory, uid)
    assert text(memory) is None
    assert writer.take(memory)
    save(memory)
    assert text(memory) == f"{uid}\tb.md\n"


def test_what_may_not_be_written_now_is_written_later(memory: Memory) -> None:
    """While the vault rests, and while git is busy."""
    plain, moved = know(memory, Known("a.md", "a.md"), Known("c.md", "b.md"))
    save(memory, plain, moved, doubtful=(plain,), may_write=False)
    git(memory.root, "init", "-q")
    (memory.root / ".git/MERGE_HEAD").touch()
    save(memory)
    assert text(memory) is None
    (memory.root / ".git/MERGE_HEAD").unlink()
    save(memory)
    assert text(memory) == "".join(sorted((f"{plain}\ta.md\n", f"{moved}\tc.md\n")))


def test_a_file_that_cannot_be_written_is_a_failure_to_be_seen(memory: Memory) -> None:
    """It stops no pass; status shows it, and the next pass tries again."""
    (uid,) = know(memory, Known("b.md", "a.md"))
    shutil.move(memory.root / ".vaultsync", memory.root / "aside")
    (memory.root / ".vaultsync").touch()
    save_as_writer(memory, uid)
    (failure,) = attempts.pending(memory.db.read())
    assert (failure.stage, failure.subject) == ("ledger", own_files.LEDGER)
    (memory.root / ".vaultsync").unlink()
    save_as_writer(memory)
    assert text(memory) == f"{uid}\tb.md\n"
    assert attempts.pending(memory.db.read()) == []


def save_as_writer(memory: Memory, *touched: Uid) -> None:
    me = memory.machine
    ledger.save(memory, writer.Role(me, me, overruled=False), touched=touched)


def test_a_ledger_that_cannot_be_read_tells_nothing_and_stays(memory: Memory) -> None:
    """Whatever lies in its place."""
    (memory.root / own_files.LEDGER).mkdir()
    assert load(memory, "a.md", appeared=True) == Facts()
    with pytest.raises(VaultError, match="directory"):
        save(memory, *know(memory, Known("b.md", "a.md")))
    assert (memory.root / own_files.LEDGER).is_dir()


def test_a_merged_ledger_is_made_tidy(memory: Memory) -> None:
    """Conflict markers go, what both sides say is settled."""
    (uid,) = know(memory, Known("b.md", "a.md"))
    save(memory, uid)
    conflict = f"<<<<<<< HEAD\n{uid}\tb.md\n=======\n{uid}\tx.md\n{FOREIGN}\telsewhere.md\n>>>>>>> main\n"
    fill_vault(memory.root, {own_files.LEDGER: conflict})
    save(memory)
    assert text(memory) == f"{uid}\tb.md\n{FOREIGN}\telsewhere.md\n"
