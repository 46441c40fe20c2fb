"""What vaultsync put into a vault can be taken out again, and what a person wrote stays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from grown_vaults import about, generated, grow
from machines import files_of
from repositories import commit_all, git
from small_vaults import ask, memory_of
from summary_notes import Words, with_words

from vaultsync.app.machines import own_files
from vaultsync.app.writing.unwriting import take_out
from vaultsync.domain.errors import VaultError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Vault = Callable[[Mapping[str, str | bytes]], Path]

ROOT = "_summaries/Garden/Garden (summary).md"


def test_all_goes_that_nobody_wrote_in(vault: Vault) -> None:
    """The vault is as it was before, its settings aside."""
    root = vault(about(*"abcd"))
    before = files_of(root)
    grow(root)
    assert ask("--vault", root, "remove").status == 0
    after = files_of(root)
    assert before.items() <= after.items()
    assert all(path.startswith(".vaultsync/") for path in after.keys() - before.keys())
    assert not (root / "_summaries").exists()
    assert ask("--vault", root, "status").status == 3


def test_no_empty_folder_stays_of_a_note_that_a_person_deleted(vault: Vault) -> None:
    """Its folder is nobody's either."""
    root = vault({**about("a"), **about("b", folder="Tools")})
    grow(root)
    (root / ROOT).unlink()
    grow(root)
    assert (root / "_summaries/Garden").is_dir()
    assert ask("--vault", root, "remove").status == 0
    assert not (root / "_summaries").exists()


def test_with_all_nothing_of_ours_is_left(vault: Vault) -> None:
    """Not even the settings."""
    root = vault(about(*"abcd"))
    grow(root)
    assert ask("--vault", root, "remove", "--all").status == 0
    assert {path for path in files_of(root) if not path.startswith("Garden/")} == set()
    assert not (root / ".vaultsync").exists()


def test_a_persons_words_are_left_and_listed(vault: Vault) -> None:
    """Whether they stand outside our part or in it; so is what can't be told apart."""
    root = vault({**about("a"), **about("b", folder="Tools"), **about("c", folder="Shed")})
    grow(root)
    outside, inside, broken = (
        root / f"_summaries/{name}/{name} (summary).md" for name in ("Garden", "Tools", "Shed")
    )
    outside.write_bytes(with_words(outside.read_bytes(), Words(behind=b"Mine.\n")))
    inside.write_text(inside.read_text().replace("The b has", "My b has"))
    broken.write_text(broken.read_text().replace("%% vaultsync:end %%", ""))
    before = generated(root)
    left = ask("--vault", root, "--json", "remove").json["left"]
    assert [entry["path"] for entry in left] == sorted(
        f"_summaries/{name}/{name} (summary).md" for name in ("Garden", "Tools", "Shed")
    )
    after = generated(root)
    assert after == {path: text for path, text in before.items() if path != "Vault (summary).md"}


def test_a_dry_run_removes_nothing(vault: Vault) -> None:
    """And says the same."""
    root = vault(about(*"abcd"))
    grow(root)
    before = files_of(root)
    told = ask("--vault", root, "--json", "remove", "--dry-run", "--all").json
    assert files_of(root) == before
    done = ask("--vault", root, "--json", "remove", "--all").json
    assert done == {**told, "dry_run": False}


def test_of_a_vault_that_another_machine_writes_only_the_memory_goes(vault: Vault) -> None:
    """What all its machines share is left to the writer."""
    root = vault(about(*"abcd"))
    grow(root)
    (root / own_files.TREE).write_text("writer\t000000000000\n")
    before = files_of(root)
    answer = ask("--vault", root, "--json", "remove", "--all")
    assert files_of(root) == before
    assert answer.json["removed"] == []
    assert "000000000000" in answer.json["left"][0]["why"]
    assert ask("--vault", root, "status").status == 3


def test_what_was_never_synced_has_nothing_to_remove(vault: Vault) -> None:
    """And nothing is made for that."""
    root = vault({"a.md": "alpha"})
    before = files_of(root)
    assert ask("--vault", root, "remove").status == 0
    assert files_of(root) == before


def test_while_git_is_at_work_nothing_is_removed(vault: Vault) -> None:
    """A merge that is half done must not meet missing files."""
    root = vault(about("a"))
    git(root, "init", "-q")
    commit_all(root)
    grow(root)
    (root / ".git/MERGE_HEAD").write_text("0" * 40)
    with memory_of(root, write=True) as memory, pytest.raises(VaultError):
        take_out(memory)


def test_what_could_not_be_removed_can_be_tried_again(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory stays, and the exit status says that a person has to look."""
    root = vault(about(*"abcd"))
    grow(root)

    def refuse(self: Path, *, missing_ok: bool = False) -> None:
        if self.name.endswith("(summary).md"):
            raise PermissionError(13, "Permission denied")
        unlink(self, missing_ok=missing_ok)

    unlink = Path.unlink
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        answer = ask("--vault", root, "remove")
    assert answer.status == 1
    assert "Permission denied" in answer.text
    assert "try again" in answer.text
    assert ask("--vault", root, "remove").status == 0
    assert not (root / "_summaries").exists()


def test_who_waits_is_told_that_it_can_t_be_written(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a vault that may only be read: a sentence, and nothing is switched."""
    root = vault(about(*"abcd"))
    grow(root)

    def refuse(*_arguments: object, **_how: object) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", refuse)
        answer = ask("--vault", root, "summary", "off")
    assert answer.status == 3
    assert "tree.tsv can't be written: Permission denied" in answer.err
    assert ask("--vault", root, "summary", "off").status == 0
