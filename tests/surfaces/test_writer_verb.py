"""`vaultsync writer` in words and in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from repositories import commit_all, git
from small_vaults import ask, fill_vault, sync

from vaultsync.app.machines import own_files

if TYPE_CHECKING:
    from pathlib import Path

OTHER = "0123456789ab"


@pytest.fixture
def root(home: Path, tmp_path: Path) -> Path:
    """A vault in git, which needs no id, synced once."""
    del home
    root = fill_vault(tmp_path.resolve() / "Vault", {"a.md": "alpha"})
    git(root, "init", "-q")
    commit_all(root)
    sync(root)
    return root


def test_nobody_yet(root: Path) -> None:
    """`writer` is null; the words say how to change that."""
    said = ask("--vault", root, "writer", "--json").json
    assert len(said.pop("me")) == 12
    assert said == {"vault": str(root), "writer": None, "is_writer": False, "taken": False}
    assert "No machine writes" in ask("--vault", root, "writer").text


def test_another_machine_and_then_this_one(root: Path) -> None:
    """A second taking changes nothing and says so."""
    fill_vault(root, {own_files.TREE: f"writer\t{OTHER}\n"})
    said = ask("--vault", root, "writer", "--json").json
    assert (said["writer"], said["is_writer"], said["taken"]) == (OTHER, False, False)
    assert f"Machine {OTHER} writes" in ask("--vault", root, "writer").text
    assert "from now on" in ask("--vault", root, "writer", "--take").text
    said = ask("--vault", root, "writer", "--take", "--json").json
    assert (said["writer"], said["is_writer"], said["taken"]) == (said["me"], True, False)
    assert f"This machine ({said['me']}) writes" in ask("--vault", root, "writer").text


def test_what_stands_in_the_way_is_told(root: Path) -> None:
    """Exit status 3: the vault can't be used now."""
    (root / ".git/MERGE_HEAD").touch()
    answer = ask("--vault", root, "writer", "--take", "--json")
    assert (answer.status, answer.json["error"]["code"]) == (3, "vault-unusable")
    assert not (root / own_files.TREE).exists()
