"""What `tree`, `drill`, `leaves` and `source` print, and what `show` and `status` say of summaries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from grown_trees import grow, place, plant
from small_vaults import ask, memory_of, sync

from vaultsync.store import summaries

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from small_vaults import Answer


@pytest.fixture
def garden(vault: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree of nine notes, one of four that waits, and a private one."""
    root = vault({"Diary.md": "---\nprivate: true\n---\nA secret \x1b[2J of mine. It is long.\n"})
    with memory_of(root, write=True) as memory:
        plant(memory)
        place(memory, "Log")
        grow(memory, private=True)
    monkeypatch.chdir(root)
    monkeypatch.setenv("COLUMNS", "80")
    return root


def say(*words: str) -> Answer:
    answer = ask(*words)
    assert answer.status == 0, answer.err
    assert not {char for char in answer.text if ord(char) < 32} - {"\n"}
    return answer


def branches(node: dict[str, Any]) -> list[dict[str, Any]]:
    return [node, *(below for child in node["children"] if "id" in child for below in branches(child))]


def test_tree_is_drawn(garden: Path) -> None:
    """A line a summary or note, in 80 columns; what waits for a summary stands below."""
    lines = say("tree").text.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == "Vault  private"
    drawn = say("tree", "garden").text
    assert drawn.startswith(
        "Garden\n└── Garden 2.4  level 2, open\n    ├── Garden 1.1  level 1\n    │   ├── "
    )
    assert "Under no summary yet  4\n├── Log/2026-03-01.md\n" in say("tree", "Log").text
    del garden


def test_tree_as_json_holds_nothing_of_this_machine(garden: Path) -> None:
    """Ids, order, hashes and paths; no time, no place on the disk, no row."""
    document = say("tree", "--json").json
    assert [(tree["source"], tree["private"]) for tree in document["trees"]] == [
        ("", True),
        ("Garden", False),
        ("Log", False),
    ]
    (root,) = document["trees"][1]["roots"]
    assert [node["ordinal"] for node in branches(root)] == [4, 1, 2, 3]
    assert set(root) == {
        "id", "ordinal", "level", "shelf", "state", "pinned", "title", "path", "text_hash", "input_digest", "generator",
        "children",
    }  # fmt: skip
    assert set(root["children"][0]["children"][0]) == {"note", "path", "title", "digest"}
    assert set(document["trees"][2]) == {"id", "source", "private", "roots", "loose"}
    assert len(document["trees"][2]["loose"]) == 4
    assert str(garden) not in say("tree", "--json").text


def test_drill_says_what_is_above_and_below(garden: Path) -> None:
    """From the root to the node, then what is below, each with its first sentence."""
    lines = say("drill", "Bed 3").text.splitlines()
    assert lines[0] == "Garden 2.4  level 2, open"
    assert lines[2] == "  Garden 1.1  level 1"
    assert lines[4] == "    Bed 3  Garden/Bed 3.md"
    document = say("drill", "Garden 2.4", "--depth", "3", "--json").json
    (first, *_) = document["node"]["children"]
    assert (document["node"]["kind"], first["kind"], first["children"][0]["kind"]) == (
        "summary",
        "summary",
        "note",
    )
    leaf = first["children"][0]["children"][0]
    assert leaf["raw_refs"] == [{"path": "Garden/Bed 1.md", "start": 0, "end": leaf["raw_refs"][0]["end"]}]
    above = say("drill", "Garden/Bed 3.md", "--json").json["above"]
    assert [row["ordinal"] for row in above] == [1, 4]
    del garden


def test_leaves_are_printed_page_after_page(garden: Path) -> None:
    """The next page is told on stderr; stdout is text alone."""
    first = say("leaves", "Garden 2.4", "--limit", "2")
    assert first.text.startswith("Bed 1  Garden/Bed 1.md, bytes 0-")
    assert "9 in all. Go on with --cursor " in first.err
    cursor = say("leaves", "Garden 2.4", "--limit", "8", "--json").json["next"]
    (last,) = say("leaves", "Garden 2.4", "--cursor", cursor, "--json").json["leaves"]
    assert (last["title"], last["kind"], last["status"]) == ("Bed 9", "leaf", "admitted")
    assert ask("leaves", "Garden 2.4", "--cursor", "nonsense").status == 2
    assert ask("leaves").status == 2
    del garden


def test_source_tells_what_is_new(garden: Path) -> None:
    """The newest first, or what answers; the root source is the vault itself."""
    said = say("source", "Log", "-k", "2").text
    assert "Not summed up yet  4\n  2026-03-04  2026-03-04  Log/2026-03-04.md\n" in said
    assert "  and 2 more\n" in said
    document = say("source", "garden", "--query", "crop number 7", "--json").json
    assert document["source"] == "Garden"
    assert "number 7" in document["summaries"][0]["snippet"]
    assert document["left_out"] is None
    root = say("source", "", "--json").json
    assert [row["private"] for row in (*root["summaries"], *root["leaves"])] == [True]
    assert ask("source", "Attic").status == 2
    del garden


def test_show_says_where_a_note_stands(garden: Path) -> None:
    """The way up to the root, and of each chunk how far it is and what is above it."""
    document = say("show", "Bed 3", "--json").json
    place_ = document["place"]
    assert (place_["source"], place_["private"], len(place_["parents"])) == ("Garden", False, 2)
    assert [(chunk["status"], chunk["parent"]) for chunk in document["chunks"]] == [
        ("sealed", place_["parents"][0])
    ]
    waiting = say("show", "2026-03-01", "--json").json
    assert (waiting["place"]["parents"], waiting["chunks"][0]["status"]) == ([], "admitted")
    del garden


def test_show_says_all_of_a_summary(garden: Path) -> None:
    """Its text, what it was made from, and who wrote it; not the text of one that is withdrawn."""
    document = say("show", "Garden 1.1", "--json").json
    assert (document["kind"], document["path"], document["state"], document["generator"]) == (
        "summary",
        None,
        "sealed",
        "test",
    )
    assert [child["title"] for child in document["children"]] == ["Bed 1", "Bed 2", "Bed 3", "Bed 4"]
    assert "crop number 3" in document["text"]
    assert "Bed 2" in say("show", "Garden 1.1").text
    with memory_of(garden, write=True) as memory, memory.db.write() as tx:
        summaries.withdraw(tx, [tx.value("SELECT id FROM node WHERE title = 'Bed 3'")])
    assert say("show", "Garden 1.1", "--json").json["text"] is None
    for words in (("show", "Garden 1.1"), ("drill", "Garden 1.1"), ("tree",)):
        assert "withheld until it is made again" in say(*words).text
    assert "crop number" not in say("show", "Garden 1.1").text
    assert say("drill", "Garden 1.1", "--json").json["node"]["text"] is None


def test_a_generated_note_is_known_as_its_summary(garden: Path) -> None:
    """By its path; one that is no summary's is left out because it is ours."""
    with memory_of(garden, write=True) as memory, memory.db.write() as tx:
        tx.run("UPDATE summaries SET path = '_summaries/One.md', written_hash = '0' WHERE ordinal = 4")
    (garden / "_summaries").mkdir()
    (garden / "_summaries/One.md").write_text("---\nvaultsync: 12345678-1234-1234\n---\n")
    (garden / "_summaries/Map.md").write_text("---\nvaultsync: 12345678-1234-1234\n---\n")
    sync(garden)
    shown = say("show", "_summaries/One.md", "--json").json
    assert (shown["kind"], shown["title"], shown["path"]) == ("summary", "Garden 2.4", "_summaries/One.md")
    assert say("show", "_summaries/Map.md", "--json").json["left_out"]["code"] == "generated"
    document = say("status", "--json").json
    assert (document["generated"], document["left_out"]["ignored-by-note"]) == (2, 0)


def test_search_tells_of_summaries_that_quote(garden: Path) -> None:
    """In a note's own line, and by uid in JSON; a summary without a note has no link."""
    assert "quoted by 2 of the summaries above it" in say("search", "crop number 5", "--kind", "all").text
    hit = say("search", "crop number 5", "--kind", "all", "--json").json["hits"][0]
    assert (hit["kind"], len(hit["summaries"])) == ("note", 2)
    hit = say("search", "crop number 7", "--kind", "summary", "--json").json["hits"][0]
    assert (hit["path"], hit["link"], hit["line"]) == (None, None, 1)
    assert "a summary, " in say("search", "crop number 7", "--kind", "summary").text
    del garden


def test_status_lists_sources_and_what_is_pinned(garden: Path) -> None:
    """Counts that scripts rely on, and a line each for people."""
    with memory_of(garden, write=True) as memory, memory.db.write() as tx:
        (row, *_) = [row for row in summaries.every(tx) if row.folder == "Garden"]
        summaries.pin(tx, row.uid, pinned=True)
    document = say("status", "--json").json
    by_source = {(one["source"], one["private"]): one for one in document["sources"]}
    assert by_source["Garden", False]["summaries"] == 4
    assert (by_source["Log", False]["waiting"], by_source["Log", False]["summaries"]) == (4, 0)
    assert [row["title"] for row in document["pinned"]] == ["Garden 1.1"]
    assert document["writing"] == {"on": True, "writer": True, "resting": False, "git_busy": False}
    assert "Garden: 9 notes, 4 summaries, 2 open, 1 pinned\n" in say("status").text
