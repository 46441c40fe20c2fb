"""A database is brought to the newest schema in whole steps, and one from elsewhere is left alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest

from vaultsync.domain.errors import StateError
from vaultsync.store import migrations
from vaultsync.store.connection import Database
from vaultsync.store.migrations import APPLICATION_ID, known, newest, pending

if TYPE_CHECKING:
    from pathlib import Path


def alter(path: Path, sql: str) -> None:
    connection = apsw.Connection(str(path))
    connection.execute(sql)
    connection.close()


def test_the_steps_have_no_gap() -> None:
    """Versions count from 1, so that each database knows what it has not seen."""
    assert [step.version for step in known()] == list(range(1, newest() + 1))


def test_a_new_database_takes_all_steps_once(tmp_path: Path) -> None:
    """Its header says whose it is and how far it is; opening it again changes nothing."""
    for _ in range(2):
        database = Database.open(tmp_path / "index.db", write=True)
        assert database.read().value("PRAGMA user_version") == newest()
        assert database.read().value("PRAGMA application_id") == APPLICATION_ID
        database.close()


def test_only_what_was_not_seen_is_pending() -> None:
    """Version 0 is an empty file."""
    assert pending(0, 0) == known()
    assert pending(newest()) == ()


@pytest.mark.parametrize("write", [True, False])
def test_a_newer_database_is_refused(tmp_path: Path, *, write: bool) -> None:
    """Writing what an older program understands would break it for the newer one."""
    path = tmp_path / "index.db"
    Database.open(path, write=True).close()
    alter(path, f"PRAGMA user_version = {newest() + 1}")
    with pytest.raises(StateError, match=r"newer vaultsync.*upgrade"):
        Database.open(path, write=write)


@pytest.mark.parametrize("write", [True, False])
@pytest.mark.parametrize("sign", ["PRAGMA application_id = 7", "PRAGMA user_version = 1"])
def test_a_database_of_another_program_is_refused(tmp_path: Path, sign: str, *, write: bool) -> None:
    """Whatever it is, it is not ours to change."""
    path = tmp_path / "index.db"
    alter(path, f"CREATE TABLE theirs (a); {sign}")
    before = path.read_bytes()
    with pytest.raises(StateError, match="another program"):
        Database.open(path, write=write)
    assert path.read_bytes() == before


def test_a_reader_never_migrates(tmp_path: Path) -> None:
    """It says which command does."""
    path = tmp_path / "index.db"
    alter(path, "VACUUM")
    with pytest.raises(StateError, match="vaultsync sync"):
        Database.open(path, write=False)
    alter(path, f"PRAGMA application_id = {APPLICATION_ID}")
    with pytest.raises(StateError, match="vaultsync sync"):
        Database.open(path, write=False)


def test_a_step_that_fails_leaves_the_version_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each step is one transaction."""
    step = tmp_path / "half.sql"
    step.write_text("CREATE TABLE half (a); CREATE TABLE half (a)", encoding="utf-8")
    steps = (*known(), migrations.Migration(newest() + 1, step))
    path = tmp_path / "index.db"
    version = newest()
    with monkeypatch.context() as later:
        later.setattr(migrations, "known", lambda: steps)
        with pytest.raises(apsw.SQLError, match="half"):
            Database.open(path, write=True)
    database = Database.open(path, write=True)
    assert database.read().value("PRAGMA user_version") == version
    assert database.read().value("SELECT count(*) FROM sqlite_schema WHERE name = 'half'") == 0
    database.close()
