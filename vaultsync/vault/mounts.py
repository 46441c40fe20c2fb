"""Where a vault lies, and whether the system tells there of every change."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_ELSEWHERE = frozenset({
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "coda", "ceph", "lustre", "gfs2", "ocfs2", "orangefs",
    "beegfs", "glusterfs", "davfs", "9p", "virtiofs", "vboxsf", "vmhgfs", "prl_fs", "drvfs",
})  # fmt: skip
"""File systems that other machines, or the host of this one, write to without a word to our kernel."""

_FUSE_HERE = frozenset({
    "fuseblk", "fuse.gocryptfs", "fuse.encfs", "fuse.cryfs", "fuse.securefs", "fuse.bindfs", "fuse.mergerfs",
    "fuse.ntfs-3g", "fuse.exfat",
})  # fmt: skip
"""Programs that serve files of this machine: changes pass through our kernel, which tells of them."""

_CLOUDS = {"CloudStorage": "a cloud's folder", "Mobile Documents": "iCloud Drive"}
"""Folders of ~/Library that macOS fills from elsewhere, file by file."""

_ESCAPED = re.compile(r"\\([0-7]{3})")

REMEDY = "Keep the vault on a disk of this machine, or let it look more often (the setting daemon.poll_s)."


class Hindrance(NamedTuple):
    """Why the system can't be relied on to tell of changes; `remedy`: what a person can do, None if nothing.

    `lasts`: until a person does something; else it is soon to be tried again.
    """

    why: str
    remedy: str | None = None
    lasts: bool = False


def hindrance(root: Path) -> Hindrance | None:
    """Return why not every change in the vault would be told of; None where it is."""
    mounts = ""
    with suppress(OSError):
        mounts = Path("/proc/self/mountinfo").read_text("utf-8", "surrogateescape")
    return judge(str(root), sys.platform, file_system(str(root), mounts), str(Path.home()))


def judge(root: str, platform: str, kind: str | None, home: str) -> Hindrance | None:
    """Decide by the vault's real path, `sys.platform`, the kind of its file system if known, and the user's home."""
    if platform == "darwin":
        for folder, name in _CLOUDS.items():
            if _holds(f"{home.rstrip('/')}/Library/{folder}", root):
                return Hindrance(
                    f"The vault lies in {name}, where files come and go without notice.", REMEDY, lasts=True
                )
    if kind in _ELSEWHERE or (kind not in _FUSE_HERE and str(kind).partition(".")[0] == "fuse"):
        why = f"The vault lies on {kind}, where the system does not tell of changes that others make."
        return Hindrance(why, REMEDY, lasts=True)
    return None


def file_system(path: str, mountinfo: str) -> str | None:
    """Return the kind of the file system that holds a real path; `mountinfo`: as proc_pid_mountinfo(5) has it."""
    nearest, kind = "", None
    for line in mountinfo.splitlines():
        place, _, source = line.partition(" - ")
        words = place.split(" ")
        point = _plain(words[4]) if len(words) > 4 else ""  # noqa: PLR2004 - the mount point is the fifth
        if (
            point and _holds(point, path) and len(point) >= len(nearest)
        ):  # of two at one place the later hides
            nearest, kind = point, source.split(" ")[0]
    return kind


def _holds(folder: str, path: str) -> bool:
    return f"{path}/".startswith(f"{folder.rstrip('/')}/")


def _plain(escaped: str) -> str:
    """Undo how the kernel writes space, tab, newline and backslash."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 8)), escaped)
