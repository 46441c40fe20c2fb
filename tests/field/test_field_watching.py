"""Field cases about learning of changes."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from listening import Ear, await_true, watched
from small_vaults import fill_vault

from vaultsync.config import Settings
from vaultsync.daemon.watching import Watching
from vaultsync.vault.watch_limits import explain, reached

if TYPE_CHECKING:
    from pathlib import Path

LIMITED = """
import sys
from pathlib import Path
from vaultsync.config import Settings
from vaultsync.daemon.watching import Watching
Path("/proc/sys/user", sys.argv[1]).write_text(sys.argv[2])
watching = Watching(Path(sys.argv[3]), Settings(), lambda batch: None)
watching.start()
watching.check()
print(*watching.state, sep="\\n")
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return fill_vault(tmp_path / "Vault", {"n.md": "old", "A/a.md": "old", "B/b.md": "old"})


def in_a_namespace(*words: str | Path) -> list[str]:
    """Run a program as a user whose limits are its own, and return its lines."""
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", sys.executable, "-c", LIMITED, *words],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    if done.returncode:
        pytest.skip(f"no limits of our own here: {done.stderr[-200:]}")
    return done.stdout.splitlines()


def can_unshare() -> bool:
    with suppress(OSError):
        return subprocess.run(["unshare", "--user", "true"], check=False, capture_output=True).returncode == 0
    return False


def test_F19_a_backup_save_is_told_as_its_note(root: Path) -> None:
    """Vim moves the note away and writes another: one path, which is there when it is told."""
    with watched(root) as ear:
        (root / "n.md").rename(root / "n.md~")
        (root / "n.md").write_text("new")
        ear.await_paths("n.md")
        (root / "A/a.md").write_text("a later change, so that what was still to come has come")
        ear.await_paths("A/a.md")
        assert ear.paths == {"n.md", "A/a.md"}


def test_F20_a_note_written_aside_is_told_once(root: Path) -> None:
    """The temporary file is never told, neither when it comes nor when it goes."""
    with watched(root) as ear:
        (root / "n.md.tmp").write_text("new")
        (root / "n.md.tmp").replace(root / "n.md")
        ear.await_paths("n.md")
        assert [set(batch.paths) for batch in ear.batches] == [{"n.md"}]


def test_F22_a_watcher_that_died_is_noticed_and_begun_again(root: Path) -> None:
    """Its thread ends without a word; all is looked at, the state says it, and a second later it watches again."""
    now = 1000.0
    ear = Ear()
    watching = Watching(root, Settings(), ear.tell, monotonic=lambda: now)
    watching.start()
    watcher = watching._watcher
    assert watcher is not None
    ear.forget()
    watcher._stop.set()
    await_true(lambda: not watcher.is_alive, "it lives on")
    watching.check()
    assert ear.overflows == 1
    assert (watching.mode, watching.state.is_healthy) == ("polling", False)
    assert watching.state.why
    now += 1.0
    watching.check()
    ear.await_that(lambda: ear.overflows == 2)
    assert watching.state.is_healthy
    (root / "n.md").write_text("new")
    ear.await_paths("n.md")
    watching.stop()


def test_F29_own_files_and_git_are_no_news(root: Path) -> None:
    """A state folder in the vault, git's folder and half-written files of our own wake nobody."""
    state = root / "State"
    fill_vault(root, {"State/index.db": "x", ".git/n.md": "x"})
    with watched(root, state=state) as ear:
        for path in ("State/index.db-wal", "State/n.md", ".git/n.md", "A/.vaultsync-0123456789ab.tmp"):
            (root / path).write_text("new")
            (root / path).unlink()
        (root / "n.md").write_text("new")
        ear.await_paths("n.md")
        assert ear.paths == {"n.md"}


@pytest.mark.skipif(not can_unshare(), reason="needs user namespaces")
def test_F34_the_watch_limit_leads_to_polling(root: Path) -> None:
    """More folders than may be watched: it looks by itself, and says why and what helps."""
    mode, why, remedy, is_healthy = in_a_namespace("max_inotify_watches", "2", root)
    assert (mode, is_healthy) == ("polling", "False")
    assert "fs.inotify.max_user_watches" in why
    assert "sudo sysctl fs.inotify.max_user_watches=" in remedy


@pytest.mark.skipif(not can_unshare(), reason="needs user namespaces")
def test_F34_the_limit_of_watchers_leads_to_polling(root: Path) -> None:
    """As above, for the number of watchers a user may have."""
    mode, why, remedy, _ = in_a_namespace("max_inotify_instances", "0", root)
    assert mode == "polling"
    assert "fs.inotify.max_user_instances" in why
    assert "sudo sysctl fs.inotify.max_user_instances=" in remedy


def test_F35_the_words_name_limit_value_and_remedy() -> None:
    """ENOSPC reads as a full disk, which it is not."""
    limit = reached(
        'OS file watch limit reached. about ["/V"] (Error { kind: MaxFilesWatch, paths: ["/V"] })'
    )
    assert limit == "max_user_watches"
    found = explain(limit, 8192)
    assert "fs.inotify.max_user_watches (8,192)" in found.why
    assert "`sudo sysctl fs.inotify.max_user_watches=524288`" in str(found.remedy)
    assert "=2000000`" in str(explain(limit, 1_000_000).remedy)
    assert reached("No space left on device") is None


def test_F36_a_new_folder_is_told_with_all_below(root: Path) -> None:
    """A note that was written before the folder could be watched lies below one that is told."""
    with watched(root) as ear:
        os.makedirs(root / "x/y")  # noqa: PTH103 - as fast as it goes
        (root / "x/y/n.md").write_text("new")
        ear.await_paths("x")
        ear.forget()
        (root / "x/y/n.md").write_text("newer")
        ear.await_paths("x/y/n.md")
