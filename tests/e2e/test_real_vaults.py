"""Vaults that people keep sync without an error, and the second time there is nothing to do."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from small_vaults import run_vaultsync

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "vaults"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SHARED.is_dir(), reason="the real vaults are not here"),
]

NAMES = ("kepano", "kepano-tree", "nolebase", "obsidian-tasks")


@pytest.fixture(scope="module")
def vaults(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vaults")
    subprocess.run(["bash", SHARED / "unpack", folder], check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_a_real_vault_syncs_twice(name: str, vaults: Path, home: Path) -> None:
    """No error, then nothing to do; the doctor is content; a fresh index says the same."""
    root = vaults / name
    first = run_vaultsync("sync", root, "--json")
    assert first.status == 0, first.err
    added = first.json["added"]
    notes = [path for path in root.rglob("*.md") if not {".git", ".obsidian"} & {*path.parts}]
    assert 0.8 * len(notes) <= added <= len(notes)
    assert first.json["failures"] == []
    second = run_vaultsync("sync", root, "--json")
    assert second.status == 0, second.err
    changes = ("added", "modified", "removed", "returned", "held_removals")
    assert {key: second.json[key] for key in changes} == dict.fromkeys(changes, 0)
    assert second.json["stages"]["parsed"] == second.json["stages"]["linked"] == 0
    assert second.json["unchanged"] == added
    doctor = run_vaultsync("--vault", root, "doctor", "--json")
    assert doctor.status == 0, doctor.text
    dumped = run_vaultsync("--vault", root, "dump").out
    fresh = ("--state", home / "fresh", "--vault", root)
    assert run_vaultsync(*fresh, "sync").status == 0
    assert run_vaultsync(*fresh, "dump").out == dumped
    assert dumped.count(b'"note": ') == added
