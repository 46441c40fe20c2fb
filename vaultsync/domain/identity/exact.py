"""Pairs of which something is equal: an id, an inode, the content."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Final

from vaultsync.domain.identity.overlap import overlap, shingles_of
from vaultsync.domain.identity.resemblance import similar
from vaultsync.domain.identity.unmatched import grouped, one_to_one

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence

    from vaultsync.domain.identity.overlap import Overlap
    from vaultsync.domain.identity.terms import Come, Gone, Young
    from vaultsync.domain.identity.traits import Traits
    from vaultsync.domain.identity.unmatched import Party, Unmatched
    from vaultsync.domain.notes import NotePath

SHORT: Final = 40
"""Shingles: the content of a smaller note may be a template's."""

OWN: Final = 6
"""Shingles of the body that show a text of a note's own."""

LIKE: Final = 0.5
"""Likeness that joins without regard to names: at 0.4 two more wrong pairs for a right one, at 0.6 five lost."""

_SHARED_WITH_ID: Final = 0.4
"""Of the smaller note: ids are copied with the notes that hold them."""


def same_bytes(gone: Sequence[Gone], files: Sequence[Come | Young]) -> Iterator[tuple[Gone, NotePath]]:
    """Yield the notes, not blank, whose bytes one file holds and no other note or file besides."""
    had, have = (Counter(side.content_hash for side in sides) for sides in (gone, files))
    paths = {file.content_hash: file.path for file in files if have[file.content_hash] == 1}
    for note in gone:
        if not note.is_blank and had[note.content_hash] == 1 and note.content_hash in paths:
            yield note, paths[note.content_hash]


def join_by_id(left: Unmatched, held_ids: Collection[str]) -> None:
    """Join by an id that stands once on either side and in no other note: templates copy theirs."""

    def ids(party: Party) -> Iterable[str]:
        return (value for value in party.traits.ids if value not in held_ids)

    for old, new in one_to_one(left, ids):
        if old.name == new.name or _share_much(old, new):
            left.join(old, new, "frontmatter-id")


def join_by_inode(left: Unmatched) -> None:
    """Join what is one file with its content and time stamp, as a rename leaves it, however short or common it is.

    A checkout uses the inodes of the files that it removed for the ones that it writes, at once and at random.
    """
    for old, new in one_to_one(left, lambda party: [party.inode] if party.inode else []):
        if old.traits.content == new.traits.content:
            left.join(old, new, "inode")


def join_by_content(left: Unmatched) -> None:
    """Join by a content that is not blank; several notes that have it are rivals."""
    news = grouped(left.come.values(), _content)
    for content, olds in grouped(left.gone.values(), _content).items():
        rivals = news.get(content, [])
        if len(olds) == 1 == len(rivals):
            if tells(olds[0].traits) or left.lone or near(olds[0].name, rivals[0].name):
                left.join(olds[0], rivals[0], "hash")
        elif rivals:
            _join_rivals(left, olds, rivals)


def join_namesakes(left: Unmatched) -> None:
    """Join equal distinct names whose contents are equal or alike."""
    for old, new in left.namesakes():
        same = old.traits.content == new.traits.content
        if same or _compare(old, new).likeness >= LIKE:
            left.join(old, new, "hash" if same and old.traits.content else "name")


def tells(traits: Traits) -> bool:
    """Whether a content is enough to know its note by: long, or with a text of its own."""
    return traits.size >= SHORT or len(traits.body) >= OWN


def near(old: str, new: str) -> bool:
    """Whether two loose names are equal or similar."""
    return old == new or similar(old, new)


def _join_rivals(left: Unmatched, olds: Sequence[Party], news: Sequence[Party]) -> None:
    """Join notes of one content: equal name first, then the longest tail of folders, so the same folder first."""
    for key in _ties(max(len(party.folders) for party in (*olds, *news)), tells(olds[0].traits)):
        waiting = grouped((new for new in news if new.path in left.come), key)
        for tie, bearers in grouped((old for old in olds if old.node_id in left.gone), key).items():
            for old, new in zip(bearers, waiting.get(tie, ()), strict=False):
                left.join(old, new, "hash")


def _ties(deepest: int, content_tells: bool) -> Iterator[Callable[[Party], Iterable[Hashable]]]:
    """Yield what two rivals may have in common, the strongest first; a text that tells nothing needs the name."""
    depths = range(deepest, -1, -1)
    yield from (partial(_name_and_tail, depth=depth) for depth in depths)
    if content_tells:
        yield from (partial(_tail, depth=depth) for depth in depths)


def _name_and_tail(party: Party, depth: int) -> list[Hashable]:
    return [(party.name, *_tail(party, depth))]


def _tail(party: Party, depth: int) -> list[Hashable]:
    """Return the innermost `depth` folders."""
    return [party.folders[max(0, len(party.folders) - depth) :]]


def _content(party: Party) -> list[bytes]:
    return [party.traits.content] if party.traits.content else []


def _share_much(old: Party, new: Party) -> bool:
    smaller = min(old.traits.size, new.traits.size)
    return smaller > 0 and _compare(old, new).shared >= _SHARED_WITH_ID * smaller


def _compare(old: Party, new: Party) -> Overlap:
    return overlap(old.traits, shingles_of(new.traits))
