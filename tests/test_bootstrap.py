"""Where a vault's memory is kept, and by which id."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, NoReturn

import pytest

from vaultsync.app.machines import own_files
from vaultsync.bootstrap import (
    ID_PATH,
    Place,
    find_place,
    find_root,
    open_memory,
    prepare_state,
    refuse_part,
    rehearse,
)
from vaultsync.domain.errors import StateError, UsageError, VaultError
from vaultsync.vault.ignore import Rules
from vaultsync.vault.obsidian import ObsidianSettings
from vaultsync.vault.scanner import scan

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for name, value in (("NAME", "a"), ("EMAIL", "a@b")):
        monkeypatch.setenv(f"GIT_AUTHOR_{name}", value)
        monkeypatch.setenv(f"GIT_COMMITTER_{name}", value)


def make_vault(parent: Path, name: str = "vault") -> Path:
    root = parent / name
    (root / ".obsidian").mkdir(parents=True)
    (root / "a.md").write_text("a", encoding="utf-8")
    return root


def settle(root: Path) -> Place:
    return prepare_state(find_place(root, None, {}))


def machine_of(place: Place) -> str:
    with open_memory(place, write=True) as memory:
        return memory.machine


def git(root: Path, *words: str) -> str:
    return subprocess.run(
        ["git", "-C", str(root), *words], check=True, capture_output=True, text=True
    ).stdout.strip()


def test_the_nearest_vault_upward_is_meant(tmp_path: Path) -> None:
    """Inside a vault no name is needed; an argument, then VAULTSYNC_VAULT, come first."""
    root = make_vault(tmp_path)
    deep = root / "x" / "y"
    deep.mkdir(parents=True)
    assert find_root(None, {}, deep) == root
    assert find_root(None, {"VAULTSYNC_VAULT": str(tmp_path)}, deep) == tmp_path
    assert find_root(root, {"VAULTSYNC_VAULT": str(tmp_path)}, deep) == root


def test_no_vault_is_a_user_error(tmp_path: Path) -> None:
    """Both errors say what to do next."""
    with pytest.raises(UsageError, match="--vault"):
        find_root(None, {}, tmp_path)
    with pytest.raises(VaultError, match="--vault"):
        find_root(tmp_path / "gone", {}, tmp_path)


def test_finding_a_place_makes_nothing(tmp_path: Path) -> None:
    """A reading command leaves no trace."""
    root = make_vault(tmp_path)
    find_place(root, None, {})
    assert not (tmp_path / "state").exists()
    assert not (root / ID_PATH).exists()


def test_a_random_id_is_written_once_and_kept(tmp_path: Path) -> None:
    """A vault without git gets `.vaultsync/id`; it is the same ever after."""
    root = make_vault(tmp_path)
    place = settle(root)
    assert (root / ID_PATH).read_text(encoding="utf-8").strip() == place.vault_id
    assert settle(root) == find_place(root, None, {})
    assert settle(root).vault_id == place.vault_id


def test_gits_root_commit_is_the_id_and_nothing_is_written(tmp_path: Path) -> None:
    """Two clones agree without speaking; neither gets a file."""
    root = make_vault(tmp_path)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-qm", "first")
    git(tmp_path, "clone", "-q", str(root), "clone")
    first, second = settle(root), settle(tmp_path / "clone")
    assert first.vault_id == second.vault_id == git(root, "rev-list", "--max-parents=0", "HEAD")
    assert first.state != second.state
    assert not (root / ID_PATH).exists()


def test_a_moved_vault_finds_its_state(tmp_path: Path) -> None:
    """The folder that remembered it is taken over, not begun anew."""
    root = make_vault(tmp_path)
    old = settle(root)
    (old.state / "witness").touch()
    machine = machine_of(old)
    root.rename(tmp_path / "moved")
    assert find_place(tmp_path / "moved", None, {}).state == old.state
    new = settle(tmp_path / "moved")
    assert machine_of(new) == machine
    assert new.state != old.state
    assert (new.state / "witness").exists()
    assert not old.state.exists()


def test_a_copied_vault_gets_a_state_of_its_own(tmp_path: Path) -> None:
    """The same id at two places: two databases."""
    root = make_vault(tmp_path)
    old = settle(root)
    copy = make_vault(tmp_path, "copy")
    (copy / ID_PATH).parent.mkdir()
    (copy / ID_PATH).write_bytes((root / ID_PATH).read_bytes())
    new = settle(copy)
    assert new.vault_id == old.vault_id
    assert new.state != old.state
    assert machine_of(new) != machine_of(old)


def test_vaults_of_one_repository_keep_apart(tmp_path: Path) -> None:
    """Both have git's id; the memory of the one that is gone is not the other's."""
    git(tmp_path, "init", "-q", "-b", "main")
    one, other = make_vault(tmp_path, "one"), make_vault(tmp_path, "other")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    old = settle(one)
    one.rename(tmp_path.parent / f"{tmp_path.name}-gone")
    new = settle(other)
    assert new.vault_id == old.vault_id
    assert old.state.exists()
    assert new.state != old.state


def test_a_damaged_record_is_written_again(tmp_path: Path) -> None:
    """A power cut may leave an empty file; the state behind it is still the vault's."""
    place = settle(make_vault(tmp_path))
    (place.state / "vault.json").write_text("", encoding="utf-8")
    (place.state / "index.db").touch()
    assert settle(place.root).state == place.state


def test_anothers_folder_is_no_state(tmp_path: Path) -> None:
    """Neither one with other files, nor one whose vault.json is somebody else's."""
    root = make_vault(tmp_path)
    for number, (name, text) in enumerate((("notes.txt", ""), ("vault.json", '{"mine": 1}'))):
        state = tmp_path / f"state-{number}"
        state.mkdir()
        (state / name).write_text(text, encoding="utf-8")
        with pytest.raises(StateError, match="holds other files"):
            prepare_state(find_place(root, state, {}))
        assert (state / name).read_text(encoding="utf-8") == text


def test_a_part_of_a_vault_is_not_made_a_vault_by_a_slip(tmp_path: Path) -> None:
    """`sync Projects` means `--only Projects`; a vault inside a vault is one, and so is a plain folder."""
    root = make_vault(tmp_path)
    (root / "Projects").mkdir()
    part = find_place(root / "Projects", tmp_path / "s", {})
    with pytest.raises(UsageError, match="--only Projects"):
        prepare_state(part)
    for opened in (open_memory(part), rehearse(part)):
        with pytest.raises(UsageError, match="--only Projects"), opened:
            pass
    assert not (root / "Projects/.vaultsync").exists()
    refuse_part(root)
    refuse_part(make_vault(root, "inner"))


def test_a_state_folder_serves_one_vault(tmp_path: Path) -> None:
    """An explicit --state that another vault uses is refused."""
    state = tmp_path / "s"
    prepare_state(find_place(make_vault(tmp_path), state, {}))
    with pytest.raises(StateError, match="belongs to the vault at"):
        prepare_state(find_place(make_vault(tmp_path, "other"), state, {}))


def test_a_pipe_is_no_id(tmp_path: Path) -> None:
    """Nor does it keep a command waiting."""
    root = make_vault(tmp_path)
    (root / ID_PATH).parent.mkdir()
    os.mkfifo(root / ID_PATH)
    assert settle(root).vault_id == settle(root).vault_id


def test_a_spoilt_id_file_is_no_id(tmp_path: Path) -> None:
    """An id that could name a path outside the states is not taken."""
    root = make_vault(tmp_path)
    (root / ID_PATH).parent.mkdir()
    (root / ID_PATH).write_text("../../etc", encoding="utf-8")
    place = settle(root)
    assert place.vault_id != "../../etc"
    assert settle(root).vault_id == place.vault_id
    assert (root / ID_PATH).read_text(encoding="utf-8") == "../../etc"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_vault_that_may_not_be_read_is_unusable(tmp_path: Path) -> None:
    """F48: no permission is neither wrong use nor an empty vault."""
    root = make_vault(tmp_path)
    root.chmod(0)
    try:
        with pytest.raises(VaultError, match="Permission denied; its permissions refuse"):
            find_root(root, {}, tmp_path)
    finally:
        root.chmod(0o700)


def test_F48_a_missing_grant_is_no_empty_vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F48, F49: launchd's jobs may not list ~/Documents until a person grants it; nothing is begun before."""
    root = make_vault(tmp_path)

    def refuse(place: str | Path) -> NoReturn:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), str(place))

    monkeypatch.setattr(os, "scandir", refuse)
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(
        VaultError, match="Operation not permitted; macOS has not granted access: System Settings"
    ):
        find_root(root, {}, tmp_path)
    with pytest.raises(VaultError, match="Full Disk Access"):
        scan(root, Rules(ObsidianSettings("V")))


def test_who_makes_a_vaults_id_writes_what_its_machines_share(tmp_path: Path) -> None:
    """The id is the first file of ours in a vault; git is told how to merge the tables."""
    root = make_vault(tmp_path)
    machine = machine_of(settle(root))
    assert (root / own_files.TREE).read_text(encoding="utf-8") == f"writer\t{machine}\n"
    assert (root / ".vaultsync/.gitattributes").read_text(encoding="utf-8") == "*.tsv merge=union\n"


def test_the_id_is_the_writers_to_write(tmp_path: Path) -> None:
    """Where another machine is named, its id is still under way; ours would be a second one."""
    root = make_vault(tmp_path)
    (root / ".vaultsync").mkdir()
    (root / own_files.TREE).write_text("writer\t0123456789ab\n", encoding="utf-8")
    place = settle(root)
    assert not (root / ID_PATH).exists()
    assert settle(root).vault_id == place.vault_id


def test_a_lost_state_is_the_same_machine_again(tmp_path: Path) -> None:
    """The id is derived from the machine's and the vault's place."""
    root = make_vault(tmp_path)
    place = settle(root)
    machine = machine_of(place)
    shutil.rmtree(place.state)
    assert machine_of(settle(root)) == machine


def test_without_a_machine_id_a_memory_keeps_its_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its record does."""
    (tmp_path / "config/vaultsync/machine-id").mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    root = make_vault(tmp_path)
    assert machine_of(settle(root)) == machine_of(settle(root)) != ""
