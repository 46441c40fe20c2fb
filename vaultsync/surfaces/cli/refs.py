"""A REF as a person types it in some folder."""

from __future__ import annotations

import os
from pathlib import Path


def from_here(root: Path, ref: str) -> str:
    """Return the vault path of a file that `ref` names from the folder we are in, as a shell completes it."""
    ref = os.fsencode(ref).decode(errors="replace")  # a name that is no text, as `status` lists it
    place = Path(os.path.abspath(ref))  # noqa: PTH100 - a link in the vault stands for itself, not its target
    if os.path.exists(root / ref) and not Path(ref).is_absolute():  # noqa: PTH110 - Path's raises, see below
        return ref
    is_file = os.path.isfile(place)  # noqa: PTH113 - Path's raises where the words are too long for a path
    return place.relative_to(root).as_posix() if is_file and place.is_relative_to(root) else ref
