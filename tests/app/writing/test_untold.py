"""A writing looks at the trees to which something happened, and the notes say what after a look at all they would."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from grown_vaults import SETTINGS, about, generated, grow, prose, rows_of
from machines import files_of
from small_vaults import fill_vault, memory_of
from tree_promises import faults

from vaultsync.app.sync import sync
from vaultsync.store import summaries, trees

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Vault = Callable[[Mapping[str, str | bytes]], Path]
    Change = Callable[[Path], object]

NOTES = {**about(*"abcde"), **about(*"hijk", folder="Tools"), **about("Log", folder="Diary")}


def edit(root: Path) -> None:
    (root / "Garden/c.md").write_text(prose("c", 1))


def call_otherwise(root: Path) -> None:
    """Let the leaves stay as they are."""
    (root / "Garden/c.md").write_text(f"---\ntitle: Called C\ndate: 2026-03-01\n---\n{prose('c')}")


def rename(root: Path) -> None:
    (root / "Garden/c.md").rename(root / "Garden/Moved.md")


def delete(root: Path) -> None:
    (root / "Garden/c.md").unlink()


def hide(root: Path) -> None:
    (root / "Garden/c.md").write_text(f"---\nprivate: true\n---\n{prose('c')}")


def add(root: Path) -> None:
    fill_vault(root, {"Garden/new.md": prose("new")})


def rename_source(root: Path) -> None:
    (root / "Garden").rename(root / "Orchard")


def take_a_name(root: Path) -> None:
    """Its own notes stay as they are, and one of ours has to go elsewhere."""
    fill_vault(root, {"Tools/Garden (summary 1).md": prose("name")})


def write_into(root: Path) -> None:
    path = root / "_summaries/Garden/Garden (summary 1).md"
    path.write_text(path.read_text().replace("%% vaultsync:begin %%\n", "%% vaultsync:begin %%\nMine.\n"))


def untold(root: Path) -> set[str]:
    with memory_of(root) as memory:
        return {row.folder for row in trees.every(memory.db.read()) if not row.is_told}


CHANGES = (edit, call_otherwise, rename, delete, hide, add, rename_source, take_a_name, write_into)


@pytest.mark.parametrize("change", CHANGES)
def test_after_a_change_all_notes_say_what_those_of_a_state_built_anew_do(
    vault: Vault, change: Change
) -> None:
    """Every note is as its tree's rows, read anew, would make it; and no later pass has more to write."""
    root = vault(NOTES)
    grow(root)
    assert untold(root) == set()
    change(root)
    with memory_of(root, write=True) as memory:
        sync(memory)
        assert faults(memory, is_flushed=False) == []
        state = memory.state
    assert untold(root) == set()
    files = files_of(root)
    assert grow(root, flush=False, again=True).touched == []
    shutil.rmtree(state)
    grow(root, flush=False)
    assert files_of(root) == files


@pytest.mark.parametrize("change", [edit, call_otherwise, rename, delete, hide, add, write_into])
def test_what_happens_in_one_source_is_told_there_alone(vault: Vault, change: Change) -> None:
    """So that one edit costs as much as its source, not as the vault."""
    root = vault(NOTES)
    grow(root)
    change(root)
    grow(root, write=False)
    assert untold(root) == {"Garden"}


def test_a_setting_that_all_notes_follow_is_told_by_all(vault: Vault) -> None:
    """Also by those of sources to which nothing else happens."""
    root = vault(NOTES)
    grow(root)
    fill_vault(root, {".vaultsync/config.toml": f'{SETTINGS}links = "uri"\n'})
    edit(root)
    grow(root)
    texts = generated(root)
    assert all("obsidian://" in text and "[[" not in text for text in texts.values())


def test_a_note_of_which_it_is_not_known_what_it_says_is_told_again(vault: Vault) -> None:
    """As after a repair, though nothing happened to its tree."""
    root = vault(NOTES)
    grow(root)
    row = next(row for row in rows_of(root) if row.folder == "Garden")
    with memory_of(root, write=True) as memory, memory.db.write() as tx:
        summaries.stand(tx, row.uid, row.path, row.written_hash)
    assert untold(root) == set()
    fill_vault(root, {"Tools/new.md": prose("new")})
    grow(root)
    assert all(known.said for known in rows_of(root))


NEWS = (
    "UPDATE nodes SET title = 'other' WHERE kind = 'note'",
    "UPDATE nodes SET event_date = '2026-03-01' WHERE kind = 'note'",
    "UPDATE files SET path = path || '.md' WHERE node_id IS NOT NULL",
    "UPDATE chunks SET parent_id = NULL WHERE kind = 'leaf'",
    "UPDATE chunks SET parent_id = NULL WHERE kind = 'summary'",
    "UPDATE chunks SET text_hash = x'00' WHERE kind = 'summary'",
    "UPDATE summaries SET state = iif(state = 'open', 'sealed', 'open')",
    "UPDATE summaries SET input_digest = ''",
    "UPDATE summaries SET generator = 'other/1'",
    "UPDATE summaries SET pinned = 1",
    "UPDATE summaries SET withdrawn = 1",
    "UPDATE summaries SET missing = 'deleted'",
    "DELETE FROM summaries",
    """
    INSERT INTO summaries (chunk_id, tree_id, ordinal, shelf, state, input_digest, generator)
    SELECT max(id), tree_id, 99, '/', 'open', '', '' FROM chunks WHERE kind = 'leaf' GROUP BY tree_id
    """,
    "UPDATE trees SET folder = folder || 'x'",
    "UPDATE nodes SET deleted_at = 1 WHERE kind = 'note'",
)
OWN = (
    "UPDATE summaries SET path = path || 'x', written_hash = 'x', said = 'x'",
    "UPDATE nodes SET title = 'other' WHERE kind = 'summary'",
    "UPDATE nodes SET title = title, event_date = event_date, updated_at = 1",
    "UPDATE files SET path = path, size = 1",
)


@pytest.mark.parametrize("sql", [*NEWS, *OWN])
def test_news_is_all_that_a_note_depends_on_and_nothing_else(vault: Vault, sql: str) -> None:
    """However it came to be in the store; what a writing itself leaves there is none."""
    root = vault(about(*"abcde"))
    grow(root)
    with memory_of(root, write=True) as memory, memory.db.write() as tx:
        tx.run(sql)
        assert all(row.is_told != (sql in NEWS) for row in trees.every(tx) if row.folder)
