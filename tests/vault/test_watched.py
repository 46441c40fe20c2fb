"""Which folders are watched, and which changes say something."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from small_vaults import fill_vault

from vaultsync.vault.watched import folders, telling

if TYPE_CHECKING:
    from pathlib import Path


def test_what_can_hold_no_note_is_not_watched(tmp_path: Path) -> None:
    """No link is followed, neither out of the vault nor within; git's folder alone would be hundreds."""
    outside = fill_vault(tmp_path / "Outside", {"X/n.md": "x"})
    hidden = {
        f"{name}/x/n.md": "x" for name in (".git", ".trash", ".obsidian/plugins", "node_modules", "State")
    }
    root = fill_vault(
        tmp_path / "Vault", {"A/B.md/n.md": "x", "C/.git/n.md": "x", ".vaultsync/id": "x", **hidden}
    )
    (root / "Link").symlink_to(outside)
    (root / "Again").symlink_to(root / "A")
    assert folders(str(root), "State") == {"", "A", "A/B.md", "C", ".obsidian", ".vaultsync"}


def test_a_vault_that_is_gone_has_no_folders(tmp_path: Path) -> None:
    """Not even the root."""
    assert folders(str(tmp_path / "Gone"), None) == set()


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("n.md", "n.md"),
        ("A/Note.MD", "A/Note.MD"),
        ("A/e\u0301.md", "A/e\u0301.md"),
        ("A/.gitignore", "A/.gitignore"),
        (".obsidian/app.json", ".obsidian/app.json"),
        (".vaultsync/tree.tsv", ".vaultsync/tree.tsv"),
        ("Gone", "Gone"),
        (".vaultsync", ".vaultsync/config.toml"),
        ("n.md~", None),
        ("n.md.tmp", None),
        (".n.md.swp", None),
        (".vaultsync-0123456789ab.tmp", None),
        ("image.png", None),
        ("Never there", None),
        (".obsidian/workspace.json", None),
        (".obsidian/plugins/x/data.md", None),
        (".vaultsync/x.md", None),
        (".git/n.md", None),
        ("A/.hidden/n.md", None),
        ("State/n.md", None),
        ("State", None),
    ],
)
def test_what_a_change_says(tmp_path: Path, path: str, told: str | None) -> None:
    """Notes, folders that were there, and the few files that change what a note is."""
    assert telling(str(tmp_path), path, frozenset({"", "Gone", ".vaultsync"}), "State") == told


def test_a_folder_that_is_there_is_told(tmp_path: Path) -> None:
    """Whatever its name; a link to one is none."""
    root = fill_vault(tmp_path / "Vault", {"v1.2/n.md": "x", ".cache/n.md": "x"})
    (root / "Link").symlink_to(root / "v1.2")
    assert telling(str(root), "v1.2", frozenset(), None) == "v1.2"
    assert telling(str(root), ".cache", frozenset(), None) is None
    assert telling(str(root), "Link", frozenset(), None) is None
