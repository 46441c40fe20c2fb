"""Which machine this is: a random id of the user's, and what a vault's memory is called after it."""

from __future__ import annotations

import itertools
import os
import re
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING

import platformdirs

from vaultsync.vault import files

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

FILE = "machine-id"
"""In the user's config folder, beside the user's settings."""

_ID = re.compile("[0-9a-f]{32}")


def memory_id(root: Path, taken: Collection[str] = ()) -> str:
    """Return the id of a memory made here for the vault at that real path: 12 hex digits of SHA-256.

    `taken`: those of other memories here, one of which may be of a vault that stood at this path before.

    Where no machine id can be kept it is random, so keep it: it is the same as long as the memory is.
    """
    machine = _find() or os.urandom(16).hex()
    for count in itertools.count():
        name = f"{machine}\0{root}" + f"\0{count}" * bool(count)
        found = sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:12]
        if found not in taken:
            return found
    raise AssertionError  # the numbers have no end


def _find() -> str | None:
    """Return this machine's id, made at the first call ever; None where the config folder keeps none."""
    folder = platformdirs.user_config_path("vaultsync")
    with suppress(OSError, files.WriteRefused):
        if not (folder / FILE).exists():
            files.create(folder, FILE, f"{os.urandom(16).hex()}\n".encode())
    with suppress(files.ReadFailure):
        found = files.read(folder, FILE).raw.decode("ascii", "replace").strip()
        return found if _ID.fullmatch(found) else None
    return None
