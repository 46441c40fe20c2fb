"""What a pass does not need it does not load."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from grown_vaults import about
from model_server import serving

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Make = Callable[[Mapping[str, str | bytes]], Path]

LOADED = """
import sys
from vaultsync.surfaces.cli.program import run
status = run(["--vault", sys.argv[1], "sync", "--quiet"])
print(status, *sorted(name for name in sys.argv[2:] if name in sys.modules))
"""


def loaded(root: Path, *modules: str) -> str:
    """Return the exit status of a sync in a process of its own, and which of the modules it loaded."""
    command = [sys.executable, "-c", LOADED, str(root), *modules]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1]


def test_http_is_loaded_for_a_model_alone(vault: Make, home: Path) -> None:
    """A first build, and a pass without news, know no network; one that asks a model does."""
    root = vault(about("apple", "birch", "clover"))
    assert loaded(root, "httpx") == "0"
    assert loaded(root, "httpx", "vaultsync.domain.extractive.selection") == "0"
    with serving() as server:
        settings = home / "config/vaultsync/config.toml"
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text(f'[models]\nsummariser = "openai"\nmodel = "small"\nendpoint = "{server.url}"\n')
        assert loaded(root, "httpx") == "0 httpx"
        assert server.asked
