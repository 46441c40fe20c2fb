"""Every leaf of a living note is admitted or dropped, with what it mentions, by its own text and headings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from small_vaults import fill_vault, memory_of, sync

from vaultsync.app.growing import extract as stage
from vaultsync.app.growing.extract import extract
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.store import entities, tombstones

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from vaultsync.app.memory import Memory

    Make = Callable[[Mapping[str, str | bytes]], Path]
    Note = Callable[[str, str], Path]

MET = "Kale froze overnight, and we met Nell Ayre at #Seed/Pea."
SILENT = "![[Chart.base]]"
LONG = "\n\n".join(f"## Part {number}\n\n{MET}" for number in range(4))


class Killed(Exception):
    """Stands for a kill between two transactions."""


def run(memory: Memory) -> int:
    """Index the vault and extract; return how many leaves were."""
    reconcile(memory)
    return extract(memory, lambda _stage, _done, _total: None)


def statuses(memory: Memory) -> list[tuple[str, str | None]]:
    """Return the path of each leaf's note and what became of it, in order."""
    return memory.db.read().all(
        "SELECT path, status FROM chunks JOIN files USING (node_id) ORDER BY path, chunk_idx"
    )


def mentioned(memory: Memory, path: str) -> list[tuple[str, str, str]]:
    """Return kind, form and surface of what a note mentions."""
    texts: dict[int, str] = dict(
        memory.db.read().rows(
            "SELECT c.id, c.text FROM chunks c JOIN files f USING (node_id) WHERE path = ?", [path]
        )
    )
    return [
        (spot.kind, spot.canonical, texts[spot.chunk_id][spot.start : spot.end])
        for spot in entities.of_leaves(memory.db.read(), texts)
    ]


def edit(place: Path, old: str, new: str) -> None:
    place.write_text(place.read_text().replace(old, new, 1))


def test_a_leaf_is_admitted_or_dropped_with_what_it_mentions(memory: Memory, note: Note) -> None:
    """Nothing waits afterwards, and a pass without news does nothing."""
    note("a.md", f"{MET} ✓ Nell Ayre said so.")
    note("b.md", SILENT)
    assert run(memory) == 2
    assert statuses(memory) == [("a.md", "admitted"), ("b.md", "dropped")]
    assert mentioned(memory, "a.md") == [
        ("name", "nell ayre", "Nell Ayre"),
        ("tag", "seed/pea", "#Seed/Pea"),
        ("name", "nell ayre", "Nell Ayre"),
    ]
    assert run(memory) == 0


def test_only_what_changed_is_looked_at_again(memory: Memory, note: Note) -> None:
    """The other leaves of the note keep their status, whoever gave it; what the old text mentioned is gone."""
    place = note("a.md", LONG)
    assert run(memory) == 4
    with memory.db.write() as tx:
        tx.run("UPDATE chunks SET status = 'dropped'")
    edit(place, "Nell Ayre", "Wren Pelloquin")
    assert run(memory) == 1
    assert statuses(memory) == [("a.md", status) for status in ("admitted", "dropped", "dropped", "dropped")]
    names = [form for kind, form, _ in mentioned(memory, "a.md") if kind == "name"]
    assert names == ["wren pelloquin", *["nell ayre"] * 3]


def test_a_fence_that_opens_above_hides_what_leaves_below_mentioned(memory: Memory, note: Note) -> None:
    """They did not change themselves; all leaves of a note are looked at together."""
    code = "\n".join(f"met Nell Ayre at the {number}th pole, and went on from there" for number in range(60))
    place = note("a.md", f"````\n{code}\n````\n")
    edit(place, "````\n", "")
    run(memory)
    assert len(statuses(memory)) > 1
    assert len(mentioned(memory, "a.md")) > 50
    edit(place, "met", "````\nmet")
    run(memory)
    assert mentioned(memory, "a.md") == []


def test_templates_and_notes_set_aside_are_dropped_while_they_are(memory: Memory, note: Note) -> None:
    """What makes a note of one, or one of a note, lets its leaves be looked at again."""
    (memory.root / ".obsidian/templates.json").write_text(json.dumps({"folder": "Forms"}))
    place = note("Forms/a.md", LONG)
    note("b.md", MET)
    run(memory)
    assert dict(statuses(memory)) == {"Forms/a.md": "dropped", "b.md": "admitted"}
    assert mentioned(memory, "Forms/a.md") == []
    place.rename(memory.root / "a.md")
    (memory.root / ".obsidian/app.json").write_text(json.dumps({"userIgnoreFilters": ["b.md"]}))
    assert run(memory) == 5
    assert dict(statuses(memory)) == {"a.md": "admitted", "b.md": "dropped"}
    assert mentioned(memory, "b.md") == []
    (memory.root / ".obsidian/app.json").write_text("{}")
    assert run(memory) == 1
    assert dict(statuses(memory)) == {"a.md": "admitted", "b.md": "admitted"}


def test_a_plugins_data_is_dropped(memory: Memory, note: Note) -> None:
    """The text of a drawing counts no more once its note is one, though no letter of it changed."""
    text = f"{MET}\n\n# Drawing\n\n{MET}\n"
    place = note("a.md", text)
    run(memory)
    assert [status for _, status in statuses(memory)] == ["admitted", "admitted"]
    place.write_text(f"---\nexcalidraw-plugin: parsed\n---\n{text}")
    assert run(memory) == 1
    assert [status for _, status in statuses(memory)] == ["admitted", "dropped"]
    assert len(mentioned(memory, "a.md")) == 2


def test_a_tombstone_waits_until_its_note_returns(memory: Memory, note: Note) -> None:
    """What was not looked at before it went is looked at then; what was, is not again."""
    place = note("a.md", MET)
    reconcile(memory)
    place.rename(memory.state / "a.md")
    assert run(memory) == 0
    assert statuses(memory) == [("a.md", None)]
    (memory.state / "a.md").rename(place)
    assert run(memory) == 1
    place.rename(memory.state / "a.md")
    run(memory)
    (memory.state / "a.md").rename(place)
    assert run(memory) == 0


def test_a_killed_pass_is_gone_on_with(memory: Memory, note: Note, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a transaction settled stays; each leaf has its status and its mentions, or neither."""
    monkeypatch.setattr(stage, "BATCH_LEAVES", 1)
    for name in ("a", "b", "c"):
        note(f"{name}.md", MET)
    reconcile(memory)

    def stop(_stage: str, done: int, _total: int) -> None:
        if done == 2:
            raise Killed

    with pytest.raises(Killed):
        extract(memory, stop)
    settled = [path for path, status in statuses(memory) if status]
    assert len(settled) == 2
    assert [path for path in ("a.md", "b.md", "c.md") if mentioned(memory, path)] == settled
    assert run(memory) == 1
    assert all(mentioned(memory, path) for path in ("a.md", "b.md", "c.md"))


def test_an_index_built_again_admits_the_same(vault: Make, tmp_path: Path) -> None:
    """However often notes were edited and moved before: the text and its headings alone decide."""
    root = vault({"a.md": LONG, "b.md": SILENT, "Old/c.md": f"# Kale\n\n{SILENT}\n\n## Later\n\nKale froze."})
    sync(root)
    with memory_of(root, write=True) as memory:
        run(memory)
        edit(root / "a.md", MET, SILENT)
        (root / "Old/c.md").rename(root / "c.md")
        run(memory)
        fill_vault(root, {"b.md": MET, "c.md": f"# Kale\n\n{MET}\n\n## Later\n\n{SILENT}"})
        run(memory)
        lived = statuses(memory), [mentioned(memory, path) for path in ("a.md", "b.md", "c.md")]
    with memory_of(root, tmp_path / "fresh", write=True) as memory:
        run(memory)
        assert lived == (
            statuses(memory),
            [mentioned(memory, path) for path in ("a.md", "b.md", "c.md")],
        )


def test_processes_find_what_one_does(memory: Memory, note: Note, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many leaves are shared out; what comes of each is the same."""
    monkeypatch.setattr(stage, "BATCH_LEAVES", 3)
    for number in range(4):
        note(f"{number}.md", LONG)
    run(memory)
    alone = statuses(memory), mentioned(memory, "2.md")
    with memory.db.write() as tx:
        tx.run("UPDATE chunks SET status = NULL")
        tx.run("DELETE FROM mentions")
    monkeypatch.setattr(stage, "PARALLEL_FROM", 1)
    assert run(memory) == 16
    assert alone == (statuses(memory), mentioned(memory, "2.md"))


def test_entities_that_nothing_mentions_go_with_the_tombstones(memory: Memory, note: Note) -> None:
    """Until a note is forgotten its mentions are kept, so that it can return."""
    note("a.md", MET)
    place = note("b.md", "there Wren Pelloquin met Nell Ayre today")
    run(memory)
    place.unlink()
    run(memory)
    forms = "SELECT canonical FROM entities WHERE kind = 'name' ORDER BY canonical"
    assert memory.db.read().all(forms) == [("nell ayre",), ("wren pelloquin",)]
    with memory.db.write() as tx:
        tombstones.sweep(tx, 2**40)
    assert memory.db.read().all(forms) == [("nell ayre",)]
