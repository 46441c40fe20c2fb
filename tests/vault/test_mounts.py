"""Where the system can't be relied on to tell of changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from vaultsync.vault.mounts import file_system, hindrance, judge

if TYPE_CHECKING:
    from pathlib import Path

MOUNTS = r"""
22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
36 22 0:31 / /home rw,relatime shared:5 master:2 - btrfs /dev/vdb rw
37 36 0:40 / /home/ann/Net\040Drive rw - cifs //box/share rw
38 36 0:41 / /home/ann/Notes rw - tmpfs tmpfs rw
39 38 0:42 / /home/ann/Notes rw - fuse.sshfs ann@box:notes rw
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/srv/Vault", "ext4"),
        ("/home/ann/Vault", "btrfs"),
        ("/home/ann/Net Drive/Vault", "cifs"),
        ("/home/ann/Net Drive 2", "btrfs"),
        ("/home/ann/Notes", "fuse.sshfs"),
        ("/", "ext4"),
    ],
)
def test_the_nearest_mount_above_says_what_it_is(path: str, kind: str) -> None:
    """The one that was mounted last where there are two; a name that only begins alike is another place."""
    assert file_system(path, MOUNTS) == kind


@pytest.mark.parametrize("mountinfo", ["", "nonsense", "1 2 3", "\n - \n"])
def test_a_table_that_can_not_be_read_says_nothing(mountinfo: str) -> None:
    """Where nothing is known the system is trusted, and the periodic look does the rest."""
    assert file_system("/home", mountinfo) is None
    assert judge("/home/ann/Vault", "linux", None, "/home/ann") is None


@pytest.mark.parametrize(
    "kind",
    ["nfs", "nfs4", "cifs", "smb3", "9p", "vboxsf", "drvfs", "virtiofs", "fuse.sshfs", "fuse.rclone", "fuse"],
)
def test_where_others_write_the_kernel_does_not_tell(kind: str) -> None:
    """The reason names the file system, and there is a remedy."""
    found = judge("/mnt/Vault", "linux", kind, "/home/ann")
    assert found is not None
    assert kind in found.why
    assert found.remedy is not None
    assert found.lasts


@pytest.mark.parametrize(
    "kind", ["ext4", "btrfs", "xfs", "tmpfs", "overlay", "zfs", "fuseblk", "fuse.gocryptfs"]
)
def test_on_a_disk_of_this_machine_the_system_is_trusted(kind: str) -> None:
    """Also where a program of this machine serves the files, as an encrypted folder's."""
    assert judge("/home/ann/Vault", "linux", kind, "/home/ann") is None


def test_folders_of_a_cloud_are_looked_at() -> None:
    """On macOS files come and go there as they are wanted; elsewhere such a path means nothing."""
    cloud = "/Users/ann/Library/Mobile Documents/iCloud~md~obsidian/Documents/Vault"
    found = judge(cloud, "darwin", None, "/Users/ann")
    assert found is not None
    assert "iCloud" in found.why
    assert judge("/Users/ann/Library/CloudStorage/Dropbox/V", "darwin", None, "/Users/ann/") is not None
    assert judge("/Users/ann/Library/CloudStorage 2/V", "darwin", None, "/Users/ann") is None
    assert judge("/Users/ann/Vault", "darwin", None, "/Users/ann") is None
    assert judge(cloud, "linux", "ext4", "/Users/ann") is None


def test_this_machine_is_asked(tmp_path: Path) -> None:
    """A folder for tests lies on a disk of the machine that runs them."""
    assert hindrance(tmp_path) is None
