"""What the machine around a vault does to it, from what it says."""

from __future__ import annotations

import errno
from pathlib import PurePosixPath

import pytest

from vaultsync.domain.surroundings import access_advice, refusal_words, synced_by


@pytest.mark.parametrize(
    ("code", "platform", "advice"),
    [
        (errno.EPERM, "darwin", "Full Disk Access"),
        (errno.EACCES, "darwin", "its permissions refuse"),
        (errno.EPERM, "linux", "its permissions refuse"),
        (errno.EACCES, "linux", "its permissions refuse"),
        (errno.EIO, "linux", "is it connected?"),
        (errno.ESTALE, "darwin", "is it connected?"),
        (errno.ELOOP, "linux", "check the disk"),
    ],
)
def test_F48_advice_follows_from_the_systems_answer(code: int, platform: str, advice: str) -> None:
    """F48: macOS' missing grant is told from plain permissions and from a disk that is not there."""
    assert advice in access_advice(code, platform)


def test_F48_a_refusal_is_a_sentence() -> None:
    """F48: what, why, and what to do, as macOS answers a job of launchd's."""
    words = refusal_words("The vault /x", PermissionError(errno.EPERM, "Operation not permitted"), "darwin")
    assert words.startswith(
        "The vault /x can't be read: Operation not permitted; macOS has not granted access: "
    )
    assert "Full Disk Access" in words
    assert words.endswith(").")


@pytest.mark.parametrize(
    ("path", "program"),
    [
        ("/home/a/Dropbox/notes/state", "Dropbox"),
        ("/Users/a/Dropbox (Personal)/state", "Dropbox"),
        ("/mnt/c/Users/a/OneDrive - Firm/state", "OneDrive"),
        ("/Users/a/Library/Mobile Documents/iCloud~md~obsidian/Documents", "iCloud"),
        ("/Users/a/Library/CloudStorage/GoogleDrive-a@b.c/My Drive", "a cloud drive"),
        ("/home/a/.local/state/vaultsync/vaults/x", None),
        ("/home/a/Dropbox-exports/state", None),
    ],
)
def test_F102_a_sync_programs_folder_is_known_by_its_name(path: str, program: str | None) -> None:
    """F102: also with the account's name behind it; a folder that is only called alike is none."""
    assert synced_by(PurePosixPath(path).parts, ()) == program


def test_F102_a_sync_programs_folder_is_known_by_its_mark() -> None:
    """Syncthing's folders may have any name."""
    assert synced_by(("/", "srv", "all"), {".stfolder"}) == "Syncthing"
