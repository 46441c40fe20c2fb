"""What a reader sees around each link: its sentence, the headings above it, the block that holds it."""

from __future__ import annotations

from bisect import bisect_right
from itertools import groupby
from typing import TYPE_CHECKING, Final

from vaultsync.domain.notes import Mention
from vaultsync.domain.prose import plain
from vaultsync.domain.sentences import boundaries, sentence_around

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultsync.domain.markdown import Source
    from vaultsync.domain.notes import Block, BlockId, Heading, Link, ParsedNote

_BESIDE: Final = 150
"""Characters of the sentence on each side of its link."""


def property_mention(link: Link) -> Mention:
    """Return the mention of a property's link, explained as `key: what the link shows`."""
    key = ".".join(part for part in (link.key or "").split(".") if not part.isdigit())
    return Mention(link, f"{key}: {link.text or plain(f'[[{link.link}]]')}", (), None)


def body_mentions(source: Source, parsed: ParsedNote) -> Iterator[Mention]:
    """Yield a mention for each link of the body, in order."""
    if not parsed.links:
        return
    block_starts = [block.start for block in parsed.blocks]
    heading_ends = [heading.end for heading in parsed.headings]
    ids = _Ids(parsed.block_ids)
    paths = heading_paths(parsed.headings)
    for at, links in groupby(parsed.links, lambda link: bisect_right(block_starts, link.start) - 1):
        block = parsed.blocks[at]
        sentences = _Sentences(source, block)
        for link in links:
            path = paths[bisect_right(heading_ends, link.start)]
            yield Mention(link, sentences.around(link), path, ids.around(link, block))


def heading_paths(headings: Sequence[Heading]) -> list[tuple[str, ...]]:
    """Return the headings above what follows: first none, then for what follows each heading."""
    paths: list[tuple[str, ...]] = [()]
    above: list[Heading] = []
    for heading in headings:
        above = [*(upper for upper in above if upper.level < heading.level), heading]
        paths.append(tuple(upper.text for upper in above))
    return paths


class _Ids:
    """The block ids of a note, to be asked which one stands around a link."""

    def __init__(self, ids: Sequence[BlockId]) -> None:
        self._ids = ids
        self._starts = [named.start for named in ids]
        self._by_start = {named.start: named for named in ids}

    def around(self, link: Link, block: Block) -> str | None:
        """Return the id of the item around a link (items hold no other), else of its block."""
        before = bisect_right(self._starts, link.start)
        nearest = self._ids[before - 1] if before else None
        for named in (nearest, self._by_start.get(block.start)):
            if named and named.end > link.start:
                return named.id
        return None


class _Sentences:
    """The sentences of a block, asked for with its links in their order."""

    def __init__(self, source: Source, block: Block) -> None:
        self._source = source
        self._text = source.piece(block.start, block.end)
        self._starts = boundaries(self._text)
        self._at = block.start, 0
        self._plain: dict[str, str] = {}

    def around(self, link: Link) -> str:
        """Return the sentence that holds a link, in plain reading."""
        start = self._character(link.start)
        end = start + len(self._source.piece(link.start, link.end))
        sentence = sentence_around(self._text, self._starts, start, end, _BESIDE)
        if sentence not in self._plain:
            self._plain[sentence] = plain(sentence)
        return self._plain[sentence]

    def _character(self, offset: int) -> int:
        """Return a byte offset as one of the block's characters; offsets ascend, so each byte is counted once."""
        known, character = self._at
        character += len(self._source.piece(known, offset))
        self._at = offset, character
        return character
