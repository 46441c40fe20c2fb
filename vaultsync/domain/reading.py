"""All that a note's bytes say, in one go: decode, split, read, parse, chunk."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from vaultsync.domain import fences, frontmatter
from vaultsync.domain.chunking import Limits, chunk
from vaultsync.domain.dates import date_of_name, iso_date
from vaultsync.domain.decoding import decode
from vaultsync.domain.frontmatter import Properties
from vaultsync.domain.markdown import parse
from vaultsync.domain.markdown.spans import link_in_bytes
from vaultsync.domain.notes import Block, Heading, ParsedNote, Problem, Reading, ReadOptions
from vaultsync.domain.prose import plain, unmarked
from vaultsync.domain.sentences import first_sentence
from vaultsync.domain.summary_note import recognise

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from vaultsync.domain.decoding import Source
    from vaultsync.domain.fences import Fence
    from vaultsync.domain.notes import Leaf, Link, NotePath

_NO_PROPERTIES: Final = Properties({}, {}, {}, None, (), (), None, (), ())

_JSON: Final = json.JSONEncoder(ensure_ascii=False)
"""Made once: `json.dumps` with an option makes one a call, which costs more than most frontmatter."""

_NAME: Final = "vaultsync"
"""The key by which a note asks to be left out, or is marked as ours."""

_DATE_KEYS: Final = ("date", "created", "date created", "created_at")

_DESCRIPTION: Final = 200
"""Characters of a description that is a note's first sentence."""

_LONGEST_SENTENCE: Final = 4 * _DESCRIPTION
"""Bytes of a paragraph that are looked at for its first sentence."""

_OURS: Final = re.compile(r"(?<![^\r\n])<{7} ")
_THEIRS: Final = re.compile(r"(?<![^\r\n])>{7} ")
_EMBED: Final = re.compile(r"!\[\[[^\[\]]*+\]\]|!\[[^\[\]]*+\]\([^()]*+\)")

_WORD: Final = re.compile(r"(?<![#\w/-])\w")
"""A paragraph without one, such as a line of tags, describes nothing."""

_PUBLIC: Final = {None, "", "false", "no", "n", "off", "0", "null", "~"}
"""What `private` may say, or not at all, in a note that is not: any other word keeps it here."""

_DATA: Final = {
    "excalidraw-plugin": re.compile(r"(?<![^\r\n])\#{1,2} Drawing[ \t]*(?![^\r\n])"),
    "kanban-plugin": re.compile(r"(?<![^\r\n])%% kanban:settings[ \t]*(?![^\r\n])"),
}
"""By the property that marks a plugin's note, the line from which on it holds the plugin's data, no text."""


def read_note(raw: bytes, path: NotePath, options: ReadOptions) -> Reading:
    """Read a note; what is wrong with it is among the problems, and nothing raises."""
    source = decode(raw)
    fence = fences.split(source.text)
    properties = frontmatter.read(source.text, fence) if fence else _NO_PROPERTIES
    body = fence.body if fence else 0
    parsed = parse(source, body) if len(raw) <= options.max_bytes else _unparsed(source, body)
    limits = Limits(options.chunk_target, options.chunk_ceiling)
    ours = recognise(raw) if _NAME in source.text else None
    return Reading(
        title=_title(properties, path),
        description=plain(properties.description or "") or _description(source, parsed),
        aliases=properties.aliases,
        tags=frontmatter.distinct([*properties.tags, *(tag.name for tag in parsed.tags)]),
        metadata=_as_json(properties.metadata),
        written=_as_json(properties.written),
        property_text=_property_text(source, properties, fence),
        event_date=_event_date(path, properties, options),
        private=not _says(properties, "private", _PUBLIC),
        ignored=ours is not None or _says(properties, _NAME, {"ignore"}),
        encoding=source.encoding,
        content_hash=blake2b(raw, digest_size=16).hexdigest(),
        problems=(*source.problems, *properties.problems, *_problems(source, options)),
        headings=parsed.headings,
        block_ids=parsed.block_ids,
        leaves=tuple(_leaves(source, body, parsed, properties, limits)),
        links=(*_property_links(source, properties.links), *parsed.links),
        ours=ours,
    )


def said_by_path(path: NotePath, metadata: str, written: str, options: ReadOptions) -> tuple[str, str | None]:
    """Return the title and event date of a note at a new path; `metadata` and `written` as in its Reading."""
    properties = frontmatter.recall(json.loads(metadata), json.loads(written))
    return _title(properties, path), _event_date(path, properties, options)


def _unparsed(source: Source, body: int) -> ParsedNote:
    """Return the body as one paragraph."""
    text = source.text[body:].strip(" \t\r\n")
    if not text:
        return ParsedNote((), (), (), (), ())
    first = source.text.index(text[0], body)
    start, end = source.to_bytes([first, first + len(text)])
    return ParsedNote((Block("paragraph", start, end),), (), (), (), ())


def _as_json(values: Mapping[str, Any]) -> str:
    return _JSON.encode(values) if values else "{}"


def _title(properties: Properties, path: NotePath) -> str:
    name = path.rpartition("/")[2]
    return " ".join((properties.title or "").split()) or (name[:-3] if name.lower().endswith(".md") else name)


def _description(source: Source, parsed: ParsedNote) -> str:
    """Return the first sentence of the first paragraph, else of what else holds prose."""
    for kinds in (("paragraph",), ("callout", "blockquote", "list", "definition", "footnote")):
        for block in parsed.blocks:
            if block.kind in kinds and (sentence := _first_sentence(source, block)):
                return sentence
    return ""


def _first_sentence(source: Source, block: Block) -> str:
    """Return a block's first sentence without embeds; empty where no word is left."""
    end = block.cuts[0] if block.kind == "list" and block.cuts else block.end
    piece = source.piece(block.start, min(end, block.start + _LONGEST_SENTENCE)).rstrip("\ufffd")
    sentence = first_sentence(unmarked(_EMBED.sub("", piece)), _DESCRIPTION)
    return sentence if _WORD.search(sentence) else ""


def _property_text(source: Source, properties: Properties, fence: Fence | None) -> str:
    """Return the values, a line each; all of a block that is no YAML, so that search misses nothing."""
    if fence and any(problem.code == "frontmatter-invalid" for problem in properties.problems):
        return source.clean(source.text[fence.start : fence.end])
    return "\n".join(_texts(properties, properties.metadata, ""))


def _texts(properties: Properties, value: Any, path: str) -> Iterator[str]:  # noqa: ANN401 -- any JSON value
    """Yield each value below `path` as written, links as their text."""
    if isinstance(value, (dict, list)):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _texts(properties, item, f"{path}.{key}" if path else str(key))
    elif text := frontmatter.as_text(properties, path, value):
        yield plain(text) if "[" in text else " ".join(text.split())


def _event_date(path: NotePath, properties: Properties, options: ReadOptions) -> str | None:
    """Return the day in the file name, else in the first property that holds one."""
    named = date_of_name(path, options.daily_format, options.daily_folder)
    keys = [properties.keys[name] for name in _DATE_KEYS if name in properties.keys]
    days = (iso_date(str(properties.metadata[key])) for key in keys)
    return named or next(filter(None, days), None)


def _says(properties: Properties, name: str, words: Collection[str | None]) -> bool:
    """Whether a property's value, as written, is one of these words; None is a property that is not there."""
    key = properties.keys.get(name)
    if key is None:
        return None in words
    value = properties.metadata[key]
    text = frontmatter.as_text(properties, key, value) or (str(value) if value else "")
    return text.strip().casefold() in words


def _problems(source: Source, options: ReadOptions) -> Iterator[Problem]:
    """Yield what is wrong with the note as a whole."""
    size = len(source.raw)
    if size > options.max_bytes:
        message = (
            f"{size:,} bytes are more than {options.max_bytes:,}: read as plain text, without links or tags"
        )
        yield Problem("too-large", message)
    ours = _OURS.search(source.text) if "<<<<<<< " in source.text else None
    if ours and _THEIRS.search(source.text, ours.end()):
        line = fences.line_at(source.text, ours.start())
        yield Problem("conflict-markers", "a merge left both sides in the note", line)


def _property_links(source: Source, links: tuple[Link, ...]) -> Iterable[Link]:
    """Return the links with their spans in bytes."""
    if source.plain or not links:
        return links
    offsets = [offset for link in links for offset in (link.start, link.end)]
    at = dict(zip(offsets, source.to_bytes(offsets), strict=True))
    return [link_in_bytes(link, source, at) for link in links]


def _leaves(
    source: Source, body: int, parsed: ParsedNote, properties: Properties, limits: Limits
) -> Iterable[Leaf]:
    """Return the leaves that tile the body; those of a plugin's data are kept from search."""
    line = next((line for name, line in _DATA.items() if name in properties.metadata), None)
    data = line.search(source.text, body) if line else None
    if data is None:
        return chunk(source, parsed, limits)
    start, line_end = source.to_bytes(data.span())
    heading = Heading(data[0].strip("#% \t"), 1, start, line_end)
    return [
        leaf._replace(searchable=leaf.end <= start)
        for leaf in chunk(source, _with_data_apart(parsed, heading), limits)
    ]


def _with_data_apart(parsed: ParsedNote, data: Heading) -> ParsedNote:
    """Return the note with its data under a heading of its own, since leaves begin at headings."""
    end = max(block.end for block in parsed.blocks)
    blocks = [
        block._replace(end=min(block.end, data.start)) for block in parsed.blocks if block.start < data.start
    ]
    blocks.append(Block("heading", data.start, data.end))
    if data.end < end:
        blocks.append(Block("code", data.end, end))
    headings = [heading for heading in parsed.headings if heading.start < data.start]
    return replace(parsed, blocks=tuple(blocks), headings=(*headings, data))
