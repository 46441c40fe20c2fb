"""What tests of several rooms share; its being here also lets them import `notebook` and `small_vaults`."""

from __future__ import annotations

import codecs
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from notebook import fill
from small_vaults import fill_vault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from vaultsync.store.connection import Database
    from vaultsync.store.nodes import NoteWrite

# A busy machine makes any single example slow; the suite as a whole has its own limit of time.
settings.register_profile("busy", deadline=None)
settings.load_profile("busy")


codecs.lookup("ascii")
"""Now: a test that acts as a user who may not read where Python lies would make it unknown for good."""


@pytest.fixture(scope="session", autouse=True)
def _nobodys_machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No settings of whoever runs the tests count, and this machine gets no id by them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        yield


@pytest.fixture
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Database]]:
    """Return what makes a database of notes (`write_of`); all are closed afterwards."""
    made: list[Database] = []

    def write(*notes: NoteWrite) -> Database:
        made.append(fill(tmp_path_factory.mktemp("state"), notes))
        return made[-1]

    yield write
    for database in made:
        database.close()


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of nobody's: no settings or states of whoever runs the tests count, and git knows an author."""
    home = tmp_path_factory.mktemp("home")
    for name in [name for name in os.environ if name.startswith(("VAULTSYNC_", "XDG_", "GIT_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for person in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{person}_NAME", "Tester")
        monkeypatch.setenv(f"GIT_{person}_EMAIL", "tester@example.org")
    return home


@pytest.fixture
def vault(home: Path, tmp_path: Path) -> Callable[[Mapping[str, str | bytes]], Path]:
    """Return what makes a vault of files (path -> text); its state lies in a home of its own."""
    del home
    return lambda notes: fill_vault(tmp_path / "Vault", notes)


@pytest.fixture
def sample_vault(home: Path, tmp_path: Path) -> Path:
    """A copy of the notes of the sample vault, as if nobody had synced them; its state lies in a home of its own."""
    del home
    source = Path(__file__).resolve().parents[1] / "sample_vault"
    without = shutil.ignore_patterns("_summaries", ".vaultsync")
    return Path(shutil.copytree(source, tmp_path / "sample_vault", symlinks=True, ignore=without))
