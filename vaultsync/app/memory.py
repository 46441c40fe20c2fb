"""A vault and the database that remembers it, opened: what every use case is handed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vaultsync.config import Settings
    from vaultsync.store.connection import Database


@dataclass(frozen=True, slots=True)
class Memory:
    """`root`: the vault's real path; `state`: the folder of its database, lock and requests.

    `machine`: the id by which the vault's other machines know this memory, 12 hex digits; "" before its first sync.
    `is_rehearsal`: the database is a copy that is thrown away, and no file of the vault is to be touched.
    `clock`: the time in seconds since 1970.
    """

    root: Path
    vault_id: str
    state: Path
    machine: str
    settings: Settings
    db: Database
    is_rehearsal: bool = False
    clock: Callable[[], float] = time.time
