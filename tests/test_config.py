"""Settings: defaults, where they come from, and what is said of bad ones."""

from __future__ import annotations

import os
import tomllib
from typing import TYPE_CHECKING

import pytest

from vaultsync import config
from vaultsync.config import CONFIG_PATH, Settings
from vaultsync.domain.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path


TAKEN_BY_NO_DISK = ("x" * 300, "CON", "a:b", "[[x]]", "a/%%b", "line\\nend")
"""Or not by each disk, or by no link of Obsidian's."""


def write(root: Path, text: str) -> None:
    path = root / CONFIG_PATH
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def load(root: Path) -> config.Loaded:
    return config.load(root, user_path=root / "user.toml")


def test_without_files_the_defaults_are_in_force(tmp_path: Path) -> None:
    """A vault needs no configuration."""
    loaded = load(tmp_path)
    assert loaded.settings == Settings()
    assert set(loaded.sources.values()) == {"default"}


def test_the_vault_wins_over_the_user(tmp_path: Path) -> None:
    """Each setting comes from the nearest file that names it, and says which."""
    (tmp_path / "user.toml").write_text(
        "[chunks]\nchunk_target = 100\nchunk_ceiling = 900\n", encoding="utf-8"
    )
    write(tmp_path, '[chunks]\nchunk_target = 200\n[scope]\nexclude = ["Drafts/**"]\n')
    loaded = load(tmp_path)
    assert (loaded.settings.chunk_target, loaded.settings.chunk_ceiling) == (200, 900)
    assert loaded.settings.exclude == ("Drafts/**",)
    assert loaded.sources["chunk_ceiling"] == str(tmp_path / "user.toml")
    assert loaded.sources["chunk_target"] == str(tmp_path / CONFIG_PATH)


def test_the_template_is_the_defaults(tmp_path: Path) -> None:
    """With every # taken away, config.toml says what is in force without it, and holds every setting."""
    text = config.template()
    lines = [line.removeprefix("# ") if " = " in line else line for line in text.splitlines()]
    assert {key for table in tomllib.loads("\n".join(lines)).values() for key in table} == set(
        Settings.__dataclass_fields__
    )
    write(tmp_path, "\n".join(lines))
    assert load(tmp_path).settings == Settings()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("exclude = []", "outside a table"),
        ("[scope]\nexclud = []", "Did you mean scope.exclude?"),
        ("[scope]\nexclude = 'a'", "list of strings"),
        ("[scope]\ngitignored = 'maybe'", "private, skip"),
        ("[chunks]\nchunk_target = true", "whole number"),
        ("[chunks]\nchunk_target = 3", "from 16 to"),
        ("[identity]\ntombstone_days = 99999999999", "to 36,500"),
        ("[chunks]\nchunk_target = 600", "chunk_ceiling"),
        ("[scope", "not valid TOML"),
        ("[colour]", "no table .colour."),
    ],
)
def test_a_bad_setting_is_named(tmp_path: Path, text: str, words: str) -> None:
    """The error says which file and which key, and what would do."""
    write(tmp_path, text)
    with pytest.raises(ConfigError, match=words.replace("?", r"\?")):
        load(tmp_path)


def test_a_pipe_is_no_configuration(tmp_path: Path) -> None:
    """Reading it would wait for ever."""
    write(tmp_path, "")
    (tmp_path / CONFIG_PATH).unlink()
    os.mkfifo(tmp_path / CONFIG_PATH)
    with pytest.raises(ConfigError, match="is no file"):
        load(tmp_path)


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    """Bytes that are no UTF-8 are a user error, not a crash."""
    write(tmp_path, "")
    (tmp_path / CONFIG_PATH).write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match=r"config\.toml can't be read"):
        load(tmp_path)


@pytest.mark.parametrize(
    "folder",
    ["", "/", "a/", "/a", "a//b", "../a", "a/..", ".hidden", "a/.b", " ", "a\\\\b", *TAKEN_BY_NO_DISK],
)
def test_a_summaries_folder_that_is_none_is_refused(tmp_path: Path, folder: str) -> None:
    """Generated notes go where Obsidian shows them, below the root."""
    write(tmp_path, f'[summaries]\nfolder = "{folder}"\n')
    with pytest.raises(ConfigError, match=r"config\.toml: summaries\.folder"):
        load(tmp_path)


def test_a_summaries_folder_may_be_any_other(tmp_path: Path) -> None:
    """Also one inside a folder, with blanks in its name."""
    write(tmp_path, '[summaries]\nfolder = "Notes/My summaries"\n')
    assert load(tmp_path).settings.folder == "Notes/My summaries"
