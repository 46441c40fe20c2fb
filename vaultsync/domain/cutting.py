"""Decides where a section that is too long for one leaf is cut."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple
from zlib import crc32

from vaultsync.domain.decoding import Source
from vaultsync.domain.sentences import boundaries
from vaultsync.domain.tokens import UNIT, weigh

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultsync.domain.notes import Block

Ways = tuple[Callable[[str, int], list[int]], ...]
"""Ways to cut a text, coarse first: from it and what a part may weigh to ascending character offsets."""


class Atom(NamedTuple):
    """A stretch of text that is not cut, from byte `start` to the next atom.

    `cost` says how bad a place for a cut its start is: what kind of boundary it is, then a hash of the text.
    """

    start: int
    weight: int
    cost: tuple[int, int]


def leaf_starts(
    source: Source, blocks: Sequence[Block], stop: int, target: int, ceiling: int
) -> Iterator[int]:
    """Yield the bytes at which leaves of at most `ceiling` tokens begin in these blocks, which end at `stop`.

    A leaf has at least half of `target` where boundaries allow. It ends at the cheapest of those in reach: of
    blocks before items and rows, lines, sentences, words; of one kind by a hash, so that it is the cheapest
    again from wherever the search begins, and behind an edit the cuts soon fall where they fell before.
    """
    atoms = list(_atoms(source, blocks, stop, ceiling * UNIT))
    first, rest = 0, sum([atom.weight for atom in atoms])
    yield atoms[0].start
    while rest > ceiling * UNIT:
        most = min(ceiling * UNIT, rest - target * UNIT // 2)
        cut = _cut(atoms, first, target * UNIT, most)
        rest -= sum([atom.weight for atom in atoms[first:cut]])
        first = cut
        yield atoms[first].start


def _cut(atoms: Sequence[Atom], first: int, target: int, most: int) -> int:
    """Return the atom to begin the next leaf: the cheapest, of equals the nearest to `target`.

    The leaf from `first` on weighs `target / 2` to `most`; where no cut does that, it is as long as can be.
    """
    size, at = atoms[first].weight, first + 1
    best, least = 0, (atoms[first].cost, 0)
    while at < len(atoms) and size <= most:
        price = (atoms[at].cost, abs(target - size))
        if 2 * size >= target and (not best or price < least):
            best, least = at, price
        size += atoms[at].weight
        at += 1
    return best or max(first + 1, at - 1)


def _atoms(source: Source, blocks: Sequence[Block], stop: int, most: int) -> Iterator[Atom]:
    """Yield the blocks, and the parts of those that weigh more than `most`."""
    stops = [*(block.start for block in blocks[1:]), stop]
    for block, end in zip(blocks, stops, strict=True):
        whole = _atom(source, block.start, end, 0)
        if whole.weight <= most:
            yield whole
            continue
        ways = PROSE if block.kind == "paragraph" else LAYOUT
        for first, last in pairwise([block.start, *block.cuts, end]):
            yield from _parts(source, first, last, ways, most)


def _parts(source: Source, start: int, stop: int, ways: Ways, most: int) -> Iterator[Atom]:
    """Yield a span whole if it is light enough, else cut it the first way, and its parts the next."""
    whole = _atom(source, start, stop, 1 + len(LAYOUT) - len(ways))
    if whole.weight <= most or not ways:
        yield whole
        return
    text = _text(source, start, stop)
    offsets = list(dict.fromkeys([0, *ways[0](text, most), len(text)]))
    part = Source(source.raw[start:stop], text, source.encoding)
    for first, last in pairwise(part.to_bytes(offsets)):
        yield from _parts(source, start + first, start + last, ways[1:], most)


def utf8(source: Source, start: int, stop: int) -> bytes:
    """Return the text of a byte span in UTF-8: in most notes these are the bytes themselves."""
    if source.encoding == "utf-8" and not source.damaged:
        return source.raw[start:stop]
    return source.piece(start, stop).encode()


def _atom(source: Source, start: int, stop: int, kind: int) -> Atom:
    # Without line ends, and the zeros around them in UTF-16: the cuts are the same with CRLF and with LF.
    mark = crc32(source.raw[start:stop].translate(None, b"\r\n\0"))
    return Atom(start, weigh(utf8(source, start, stop)), (kind, mark))


def _text(source: Source, start: int, stop: int) -> str:
    """Return a span's text, in which a bad byte is a character of its own that leads back to it."""
    errors = "surrogateescape" if source.encoding == "utf-8" else "replace"
    return source.raw[start:stop].decode(source.encoding, errors)


def _lines(text: str, _most: int) -> list[int]:
    return [found.end() for found in re.finditer(r"\r\n?|\n", text)]


def _sentences(text: str, _most: int) -> list[int]:
    return list(boundaries(text))


def _words(text: str, most: int) -> list[int]:
    """Cut behind blanks, else anywhere, into so few characters that they cannot weigh more."""
    longest = most // (3 * UNIT)
    return [found.end() for found in re.finditer(rf"(?s:.{{1,{longest}}}(?<=\s)|.{{1,{longest}}})", text)]


LAYOUT: Final[Ways] = (_lines, _sentences, _words)
PROSE: Final[Ways] = (_sentences, _lines, _words)
