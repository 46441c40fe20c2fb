"""The one door to SQLite: connections, transactions, and what its errors mean to a person."""

from __future__ import annotations

import random
import threading
import time
import weakref
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import apsw

from vaultsync.domain.errors import IndexDamaged, StateError, StoreCorrupt, StoreFull
from vaultsync.store.migrations import APPLICATION_ID, newest, pending

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from vaultsync.store.migrations import Migration

Row: TypeAlias = tuple[Any, ...]
Params: TypeAlias = "Mapping[str, object] | Sequence[object]"

PATIENCE_S = 15.0
"""How long SQLite waits for another process; the longest write of ours (a batch of notes) takes under 1 s."""

_TRIES = 3
"""SQLite does not wait in every case (while another process recovers the log, it returns at once)."""

_PAGE_BYTES = 8192
"""Two usual leaves fill 4 kB, SQLite's default, to two thirds: a database with pages of 8 kB is 7 % less."""

_CACHE_KIB = 32_000
"""Pages that a connection keeps, from 2 MB, SQLite's default; taken only as they are read."""

_FREE_SHARE = 20
"""Of so many pages one may be free: what FTS5 leaves when it merges was a twelfth of a first build's file."""

_LOG_BYTES = 16 << 20
"""What is kept of a write-ahead log that has grown past it (one was seen at 238 MB)."""


class Reader:
    """Runs queries. Parameters are named (`:path`) or in order (`?`). Raises StateError as `explain` says."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def rows(self, sql: str, params: Params = ()) -> Iterator[Row]:
        """Yield the rows one by one; until the last is taken, a reader sees what it saw at the first."""
        with _explained(self._connection.filename):
            yield from self._connection.execute(sql, params)

    def all(self, sql: str, params: Params = ()) -> list[Row]:
        """Return all rows at once, in a third of the time that it takes to yield them."""
        with _explained(self._connection.filename):
            return self._connection.execute(sql, params).fetchall()

    def row(self, sql: str, params: Params = ()) -> Row | None:
        """Return the first row, if any."""
        return next(self.rows(sql, params), None)

    def value(self, sql: str, params: Params = ()) -> Any:  # noqa: ANN401 - the query alone knows the type
        """Return the first column of the first row, None if there is no row."""
        row = self.row(sql, params)
        return None if row is None else row[0]


class Writer(Reader):
    """A Reader inside a write transaction: it sees what it wrote."""

    def run(self, sql: str, params: Params = ()) -> None:
        """Run a statement that returns nothing."""
        self._connection.execute(sql, params)

    def many(self, sql: str, params: Iterable[Params]) -> None:
        """Run a statement once for each of `params`."""
        self._connection.executemany(sql, params)

    def next_id(self, table: str) -> int:
        """Return the least id that no row of an AUTOINCREMENT table ever had: it and all above are free."""
        return 1 + (self.value("SELECT seq FROM sqlite_sequence WHERE name = ?", [table]) or 0)

    @property
    def changes(self) -> int:
        """Rows that the last statement inserted, changed or deleted."""
        return self._connection.changes()


class Database:
    """A vault's database, open in this process: one connection that writes, and one a thread that reads."""

    def __init__(self, path: Path, writer: apsw.Connection | None, patience_s: float) -> None:
        self._path = path
        self._writer = writer
        self._patience_s = patience_s
        self._turn = threading.RLock()
        self._here = threading.local()
        self._readers: weakref.WeakSet[apsw.Connection] = weakref.WeakSet()

    @classmethod
    def open(cls, path: Path, *, write: bool, patience_s: float = PATIENCE_S) -> Self:
        """Open the database, to write (it is made and migrated) or to read (it must be there and current).

        `patience_s`: seconds to wait for another process, a few times over. Raises StateError, StoreCorrupt.
        """
        if not write:
            return cls._open_readers(path, patience_s)
        with _explained(str(path)):
            writer = _connect(path, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE, patience_s)
            try:
                _patiently(lambda: _prepare(writer))
                _migrate(writer)
            except BaseException:
                writer.close()
                raise
        return cls(path, writer, patience_s)

    @classmethod
    def _open_readers(cls, path: Path, patience_s: float) -> Self:
        if not path.exists():
            raise StateError(f"there is no index at {path} yet: run `vaultsync sync`")
        database = cls(path, None, patience_s)
        version = database.read().value("PRAGMA user_version")
        if pending(version, database.read().value("PRAGMA application_id")):
            raise StateError(
                f"the index at {path} has an older form ({version} of {newest()}): run `vaultsync sync`"
            )
        return database

    @classmethod
    def open_copy(cls, path: Path, copy: Path) -> Self:
        """Open a copy of a database as it is now, to write; the copy must not be there yet. Raises as `open`."""
        with _explained(str(path)):
            original = _connect(path, apsw.SQLITE_OPEN_READONLY, PATIENCE_S)
            try:
                original.execute("VACUUM INTO ?", [str(copy)])
            finally:
                original.close()
        return cls.open(copy, write=True)

    @contextmanager
    def write(self) -> Iterator[Writer]:
        """Begin a transaction that is committed at the end of the block, rolled back if it raises.

        One thread at a time. Raises StoreFull, StoreCorrupt, IndexDamaged, StateError.
        """
        with self._turn, _explained(str(self._path)):
            connection = self._writer
            if connection is None or connection.in_transaction:
                raise RuntimeError("a write needs a database opened to write, and no write around it")
            with _transaction(connection):
                yield Writer(connection)

    def read(self) -> Reader:
        """Return this thread's reader; each of its queries sees what was committed before it."""
        connection = getattr(self._here, "connection", None)
        if connection is None:
            with _explained(str(self._path)):
                connection = _connect(self._path, apsw.SQLITE_OPEN_READONLY, self._patience_s)
            self._here.connection = connection
            self._readers.add(connection)
        return Reader(connection)

    @contextmanager
    def snapshot(self) -> Iterator[Reader]:
        """Let all queries of the block see the database as it was at the first of them. Keep it short."""
        reader = self.read()
        connection: apsw.Connection = self._here.connection
        with _explained(str(self._path)):
            connection.execute("BEGIN")
        try:
            yield reader
        finally:
            connection.execute("ROLLBACK")

    @contextmanager
    def rehearse(self) -> Iterator[Writer]:
        """Begin a transaction on a connection of its own that is rolled back at the end of the block.

        For checks that a reader can't run: FTS5's is an INSERT that changes nothing, and a read-only
        connection knows no CHECK. Other writers wait from the first write of the block. Raises as `write`.
        """
        with _explained(str(self._path)):
            connection = _connect(self._path, apsw.SQLITE_OPEN_READWRITE, self._patience_s)
            try:
                connection.execute("BEGIN")
                yield Writer(connection)
            finally:
                connection.close()

    def maintain(self) -> None:
        """Let SQLite renew what it knows of the tables, and bring the log into the file as far as others allow.

        Raises as `write`.
        """
        with self._turn, _explained(str(self._path)):
            if self._writer is None:
                raise RuntimeError("only a database opened to write is maintained")
            self._writer.execute("PRAGMA optimize").fetchall()
            _checkpoint(self._writer)
            self._writer.set_busy_timeout(int(self._patience_s * 1000))

    def forget_pages(self) -> None:
        """Let go of the pages that this thread's connections keep for the next query. Raises as `write`."""
        with self._turn, _explained(str(self._path)):
            for connection in (self._writer, getattr(self._here, "connection", None)):
                if connection is not None:
                    connection.execute("PRAGMA shrink_memory").fetchall()

    def close(self) -> None:
        """Close all connections; what the log holds goes into the file as far as other readers allow."""
        with self._turn:
            for reader in list(self._readers):
                reader.close()
            self._here = threading.local()
            if self._writer is not None:
                _checkpoint(self._writer)
                self._writer.close(True)  # force: an interrupt may have left a statement half read
                self._writer = None


def _checkpoint(writer: apsw.Connection) -> None:
    """Bring the log into the file, without many free pages, if nobody is in the way; the log is read as well."""
    writer.set_busy_timeout(0)
    with suppress(apsw.Error):
        if writer.in_transaction:
            writer.execute("ROLLBACK")
        if _FREE_SHARE * _pragma(writer, "freelist_count") > _pragma(writer, "page_count"):
            writer.execute("PRAGMA incremental_vacuum").fetchall()
        writer.execute("PRAGMA wal_checkpoint (TRUNCATE)").fetchall()


def _connect(path: Path, flags: int, patience_s: float) -> apsw.Connection:
    connection = apsw.Connection(str(path), flags=flags)
    connection.set_busy_timeout(int(patience_s * 1000))
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    return connection


def _prepare(connection: apsw.Connection) -> None:
    _unseen(connection)  # refuses what is not ours before a byte of it changes
    connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
    if _pragma(connection, "page_count") == 0:  # on a database that is there it waits for its turn to write
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("PRAGMA journal_mode = WAL").fetchall()
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA journal_size_limit = {_LOG_BYTES}").fetchall()


def _migrate(connection: apsw.Connection) -> None:
    """Take the steps that are pending, each in a transaction; another process may be taking them too."""
    while steps := _unseen(connection):
        with _transaction(connection):
            if _pragma(connection, "user_version") < steps[0].version:
                connection.execute(steps[0].sql)
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {steps[0].version}")


def _unseen(connection: apsw.Connection) -> tuple[Migration, ...]:
    return pending(_pragma(connection, "user_version"), _pragma(connection, "application_id"))


def _pragma(connection: apsw.Connection, name: str) -> int:
    value = connection.pragma(name)
    return value if isinstance(value, int) else 0


@contextmanager
def _transaction(connection: apsw.Connection) -> Iterator[None]:
    try:
        _patiently(lambda: connection.execute("BEGIN IMMEDIATE"))
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # a full disk makes SQLite roll back by itself
            connection.execute("ROLLBACK")
        raise


def _patiently(step: Callable[[], object]) -> None:
    for tried in range(1, _TRIES + 1):
        try:
            step()
        except apsw.BusyError:
            if tried == _TRIES:
                raise
            time.sleep(random.uniform(0.05, 0.15) * tried)  # noqa: S311 - spreads two waiters, keeps no secret
        else:
            return


@contextmanager
def _explained(path: str) -> Iterator[None]:
    try:
        yield
    except apsw.Error as error:
        explanation = explain(error, path)
        if explanation is None:
            raise
        raise explanation from error


def explain(error: apsw.Error, path: str) -> StateError | None:
    """Return what a person can do about an error of SQLite; None for one that is a mistake of ours."""
    match error:
        case apsw.FullError():
            return StoreFull(f"no room is left for {path}: make room, then run `vaultsync sync`")
        case apsw.CorruptError() if getattr(error, "extendedresult", 0) == apsw.SQLITE_CORRUPT_VTAB:
            return IndexDamaged(f"a text index in {path} is damaged: run `vaultsync doctor`")
        case apsw.CorruptError() | apsw.NotADBError():
            return StoreCorrupt(
                f"{path} is damaged ({error}): move it aside together with its -wal and -shm, "
                "then run `vaultsync sync`, which builds it again from the notes"
            )
        case apsw.BusyError():
            return StateError(f"another program holds {path}: try again when it is done")
        case apsw.IOError() | apsw.CantOpenError() | apsw.ReadOnlyError() | apsw.PermissionsError():
            return StateError(f"{path} can't be used: {error}")
        case _:
            return None
