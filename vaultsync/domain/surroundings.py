"""What the machine around a vault does to it: access that it refuses, folders that it copies elsewhere."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_DRIVE_GONE: Final = frozenset(
    {errno.EIO, errno.ENXIO, errno.ENODEV, errno.ESTALE, errno.ETIMEDOUT, errno.EHOSTDOWN}
)

_FOLDERS: Final = {
    "dropbox": "Dropbox",
    "onedrive": "OneDrive",
    "google drive": "Google Drive",
    "googledrive": "Google Drive",
    "my drive": "Google Drive",
    "icloud drive": "iCloud",
    "iclouddrive": "iCloud",
    "mobile documents": "iCloud",
    "cloudstorage": "a cloud drive",
    "nextcloud": "Nextcloud",
    "owncloud": "ownCloud",
    "pcloud": "pCloud",
    "pclouddrive": "pCloud",
    "mega": "MEGA",
    "box sync": "Box",
    "seafile": "Seafile",
    "syncthing": "Syncthing",
}
"""Names that sync programs give their folders, in lower case; macOS keeps two of them in `~/Library`."""

MARKS: Final = {
    ".stfolder": "Syncthing",
    ".dropbox.cache": "Dropbox",
    ".tmp.drivedownload": "Google Drive",
}
"""Names by which a sync program marks the top folder that it copies; `.dropbox` lies in a home folder too."""


def access_advice(code: int, platform: str) -> str:
    """Return what a person can do about the `errno` of a folder or file; `platform` is sys.platform.

    macOS answers EPERM where the program has no grant for Documents, Desktop, iCloud or a foreign disk, as
    one that launchd starts has not (F48); plain permissions answer EACCES.
    """
    if code == errno.EPERM and platform == "darwin":
        return (
            "macOS has not granted access: System Settings > Privacy & Security > Full Disk Access, "
            "add the program that starts vaultsync (the terminal; for the service, vaultsync's Python)"
        )
    if code in {errno.EPERM, errno.EACCES}:
        return "its permissions refuse: look with `ls -ld`, and give yourself the right to read it"
    if code in _DRIVE_GONE:
        return "the disk or network drive does not answer: is it connected?"
    return "the system can't read it: check the disk"


def refusal_words(what: str, error: OSError, platform: str) -> str:
    """Return a sentence on what the system does not let us read, why, and what a person can do about it."""
    return f"{what} can't be read: {error.strerror or error}; {access_advice(error.errno or 0, platform)}."


def synced_by(folders: Sequence[str], marks: Collection[str]) -> str | None:
    """Return the program that copies a folder to other machines, None if none is known to.

    `folders`: the names on the folder's path from the top; `marks`: those of `MARKS` that lie in any of them.
    """
    for folder in folders:
        # `Dropbox (Personal)`, `OneDrive - Company`
        name = folder.lower().partition(" (")[0].partition(" - ")[0]
        if name in _FOLDERS:
            return _FOLDERS[name]
    return next((MARKS[mark] for mark in sorted(marks)), None)
