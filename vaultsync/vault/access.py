"""Whether a folder or file of the vault is there, and why the system refuses it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def stands(root: Path, path: str) -> bool:
    """Tell whether anything is at this path, were it a link that leads nowhere."""
    return os.path.lexists(root / path)


def refusal(root: Path, path: str) -> OSError | None:
    """Try to list the folder or to open the file at `path` ("" is the root); return what the system says."""
    place = root / path
    try:
        if place.is_dir():
            os.scandir(place).close()
            os.stat(f"{place}/.")  # noqa: PTH116 - Path drops the dot: may what is in the folder be reached?
        else:
            os.close(os.open(place, os.O_RDONLY | os.O_NONBLOCK))
    except OSError as error:
        return error
    return None
