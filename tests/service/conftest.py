"""A vault, and programs that stand for the system's."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from small_vaults import fill_vault
from system_programs import Programs

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def root(home: Path, tmp_path: Path) -> Path:
    """A vault whose name has all that could go wrong in it."""
    del home
    return fill_vault(tmp_path.resolve() / "Anna's Notizbücher 50% $x", {"a.md": "alpha"})


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Programs]:
    """Return what puts these programs, and no others of theirs, where programs are found."""

    def install(platform: str, *names: str) -> Programs:
        programs = Programs(tmp_path, *names)
        monkeypatch.setattr(sys, "platform", platform)
        monkeypatch.setenv("PATH", f"{programs.bin}:{tmp_path}/tools")
        (tmp_path / "tools").mkdir()
        for tool in ("sh", "cat", "dirname", "touch", "rm"):
            source = next(
                Path(place) / tool for place in ("/bin", "/usr/bin") if (Path(place) / tool).exists()
            )
            (tmp_path / "tools" / tool).symlink_to(source)
        return programs

    return install


@pytest.fixture
def systemd(system: Callable[..., Programs], home: Path) -> Programs:
    programs = system("linux", "systemctl", "loginctl")
    programs.put(
        "unit-path", f"UnitPath=/etc/systemd/user {home}/config/systemd/user {home}/.config/systemd/user"
    )
    return programs


@pytest.fixture
def launchd(system: Callable[..., Programs]) -> Programs:
    return system("darwin", "launchctl")
