"""How long git is waited for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from small_vaults import fill_vault

from vaultsync.daemon.git_patience import GitPatience

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE_S = 300.0


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_each_time_anew(tmp_path: Path) -> None:
    """A merge that took longer than that takes nothing from the next one."""
    root = fill_vault(tmp_path / "Vault", {".git/HEAD": "ref: refs/heads/main\n"}).resolve()
    clock = Clock()
    patience = GitPatience(root, clock)
    for _ in range(3):
        patience.check()
        assert not patience.is_waiting(PATIENCE_S)
        (root / ".git/MERGE_HEAD").touch()
        assert patience.is_waiting(PATIENCE_S)
        clock.now += PATIENCE_S - 1
        assert patience.is_waiting(PATIENCE_S)
        clock.now += 1
        assert not patience.is_waiting(PATIENCE_S)
        (root / ".git/MERGE_HEAD").unlink()
        clock.now += 10
