"""Turns what was found in a note's text into what stands in its bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.domain.notes import Block, BlockId, Heading, Link, ParsedNote, Tag

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultsync.domain.decoding import Source


def in_bytes(source: Source, note: ParsedNote) -> ParsedNote:
    """Give a note byte offsets, and strings that hold no lone surrogates."""
    if source.plain:
        return note
    offsets = sorted(set(all_offsets(note)))
    at = dict(zip(offsets, source.to_bytes(offsets), strict=True))
    clean = source.clean
    return ParsedNote(
        blocks=tuple(
            Block(kind, at[start], at[end], tuple([at[cut] for cut in cuts]))
            for kind, start, end, cuts in note.blocks
        ),
        headings=tuple(
            Heading(clean(text), level, at[start], at[end]) for text, level, start, end in note.headings
        ),
        links=tuple(link_in_bytes(link, source, at) for link in note.links),
        tags=tuple(Tag(clean(name), at[start], at[end]) for name, start, end in note.tags),
        block_ids=tuple(BlockId(name, at[start], at[end]) for name, start, end in note.block_ids),
        definitions=tuple(link_in_bytes(link, source, at) for link in note.definitions),
    )


def link_in_bytes(link: Link, source: Source, at: dict[int, int]) -> Link:
    """Give one link the byte offsets that `at` has for its own."""
    kind, target, points_at, text, start, end, key = link
    text = text if text is None else source.clean(text)
    return Link(kind, source.clean(target), source.clean(points_at), text, at[start], at[end], key)


def all_offsets(note: ParsedNote) -> Iterator[int]:
    """Go through every offset that stands in the note, in no order."""
    for block in note.blocks:
        yield from block[1:3]
        yield from block.cuts
    kinds: tuple[Sequence[Heading | Link | Tag | BlockId], ...]
    kinds = note.headings, note.links, note.tags, note.block_ids, note.definitions
    for kind in kinds:
        for found in kind:
            yield found.start
            yield found.end
