"""Transactions are whole whatever happens, and what SQLite says becomes something a person can act on."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import TYPE_CHECKING

import apsw
import pytest
from readings import assert_sound, found, put, read

from vaultsync.domain.errors import IndexDamaged, StateError, StoreCorrupt, StoreFull
from vaultsync.store.connection import Database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "index.db"


@pytest.fixture
def db(path: Path) -> Iterator[Database]:
    database = Database.open(path, write=True, patience_s=0.02)
    with database.write() as tx:
        tx.run("CREATE TABLE tally (n INTEGER)")
        tx.run("INSERT INTO tally VALUES (0)")
    yield database
    database.close()


def tally(db: Database) -> object:
    return db.read().value("SELECT n FROM tally")


class Stop(Exception):
    pass


def test_a_block_that_ends_is_written(db: Database) -> None:
    """A reader sees it from then on."""
    with db.write() as tx:
        tx.run("UPDATE tally SET n = :n", {"n": 5})
        assert tx.changes == 1
        assert (tx.value("SELECT n FROM tally"), tally(db)) == (5, 0)
    assert tally(db) == 5


def test_a_block_that_raises_leaves_nothing(db: Database) -> None:
    """Also of many statements; the next block begins anew."""
    with pytest.raises(Stop):
        _write_half(db)
    with db.write() as tx:
        assert tx.value("SELECT count(*) FROM tally") == 1


def _write_half(db: Database) -> None:
    with db.write() as tx:
        tx.many("INSERT INTO tally VALUES (?)", [(n,) for n in range(9)])
        raise Stop


def test_a_mistake_of_ours_is_no_users_error(db: Database) -> None:
    """A wrong statement is a bug, and looks like one."""
    with pytest.raises(apsw.SQLError):
        db.read().row("SELECT nonsense")


def test_writes_do_not_nest(db: Database) -> None:
    """The inner one would commit the outer one's half."""
    with db.write() as tx:
        tx.run("UPDATE tally SET n = 1")
        with pytest.raises(RuntimeError), db.write():
            pass
    assert tally(db) == 1


def test_readers_can_not_write(path: Path, db: Database) -> None:
    """Neither beside a writer, nor through a database that was opened to read."""
    with pytest.raises(StateError, match="readonly"):
        db.read().row("UPDATE tally SET n = 1")
    reader = Database.open(path, write=False)
    assert tally(reader) == 0
    with pytest.raises(RuntimeError), reader.write():
        pass
    reader.close()


def test_threads_take_turns_to_write(db: Database) -> None:
    """Two threads on one connection would commit each other's halves."""

    start = threading.Barrier(4)
    slow = (
        "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 20000) SELECT max(i) FROM r"
    )

    def add(_: int) -> None:
        start.wait()
        for _ in range(5):
            with db.write() as tx:
                before = tx.value("SELECT n FROM tally")
                tx.value(slow)  # lets the others run
                tx.run("UPDATE tally SET n = ?", [before + 1])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add, range(4)))
    assert tally(db) == 20


def test_readers_see_whole_transactions_while_a_thread_writes(db: Database) -> None:
    """Each thread reads through a connection of its own."""
    done = threading.Event()

    def watch() -> set[object]:
        seen = set()
        while not done.is_set():
            seen.add(db.read().value("SELECT count(*) FROM tally"))
        return seen

    with ThreadPoolExecutor(2) as pool:
        watchers = [pool.submit(watch) for _ in range(2)]
        for _ in range(20):
            with db.write() as tx:
                tx.many("INSERT INTO tally VALUES (?)", [(n,) for n in range(10)])
        done.set()
    seen = set.union(*(watcher.result() for watcher in watchers))
    assert seen <= set(range(1, 202, 10))


def test_a_snapshot_does_not_move(db: Database) -> None:
    """Its queries agree with each other; what came meanwhile shows after it."""
    with db.snapshot() as before:
        assert before.value("SELECT n FROM tally") == 0
        with db.write() as tx:
            tx.run("UPDATE tally SET n = 1")
        assert before.value("SELECT n FROM tally") == 0
    assert tally(db) == 1


def test_rows_that_are_not_all_taken_hold_no_snapshot(db: Database) -> None:
    """F93: a forgotten reader would keep the log from being used again."""
    with db.write() as tx:
        tx.many("INSERT INTO tally VALUES (?)", [(n,) for n in range(9)])
    assert db.read().row("SELECT n FROM tally") == (0,)
    with db.write() as tx:
        tx.run("UPDATE tally SET n = 7")
    assert db.read().row("SELECT n FROM tally") == (7,)


HOLDER = """
import sys, apsw
connection = apsw.Connection(sys.argv[1])
connection.execute("BEGIN IMMEDIATE; UPDATE tally SET n = n + 1")
print("held", flush=True)
sys.stdin.read(1)
connection.execute("COMMIT")
"""


@pytest.fixture
def holder(path: Path, db: Database) -> Iterator[subprocess.Popen[str]]:
    """Another process in the middle of a write, which ends when it is told to."""
    assert tally(db) == 0
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_a_database_held_by_another_process_is_said_to_be(
    db: Database, holder: subprocess.Popen[str]
) -> None:
    """After a bounded wait; readers are not kept waiting at all."""
    assert holder.poll() is None
    with pytest.raises(StateError, match="another program"), db.write():
        pass
    assert tally(db) == 0


def test_a_write_waits_for_another_process(path: Path, holder: subprocess.Popen[str]) -> None:
    """And then sees what that one wrote."""
    patient = Database.open(path, write=True, patience_s=30)
    assert holder.stdin
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(_add_ten, patient)
        holder.stdin.write(".")
        holder.stdin.flush()
        waiting.result()
    assert tally(patient) == 11
    patient.close()


def _add_ten(db: Database) -> None:
    with db.write() as tx:
        tx.run("UPDATE tally SET n = n + 10")


KILLED = """
import os, sys
from pathlib import Path
sys.path[:0] = sys.argv[2:]
from readings import put, read
from vaultsync.store import nodes
from vaultsync.store.connection import Database
db = Database.open(Path(sys.argv[1]), write=True)
put(db, *(read(f"whole {n}.md", "whole 短い文", links=["half 1"]) for n in range(50)))
with db.write() as tx:
    nodes.write_notes(tx, [read(f"half {n}.md", "half " * 2000) for n in range(50)], 0)
    os.kill(os.getpid(), 9)
"""


def test_a_killed_writer_leaves_whole_batches(path: Path) -> None:
    """F91: what was committed is there with all its parts, what was not is nowhere."""
    here = [*sys.path]
    killed = subprocess.run([sys.executable, "-c", KILLED, str(path), *here], check=False)
    assert killed.returncode == -9
    database = Database.open(path, write=True)
    assert_sound(database)
    assert database.read().value("SELECT count(*) FROM node") == 50
    assert (len(found(database, "whole")), found(database, "half")) == (50, [])
    database.close()


def test_a_full_disk_stops_the_write_and_harms_nothing(db: Database) -> None:
    """StoreFull; the batch is gone as a whole, and the next one works once there is room."""
    assert db._writer
    pages = db._writer.pragma("page_count")
    db._writer.pragma("max_page_count", pages + 4)
    with pytest.raises(StoreFull, match="make room"):
        put(db, *(read(f"{n}.md", "text " * 2000) for n in range(20)))
    assert db.read().value("SELECT count(*) FROM nodes") == 0
    assert_sound(db)
    db._writer.pragma("max_page_count", 1 << 30)
    put(db, read("a.md", "text"))
    assert found(db, "text") == ["text"]


@pytest.mark.parametrize("write", [True, False])
def test_a_file_that_is_no_database_is_said_to_be_damaged(path: Path, *, write: bool) -> None:
    """With what to do; it is not touched."""
    path.write_bytes(b"no database at all, " * 1000)
    with pytest.raises(StoreCorrupt, match="move it aside"):
        Database.open(path, write=write)
    assert path.read_bytes().startswith(b"no database")


def test_a_damaged_page_is_said_to_be_one(path: Path, db: Database) -> None:
    """What a query meets is reported, not skipped."""
    put(db, *(read(f"{n}.md", "text " * 500) for n in range(50)))
    db.close()
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 4)
        file.write(bytes(path.stat().st_size // 2))
    with pytest.raises(StoreCorrupt, match="move it aside"):
        read_all(path)


def read_all(path: Path) -> None:
    damaged = Database.open(path, write=False)
    list(damaged.read().rows("SELECT * FROM chunks JOIN nodes JOIN edges JOIN files"))


def test_a_damaged_text_index_is_not_a_damaged_database(db: Database) -> None:
    """It can be built again from the text."""
    put(db, *(read(f"{n}.md", f"text {n}") for n in range(50)))
    with db.write() as tx:
        tx.run("UPDATE chunks_fts_data SET block = x'ffffffff' WHERE id > 10")
    with pytest.raises(IndexDamaged, match="doctor"):
        found(db, "text")


def test_what_is_not_there_is_said_in_words(tmp_path: Path) -> None:
    """No index yet, and no folder for one."""
    with pytest.raises(StateError, match="run `vaultsync sync`"):
        Database.open(tmp_path / "index.db", write=False)
    with pytest.raises(StateError, match="can't be used"):
        Database.open(tmp_path / "nowhere" / "index.db", write=True)


def test_closing_empties_the_log(path: Path, db: Database) -> None:
    """F93: a reader elsewhere keeps its log file, and closing does not wait for it."""
    log = path.with_name("index.db-wal")
    elsewhere = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    elsewhere.execute("BEGIN; SELECT * FROM tally").fetchall()
    with db.write() as tx:
        tx.run("UPDATE tally SET n = 1")
    db.close()
    assert log.stat().st_size > 0
    elsewhere.close()
    again = Database.open(path, write=True)
    assert tally(again) == 1
    again.close()
    assert not log.exists() or log.stat().st_size == 0


def test_the_log_does_not_stay_large(path: Path, db: Database) -> None:
    """F93: after one large write it shrinks with the next, here from 24 MB to at most 16."""
    with db.write() as tx:
        tx.run("CREATE TABLE large (b BLOB)")
        tx.run("INSERT INTO large VALUES (zeroblob(24000000))")
    for n in range(2):
        with db.write() as tx:
            tx.run("UPDATE tally SET n = ?", [n])
    assert path.with_name("index.db-wal").stat().st_size <= 16 << 20


def test_closing_outlasts_what_an_interrupt_left_open(tmp_path: Path) -> None:
    """A transaction that was begun, and rows that were not all taken, hide no error behind one of their own."""
    database = Database.open(tmp_path / "index.db", write=True)
    writer = database._writer
    assert writer is not None
    writer.execute("BEGIN IMMEDIATE")
    rows = writer.execute("SELECT name FROM sqlite_schema")
    next(rows)
    database.close()
    Database.open(tmp_path / "index.db", write=False).close()


def test_the_file_does_not_stay_large(path: Path, db: Database) -> None:
    """When much of it is free, closing gives that back; what is free else is kept for what comes."""
    with db.write() as tx:
        tx.run("CREATE TABLE large (b BLOB)")
        tx.many("INSERT INTO large VALUES (zeroblob(100000))", [()] * 20)
    db.close()
    full = path.stat().st_size
    for left, least, most in ((19, full, full), (5, 0, full // 2)):
        again = Database.open(path, write=True)
        with again.write() as tx:
            tx.run("DELETE FROM large WHERE rowid > ?", [left])
        again.close()
        assert least <= path.stat().st_size <= most
        with closing(Database.open(path, write=False)) as sound:
            assert_sound(sound)


def test_maintaining_empties_the_log(path: Path, db: Database) -> None:
    """What stands in it goes into the file, and the next write goes on as ever."""
    with db.write() as tx:
        tx.many("INSERT INTO tally VALUES (?)", [(n,) for n in range(5000)])
    log = path.with_name(path.name + "-wal")
    assert log.stat().st_size > 0
    db.maintain()
    assert log.stat().st_size == 0
    with db.write() as tx:
        tx.run("UPDATE tally SET n = 7")
    assert tally(db) == 7


def test_a_reader_maintains_nothing(path: Path, db: Database) -> None:
    """It would have to write."""
    del db
    with closing(Database.open(path, write=False)) as reader, pytest.raises(RuntimeError):
        reader.maintain()


def test_pages_are_forgotten_without_harm(db: Database) -> None:
    """In the midst of work, and over and over."""
    for n in range(3):
        with db.write() as tx:
            tx.run("UPDATE tally SET n = ?", [n])
        db.forget_pages()
        assert tally(db) == n
