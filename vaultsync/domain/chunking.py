"""Cuts a parsed note into leaves, chunks of a size for embedding that tile its body."""

from __future__ import annotations

from bisect import bisect_left
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from vaultsync.domain.cutting import leaf_starts, utf8
from vaultsync.domain.notes import Leaf
from vaultsync.domain.tokens import estimate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultsync.domain.decoding import Source
    from vaultsync.domain.notes import Block, BlockId, Heading, ParsedNote

BLANKS: Final = b" \t\r\n"
"""What may stand outside all leaves."""


class Limits(NamedTuple):
    """Sizes of a leaf in tokens: what it aims at, and what it does not pass (3 at least)."""

    target: int = 350
    ceiling: int = 512


class Section(NamedTuple):
    """Blocks under one heading and the textless ones before it, up to byte `stop`, where the next begins."""

    heading_path: tuple[str, ...]
    blocks: Sequence[Block]
    stop: int


def chunk(source: Source, parsed: ParsedNote, limits: Limits) -> list[Leaf]:
    """Return the leaves of a note in order; from its first block on, what lies in none of them is blank.

    A heading starts a leaf, and one without text of its own belongs to the next. A section over the ceiling
    is cut at the best boundaries in reach; no leaf has more tokens than the ceiling. The leaves of a section
    depend on its own text alone, and an edit in a long one changes few of those behind it.
    """
    starts = [named.start for named in parsed.block_ids]
    leaves: list[Leaf] = []
    for section in _sections(parsed, len(source.raw)):
        for leaf in _section_leaves(source, section, limits):
            named = _only_id(parsed.block_ids, starts, leaf) if starts else None
            leaves.append(leaf._replace(block_id=named) if named else leaf)
    return leaves


def _sections(parsed: ParsedNote, stop: int) -> Iterator[Section]:
    """Yield the note's parts, each up to a heading behind some text; the last one may be headings alone."""
    headings = iter(parsed.headings)
    path: list[Heading] = []
    first, has_text = 0, False
    for at, block in enumerate(parsed.blocks):
        if block.kind != "heading":
            has_text = True
            continue
        if has_text:
            yield Section(_texts(path), parsed.blocks[first:at], block.start)
            first, has_text = at, False
        heading = next(headings)
        path = [*(upper for upper in path if upper.level < heading.level), heading]
    if parsed.blocks:
        yield Section(_texts(path), parsed.blocks[first:], stop)


def _texts(path: Sequence[Heading]) -> tuple[str, ...]:
    return tuple([heading.text for heading in path])


def _section_leaves(source: Source, section: Section, limits: Limits) -> Iterator[Leaf]:
    """Yield the section as one leaf, or as several when it is over the ceiling."""
    path, start, stop = section.heading_path, section.blocks[0].start, section.stop
    whole = _leaf(source, start, stop, path)
    if whole and whole.tokens <= limits.ceiling:
        yield whole
        return
    starts = leaf_starts(source, section.blocks, stop, limits.target, limits.ceiling)
    for first, following in pairwise([*starts, stop]):
        if leaf := _leaf(source, first, following, path):
            yield leaf


def _leaf(source: Source, start: int, stop: int, heading_path: tuple[str, ...]) -> Leaf | None:
    """Make a leaf of a span, without blank lines before and blanks behind the text; None if there is none."""
    whole = utf8(source, start, stop)
    text = whole.rstrip(BLANKS)
    if not text:
        return None
    width = 2 if source.encoding.startswith("utf-16") else 1
    end = stop - width * (len(whole) - len(text))
    if text[0] in BLANKS:
        indent = len(text) - len(text.lstrip(BLANKS))
        line = max(text.rfind(b"\n", 0, indent), text.rfind(b"\r", 0, indent)) + 1
        start, text = start + width * line, text[line:]
    text_hash = blake2b(_with_one_line_end(text), digest_size=16).hexdigest()
    return Leaf(start, end, heading_path, None, estimate(text), text.decode(), text_hash)


def _only_id(ids: Sequence[BlockId], starts: Sequence[int], leaf: Leaf) -> str | None:
    """Return the one id whose block lies in the leaf."""
    first = bisect_left(starts, leaf.start)
    last = bisect_left(starts, leaf.end, first)
    found = [named.id for named in ids[first:last] if named.end <= leaf.end]
    return found[0] if len(found) == 1 else None


def _with_one_line_end(text: bytes) -> bytes:
    """Return the text with LF alone, so that other line ends are no other text."""
    return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in text else text
