"""What reaches a terminal: words of notes never drive it, whatever the command."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from small_vaults import run_vaultsync

if TYPE_CHECKING:
    from pathlib import Path

SAID = "apple \x1b]0;title\x07 \x1b[2J \x9b31m pie"


@pytest.mark.parametrize(
    "words",
    [
        ("sync",),
        ("sync", "--dry-run", "--rehash"),
        ("search", "apple"),
        ("search", "\x1b[31mapple"),
        ("status",),
        ("doctor",),
        ("show", "\x1b[31mred"),
        ("show", "no\x1b[31mthing"),
        ("sync", "--only", "../\x1b[31m"),
    ],
    ids=str,
)
def test_no_control_character_of_a_note_reaches_the_terminal(tmp_path: Path, words: tuple[str, ...]) -> None:
    """Neither a note's text, nor its name, its properties or its problems, nor what was typed."""
    root = tmp_path / "vault"
    (root / ".obsidian").mkdir(parents=True)
    (root / "\x1b[31mred.md").write_text(
        f"---\nk: {SAID}\na: b: c\n---\n# {SAID}\n\n{SAID}\n", encoding="utf-8"
    )
    (root / "b.sync-conflict-20260102-030405-ABCDEFG.md").write_text("x", encoding="utf-8")
    if words != ("sync",):
        run_vaultsync("--vault", root, "sync")
    answer = run_vaultsync("--vault", root, *words)
    printed = answer.out.decode() + answer.err
    assert printed.strip()
    assert not {char for char in printed if ord(char) < 32 or 127 <= ord(char) < 160} - {"\n"}


def test_json_is_json_whatever_was_typed(tmp_path: Path) -> None:
    """A word that is no text comes back as an escape; stdout is UTF-8."""
    root = tmp_path / "vault"
    (root / ".obsidian").mkdir(parents=True)
    run_vaultsync("--vault", root, "sync")
    answer = run_vaultsync("--vault", root, "--json", "search", "\udcff")
    assert answer.json["query"] == "\udcff"


def test_words_of_any_script_are_printed_in_any_locale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A service may run without a locale; output is UTF-8 all the same."""
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    root = tmp_path / "vault"
    (root / ".obsidian").mkdir(parents=True)
    (root / "日記 é.md").write_text("草 and é", encoding="utf-8")
    run_vaultsync("--vault", root, "sync")
    for words in (("search", "草"), ("show", "日記 é"), ("status",), ("sync", "--dry-run", "--rehash")):
        answer = run_vaultsync("--vault", root, *words)
        assert answer.status == 0, answer.err
        answer.out.decode()


def test_a_query_may_look_like_an_option(tmp_path: Path) -> None:
    """What stands behind `--` is a word."""
    root = tmp_path / "vault"
    (root / ".obsidian").mkdir(parents=True)
    run_vaultsync("--vault", root, "sync")
    assert run_vaultsync("--vault", root, "search", "--", "--json").out == b""
