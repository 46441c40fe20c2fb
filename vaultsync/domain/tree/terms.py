"""The tree engine's values: leaves gathered into notes, summaries, and the limits of a bucket."""

from __future__ import annotations

from hashlib import blake2b
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

State = Literal["open", "sealed"]
Key = str | int
"""What an item is known by: a note by its opaque key, a summary by its ordinal."""

ANY_AGE = 2**63 - 1
"""The time before which everything has arrived."""


class Limits(NamedTuple):
    """How much a summary holds: of leaves (level 1) in `tokens` and `leaves`, of summaries in `children` (2 or more).

    The other limits follow from these, so that no portion which fills a bucket is thin, and no half of what is
    split is thin for its number of children: else upkeep would never end.
    """

    tokens: int = 8_000
    leaves: int = 200
    children: int = 10
    depth: int = 32

    @property
    def ceiling(self) -> int:
        """Tokens that no portion passes but for a note that is a portion of its own: 10,000."""
        return self.tokens * 5 // 4

    @property
    def most_tokens(self) -> int:
        """Tokens over which a sealed summary of level 1 is split: 12,000."""
        return self.tokens * 3 // 2

    @property
    def enough_children(self) -> int:
        """Items at which the first `children` are sealed: two remain, as a summary of one is never made."""
        return self.children + 2

    @property
    def most_children(self) -> int:
        """Children over which a sealed summary of a higher level is split: 15."""
        return self.children * 3 // 2


class Leaf(NamedTuple):
    """A leaf as the store has it. `counts`: admitted and alive; `arrived_at`: seconds; `seq`: order in the tree.

    Those that still wait for extraction count for nothing, so it goes before upkeep.
    `parent`: ordinal of its summary. New leaves of a placed note are given its parent when they are appended.
    """

    note: str
    shelf: str
    seq: int
    parent: int | None
    text_hash: str
    tokens: int
    arrived_at: int
    counts: bool = True


class Note(NamedTuple):
    """The leaves of one note that count, which are always together: what a bucket of level 1 is made of.

    `seq`: of its first leaf; `arrived_at`: of its earliest; `digest`: of its leaves' text hashes in order.
    """

    key: str
    shelf: str
    seq: int
    parent: int | None
    digest: str
    leaves: int
    tokens: int
    arrived_at: int

    @property
    def level(self) -> int:
        """Leaves are level 0."""
        return 0


class Summary(NamedTuple):
    """A summary of items one level below. `digest`: hash of its text; `inputs`: digest of what it was made from.

    `ordinal`: counts per tree over all levels and shelves, never given twice. `pinned`: the text is a person's.
    `arrived_at`: seconds; of the earliest item that it was first made from, so that what waits for a
    flush waits on no longer at the level above.
    """

    ordinal: int
    level: int
    shelf: str
    state: State
    parent: int | None
    digest: str
    inputs: str
    pinned: bool
    arrived_at: int

    @property
    def key(self) -> int:
        """Ordinals tell the summaries of a tree apart."""
        return self.ordinal

    @property
    def seq(self) -> int:
        """Summaries stand in order of their ordinals."""
        return self.ordinal


Item = Note | Summary


def digest(hashes: Iterable[str]) -> str:
    """Return 32 hex digits of BLAKE2b over these hashes in their order."""
    return blake2b("\n".join(hashes).encode(), digest_size=16).hexdigest()


def gather(leaves: Iterable[Leaf]) -> Iterator[Note]:
    """Yield the notes of a tree's leaves; a note of which no leaf counts keeps its place and is none here.

    The leaves of a note are given one after another, in its order; no more than those of one are held at a time.
    Should leaves of a note lie under several summaries, as after a merge of two machines' trees, the note's place
    is the one of the lowest ordinal.
    """
    for _, group in groupby(leaves, key=attrgetter("note")):
        every = list(group)
        if counting := [leaf for leaf in every if leaf.counts]:
            first = counting[0]
            yield Note(
                key=first.note,
                shelf=first.shelf,
                seq=first.seq,
                parent=min((leaf.parent for leaf in every if leaf.parent is not None), default=None),
                digest=digest(leaf.text_hash for leaf in counting),
                leaves=len(counting),
                tokens=sum(leaf.tokens for leaf in counting),
                arrived_at=min(leaf.arrived_at for leaf in counting),
            )
