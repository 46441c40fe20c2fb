"""No generated note, in any vault that people keep, is what a link of theirs means or may come to mean."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from small_vaults import memory_of

from vaultsync.app.sync import Wish, sync
from vaultsync.domain.names import name_key, target_key
from vaultsync.store.edges import link_of

SHARED = Path(__file__).resolve().parents[3].parent / "shared" / "vaults"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SHARED.is_dir(), reason="the real vaults are not here"),
]


@pytest.fixture(scope="module")
def vaults(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vaults")
    subprocess.run(["bash", SHARED / "unpack", folder], check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("name", ["kepano", "kepano-tree", "nolebase", "obsidian-tasks"])
def test_no_link_and_no_note_has_a_name_of_ours(name: str, vaults: Path, home: Path) -> None:
    """Of no link's target, whether it finds something today or not; and each note is there once."""
    del home
    root = vaults / name
    with memory_of(root, write=True) as memory:
        report = sync(memory, Wish(flush="all"))
        index = memory.db.read()
        meant = {target_key(link_of(*row)) for row in index.all("SELECT DISTINCT target, link FROM edges")}
        borne = {key for (key,) in index.all("SELECT key FROM names")}
    assert report.written.refused == []
    generated = [path.name for path in (root / "_summaries").rglob("*.md")]
    ours = {name_key(file) for file in generated}
    assert len(ours) == len(generated) > 0
    assert not ours & (meant | borne)
