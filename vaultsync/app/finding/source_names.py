"""The one source that a person means: by its folder, by the last part of that, the root source by the vault's name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.domain.errors import AmbiguousRef, UnknownRef
from vaultsync.domain.names import caseless

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = ""
"""The folder of the root source."""


def find_source(sources: Iterable[str], name: str, vault: str) -> str:
    """Return the source (folder) that `name` means; `vault`: its name, which with "" and "/" means the root source.

    Raises UnknownRef, which lists the sources, and AmbiguousRef.
    """
    known = sorted({*sources, ROOT})
    wanted = name.removeprefix("./").strip("/")
    if wanted in known:
        return wanted
    key = caseless(wanted)
    last = [folder for folder in known if caseless(folder.rpartition("/")[2]) == key]
    found = [folder for folder in known if caseless(folder) == key] or last
    if len(found) > 1:
        raise AmbiguousRef(f'"{name}" may mean {", ".join(found)}. Say which one by its whole path.')
    if not found and key != caseless(vault):
        raise UnknownRef(f'No source is called "{name}". There are {_listed(known, vault)}.')
    return found[0] if found else ROOT


def _listed(known: list[str], vault: str) -> str:
    return ", ".join(f'"{folder or vault}"' for folder in known)
