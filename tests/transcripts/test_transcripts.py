"""Transcripts of a terminal are replayed: after each command, what it printed and its exit status.

In a transcript a line that begins with `$ ` is a command; what follows up to the next one is its output.
`[3]` at the end is an exit status that is not 0. `VAULT`, `STATE`, `UID`, `N s` and `N MB` stand for what
differs from run to run, `(N bytes)` for the size of generated notes.
Commands: vaultsync, `write PATH TEXT`, `append PATH TEXT`, `delete PATH`.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from small_vaults import ask, fill_vault

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).parent
TRANSCRIPTS = sorted(HERE.glob("*.txt"))

_UNSTEADY = (
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), "UID"),
    (re.compile(r"\d+\.\d+ s\b"), "N s"),
    (re.compile(r"\d+\.\d MB"), "N MB"),
    (re.compile(r"\([\d,]+ bytes\)"), "(N bytes)"),
)


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_transcript(transcript: Path, sample_vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command prints to the letter what the transcript says."""
    monkeypatch.chdir(sample_vault)
    monkeypatch.setenv("COLUMNS", "100")
    expected = transcript.read_text(encoding="utf-8")
    commands = [line[2:] for line in expected.splitlines() if line.startswith("$ ")]
    assert commands
    assert "".join(replay(sample_vault, command) for command in commands) == expected


def replay(vault: Path, command: str) -> str:
    """Run a command and return it with all that it printed, stdout first."""
    name, *arguments = shlex.split(command)
    said = run(arguments) if name == "vaultsync" else change(vault, name, arguments)
    return f"$ {command}\n{steady(said, vault)}"


def run(arguments: Sequence[str]) -> str:
    answer = ask(*arguments)
    status = f"[{answer.status}]\n" if answer.status else ""
    return f"{answer.text}{answer.err}{status}"


def change(vault: Path, name: str, arguments: Sequence[str]) -> str:
    path, *texts = arguments
    note = vault / path
    if name == "delete":
        note.unlink()
    elif name == "append":
        note.write_bytes(note.read_bytes() + f"\n{texts[0]}\n".encode())
    else:
        assert name == "write"
        fill_vault(vault, {path: f"{texts[0]}\n"})
    return ""


def steady(said: str, vault: Path) -> str:
    """Return what was said with all that differs from run to run replaced, and no blanks at ends of lines."""
    said = re.sub(r"/\S*/vaultsync/vaults/\S+", "STATE", said.replace(str(vault), "VAULT"))
    for pattern, word in _UNSTEADY:
        said = pattern.sub(word, said)
    return re.sub(r"[ \t]+$", "", said, flags=re.MULTILINE)
