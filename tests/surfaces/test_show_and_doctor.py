"""What `show` and `doctor` print, and the exit status that scripts rely on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from vaultsync.surfaces.cli.program import run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "Vault"
    (root / ".obsidian").mkdir(parents=True)
    (root / "Plans").mkdir()
    (root / "Alpha.md").write_text(
        "---\naliases: [First]\ntags: [x]\n---\n# Alpha\n\nSee [[Beta]], [[Gone]].\n"
    )
    (root / "Plans/Beta.md").write_text("---\na: b: c\n---\nBack to [[First]] [bold]here[/bold]\x1b[2J.\n")
    (root / "picture.png").write_bytes(b"")
    monkeypatch.setenv("VAULTSYNC_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(root / "Plans")
    assert run(["sync", "-q"]) == 0
    return root


def test_show_prints_a_note_for_a_person(vault: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Everything is there in plain text; what a note holds is never taken for markup of the terminal."""
    del vault
    assert run(["show", "alpha"]) == 0
    shown = capfd.readouterr().out
    for words in ("Alpha.md", "Also called: First", "#x", "Beta  Plans/Beta.md", "Gone  leads to no note"):
        assert words in shown
    assert "Plans/Beta.md  Back to First [bold]here[/bold]\N{REPLACEMENT CHARACTER}[2J." in shown
    assert "\x1b" not in shown


def test_show_takes_a_path_from_the_folder_we_are_in(vault: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A shell completes the names that it sees; the vault's own paths go first."""
    del vault
    assert run(["show", "Beta.md", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["path"] == "Plans/Beta.md"
    assert run(["show", "../picture.png", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["left_out"]["code"] == "not-markdown"
    assert run(["show", "Beta"]) == 0
    assert "frontmatter-invalid, line 2: " in capfd.readouterr().out


def test_show_fails_for_what_it_does_not_know(vault: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Exit status 2, and the code in the JSON."""
    del vault
    assert run(["show", "Alfa", "--json"]) == 2
    printed = capfd.readouterr()
    assert json.loads(printed.out)["error"]["code"] == "unknown-ref"
    assert "Did you mean Alpha.md?" in printed.err


def test_doctor_exits_with_1_until_all_is_well(vault: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """It says what is wrong, mends what it can, and says that too."""
    assert run(["doctor", "-q"]) == 0
    assert capfd.readouterr().out == ""
    (vault / "New.md").write_text("New.")
    assert run(["doctor"]) == 1
    assert " fails  disk: 1 found; run `vaultsync sync`\n          New.md is new\n" in capfd.readouterr().out
    assert run(["doctor", "--repair"]) == 0
    assert "mended  disk: " in capfd.readouterr().out
    assert run(["doctor", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["ok"] is True
