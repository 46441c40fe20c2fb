"""All that is known of a note, and why a file is none."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, get_args

import pytest
from small_vaults import fill_vault, memory_of, sync

from vaultsync.app.finding.show import Shown, show
from vaultsync.app.notes.left_out import REASONS, LeftOut
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.domain.errors import UnknownRef
from vaultsync.domain.snapshot import Rule
from vaultsync.surfaces import note_wire

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vaultsync.app.memory import Memory

    Write = Callable[[str, str], Path]

ALPHA = """---
tags: [project/active]
aliases: [The first]
date: 2026-03-02
---
# Alpha

The plan is in [[beta#plan|the plan]], after [[Nowhere]]. See [[#Goals]] too.

## Goals

Ship it ([[Beta#^q3]]). ^goal
"""
BETA = "Intro for [[The first]].\n\n## Plan\n\nBy summer. ^q3\n"


@pytest.fixture
def alpha(memory: Memory, note: Write) -> Shown:
    note("Projects/Alpha.md", ALPHA)
    note("Projects/Beta.md", BETA)
    reconcile(memory)
    return shown(memory, "Alpha")


def shown(memory: Memory, ref: str) -> Shown:
    found = show(memory, ref)
    assert isinstance(found, Shown)
    return found


def left_out(memory: Memory, ref: str) -> LeftOut:
    found = show(memory, ref)
    assert isinstance(found, LeftOut)
    return found


def test_a_note_says_what_it_says_of_itself(alpha: Shown) -> None:
    """Title, aliases, tags, date, description and outline are those of its bytes."""
    assert (alpha.kind, alpha.path, alpha.title) == ("note", "Projects/Alpha.md", "Alpha")
    assert (alpha.aliases, alpha.tags, alpha.event_date) == (
        ("The first",),
        ("project/active",),
        "2026-03-02",
    )
    assert [(heading.text, heading.level) for heading in alpha.headings] == [("Alpha", 1), ("Goals", 2)]
    assert [block.id for block in alpha.block_ids] == ["goal"]
    assert alpha.uri == "obsidian://open?vault=Vault&file=Projects%2FAlpha.md"
    assert alpha.metadata["tags"] == ["project/active"]
    assert (alpha.chunk_status, alpha.private, alpha.held, alpha.problems) == ("chunked", False, None, ())


def test_chunks_are_the_bytes_where_they_stand(alpha: Shown) -> None:
    """Every chunk's place, read from the file, is its text."""
    assert alpha.chunks
    for chunk in alpha.chunks:
        (place,) = chunk.places
        assert place.path == "Projects/Alpha.md"
        assert ALPHA.encode()[place.start : place.end].decode() == chunk.text


def test_links_say_where_they_lead(alpha: Shown) -> None:
    """A heading and a block are named as their note writes them; a link without a target leads nowhere."""
    found = [(link.target, link.resolved and link.resolved[1:]) for link in alpha.links]
    assert found == [
        ("beta#plan|the plan", ("Projects/Beta.md", "Plan", None, "name")),
        ("Nowhere", None),
        ("#Goals", ("Projects/Alpha.md", "Goals", None, "path")),
        ("Beta#^q3", ("Projects/Beta.md", None, "q3", "name")),
    ]
    assert alpha.links[0].text == "the plan"
    for link in alpha.links:
        assert link.target in ALPHA.encode()[link.start : link.end].decode()


def test_backlinks_are_those_of_other_notes_with_their_sentence(alpha: Shown, memory: Memory) -> None:
    """A link into its own note is no backlink; an alias leads here as a name does."""
    assert [(link.path, link.title) for link in alpha.backlinks] == [("Projects/Beta.md", "Beta")]
    assert "Intro for" in alpha.backlinks[0].explanation
    assert len(shown(memory, "Beta").backlinks) == 2


def test_the_json_has_the_fields_of_the_contract(alpha: Shown) -> None:
    """Other programs rely on these names (commands.md)."""
    document = json.loads(json.dumps(note_wire.node(alpha)))
    assert set(document) >= {
        "uid", "kind", "path", "title", "aliases", "tags", "description", "event_date", "link", "metadata",
        "chunk_status", "vectorized", "problems", "headings", "blocks", "chunks", "links", "backlinks",
    }  # fmt: skip
    assert document["vectorized"] is False
    start = ALPHA.index("# Alpha")
    assert document["headings"][0] == {"text": "Alpha", "level": 1, "start": start, "end": start + 7}
    assert set(document["blocks"][0]) == {"id", "start", "end"}
    chunk = document["chunks"][0]
    assert set(chunk) >= {"uid", "idx", "heading_path", "raw_refs", "text", "tokens", "status", "parent"}
    assert set(chunk["raw_refs"][0]) == {"path", "start", "end"}
    assert (chunk["status"], chunk["parent"]) == ("pending_extraction", None)
    link = document["links"][0]
    assert set(link) >= {"kind", "target", "start", "end", "resolved", "text", "explanation"}
    assert set(link["resolved"]) == {"uid", "path", "heading", "block", "match"}
    assert document["links"][1]["resolved"] is None
    assert set(document["backlinks"][0]) >= {"uid", "path", "explanation"}


def test_problems_are_shown_with_their_line(memory: Memory, note: Write) -> None:
    """A note with broken frontmatter is shown with what is wrong."""
    note("Broken.md", "---\na: b: c\n---\nText.")
    reconcile(memory)
    (problem,) = note_wire.node(shown(memory, "Broken"))["problems"]
    assert (problem["code"], problem["line"]) == ("frontmatter-invalid", 2)


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("picture.png", "not-markdown"),
        ("Board.canvas", "canvas"),
        (".trash/Old.md", "trash"),
        ("node_modules/pkg/README.md", "build-folder"),
        (".obsidian/app.json", "dot-folder"),
        ("Draft.md.swp", "temp-file"),
        ("Alpha.sync-conflict-20260302-101112-ABCDEFG.md", "conflict-copy"),
    ],
)
def test_a_file_that_is_no_note_says_which_rule_left_it_out(
    path: str, rule: str, memory: Memory, note: Write
) -> None:
    """The rule is told by its code and in a sentence."""
    note(path, "{}")
    reconcile(memory)
    found = left_out(memory, path)
    assert (found.path, found.rule) == (path, rule)
    document = note_wire.left_out(found)["left_out"]
    assert document["code"] == rule
    assert document["message"].startswith(f"{path} is no note: ")


def test_a_link_that_leads_out_of_the_vault_is_not_followed(memory: Memory, tmp_path: Path) -> None:
    """F47: what lies outside is neither read nor told of; the link itself is named as the reason."""
    (tmp_path / "secret.md").write_text("secret")
    (memory.root / "Link.md").symlink_to(tmp_path / "secret.md")
    reconcile(memory)
    assert left_out(memory, "Link.md").rule == "symlink-outside"


@pytest.mark.parametrize(
    "ref", ["../secret.md", "..%2Fsecret.md", "/etc/passwd", "Sub/../../secret.md", "a\0.md"]
)
def test_F116_no_ref_reaches_outside_the_vault(ref: str, memory: Memory, tmp_path: Path) -> None:
    """F116: a path that leads out is an unknown note, whether something is there or not."""
    (tmp_path / "secret.md").write_text("secret")
    (memory.root / "Sub").mkdir()
    reconcile(memory)
    with pytest.raises(UnknownRef, match="No note is called"):
        show(memory, ref)


def test_a_note_that_asks_to_be_left_out_says_so(memory: Memory, note: Write) -> None:
    """Its path tells nothing; the memory remembers what its frontmatter said."""
    note("Quiet.md", "---\nvaultsync: ignore\n---\nText.")
    reconcile(memory)
    assert left_out(memory, "Quiet.md").rule == "ignored"


def test_a_note_not_read_yet_says_what_to_do(memory: Memory, note: Write) -> None:
    """A file that is a note but newer than the last sync is not called unknown."""
    note("New.md", "Text.")
    with pytest.raises(UnknownRef, match=r"New\.md is there but was not read yet. Run `vaultsync sync`"):
        show(memory, "New.md")


def test_a_file_goes_before_a_note_of_that_name_elsewhere(memory: Memory, note: Write) -> None:
    """REF is a path first: a picture is not taken for the note that is called like it."""
    note("plan.png", "")
    note("Notes/Other.md", "---\naliases: [plan.png]\n---\nText.")
    reconcile(memory)
    assert left_out(memory, "plan.png").rule == "not-markdown"


def test_every_rule_has_its_words() -> None:
    """No rule can be added without saying to a person what it means."""
    assert set(REASONS) == set(get_args(Rule))


def test_a_note_of_many_links_is_shown_in_linear_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four times the links and chunks take about four times as long, not sixteen."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def seconds(count: int) -> float:
        root = tmp_path / str(count)
        fill_vault(
            root,
            {"many.md": "\n\n".join(f"# {n}\n\nSee [[one|link {n}]]." for n in range(count)), "one.md": "x"},
        )
        sync(root)
        times = []
        with memory_of(root) as memory:
            for _ in range(5):
                started = time.process_time()
                found = show(memory, "many")
                times.append(time.process_time() - started)
            assert isinstance(found, Shown)
            assert found.links[-1].explanation == f"See link {count - 1}."
        return min(times)

    assert seconds(4000) < 10 * seconds(1000)
