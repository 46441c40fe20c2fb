"""Whole passes as a person asks for them: what is sealed, flushed, written, and left alone."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING

import pytest
from grown_vaults import about, generated, prose, rows_of
from machines import files_of
from repositories import commit_all, git
from small_vaults import ask, fill_vault, memory_of

from vaultsync.app.sync import Wish, sync
from vaultsync.domain import survey
from vaultsync.store import attempts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from typing import Any

    from vaultsync.app.notes.report import Report

    Make = Callable[[Mapping[str, str | bytes]], Path]

NAMES = ("apple", "birch", "clover", "daisy", "elder")


@pytest.fixture
def garden(vault: Make) -> Path:
    """Two sources: two notes fill a summary."""
    return vault({**about(*NAMES), **about("fern", "gorse", folder="Woods")})


def run(root: Path, wish: Wish = Wish(), **how: Any) -> Report:  # noqa: ANN401, B008 - as `sync` takes them
    with memory_of(root, write=True) as memory:
        return sync(memory, wish, **how)


def tree_of(root: Path) -> Any:  # noqa: ANN401 - a JSON document
    answer = ask("--vault", root, "tree", "--json")
    assert answer.status == 0, answer.err
    return answer.json


def waiting(root: Path) -> set[str]:
    """Return the notes that have no summary yet."""
    return {note["path"] for tree in tree_of(root)["trees"] for note in tree["loose"]}


def test_the_first_pass_leaves_nothing_without_a_summary(garden: Path) -> None:
    """The tree is there at once, each source with one root, whatever the age of the notes."""
    report = run(garden)
    assert report.is_first_build
    assert not waiting(garden)
    for tree in tree_of(garden)["trees"]:
        assert len(tree["roots"]) <= 1
    assert "Garden/Garden (summary).md" in generated(garden)
    assert not run(garden).tended.changed


def test_later_notes_wait_for_their_bucket_or_a_flush(garden: Path) -> None:
    """A note that comes later is summed up when its bucket is full or the flush takes it, not at once."""
    run(garden)
    fill_vault(garden, {"Woods/heather.md": "A few words on heather, which is purple in late summer.\n"})
    run(garden)
    run(garden, Wish(flush="none", asked=True))
    assert waiting(garden) == {"Woods/heather.md"}
    assert run(garden, Wish(flush="all", asked=True)).tended.changed
    assert not waiting(garden)


def test_where_the_last_summary_goes_the_next_is_made_at_once(vault: Make) -> None:
    """A vault that holds no summary any more waits for none, and the pass after it has nothing to do."""
    root = vault(about("apple"))
    run(root)
    (root / "Garden/apple.md").unlink()
    fill_vault(root, {"Garden/birch.md": prose("birch")})
    run(root)
    assert not waiting(root)
    before = tree_of(root)
    assert not run(root).tended.changed
    assert tree_of(root) == before


def test_a_pass_without_news_writes_nothing(garden: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither into the store nor into the vault, also where there is no private note to sum up."""
    monkeypatch.setattr(survey, "RACY_SLACK_NS", 0)
    for _ in range(3):
        run(garden)
    before = files_of(garden)
    with memory_of(garden, write=True) as memory:
        version = memory.db.read().value("PRAGMA data_version")
        sync(memory)
        assert memory.db.read().value("PRAGMA data_version") == version
    assert files_of(garden) == before


def test_a_flush_of_one_source_leaves_the_others(garden: Path) -> None:
    """`flush SOURCE` takes what waits in that source alone."""
    run(garden)
    fill_vault(
        garden, {"Woods/ivy.md": "Ivy climbs up every oak.\n", "Garden/ivy.md": "Ivy climbs the old wall.\n"}
    )
    assert ask("--vault", garden, "flush", "woods").status == 0
    assert waiting(garden) == {"Garden/ivy.md"}


def test_an_edit_is_followed_upward_and_no_further(garden: Path) -> None:
    """One changed note: at most one summary a level is made again, and only files above it change."""
    run(garden)
    before = generated(garden)
    fill_vault(garden, {"Garden/apple.md": prose("apple", 1)})
    report = run(garden)
    assert report.tended.remade <= 3
    changed = {path for path, text in generated(garden).items() if before.get(path) != text}
    assert changed
    assert all(path.startswith("Garden/") for path in changed)
    assert not run(garden).written.touched


def test_a_deleted_note_is_quoted_no_more(garden: Path) -> None:
    """No sentence of a deleted note is in any summary made after it."""
    run(garden)
    assert any("The birch has" in text for text in generated(garden).values())
    (garden / "Garden/birch.md").unlink()
    run(garden)
    assert not any("The birch has" in text for text in generated(garden).values())
    assert not any("The birch has" in row.text for row in rows_of(garden))


def test_a_note_that_becomes_private_is_withdrawn(garden: Path) -> None:
    """Its sentences leave every generated note in the same pass; its own summary stays in the store."""
    run(garden)
    fill_vault(garden, {"Garden/daisy.md": f"---\nprivate: true\n---\n{prose('daisy')}"})
    run(garden)
    assert not any("daisy" in text for text in generated(garden).values())
    assert any("The daisy has" in row.text for row in rows_of(garden) if row.private)
    assert not any("The daisy has" in row.text for row in rows_of(garden) if not row.private)
    assert not any(row.withdrawn for row in rows_of(garden))


def test_one_tree_that_fails_stops_no_other(garden: Path) -> None:
    """A tree whose rows are damaged is told of and tried again; the others are tended, and it too once it is mended."""
    run(garden)
    fill_vault(garden, {"Woods/fern.md": prose("fern", 1), "Garden/apple.md": prose("apple", 1)})
    run(garden, Wish(to_text=True))
    with memory_of(garden, write=True) as memory, memory.db.write() as tx:
        tx.run("UPDATE files SET headings = 'broken' WHERE path = 'Woods/fern.md'")
    report = run(garden)
    assert [folder for folder, _ in report.tended.failed] == ["Woods"]
    assert report.needs_a_person
    assert report.tended.remade
    with memory_of(garden) as memory:
        assert any(attempt.stage == "seal" for attempt in attempts.pending(memory.db.read()))
    report = run(garden, rehash=True)
    assert not report.tended.failed
    assert "The fern has" in generated(garden)["Woods/Woods (summary).md"]


def test_a_rehearsal_tells_and_does_nothing(garden: Path) -> None:
    """`sync --dry-run` says how many notes and bytes would be written, and that is what the pass then writes."""
    before = files_of(garden)
    planned = ask("--vault", garden, "sync", "--dry-run", "--json").json["summaries"]
    assert files_of(garden) == before
    done = ask("--vault", garden, "sync", "--json").json["summaries"]
    assert planned["written"] == done["written"]
    assert planned["bytes"] == done["bytes"]
    assert planned["model_calls"] == 0


def test_summaries_may_be_left_out_of_the_vault(garden: Path) -> None:
    """`--no-summaries` and `summaries.write = false` write none; `--no-models` makes none."""
    assert ask("--vault", garden, "sync", "--no-models").status == 0
    assert not rows_of(garden)
    assert ask("--vault", garden, "sync", "--no-summaries").status == 0
    assert rows_of(garden)
    assert not generated(garden)
    assert ask("--vault", garden, "sync").status == 0
    assert generated(garden)


def test_off_and_on_again(garden: Path) -> None:
    """`summary off` stays so for later passes and leaves what is there; `summary on` writes what was missed."""
    run(garden)
    before = generated(garden)
    assert ask("--vault", garden, "summary", "off").status == 0
    fill_vault(garden, {"Garden/apple.md": prose("apple", 2)})
    run(garden)
    assert generated(garden) == before
    assert ask("--vault", garden, "summary", "on").status == 0
    assert generated(garden) != before


def test_a_persons_text_is_pinned_until_it_is_given_back(garden: Path) -> None:
    """An edit between the markers stays through every pass; unpinned, it stays below and the summary is made again."""
    run(garden)
    place = garden / "_summaries/Woods/Woods (summary).md"
    words = "All that I know of the woods is this."
    place.write_text(place.read_text().replace("# Woods\n", f"# Woods\n\n{words}\n"))
    fill_vault(garden, {"Woods/fern.md": prose("fern", 1)})
    assert len(run(garden).adopted.pinned) == 1
    assert words in place.read_text().partition("%% vaultsync:end")[0]
    answer = ask("--vault", garden, "summary", "unpin", "_summaries/Woods/Woods (summary).md")
    assert answer.status == 0, answer.err
    ours, _, rest = place.read_text().partition("%% vaultsync:end")
    assert words not in ours
    assert words in rest
    assert not any(row.pinned for row in rows_of(garden))
    assert ask("--vault", garden, "summary", "unpin", "_summaries/Woods/Woods (summary).md").status == 2


def test_a_rebuild_makes_the_same_again_and_brings_back_what_was_deleted(garden: Path) -> None:
    """`summary rebuild` writes a deleted note again; texts made of the same notes are the same."""
    run(garden)
    before = generated(garden)
    for deleted in ("Woods/Woods (summary).md", "Vault (summary).md"):
        (garden / "_summaries" / deleted).unlink()
    run(garden)
    assert not {"Woods/Woods (summary).md", "Vault (summary).md"} & generated(garden).keys()
    assert ask("--vault", garden, "summary", "rebuild").status == 0
    assert generated(garden) == before


def test_a_new_folder_becomes_a_source_when_it_is_asked_for(garden: Path) -> None:
    """Later folders are part of the root source until `summary rebuild`; `status` names them before."""
    run(garden)
    fill_vault(garden, about("kale", "leek", folder="Kitchen"))
    run(garden)
    assert not any(tree["source"] == "Kitchen" for tree in tree_of(garden)["trees"])
    assert "Kitchen" in json.dumps(ask("--vault", garden, "status", "--json").json)
    assert ask("--vault", garden, "summary", "rebuild").status == 0
    assert any(tree["source"] == "Kitchen" for tree in tree_of(garden)["trees"])
    assert not waiting(garden)


def test_a_wrong_name_changes_nothing(garden: Path) -> None:
    """A source that is none and a note that is no summary are refused, with what there is."""
    run(garden)
    answer = ask("--vault", garden, "flush", "Attic")
    assert answer.status == 2
    assert "Garden" in answer.err
    assert ask("--vault", garden, "summary", "rebuild", "Garden/apple.md").status == 2


def test_a_first_look_at_a_part_chooses_no_sources(garden: Path) -> None:
    """`sync --only` in a vault that was never seen as a whole makes its text searchable and no tree."""
    assert ask("--vault", garden, "sync", "--only", "Woods").status == 0
    assert not rows_of(garden)
    assert ask("--vault", garden, "sync").status == 0
    assert {tree["source"] for tree in tree_of(garden)["trees"]} == {"Garden", "Woods"}


def test_withdrawn_summaries_are_shown_again_once_they_are_made_again(garden: Path) -> None:
    """A summary whose text came out equal is not withheld for ever."""
    run(garden)
    with memory_of(garden, write=True) as memory, memory.db.write() as tx:
        tx.run("UPDATE summaries SET withdrawn = 1")
        tx.run("UPDATE trees SET changes = changes + 1")
    run(garden)
    assert not any(row.withdrawn for row in rows_of(garden))


def test_a_source_that_becomes_private_is_named_no_more(garden: Path) -> None:
    """Once all its notes are private, neither a generated note nor `tree.tsv` names the folder."""
    run(garden)
    config = garden / ".vaultsync/config.toml"
    config.write_text(f'{config.read_text()}\n[scope]\nprivate = ["Woods/**"]\n')
    run(garden)
    run(garden)
    assert "Woods" not in (garden / ".vaultsync/tree.tsv").read_text()
    assert not any("Woods" in path or "Woods" in text for path, text in generated(garden).items())
    assert "Garden" in (garden / ".vaultsync/tree.tsv").read_text()


def test_bad_settings_are_told_before_anything_is_written(vault: Make) -> None:
    """A setting that can't be used leaves a vault that was never seen as it was."""
    root = vault({"a.md": "Bees.\n", ".vaultsync/config.toml": '[summaries]\nfolder = "../out"\n'})
    before = files_of(root)
    assert ask("--vault", root, "sync").status == 2
    assert files_of(root) == before


@pytest.mark.parametrize("how", ["a link", "a file"])
def test_a_summaries_folder_that_is_none_is_told_at_each_pass(garden: Path, tmp_path: Path, how: str) -> None:
    """Nothing is written through it or over it, a sentence says so until it is gone, and then the notes are written."""
    place = garden / "_summaries"
    if how == "a link":
        (tmp_path / "elsewhere").mkdir()
        place.symlink_to(tmp_path / "elsewhere")
    else:
        place.write_text("mine")
    for _ in range(2):
        answer = ask("--vault", garden, "sync")
        assert answer.status == 1
        assert answer.err.count("_summaries") == 2  # the subject and the sentence
        assert "Errno" not in answer.err
    assert how == "a file" or not [*(tmp_path / "elsewhere").iterdir()]
    assert how == "a link" or place.read_text() == "mine"
    place.unlink()
    assert ask("--vault", garden, "sync").status == 0
    assert generated(garden)


@pytest.mark.parametrize("after", ["lost state", "remove", "edit"])
def test_a_persons_text_that_is_written_anew_is_still_theirs(garden: Path, home: Path, after: str) -> None:
    """Where its file went and is written from the store, nothing takes the text for a machine's."""
    fill_vault(garden, about(*(f"plant{number}" for number in range(6))))
    run(garden)
    place = garden / "_summaries/Woods/Woods (summary).md"
    words = "All that I know of [[Woods/fern]] is this."
    place.write_text(place.read_text().replace("# Woods\n", f"# Woods\n\n{words}\n"))
    run(garden)
    for path in (garden / "_summaries").rglob("*.md"):  # more than a person deletes at once, and not all
        if path.name != "Garden (summary).md":
            path.unlink()
    run(garden)
    assert words in place.read_text()
    if after == "lost state":
        shutil.rmtree(home / "state")
    if after == "remove":
        assert ask("--vault", garden, "remove").status in {0, 1}
    else:
        fill_vault(garden, {"Woods/fern.md": prose("fern", 1)})
        run(garden)
        run(garden, Wish(flush="all", asked=True))
        assert [row.path for row in rows_of(garden) if row.pinned] == ["_summaries/Woods/Woods (summary).md"]
    assert words in place.read_text()


@pytest.mark.parametrize("order", ["flush", "seal", "summary off", "summary on", "summary rebuild"])
def test_nothing_is_ordered_while_git_is_at_work(garden: Path, order: str) -> None:
    """In the middle of a merge an order is refused with a sentence, and no file changes."""
    git(garden, "init", "-q")
    commit_all(garden)
    run(garden)
    (garden / ".git/MERGE_HEAD").write_text(git(garden, "rev-parse", "HEAD"))
    before = files_of(garden)
    answer = ask("--vault", garden, *order.split())
    assert answer.status == 3
    assert "git is in the middle" in answer.err
    assert files_of(garden) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_what_could_not_be_written_is_tried_again_by_the_next_sync(garden: Path) -> None:
    """A person who has made room need not wait for the next try."""
    run(garden, Wish(write=False))
    (garden / "_summaries").mkdir()
    (garden / "_summaries").chmod(0o500)
    assert ask("--vault", garden, "sync").status == 1
    (garden / "_summaries").chmod(0o700)
    assert ask("--vault", garden, "sync").status == 0
    assert generated(garden)


def test_a_title_without_blanks_between_its_words_is_found(vault: Make) -> None:
    """The title of a summary is indexed as that of a note, in any script; `doctor` is content."""
    notes = {f"園芸の記録/{name}.md": f"{prose(name)}\n庭の話を書きました。\n" for name in NAMES}
    root = vault({".vaultsync/config.toml": about()[".vaultsync/config.toml"], **notes})
    assert ask("--vault", root, "sync").status == 0
    assert ask("--vault", root, "doctor").status == 0
    hits = ask("--vault", root, "search", "園芸", "--kind", "summary", "--json").json["hits"]
    assert hits
