"""The one door to the vault's files."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain.errors import UsageError
from vaultsync.vault import files
from vaultsync.vault.files import ReadFailure, WriteRefused, content_hash

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret.md").write_bytes(b"secret")
    (tmp_path / "vault/A").mkdir(parents=True)
    (tmp_path / "vault/A/n.md").write_bytes(b"text\r\n")
    return tmp_path / "vault"


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def refusal(act: Callable[..., object], *words: object) -> str:
    with pytest.raises(WriteRefused) as refused:
        act(*words)
    return refused.value.code


def failure(vault: Path, path: str) -> str:
    with pytest.raises(ReadFailure) as failed:
        files.read(vault, path)
    return failed.value.code


OUTSIDE = [
    "../outside/secret.md",
    "A/../../outside/secret.md",
    "/etc/passwd",
    "",
    ".",
    "A//n.md",
    "A/",
    "n\0.md",
    "\ud800.md",
]


@pytest.mark.parametrize("path", OUTSIDE)
def test_a_path_that_is_not_below_the_root_is_refused(vault: Path, path: str) -> None:
    """No spelling of a path reaches out of the vault, by no function of this door."""
    with pytest.raises(UsageError):
        files.resolve(vault, path)
    with pytest.raises(UsageError):
        files.create(vault, path, b"x")
    with pytest.raises(UsageError):
        files.replace(vault, path, b"x", content_hash(b"secret"))
    with pytest.raises(UsageError):
        files.remove(vault, path, content_hash(b"secret"))
    assert failure(vault, path) == "unreadable"
    assert (vault.parent / "outside/secret.md").read_bytes() == b"secret"


def test_a_link_out_of_the_vault_is_refused(vault: Path) -> None:
    """Neither a linked file nor a file in a linked folder can be read or written."""
    (vault / "link.md").symlink_to(vault.parent / "outside/secret.md")
    (vault / "Out").symlink_to(vault.parent / "outside")
    for path in ("link.md", "Out/secret.md", "Out/new.md"):
        assert failure(vault, path) == "unreadable"
        with pytest.raises(UsageError, match="leads out"):
            files.create(vault, path, b"x")
    assert names(vault.parent / "outside") == ["secret.md"]


def test_nothing_is_written_through_a_link(vault: Path) -> None:
    """Neither in the place of a linked file nor in a linked folder, also inside the vault."""
    (vault / "link.md").symlink_to("A/n.md")
    (vault / "Linked").symlink_to("A")
    before = (vault / "A/n.md").read_bytes()
    for path in ("link.md", "Linked/n.md"):
        with pytest.raises(UsageError, match="link"):
            files.replace(vault, path, b"x", files.content_hash(before))
        with pytest.raises(UsageError, match="link"):
            files.remove(vault, path, files.content_hash(before))
    with pytest.raises(UsageError, match="link"):
        files.create(vault, "Linked/new.md", b"x")
    assert (vault / "A/n.md").read_bytes() == before


def test_a_link_inside_the_vault_is_followed(vault: Path) -> None:
    """The place of a linked file is that of the file."""
    (vault / "link.md").symlink_to("A/n.md")
    assert files.resolve(vault, "link.md") == vault / "A/n.md"
    (vault.parent / "other").symlink_to(vault)
    assert files.read(vault.parent / "other", "link.md").raw == b"text\r\n"


@given(path=st.lists(st.sampled_from(["..", ".", "A", "a b", "", "é"]), min_size=1).map("/".join))
def test_what_resolves_lies_below_the_root(tmp_path_factory: pytest.TempPathFactory, path: str) -> None:
    """A path is refused or stays below the root."""
    root = tmp_path_factory.getbasetemp()
    try:
        place = files.resolve(root, path)
    except UsageError:
        assert {"..", ".", ""} & set(path.split("/"))
    else:
        assert root in place.parents


def test_read_gives_the_bytes_and_their_fingerprint(vault: Path) -> None:
    """The bytes come as they are, with the fingerprint that a scan would give."""
    status = (vault / "A/n.md").stat()
    note = files.read(vault, "A/n.md")
    assert note.raw == b"text\r\n"
    assert (note.fingerprint.size, note.fingerprint.inode) == (6, status.st_ino)


def test_what_cannot_be_read(vault: Path) -> None:
    """Gone, a folder, a pipe: each gives a stable code, and none makes the reader wait."""
    os.mkfifo(vault / "pipe.md")
    assert failure(vault, "gone.md") == "vanished"
    assert failure(vault, "A/n.md/x.md") == "vanished"
    assert failure(vault, "A") == "unreadable"
    assert failure(vault, "pipe.md") == "unreadable"
    assert failure(vault, "x" * 300 + ".md") == "unreadable"


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.EAGAIN, "placeholder"),
        (errno.EDEADLK, "placeholder"),
        (errno.EACCES, "unreadable"),
        (errno.EIO, "unreadable"),
        (errno.ENOENT, "vanished"),
    ],
)
def test_the_system_s_errors(number: int, code: str) -> None:
    """What the system says on reading decides whether a note is gone, in the cloud, or unreadable."""
    found = files.read_failure("A/n.md", OSError(number, os.strerror(number)))
    assert found.code == code
    assert "A/n.md" in str(found)


def test_a_file_that_changes_while_it_is_read(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is read again when it changed meanwhile, and after three times it is unsettled."""
    real, looks = os.fstat, 0

    def write_and_look(descriptor: int) -> os.stat_result:
        nonlocal looks
        looks += 1
        with (vault / "A/n.md").open("ab") as file:
            file.write(b"more" if looks <= writes else b"")
        return real(descriptor)

    monkeypatch.setattr(os, "fstat", write_and_look)
    writes = 2
    assert files.read(vault, "A/n.md").raw == b"text\r\nmoremore"
    looks, writes = 0, 100
    assert failure(vault, "A/n.md") == "unsettled"
    assert looks == 2 * files.READS


def test_create_makes_the_folders_and_never_replaces(vault: Path) -> None:
    """A new file is written whole; what is there already stays, and nothing is left beside it."""
    files.create(vault, "New/Folder/x.md", b"one")
    assert refusal(files.create, vault, "New/Folder/x.md", b"two") == "exists"
    assert (vault / "New/Folder/x.md").read_bytes() == b"one"
    assert names(vault / "New/Folder") == ["x.md"]


def test_create_where_there_are_no_hard_links(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a disk without hard links a new file is created in its place, and still never in another's."""

    def refuse(*_: Any, **__: Any) -> None:  # noqa: ANN401 - stands for os.link
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    files.create(vault, "x.md", b"one")
    assert refusal(files.create, vault, "x.md", b"two") == "exists"
    assert (vault / "x.md").read_bytes() == b"one"
    assert names(vault) == ["A", "x.md"]


@pytest.mark.parametrize(
    "path", [".obsidian/app.json", ".git/hooks/x.md", "A/.hidden/x.md", ".x.md", "A/.vaultsync/x"]
)
def test_only_our_own_hidden_folder_is_written_to(vault: Path, path: str) -> None:
    """Obsidian's, git's and anybody's hidden files are never written."""
    with pytest.raises(UsageError, match="hidden"):
        files.create(vault, path, b"x")
    files.create(vault, ".vaultsync/.gitattributes", b"x")


def test_replace_is_guarded_by_what_stands_there(vault: Path) -> None:
    """Bytes are replaced only if they are those expected; the mode stays, and nothing is left beside them."""
    (vault / "A/n.md").chmod(0o640)
    files.replace(vault, "A/n.md", b"new", content_hash(b"text\r\n"))
    assert refusal(files.replace, vault, "A/n.md", b"newer", content_hash(b"text\r\n")) == "changed"
    assert refusal(files.replace, vault, "A/gone.md", b"newer", content_hash(b"")) == "vanished"
    assert (vault / "A/n.md").read_bytes() == b"new"
    assert stat.S_IMODE((vault / "A/n.md").stat().st_mode) == 0o640
    assert names(vault / "A") == ["n.md"]


def test_remove_is_guarded_by_what_stands_there(vault: Path) -> None:
    """A file goes only if its bytes are those expected."""
    assert refusal(files.remove, vault, "A/n.md", content_hash(b"other")) == "changed"
    files.remove(vault, "A/n.md", content_hash(b"text\r\n"))
    assert names(vault / "A") == []
    assert refusal(files.remove, vault, "A/n.md", content_hash(b"text\r\n")) == "vanished"


def test_what_a_killed_write_left_is_removed(vault: Path) -> None:
    """In a folder and those below it; of other hidden files none, and none behind a link."""
    aside = ".vaultsync-0123456789ab.tmp"
    (vault / "A/link").symlink_to(vault.parent / "outside", target_is_directory=True)
    left = [
        vault / aside,
        vault.parent / "outside" / aside,
        vault / f"A/{aside}~",
        vault / "A/.vaultsync-1.tmp",
    ]
    for place in (*left, vault / "A" / aside):
        place.write_bytes(b"half a no")
    files.remove_asides(vault, "A")
    files.remove_asides(vault, "B")
    assert names(vault / "A") == [".vaultsync-0123456789ab.tmp~", ".vaultsync-1.tmp", "link", "n.md"]
    assert all(place.exists() for place in left)
