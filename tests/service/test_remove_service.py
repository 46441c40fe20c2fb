"""`vaultsync remove`: the service goes first, and with `--all` the vault is as before the first sync."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from repositories import commit_all, git
from small_vaults import ask, command

from vaultsync.daemon import instance_lock

if TYPE_CHECKING:
    from system_programs import Programs


def everything(root: Path) -> dict[str, bytes | None]:
    """Return every file in a folder with its bytes, every folder with None; git's own aside."""
    found = [path for path in root.rglob("*") if ".git" not in path.relative_to(root).parts]
    return {str(path.relative_to(root)): None if path.is_dir() else path.read_bytes() for path in found}


def test_the_service_goes_first(systemd: Programs, root: Path) -> None:
    """It is stopped and its unit removed, then all else; the same again finds nothing."""
    ask("--vault", root, "sync", "-q")
    file = Path(ask("--vault", root, "service", "install", "--json").json["file"])
    systemd.called()
    dry = ask("--vault", root, "remove", "--dry-run")
    assert f"Would run systemctl --user disable --now '{file.name}'" in dry.text
    assert (file.exists(), systemd.called()) == (True, [])
    said = ask("--vault", root, "remove", "--json")
    assert said.status == 0
    assert said.json["service"][1] == f"remove {file}"
    assert not file.exists()
    assert systemd.called()[0].startswith("systemctl --user disable --now")
    assert ask("--vault", root, "remove", "--json").json["service"] == []
    assert systemd.called() == []


def test_a_service_of_a_vault_without_a_memory_goes_too(systemd: Programs, root: Path) -> None:
    """It was installed, and the state is gone or never came to be."""
    file = Path(ask("--vault", root, "service", "install", "--json").json["file"])
    answer = ask("--vault", root, "remove")
    assert (answer.status, file.exists()) == (0, False)
    assert "Nothing is known" in answer.text
    assert systemd.called()


def test_a_daemon_that_nobody_installed_is_not_ended(systemd: Programs, root: Path) -> None:
    """It was started by hand: the sentence says how to stop it, and nothing is removed."""
    ask("--vault", root, "sync", "-q")
    before = everything(root)
    state = Path(ask("--vault", root, "config", "--json").json["state"])
    with instance_lock.hold(state, who=instance_lock.DAEMON):
        words = command("--vault", root, "remove", "--all", "--json")
        answer = subprocess.run(words, capture_output=True, check=False)
    assert answer.returncode == 4
    assert everything(root) == before
    assert systemd.called() == []


@pytest.mark.parametrize("has_git", [False, True])
def test_all_leaves_the_vault_as_before_the_first_sync(
    sample_vault: Path, home: Path, systemd: Programs, monkeypatch: pytest.MonkeyPatch, *, has_git: bool
) -> None:
    """Every file has the bytes it had, nothing is added, and of the state nothing is left."""
    monkeypatch.setenv("PATH", f"{systemd.bin}:/usr/local/bin:/usr/bin:/bin")
    if has_git:
        git(sample_vault, "init", "-q")
        commit_all(sample_vault)
    before = everything(sample_vault)
    for words in (("sync",), ("service", "install"), ("writer", "--take"), ("flush",)):
        assert ask("--vault", sample_vault, *words, "-q").status == 0
    assert everything(sample_vault) != before
    assert ask("--vault", sample_vault, "remove", "--all").status == 0
    assert everything(sample_vault) == before
    assert not any((home / "state/vaultsync/vaults").iterdir())
    assert systemd.called()[-1] == "systemctl --user daemon-reload"
    if has_git:
        assert not git(sample_vault, "status", "--porcelain")
