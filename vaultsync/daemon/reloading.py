"""Reads the settings again while the daemon runs, and does not take a vault that is away for one that says nothing."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from vaultsync.app.machines import trust
from vaultsync.config import CONFIG_PATH
from vaultsync.domain.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultsync.app.memory import Memory

AWAY_S = 60.0
"""For how long a vault's settings may be missing before that is what a person wants: a sync tool replaces in steps."""


class Reloading:
    """What the vault's own settings forbid stays so while they are away, with its disk or by themselves.

    `monotonic`: seconds that only go on.
    """

    def __init__(self, memory: Memory, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._seen_at = monotonic() if _has_settings(memory) else float("-inf")

    def reload(self, memory: Memory) -> Memory:
        """Return the memory with the settings as they are now. Raises ConfigError where they can't be known."""
        now = self._monotonic()
        if _has_settings(memory):
            self._seen_at = now
        elif now - self._seen_at < AWAY_S or not os.path.isdir(memory.root):  # noqa: PTH112 - Path's raises
            path = memory.root / CONFIG_PATH
            raise ConfigError(f"{path} was there and is not now. For a while the settings of before stay.")
        return replace(memory, settings=trust.load(memory.root, memory.vault_id).settings)


def _has_settings(memory: Memory) -> bool:
    return os.path.lexists(memory.root / CONFIG_PATH)
