"""The glossary: the values that every room speaks of.

Offsets are bytes of the raw file, half-open `[start, end)`, BOM and CRLF included, and fall on character boundaries.
Small values that are made by the million are NamedTuples (three times as fast to make as frozen dataclasses).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, NewType

NotePath = NewType("NotePath", str)
"""A path below the vault's root, `/` between its parts, spelled as on the disk."""

Uid = NewType("Uid", str)
"""A note's or chunk's public identity: a UUID in its usual form."""

LinkKind = Literal["wikilink", "embed", "markdown", "property"]
LinkMatch = Literal["path", "name", "alias", "relative"]
Role = Literal["note", "template", "aside"]
"""What a path's place says of a note: `template` (a template folder), `aside` (Obsidian's `userIgnoreFilters`)."""

BlockKind = Literal[
    "heading", "paragraph", "list", "table", "code", "callout", "blockquote", "math", "comment", "html",
    "footnote", "definition", "rule",
]  # fmt: skip


class Problem(NamedTuple):
    """Something about a note that a person should know; it never stops a sync. `line` counts from 1."""

    code: str
    message: str
    line: int | None = None


class Fingerprint(NamedTuple):
    """What `stat` says of a file; when all of it is as it was, the file is not read again."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    device: int


class Heading(NamedTuple):
    """A heading at the root of a note; the text keeps its markup, the span is the whole line."""

    text: str
    level: int
    start: int
    end: int


class BlockId(NamedTuple):
    """A `^block-id` and the span of the block that it names; an id that stands alone lies after that span."""

    id: str
    start: int
    end: int


class Tag(NamedTuple):
    """A `#tag` of the body, without its `#`; the span includes it."""

    name: str
    start: int
    end: int


class Block(NamedTuple):
    """A block at the root of a note. `cuts`: where it may be split, as starts of its items or rows."""

    kind: BlockKind
    start: int
    end: int
    cuts: tuple[int, ...] = ()


class Link(NamedTuple):
    """A link as it stands in a note.

    `target`: as written, `Beta#Plan|the plan` (an escaped `|` without its backslash) or a markdown destination.
    `link`: where it points, decoded and without display text, `Beta#Plan`: what Obsidian calls `link`.
    `text`: the display text as written, or None. `key`: the property that holds it (`related.0`), else None.
    """

    kind: LinkKind
    target: str
    link: str
    text: str | None
    start: int
    end: int
    key: str | None = None


@dataclass(frozen=True, slots=True)
class ParsedNote:
    """The body of a note as its blocks and the Obsidian syntax in it, each list in order of `start`.

    `blocks` are the blocks at the root; a paragraph that is only a `^block-id` of the block before it is no block
    of its own, unless nothing stands before it.
    `definitions`: link reference definitions (`[x]: p`), which are no links.
    """

    blocks: tuple[Block, ...]
    headings: tuple[Heading, ...]
    links: tuple[Link, ...]
    tags: tuple[Tag, ...]
    block_ids: tuple[BlockId, ...]
    definitions: tuple[Link, ...] = ()


class Leaf(NamedTuple):
    """A chunk of a note's text. `raw[start:end].decode(encoding, "replace") == text`; leaves tile the body."""

    start: int
    end: int
    heading_path: tuple[str, ...]
    block_id: str | None
    tokens: int
    text: str
    text_hash: str
    searchable: bool = True


@dataclass(frozen=True, slots=True)
class Reading:
    """All that one note's bytes say, ready to be stored.

    `metadata`: the frontmatter as JSON text. `written`: by key path, also as JSON text, its dates, booleans and
    numbers as they are spelled in the note, where JSON spells them otherwise. `property_text`: its values as
    plain text, for search.
    `ignored`: the note asks to be left out (`vaultsync: ignore`), or is one of ours; then the rest is not to be used.
    `ours`: short id of the summary whose generated note this is, None for a user's note.
    """

    title: str
    description: str
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    metadata: str
    written: str
    property_text: str
    event_date: str | None
    private: bool
    ignored: bool
    encoding: str
    content_hash: str
    problems: tuple[Problem, ...]
    headings: tuple[Heading, ...]
    block_ids: tuple[BlockId, ...]
    leaves: tuple[Leaf, ...]
    links: tuple[Link, ...]
    ours: str | None = None


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How notes are read: leaf sizes in tokens, the largest note in bytes, and the vault's daily notes.

    `daily_format`: a Moment.js format such as `DD.MM.YYYY`; `daily_folder`: "" is the vault's root.
    """

    chunk_target: int = 350
    chunk_ceiling: int = 512
    max_bytes: int = 20_000_000
    daily_format: str | None = None
    daily_folder: str = ""


Metadata = dict[str, Any]
"""A note's frontmatter: JSON values; dates, booleans and numbers keep their written text beside the typed value."""
