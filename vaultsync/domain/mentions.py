"""What a reader sees around each link: its sentence, the headings above it, the block that holds it."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from vaultsync.domain.notes import Mention
from vaultsync.domain.prose import plain
from vaultsync.domain.sentences import sentence_around

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultsync.domain.markdown import Source
    from vaultsync.domain.notes import Block, BlockId, Heading, Link, ParsedNote

_AROUND: Final = 300
"""Characters of the sentence beside its link."""

_WINDOW: Final = 4 * (_AROUND // 2 + 1)
"""Bytes that hold more characters than are looked at on one side: a character takes four at most."""


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
    for link in parsed.links:
        block = parsed.blocks[bisect_right(block_starts, link.start) - 1]
        yield Mention(
            link,
            _sentence(source, link, block),
            paths[bisect_right(heading_ends, link.start)],
            ids.around(link, block),
        )


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


def _sentence(source: Source, link: Link, block: Block) -> str:
    """Return the sentence around a link in plain reading, no further than its block."""
    before = source.piece(max(block.start, link.start - _WINDOW), link.start).lstrip("\ufffd")
    here = source.piece(link.start, link.end)
    after = source.piece(link.end, min(block.end, link.end + _WINDOW)).rstrip("\ufffd")
    at = len(before)
    return plain(sentence_around(before + here + after, at, at + len(here), _AROUND))
