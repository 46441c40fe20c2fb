"""Each check of the database finds what is wrong, and says nothing where all is well."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest

from vaultsync.domain.names import name_key
from vaultsync.store import checks, mending, text_index
from vaultsync.store.connection import Database
from vaultsync.store.names import key_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

ALPHA, BETA = 1, 2


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    database = Database.open(tmp_path / "index.db", write=True)
    with database.write() as tx:
        for node_id, path, text in ((ALPHA, "Alpha.md", "See [[Beta]]."), (BETA, "日記/Beta.md", "短い文")):
            tx.run(
                "INSERT INTO nodes (id, uid, kind, created_at, updated_at, title, aliases) "
                "VALUES (?, ?, 'note', 0, 0, ?, ?)",
                [node_id, f"uid-{node_id}", path[:-3], '["The second"]' if node_id == BETA else "[]"],
            )
            tx.run(
                "INSERT INTO files (id, node_id, path, size, mtime_ns, ctime_ns, inode, device, role) "
                "VALUES (?, ?, ?, 1, 2, 3, 4, 5, 'note')",
                [node_id, node_id, path],
            )
            tx.run(
                "INSERT INTO chunks (id, uid, node_id, chunk_idx, text_hash, embedding_hash, token_count,"
                " heading_path, text) VALUES (?, ?, ?, 0, x'', x'', 3, '[]', ?)",
                [node_id, f"chunk-{node_id}", node_id, text],
            )
            tx.run("INSERT INTO raw_refs VALUES (?, ?, 0, ?)", [node_id, node_id, len(text.encode())])
            tx.run("INSERT INTO names VALUES (?, ?, 0)", [name_key(path.rpartition("/")[2]), node_id])
        tx.run("INSERT INTO names VALUES ('the second', 2, 1)")
        tx.run(
            "INSERT INTO edges (from_node_id, to_node_id, kind, target, target_hash, match, due, start,"
            " \"end\", explanation) VALUES (1, 2, 'wikilink', 'Beta', ?, 'name', 0, 4, 12, '')",
            [key_hash("beta")],
        )
        text_index.rebuild(tx)
        text_index.rebuild_spaced(tx)
    yield database
    database.close()


@pytest.fixture
def outside(tmp_path: Path, db: Database) -> Iterator[apsw.Connection]:
    """Another program's connection: it heeds no foreign key and no CHECK."""
    del db
    connection = apsw.Connection(str(tmp_path / "index.db"))
    connection.execute("PRAGMA ignore_check_constraints = 1")
    yield connection
    connection.close()


FINDERS: dict[str, Callable[[Database], object]] = {
    "damage": lambda db: list(checks.damage(db)),
    "dangling": lambda db: list(checks.dangling(db.read())),
    "text_faults": lambda db: list(checks.text_faults(db)),
    "spaced_faults": lambda db: list(checks.spaced_faults(db)),
    "strays": lambda db: list(checks.strays(db.read())),
    "lost_chunks": lambda db: list(checks.lost_chunks(db.read())),
    "misnamed": lambda db: [path for _, path, _ in checks.misnamed(db.read())],
    "due_links": lambda db: list(checks.due_links(db.read())),
    "broken_links": lambda db: list(checks.broken_links(db.read())),
    "waiting": lambda db: list(checks.waiting(db.read())),
}

BREAKS = {
    "damage": ("UPDATE files SET racy = 7 WHERE id = 1", ["CHECK constraint failed in files"]),
    "dangling": (
        "INSERT INTO names VALUES ('ghost', 9, 0)",
        ["names  refers to nodes that are not there"],
    ),
    "strays": (
        "UPDATE files SET node_id = NULL WHERE id = 1",
        ["the note uid-1 has no file", "Alpha.md belongs to no note"],
    ),
    "lost_chunks": (
        "DELETE FROM raw_refs WHERE chunk_id = 1",
        ["the chunk chunk-1 of Alpha.md stands nowhere"],
    ),
    "misnamed": ("DELETE FROM names WHERE is_alias = 1", ["日記/Beta.md"]),
    "due_links": ("UPDATE edges SET due = 1", ["Alpha.md: Beta"]),
    "broken_links": (
        "UPDATE edges SET last_node_id = 2, to_node_id = NULL",
        ["Alpha.md: Beta (now 日記/Beta.md)"],
    ),
    "waiting": (
        "INSERT INTO attempts VALUES ('embed', 'x', 3, NULL, 'no answer')",
        ["embed x: no answer"],
    ),
}


def test_a_sound_database_passes_every_check(db: Database) -> None:
    """No check finds anything where nothing is wrong: else the other tests would prove nothing."""
    assert [name for name, find in FINDERS.items() if find(db)] == []


@pytest.mark.parametrize("name", BREAKS)
def test_a_check_names_what_was_broken(name: str, db: Database, outside: apsw.Connection) -> None:
    """Each check tells of the very rows that another program broke."""
    sql, expected = BREAKS[name]
    outside.execute(sql)
    assert FINDERS[name](db) == expected


@pytest.mark.parametrize("index", ["nodes", "chunks"])
@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM {0}_fts_docsize WHERE id = 1",
        "UPDATE {0} SET {1} = 'other words' WHERE id = 1",
        "DELETE FROM {0}_fts_data WHERE id > 10",
    ],
)
def test_a_text_index_that_differs_from_the_text_is_found_and_built_again(
    index: str, sql: str, db: Database, outside: apsw.Connection
) -> None:
    """A missing row, another text and a torn index are seen; a rebuild mends each."""
    outside.execute(f"DROP TRIGGER {index}_changed")
    outside.execute(sql.format(index, "title" if index == "nodes" else "text"))
    assert FINDERS["text_faults"](db) == [f"{index}_fts is not what the text says"]
    assert FINDERS["damage"](db) == []
    with db.write() as tx:
        text_index.rebuild(tx)
    assert FINDERS["text_faults"](db) == []


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("DELETE FROM chunks_spaced WHERE rowid = 2", "chunks_spaced lacks row 2"),
        ("INSERT INTO nodes_spaced (rowid, title) VALUES (1, 'A')", "nodes_spaced has row 1"),
        ("DELETE FROM chunks_spaced_data WHERE id > 10", "chunks_spaced is not what the text says"),
    ],
)
def test_spaced_text_is_there_for_exactly_the_rows_that_need_it(
    sql: str, expected: str, db: Database, outside: apsw.Connection
) -> None:
    """A row too few, one too many and a torn index are seen and mended."""
    outside.execute(sql)
    assert FINDERS["spaced_faults"](db) == [expected]
    with db.write() as tx:
        text_index.rebuild_spaced(tx)
    assert FINDERS["spaced_faults"](db) == []
    assert db.read().value("SELECT count(*) FROM chunks_spaced WHERE chunks_spaced MATCH '\"い 文\"'") == 1


def test_a_chunk_in_another_notes_file_is_found(db: Database, outside: apsw.Connection) -> None:
    """A place that crosses notes is told of with both."""
    outside.execute("UPDATE raw_refs SET file_id = 2 WHERE chunk_id = 1")
    assert FINDERS["lost_chunks"](db) == ["the chunk chunk-1 of another note stands in 日記/Beta.md"]


def test_a_chunk_in_no_file_is_found_and_read_again(db: Database, outside: apsw.Connection) -> None:
    """A place in a file that is not known is none."""
    outside.execute("UPDATE raw_refs SET file_id = 9 WHERE chunk_id = 1")
    assert FINDERS["lost_chunks"](db) == ["the chunk chunk-1 of Alpha.md stands nowhere"]
    with db.write() as tx:
        mending.reread_lost_chunks(tx)
    assert FINDERS["lost_chunks"](db) == []
    assert db.read().value("SELECT racy FROM files WHERE id = 1") == 1


def test_a_name_too_many_is_found_and_taken_away(db: Database, outside: apsw.Connection) -> None:
    """Links must not find a note by a name that it no longer has; those that did are due."""
    outside.execute("INSERT INTO names VALUES ('old', 2, 1)")
    outside.execute("UPDATE edges SET target_hash = ?", [key_hash("old")])
    wrong = {node_id: names for node_id, _, names in checks.misnamed(db.read())}
    with db.write() as tx:
        mending.rename(tx, wrong)
    assert FINDERS["misnamed"](db) == []
    assert FINDERS["due_links"](db) == ["Alpha.md: Beta"]


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM nodes WHERE id = 2",
        "DELETE FROM chunks WHERE id = 2",
        "UPDATE edges SET to_node_id = 9, last_node_id = 8",
        "UPDATE files SET profile_id = 5",
        "UPDATE chunks SET parent_id = 7",
    ],
)
def test_rows_that_refer_to_nothing_are_dropped(sql: str, db: Database, outside: apsw.Connection) -> None:
    """Whatever another program tore away, no row refers to it afterwards, and the text indexes agree."""
    outside.execute("DROP TRIGGER nodes_swept")
    outside.execute(sql)
    assert FINDERS["dangling"](db) != []
    with db.write() as tx:
        mending.drop_dangling(tx)
    assert FINDERS["dangling"](db) == []
    assert FINDERS["text_faults"](db) == []
    assert FINDERS["spaced_faults"](db) == []


def test_failed_work_is_tried_again_at_once(db: Database, outside: apsw.Connection) -> None:
    """What waits, for an hour or for a change, waits no longer."""
    outside.execute("INSERT INTO attempts VALUES ('embed', 'x', 3, unixepoch() + 3600, '')")
    assert FINDERS["waiting"](db) == ["embed x: "]
    with db.write() as tx:
        mending.rearm(tx)
    assert FINDERS["waiting"](db) == []


def test_a_rehearsal_writes_nothing_also_for_a_reader(tmp_path: Path, db: Database) -> None:
    """`doctor` may check the text indexes while it may not write."""
    reader = Database.open(tmp_path / "index.db", write=False)
    with reader.rehearse() as tx:
        tx.run("DELETE FROM raw_refs")
    assert db.read().value("SELECT count(*) FROM raw_refs") == 2
    assert list(checks.text_faults(reader)) == []
    reader.close()
