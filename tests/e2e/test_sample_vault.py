"""The sample vault carries its generated notes, and behaves in a clone as a vault of one's own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from machines import files_of
from repositories import commit_all, git
from small_vaults import ask

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).resolve().parents[2]
SAMPLE = PROJECT / "sample_vault"
TREE = ".vaultsync/tree.tsv"

MAKE_AGAIN = """
The generated notes of sample_vault are not what is made of its notes now. Make them again and commit them:
    rm -r sample_vault/_summaries sample_vault/.vaultsync/tree.tsv
    vaultsync --vault sample_vault flush
    sed -i /^writer/d sample_vault/.vaultsync/tree.tsv
"""


@pytest.fixture
def copied(home: Path, tmp_path: Path) -> Path:
    """A copy of the sample vault with all that is in it."""
    del home
    return Path(shutil.copytree(SAMPLE, tmp_path / "sample_vault", symlinks=True))


def without_writer(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files as they are where no machine is the writer."""
    lines = files[TREE].splitlines(keepends=True)
    return files | {TREE: b"".join(line for line in lines if not line.startswith(b"writer\t"))}


def test_no_machine_is_its_writer() -> None:
    """The first that has something to write becomes it, as in a vault of one's own; its id is the same in any clone."""
    files = files_of(SAMPLE)
    assert files == without_writer(files)
    assert ".vaultsync/id" in files
    assert "_summaries/Vault (summary).md" in files


def test_its_generated_notes_are_those_that_are_made_of_its_notes(copied: Path) -> None:
    """From its notes and its id alone the same bytes are made."""
    shutil.rmtree(copied / "_summaries")
    (copied / TREE).unlink()
    assert ask("--vault", copied, "flush").status == 0
    assert without_writer(files_of(copied)) == files_of(SAMPLE), MAKE_AGAIN


def test_whoever_takes_the_writers_role_writes_that_line_alone(copied: Path) -> None:
    """Sync and flush find every generated note right, byte for byte."""
    for words in (("writer", "--take"), ("sync",), ("flush",), ("sync",)):
        assert ask("--vault", copied, *words).status == 0
    files = files_of(copied)
    assert files != files_of(SAMPLE)
    assert without_writer(files) == files_of(SAMPLE), MAKE_AGAIN


def test_a_clone_is_clean_after_a_sync(home: Path, tmp_path: Path) -> None:
    """README's first command changes nothing that git tracks and adds nothing; an edit makes the vault one's own."""
    del home
    origin = tmp_path / "origin"
    shutil.copytree(SAMPLE, origin / "sample_vault", symlinks=True)
    shutil.copy(PROJECT / ".gitattributes", origin)
    git(origin, "init", "-q")
    commit_all(origin)
    git(tmp_path, "clone", "-q", "origin", "clone")
    vault = tmp_path / "clone/sample_vault"
    for _ in range(2):
        report = ask("sync", vault, "--json").json
        assert report["summaries"]["written"] == []
        assert git(vault, "status", "--porcelain") == ""
    assert ask("--vault", vault, "doctor").status == 0
    with (vault / "Recipes/Bere Bannocks.md").open("a", encoding="utf-8") as note:
        note.write("\nAnd they keep for a week in a tin that nobody knows of.\n")
    assert ask("sync", vault, "--json").json["summaries"]["written"] == [
        "_summaries/Recipes/Recipes (summary).md"
    ]
    assert b"\nwriter\t" in files_of(vault)[TREE]
