"""`init` asks one thing, a person at a terminal alone: whether summaries are to be notes in the vault."""

from __future__ import annotations

import os
import pty
import subprocess
from typing import TYPE_CHECKING

import pytest
from small_vaults import ask, command

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Vault = Callable[[Mapping[str, str | bytes]], Path]

QUESTION = b"Write summaries into the vault"
DEFAULTS = "\n# write = true\n"


def at_terminal(keys: bytes, *words: str | Path) -> subprocess.CompletedProcess[bytes]:
    """Run a command for a person who types `keys`."""
    person, terminal = pty.openpty()
    try:
        os.write(person, keys)
        return subprocess.run(command(*words), stdin=terminal, capture_output=True, check=False, timeout=60)
    finally:
        os.close(person)
        os.close(terminal)


def config_of(root: Path) -> str:
    return (root / ".vaultsync/config.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("keys", [b"\n", b"y\n"])
def test_yes_is_the_default(keys: bytes, vault: Vault) -> None:
    """The settings are those that nobody was asked for."""
    root = vault({"a.md": "Text."})
    ended = at_terminal(keys, "init", root)
    assert (ended.returncode, QUESTION in ended.stderr) == (0, True)
    assert DEFAULTS in config_of(root)


def test_no_is_a_setting_that_holds(vault: Vault) -> None:
    """It stands in the file, not as a comment, and a sync writes no generated note."""
    root = vault({"a.md": "The barley is sown in April, and Kirsten mills it in the old kiln."})
    assert at_terminal(b"n\n", "init", root).returncode == 0
    assert "\nwrite = false\n" in config_of(root)
    report = ask("--vault", root, "sync", "--json").json
    assert (report["stages"]["flushed"], report["stages"]["written"]) == (1, 0)
    assert not (root / "_summaries").exists()
    assert "is false" in ask("--vault", root, "summary", "on").text


@pytest.mark.parametrize("words", [("--json",), ("-q",)])
def test_who_wants_no_words_is_not_asked(words: tuple[str, ...], vault: Vault) -> None:
    """A script that has a terminal goes on by itself."""
    root = vault({"a.md": "Text."})
    ended = at_terminal(b"n\n", "init", *words, root)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert DEFAULTS in config_of(root)


def test_nobody_is_asked_twice_or_without_a_terminal(vault: Vault) -> None:
    """Settings that are there stay as they are."""
    root = vault({"a.md": "Text."})
    ended = subprocess.run(command("init", root), input=b"n\n", capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert QUESTION not in at_terminal(b"n\n", "init", root).stderr
    assert DEFAULTS in config_of(root)


def test_who_leaves_the_question_leaves_no_file(vault: Vault) -> None:
    """Ctrl-D at the question ends the command before anything is written."""
    root = vault({"a.md": "Text."})
    assert at_terminal(b"\x04", "init", root).returncode == 130
    assert not (root / ".vaultsync").exists()
