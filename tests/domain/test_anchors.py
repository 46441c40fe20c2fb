from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from vaultsync.domain.anchors import Anchor, resolve_anchor, split_link
from vaultsync.domain.notes import BlockId, Heading

ORACLE = Path(__file__).resolve().parents[2].parent / "shared" / "obsidian-oracle"


def outline(*lines: str) -> list[Heading]:
    """Make headings from lines such as `## Plan`."""
    split = [line.partition(" ") for line in lines]
    return [Heading(text, len(marks), 10 * n, 10 * n + 5) for n, (marks, _, text) in enumerate(split)]


def heading(link: str, *lines: str) -> str | None:
    return resolve_anchor(link, outline(*lines), ()).heading


def test_a_link_splits_into_path_and_parts() -> None:
    """Empty parts do not count."""
    assert split_link("Note#Plan#^q3") == ("Note", ("Plan", "^q3"))
    assert split_link("##Plan#") == ("", ("Plan",))
    assert split_link("Note") == ("Note", ())


def test_a_heading_is_found_whatever_its_case_and_punctuation() -> None:
    """The heading comes back as its note writes it."""
    assert heading("N#goals next week", "# Alpha", "## Goals: [[next]] week!") == "Goals: [[next]] week!"
    assert heading("N#what’s-it", "# What s it", "# What’s-it") == "What’s-it"


def test_each_part_of_a_chain_lies_below_the_one_before() -> None:
    """`#A#Sub` passes by the `Sub` that stands before `A` and the one that stands beside it."""
    lines = ("# B", "## Sub", "# A", "# Sub", "## Other", "### sub")
    assert heading("#A#Sub", *lines) == "sub"
    assert heading("#B#Other", "# Other", "# B", "# Other") is None


def test_a_deeper_part_need_not_be_a_direct_child() -> None:
    """Levels may be left out."""
    assert heading("#A#C", "# A", "## B", "### C") == "C"


def test_a_missing_heading_or_block_is_none() -> None:
    """A link into a note stays a link to the note."""
    assert resolve_anchor("N#Plan#^x", outline("# Goals"), [BlockId("y", 0, 5)]) == Anchor(None, None)
    assert resolve_anchor("N", outline("# Goals"), [BlockId("y", 0, 5)]) == Anchor(None, None)


def test_a_block_is_found_whatever_its_case() -> None:
    """Where two ids differ in case alone, the link's own case decides."""
    blocks = [BlockId("Q3", 0, 5), BlockId("q3", 6, 9)]
    assert resolve_anchor("#^q3", (), blocks) == Anchor(None, "q3")
    assert resolve_anchor("N#^Q3", (), blocks[1:]) == Anchor(None, "q3")


def test_a_block_under_a_heading_is_both() -> None:
    """`#Plan#^q3` names a heading and a block."""
    assert resolve_anchor("#plan#^q3", outline("# Plan"), [BlockId("q3", 0, 5)]) == Anchor("Plan", "q3")


@pytest.mark.skipif(not ORACLE.is_dir(), reason="Obsidian's dumps are not here")
def test_obsidian_dumps_find_their_own_headings() -> None:
    """Every link of a dumped note into itself finds a heading or a block of it."""
    found = [
        anchor
        for dump in sorted(ORACLE.glob("*.json"))
        for anchor in own_anchors(json.loads(dump.read_text()))
    ]
    assert len(found) > 10
    assert all(anchor.heading or anchor.block for anchor in found)


def own_anchors(dump: dict[str, Any]) -> list[Anchor]:
    cache = dump["cachedMetadata"]
    headings = [Heading(h["heading"], h["level"], 0, 0) for h in cache.get("headings", [])]
    blocks = [BlockId(block, 0, 0) for block in cache.get("blocks", {})]
    links = [link["link"] for link in cache.get("links", []) if link["link"].startswith("#")]
    return [resolve_anchor(link, headings, blocks) for link in links]
