"""What Obsidian itself says of a note, from dumps of its metadata cache, against what we read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from vaultsync.domain.decoding import decode
from vaultsync.domain.fences import split
from vaultsync.domain.markdown import parse
from vaultsync.domain.notes import NotePath, ReadOptions
from vaultsync.domain.reading import read_note

if TYPE_CHECKING:
    from vaultsync.domain.notes import ParsedNote

DUMPS = Path(__file__).resolve().parents[2].parent / "shared" / "obsidian-oracle"
FILES: list[Path | None] = [*sorted(DUMPS.glob("*.json"))] or [None]
SECTION = {"rule": "thematicBreak", "footnote": "footnoteDefinition"}

Found = tuple[int, int, Any]


@pytest.fixture(params=FILES, ids=lambda path: path.stem if path else "none")
def dump(request: pytest.FixtureRequest) -> dict[str, Any]:
    if request.param is None:
        pytest.skip("no dumps of Obsidian here")
    loaded: dict[str, Any] = json.loads(request.param.read_text("utf-8"))
    return loaded


def read(text: str) -> ParsedNote:
    fence = split(text)
    return parse(decode(text.encode()), fence.body if fence else 0)


def byte_offset(text: str, offset: int) -> int:
    """Obsidian's offsets count UTF-16 code units."""
    return len(text.encode("utf-16-le")[: 2 * offset].decode("utf-16-le").encode())


def told(dump: dict[str, Any], name: str, key: str) -> list[Found]:
    text, entries = dump["fileContents"], dump["cachedMetadata"].get(name) or []
    return [
        (
            byte_offset(text, entry["position"]["start"]["offset"]),
            byte_offset(text, entry["position"]["end"]["offset"]),
            entry[key],
        )
        for entry in (entries.values() if isinstance(entries, dict) else entries)
    ]


def test_headings(dump: dict[str, Any]) -> None:
    """Headings stand where Obsidian has them, with its text."""
    note = read(dump["fileContents"])
    assert [(found.start, found.end, found.text) for found in note.headings] == told(
        dump, "headings", "heading"
    )
    assert [found.level for found in note.headings] == [
        heading["level"] for heading in dump["cachedMetadata"].get("headings") or []
    ]


def test_links_and_embeds(dump: dict[str, Any]) -> None:
    """Links and embeds stand where Obsidian has them, and point where it says."""
    links = read(dump["fileContents"]).links
    assert [(found.start, found.end, found.link) for found in links if found.kind != "embed"] == told(
        dump, "links", "link"
    )
    assert [(found.start, found.end, found.link) for found in links if found.kind == "embed"] == told(
        dump, "embeds", "link"
    )


def test_display_text(dump: dict[str, Any]) -> None:
    """Where a link has a text of its own, it is the one that Obsidian displays."""
    shown = {start: text for start, _, text in told(dump, "links", "displayText")}
    for link in read(dump["fileContents"]).links:
        if link.text is not None and link.kind != "embed":
            assert link.text == shown[link.start]


def test_tags(dump: dict[str, Any]) -> None:
    """Tags stand where Obsidian has them."""
    tags = read(dump["fileContents"]).tags
    assert [(found.start, found.end, f"#{found.name}") for found in tags] == told(dump, "tags", "tag")


def test_block_ids(dump: dict[str, Any]) -> None:
    """A block id names the block that it names in Obsidian."""
    ids = read(dump["fileContents"]).block_ids
    assert sorted((found.start, found.end, found.id) for found in ids) == sorted(told(dump, "blocks", "id"))


def test_sections(dump: dict[str, Any]) -> None:
    """The blocks at the root are Obsidian's sections."""
    blocks = read(dump["fileContents"]).blocks
    sections = [section for section in told(dump, "sections", "type") if section[2] != "yaml"]
    assert [(block.start, block.end, SECTION.get(block.kind, block.kind)) for block in blocks] == sections


def test_property_links(dump: dict[str, Any]) -> None:
    """Links of the frontmatter have Obsidian's keys and targets, and stand where they are written."""
    raw = dump["fileContents"].encode()
    found = [
        link for link in read_note(raw, NotePath("note.md"), ReadOptions()).links if link.key is not None
    ]
    expected = dump["cachedMetadata"].get("frontmatterLinks") or []
    assert [(link.key, link.link, raw[link.start : link.end].decode()) for link in found] == [
        (link["key"], link["link"], link["original"]) for link in expected
    ]


def test_aliases(dump: dict[str, Any]) -> None:
    """Aliases are those of the frontmatter that Obsidian read."""
    found = read_note(dump["fileContents"].encode(), NotePath("note.md"), ReadOptions())
    frontmatter = dump["cachedMetadata"].get("frontmatter") or {}
    expected = frontmatter.get("aliases") or []
    assert list(found.aliases) == ([expected] if isinstance(expected, str) else expected)
