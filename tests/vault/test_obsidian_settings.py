"""What is read of Obsidian's own settings."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from vaultsync.vault.obsidian import ObsidianSettings, read_settings

if TYPE_CHECKING:
    from pathlib import Path


def write(root: Path, name: str, value: object) -> None:
    path = root / ".obsidian" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


def test_all_settings(tmp_path: Path) -> None:
    """Every setting that counts is read from the file in which Obsidian keeps it."""
    app = {
        "userIgnoreFilters": ["Archive/", "/x/", 3, ""],
        "newFileLocation": "folder",
        "newFileFolderPath": "/Inbox/",
    }
    write(tmp_path, "app.json", app)
    write(tmp_path, "templates.json", {"folder": "Templates/"})
    write(tmp_path, "plugins/templater-obsidian/data.json", {"templates_folder": "Meta/Templater"})
    write(tmp_path, "daily-notes.json", {"folder": "Daily", "format": "YYYY/MM-DD"})
    assert read_settings(tmp_path) == ObsidianSettings(
        vault_name=tmp_path.name,
        template_folders=("Templates", "Meta/Templater"),
        daily_folder="Daily",
        daily_format="YYYY/MM-DD",
        ignore_filters=("Archive/", "/x/"),
        new_note_folder="Inbox",
    )


def test_a_folder_without_obsidian_has_defaults(tmp_path: Path) -> None:
    """No settings are the defaults of Obsidian."""
    assert read_settings(tmp_path) == ObsidianSettings(tmp_path.name)


@pytest.mark.parametrize(
    "raw",
    [b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"folder": 3, "format": []}', b'{"folder": null}'],
)
def test_broken_files_count_as_unset(tmp_path: Path, raw: bytes) -> None:
    """Nothing that a settings file holds raises."""
    for name in ("app.json", "templates.json", "daily-notes.json"):
        write(tmp_path, name, {})
        (tmp_path / ".obsidian" / name).write_bytes(raw)
    assert read_settings(tmp_path) == ObsidianSettings(tmp_path.name)


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    """Settings that an editor saved with a byte order mark are read."""
    write(tmp_path, "templates.json", {})
    (tmp_path / ".obsidian/templates.json").write_bytes(b'\xef\xbb\xbf{"folder": "T"}')
    assert read_settings(tmp_path).template_folders == ("T",)


@pytest.mark.parametrize("folder", ["/", "", " "])
def test_the_root_is_no_template_folder(tmp_path: Path, folder: str) -> None:
    """Templater's default, the root, must not make every note a template."""
    write(tmp_path, "plugins/templater-obsidian/data.json", {"templates_folder": folder})
    assert read_settings(tmp_path).template_folders == ()


def test_both_plugins_with_one_folder(tmp_path: Path) -> None:
    """A folder that both plugins name counts once."""
    write(tmp_path, "templates.json", {"folder": "T"})
    write(tmp_path, "plugins/templater-obsidian/data.json", {"templates_folder": "T"})
    assert read_settings(tmp_path).template_folders == ("T",)


@pytest.mark.parametrize(
    ("app", "expected"),
    [
        ({"newFileLocation": "current"}, "current"),
        ({"newFileLocation": "root", "newFileFolderPath": "Old"}, ""),
        ({"newFileFolderPath": "Old"}, ""),
    ],
)
def test_where_new_notes_go(tmp_path: Path, app: dict[str, str], expected: str) -> None:
    """A folder counts only while Obsidian uses it."""
    write(tmp_path, "app.json", app)
    assert read_settings(tmp_path).new_note_folder == expected


def test_a_pipe_in_place_of_settings_is_not_opened(tmp_path: Path) -> None:
    """A settings file that would make a reader wait for ever is passed over."""
    (tmp_path / ".obsidian").mkdir()
    os.mkfifo(tmp_path / ".obsidian/app.json")
    assert read_settings(tmp_path).ignore_filters == ()
