"""Field cases of models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model_server import serving, summary_of
from small_vaults import ask

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_F121_a_cloned_config_sends_nothing_anywhere(vault: Callable[..., Path]) -> None:
    """Settings that came with a clone name a server: nothing is sent there before the user accepts just these."""
    with serving(speak=summary_of) as server:
        settings = f'[models]\nsummariser = "openai"\nmodel = "m"\nendpoint = "{server.url}"\n'
        notes = {
            f"Bees/Note {n}.md": f"Bee number {n} came back in March and stayed. " * 30 for n in range(9)
        }
        root = vault({".vaultsync/config.toml": settings, **notes})
        assert ask("sync", root).status == 0
        assert server.asked == []
        assert server.url in ask("config", "--vault", root).text
        ask("config", "trust", "--vault", root)
        assert ask("sync", root).status == 0
        asked = len(server.asked)
        assert asked > 0
        vault(
            {
                ".vaultsync/config.toml": settings.replace('"m"', '"other"'),
                "Bees/New.md": "A new queen came. " * 30,
            }
        )
        assert ask("sync", root).status == 0
        assert len(server.asked) == asked
