"""What a pass leaves for other machines is told in the end, whatever comes between, and never into a user's file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from small_vaults import ask, fill_vault, memory_of, sync, uids_of

from vaultsync.store import tombstones

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Make = Callable[[Mapping[str, str | bytes]], Path]

LEDGER = ".vaultsync/identities.tsv"


class Killed(Exception):
    """Stands for a kill between two transactions."""


def words(subject: str) -> str:
    return " ".join(f"{subject}{number}" for number in range(80))


def killed_after_moving(root: Path) -> None:
    """Begin a pass that ends when the first note is read, its moves written."""

    def stop(*_: object) -> None:
        raise Killed

    with pytest.raises(Killed):
        sync(root, progress=stop)


@pytest.mark.parametrize("name", ["identities.tsv", "tree.tsv"])
def test_a_link_in_the_place_of_our_file_leads_to_no_write(vault: Make, name: str) -> None:
    """A vault that was cloned may hold any link: the note behind it keeps every byte, and status says why."""
    root = vault({"Note.md": "b\na\n\na\n", "a.md": words("a")})
    sync(root)
    (root / ".vaultsync" / name).unlink(missing_ok=True)
    (root / ".vaultsync" / name).symlink_to("../Note.md")
    (root / "a.md").rename(root / "z.md")
    sync(root)
    assert (root / "Note.md").read_bytes() == b"b\na\n\na\n"
    assert "link" in ask("--vault", root, "status", "--json").json["failures"][0]["last_error"]


def test_a_linked_folder_of_ours_is_left_alone(vault: Make) -> None:
    """Nothing is written behind it; the vault is remembered all the same."""
    root = vault({"a.md": words("a"), "Other/b.md": words("b")})
    (root / ".vaultsync").symlink_to("Other")
    sync(root)
    uid = uids_of(root)["a.md"]
    (root / "a.md").rename(root / "z.md")
    sync(root)
    assert uids_of(root)["z.md"] == uid
    assert [path.name for path in (root / "Other").iterdir()] == ["b.md"]


def test_a_pass_that_died_before_it_told_is_told_of_by_the_next(vault: Make) -> None:
    """The moves are written first; their lines are owed."""
    root = vault({"a.md": words("a"), "b.md": words("b")})
    sync(root)
    uid = uids_of(root)["a.md"]
    (root / "a.md").rename(root / "z.md")
    fill_vault(root, {"b.md": words("b") + " more"})
    killed_after_moving(root)
    assert not (root / LEDGER).exists()
    sync(root)
    assert f"{uid}\tz.md" in (root / LEDGER).read_text()


@pytest.mark.parametrize("path", [LEDGER, ".vaultsync/tree.tsv"])
def test_a_file_of_ours_that_cannot_be_read_ends_no_sync(vault: Make, path: str) -> None:
    """It is a failure to look at; once it is mended, the line is written."""
    root = vault({"a.md": words("a"), "b.md": words("b")})
    sync(root)
    uid = uids_of(root)["a.md"]
    (root / path).unlink(missing_ok=True)
    (root / path).mkdir()
    (root / "a.md").rename(root / "z.md")
    assert len(sync(root).renamed) == 1
    assert ask("--vault", root, "status", "--json").json["failures"]
    (root / path).rmdir()
    sync(root)
    assert f"{uid}\tz.md" in (root / LEDGER).read_text()
    assert ask("--vault", root, "status", "--json").json["failures"] == []


@pytest.mark.parametrize("order", [(), ("--dry-run",), ("--only", "a.md")])
def test_a_whole_pass_goes_on_without_the_vaults_word(vault: Make, order: tuple[str, ...]) -> None:
    """Notes are indexed though `tree.tsv` is a folder; no tree grows, no generated note is touched."""
    root = vault({"a.md": words("a"), "b.md": words("b")})
    assert ask("--vault", root, "sync").status == 0
    generated = (root / "_summaries/Vault (summary).md").read_bytes()
    (root / ".vaultsync/tree.tsv").unlink()
    (root / ".vaultsync/tree.tsv").mkdir()
    fill_vault(root, {"a.md": words("new")})
    answer = ask("--vault", root, "sync", *order, "--json")
    assert (answer.status, answer.json["modified"], answer.json["summaries"]["written"]) == (0, 1, [])
    assert (root / "_summaries/Vault (summary).md").read_bytes() == generated
    status = ask("--vault", root, "status", "--json").json
    assert status["writing"] == {"on": True, "writer": None, "resting": None, "git_busy": None}
    assert "tree.tsv can't be read" in ask("--vault", root, "status").text
    (root / ".vaultsync/tree.tsv").rmdir()
    assert ask("--vault", root, "sync", "--json").json["summaries"]["written"]


def test_an_import_beside_a_loss_fills_no_ledger(vault: Make) -> None:
    """Who loses a note and makes another within the hour may have renamed it; who brings hundreds has not."""
    root = vault({f"{number}.md": words(f"n{number}") for number in range(3)})
    sync(root)
    (root / "0.md").unlink()
    sync(root)
    fill_vault(root, {f"Import/{number}.md": words(f"i{number}") for number in range(120)})
    sync(root)
    assert not (root / LEDGER).exists()


def test_a_uid_that_was_swept_and_is_told_again_can_be_swept_again(vault: Make) -> None:
    """On a machine that reads, a note may go and come back with the uid that the writer's ledger says, twice."""
    root = vault({"a.md": words("a"), "z.md": words("z")})
    fill_vault(root, {".vaultsync/tree.tsv": "writer\t000000000000\n"})
    fill_vault(root, {LEDGER: "2c077d87-4cf2-5a27-9ca9-9221d6517a60\tz.md\n"})
    for _ in range(2):
        sync(root)
        assert uids_of(root)["z.md"] == "2c077d87-4cf2-5a27-9ca9-9221d6517a60"
        (root / "z.md").unlink()
        sync(root)
        with memory_of(root, write=True) as memory, memory.db.write() as tx:
            tombstones.sweep(tx, 2**40)
        fill_vault(root, {"z.md": words("z")})
