"""What Obsidian's own settings already say of a vault; they are read, never written."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

MAX_SETTINGS_BYTES = 4_000_000
"""The largest settings file that is read; real ones are a few kilobytes."""


@dataclass(frozen=True, slots=True)
class ObsidianSettings:
    """Folders are vault paths without `/` at their ends; an unset folder is no folder.

    `daily_folder`: "" is the vault's root. `daily_format`: a Moment.js format.
    `ignore_filters`: "Excluded files" as written: a path prefix, or a regular expression between slashes.
    `new_note_folder`: where new notes go: "" (the root), a folder, or "current" (beside the note at hand).
    """

    vault_name: str
    template_folders: tuple[str, ...] = ()
    daily_folder: str = ""
    daily_format: str = "YYYY-MM-DD"
    ignore_filters: tuple[str, ...] = ()
    new_note_folder: str = ""


def read_settings(root: Path) -> ObsidianSettings:
    """Read `.obsidian` below `root`; what is missing, broken or of a wrong type counts as unset."""
    folder = root / ".obsidian"
    app = _read_json(folder / "app.json")
    daily = _read_json(folder / "daily-notes.json")
    return ObsidianSettings(
        vault_name=root.resolve().name,
        template_folders=_template_folders(folder),
        daily_folder=_folder(daily.get("folder")),
        daily_format=_text(daily.get("format")) or "YYYY-MM-DD",
        ignore_filters=_texts(app.get("userIgnoreFilters")),
        new_note_folder=_new_note_folder(app),
    )


def _template_folders(folder: Path) -> tuple[str, ...]:
    """Return the core plugin's folder and Templater's; the root would make all notes templates: none."""
    core = _read_json(folder / "templates.json").get("folder")
    templater = _read_json(folder / "plugins/templater-obsidian/data.json").get("templates_folder")
    return tuple(dict.fromkeys(path for path in (_folder(core), _folder(templater)) if path))


def _new_note_folder(app: dict[str, Any]) -> str:
    match app.get("newFileLocation"):
        case "current":
            return "current"
        case "folder":
            return _folder(app.get("newFileFolderPath"))
        case _:
            return ""


def _read_json(path: Path) -> dict[str, Any]:
    """Read an object from a JSON file; `{}` if it holds none. No device or pipe is opened."""
    try:
        if not path.is_file() or path.stat().st_size > MAX_SETTINGS_BYTES:
            return {}
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _folder(value: object) -> str:
    return _text(value).strip().strip("/")


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str) and item) if isinstance(value, list) else ()
