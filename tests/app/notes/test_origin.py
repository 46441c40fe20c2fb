"""What git changed is told from what a person did: it excuses removals, and lets the vault rest."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest
from repositories import commit_all, git
from small_vaults import ask, fill_vault, memory_of, sync, uids_of

from vaultsync.app.machines import own_files
from vaultsync.app.notes import origin
from vaultsync.domain.notes import NotePath
from vaultsync.store import marks

NUMBER = 24
"""Of notes: enough to be guarded."""

PATHS = frozenset(NotePath(f"{number}.md") for number in range(NUMBER))


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault in git, to be copied, whose branch `few` has no note but one."""
    root = fill_vault(
        tmp_path_factory.mktemp("git") / "Vault", {path: f"The text of {path}." for path in PATHS}
    )
    git(root, "init", "-q")
    commit_all(root)
    git(root, "checkout", "-qb", "few")
    git(root, "rm", "-q", *(path for path in PATHS if path != "0.md"))
    git(root, "commit", "-qm", "few")
    git(root, "checkout", "-q", "main")
    return root


@pytest.fixture
def root(repository: Path, home: Path, tmp_path: Path) -> Path:
    """A copy of that vault, synced once."""
    del home
    root = Path(shutil.copytree(repository, tmp_path.resolve() / "Vault"))
    git(root, "update-index", "-q", "--refresh")
    sync(root)
    return root


def of_git(root: Path, *paths: str) -> set[str]:
    with memory_of(root) as memory:
        return set(origin.of_git(memory, {NotePath(path) for path in paths}))


def is_resting(root: Path) -> bool:
    with memory_of(root) as memory:
        return origin.is_resting(memory)


def test_nothing_is_gits_before_it_moved(root: Path) -> None:
    """What differs from the last commit is a person's, and so is all of a vault outside git."""
    (root / "1.md").unlink()
    fill_vault(root, {"2.md": "changed"})
    assert of_git(root, "1.md", "2.md", "3.md") == set()


def test_what_is_as_the_index_says_is_gits(root: Path) -> None:
    """Of the changes after a checkout, those that a person made on top are not."""
    git(root, "checkout", "-q", "few")
    fill_vault(root, {"0.md": "changed", "new.md": "new"})
    assert of_git(root, "0.md", "1.md", "new.md") == {"1.md"}


def test_outside_git_nothing_is_asked(home: Path, tmp_path: Path) -> None:
    """All is a person's, and nothing rests."""
    del home
    root = fill_vault(tmp_path / "Plain", {"a.md": "alpha"})
    sync(root)
    (root / "a.md").rename(root / "b.md")
    sync(root)
    assert of_git(root, "a.md", "b.md") == set()
    assert not is_resting(root)


def test_a_first_sync_is_no_change_by_git(root: Path) -> None:
    """Nothing was seen before, so nothing moved."""
    assert not is_resting(root)


def test_a_checkout_lets_the_vault_rest(root: Path) -> None:
    """Until a note changes by hand; a pass without changes leaves it as it is."""
    git(root, "checkout", "-q", "few")
    sync(root)
    assert is_resting(root)
    sync(root)
    assert is_resting(root)
    fill_vault(root, {"0.md": "changed"})
    sync(root)
    assert not is_resting(root)


def test_one_change_by_hand_among_many_by_git(root: Path) -> None:
    """Somebody is at work: nothing rests."""
    git(root, "checkout", "-q", "few")
    fill_vault(root, {"0.md": "changed"})
    sync(root)
    assert not is_resting(root)


def test_a_day_ends_the_rest(root: Path) -> None:
    """What was to be told is written then, without any change."""
    git(root, "checkout", "-qb", "renamed")
    git(root, "mv", "1.md", "one.md")
    git(root, "commit", "-qm", "renamed")
    uid = uids_of(root)["1.md"]
    sync(root)
    assert uids_of(root)["one.md"] == uid
    sync(root)
    assert not (root / own_files.LEDGER).exists()
    with memory_of(root, write=True) as memory, memory.db.write() as tx:
        marks.put(tx, {"rests since": str(int(time.time()) - origin.REST_S)})
    sync(root)
    assert (root / own_files.LEDGER).read_text(encoding="utf-8") == f"{uid}\tone.md\n"


def test_a_vault_that_is_always_committed_first_is_written_into_once_a_day(root: Path) -> None:
    """Each pass sees git's changes alone; the day counts from the first."""
    for number in (1, 2):
        git(root, "mv", f"{number}.md", f"moved {number}.md")
        git(root, "commit", "-qm", "moved")
        sync(root)
    with memory_of(root, write=True) as memory, memory.db.write() as tx:
        marks.put(tx, {"rests since": str(int(time.time()) - origin.REST_S)})
    for number in (3, 4):
        git(root, "mv", f"{number}.md", f"moved {number}.md")
        git(root, "commit", "-qm", "moved")
        sync(root)
    told = (root / own_files.LEDGER).read_text(encoding="utf-8")
    assert [f"moved {number}.md" in told for number in (1, 2, 3, 4)] == [True, True, True, False]


def test_a_change_by_hand_ends_it_too(root: Path) -> None:
    """Then all that waited is written at once."""
    git(root, "mv", "1.md", "one.md")
    uid = uids_of(root)["1.md"]
    sync(root)
    assert not (root / own_files.LEDGER).exists()
    fill_vault(root, {"2.md": "changed"})
    sync(root)
    assert (root / own_files.LEDGER).read_text(encoding="utf-8") == f"{uid}\tone.md\n"


def test_a_pass_over_a_part_leaves_the_rest_to_the_next(root: Path) -> None:
    """What it did not look at is still git's."""
    git(root, "checkout", "-q", "few")
    sync(root, only=[NotePath("1.md")])
    report = sync(root)
    assert (len(report.removed), report.refusal) == (NUMBER - 2, None)
    assert is_resting(root)


def test_a_checkout_without_most_notes_is_not_held(root: Path) -> None:
    """They leave at once, and the way back brings them with their uids."""
    uids = uids_of(root)
    git(root, "checkout", "-q", "few")
    report = sync(root)
    assert (len(report.removed), report.refusal) == (NUMBER - 1, None)
    git(root, "checkout", "-q", "main")
    report = sync(root)
    assert (len(report.returned), report.added) == (NUMBER - 1, [])
    assert uids_of(root) == uids


def remove_most(root: Path) -> None:
    for path in sorted(PATHS)[1:]:
        (root / path).unlink()


def test_a_mass_deletion_is_held_until_a_person_accepts_it(root: Path) -> None:
    """`status` says why, and what may be done."""
    uids = uids_of(root)
    remove_most(root)
    report = sync(root)
    assert (report.removed, report.held_removals) == ([], NUMBER - 1)
    assert uids_of(root).keys() == uids.keys()
    told = ask("--vault", root, "status")
    assert told.status == 1
    assert f"{NUMBER - 1} of {NUMBER} notes are gone from the disk" in told.text
    assert "--accept-removals" in told.text
    assert ask("--vault", root, "sync", "--accept-removals").status == 0
    assert uids_of(root).keys() == {min(PATHS)}
    assert ask("--vault", root, "status").status == 0


def test_a_mass_deletion_beside_a_checkout_is_held(root: Path) -> None:
    """What git took away goes; what vanished otherwise stays, though git moved."""
    git(root, "rm", "-q", "0.md")
    git(root, "commit", "-qm", "one less")
    for number in range(1, NUMBER - 2):
        (root / f"{number}.md").unlink()
    report = sync(root)
    assert (report.removed, report.held_removals) == (["0.md"], NUMBER - 3)


def test_a_mass_deletion_of_what_git_never_had_is_held(root: Path) -> None:
    """Git can't have taken away what it ignored, whatever it commits besides."""
    fill_vault(
        root, {".gitignore": "Private/\n"} | {f"Private/{n}.md": f"Private {n}." for n in range(3 * NUMBER)}
    )
    sync(root)
    shutil.rmtree(root / "Private")
    commit_all(root)
    report = sync(root)
    assert (report.held_removals, report.removed) == (3 * NUMBER, [])


def test_an_index_that_was_only_refreshed_excuses_nothing(root: Path) -> None:
    """Removals go with a move of HEAD, not with `git rm` nor with `git status`."""
    git(root, "rm", "-q", *(path for path in PATHS if path != "0.md"))
    assert sync(root).held_removals == NUMBER - 1


def test_what_was_held_is_found_as_a_rename_later(root: Path) -> None:
    """The notes had only gone to where they were not seen yet."""
    uids = uids_of(root)
    remove_most(root)
    assert sync(root).held_removals == NUMBER - 1
    fill_vault(root, {f"Archive/{path}": f"The text of {path}." for path in sorted(PATHS)[1:]})
    report = sync(root)
    assert (len(report.renamed), report.held_removals, report.refusal) == (NUMBER - 1, 0, None)
    assert {path.rpartition("/")[2]: uid for path, uid in uids_of(root).items()} == uids


def test_what_was_held_comes_back_as_it_was(root: Path) -> None:
    """A disk that was not mounted is there again: nothing was removed, nothing is parsed."""
    uids = uids_of(root)
    root.rename(root.parent / "elsewhere")
    fill_vault(root, {})
    assert sync(root).held_removals == NUMBER
    (root / ".obsidian").rmdir()
    root.rmdir()
    (root.parent / "elsewhere").rename(root)
    report = sync(root)
    assert (report.parsed, report.held_removals, report.added) == (0, 0, [])
    assert uids_of(root) == uids


def test_a_renamed_folder_of_everything_is_not_held(root: Path) -> None:
    """Nothing is removed by it."""
    uids = uids_of(root)
    (root / "All").mkdir()
    for path in PATHS:
        (root / path).rename(root / "All" / path)
    report = sync(root)
    assert (len(report.renamed), report.refusal, report.parsed) == (NUMBER, None, 0)
    assert uids_of(root) == {f"All/{path}": uid for path, uid in uids.items()}


def test_what_moved_since_the_last_pass_is_noticed(root: Path) -> None:
    """A pass over the whole vault takes note of where git is, one over a part does not; without git nothing moves."""
    sync(root)
    with memory_of(root) as memory:
        assert not origin.has_moved(memory)
        (root / "0.md").write_text("Another text.")
        commit_all(root)
        assert origin.has_moved(memory)
    sync(root, only=[NotePath("0.md")])
    with memory_of(root) as memory:
        assert origin.has_moved(memory)
    sync(root)
    shutil.rmtree(root / ".git")
    sync(root)
    with memory_of(root) as memory:
        assert not origin.has_moved(memory)
