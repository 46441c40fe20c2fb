"""The rule of identity, in its order: ids, inodes, contents, names, then the likeness of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultsync.domain.identity.exact import (
    join_by_content,
    join_by_id,
    join_by_inode,
    join_namesakes,
    same_bytes,
)
from vaultsync.domain.identity.judgement import NAME, judge
from vaultsync.domain.identity.overlap import overlap, shingles_of
from vaultsync.domain.identity.resemblance import loose_name
from vaultsync.domain.identity.sketches import Sketches
from vaultsync.domain.identity.terms import Pair
from vaultsync.domain.identity.unmatched import Unmatched

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from vaultsync.domain.identity.judgement import Candidate
    from vaultsync.domain.identity.terms import Come, Gone
    from vaultsync.domain.notes import NotePath


def certain(gone: Sequence[Gone], come: Sequence[Come]) -> list[Pair]:
    """Return the pairs that need no traits: the same bytes, not blank, one of each, under an equal name."""
    return [
        Pair(note.node_id, path, "hash")
        for note, path in same_bytes(gone, come)
        if loose_name(note.path) == loose_name(path)
    ]


def match(
    gone: Sequence[Gone],
    come: Sequence[Come],
    standing: Collection[NotePath],
    held_ids: Collection[str],
    *,
    lone: bool,
) -> list[Pair]:
    """Return which vanished note is which appeared file, one to one; all of them with their traits.

    `standing`: the paths of all other notes, those that `certain` paired among them; `held_ids`: the ids that
    these notes hold. `lone`: one note vanished and one file appeared in the whole scan.
    """
    left = Unmatched(gone, come, standing, lone=lone)
    join_by_id(left, held_ids)
    join_by_inode(left)
    join_by_content(left)
    join_namesakes(left)
    _join_by_likeness(left)
    return left.pairs


def returning(
    graves: Sequence[Gone], come: Sequence[Come], standing: Collection[NotePath], held_ids: Collection[str]
) -> list[Pair]:
    """Return which tombstone came back under another path: by its id, or under its name with its text.

    Never by content alone: a tombstone meets all that appears in a month, and every such pair was wrong.
    """
    left = Unmatched(graves, come, standing)
    join_by_id(left, held_ids)
    join_namesakes(left)
    return left.pairs


def _join_by_likeness(left: Unmatched) -> None:
    """Join best first; once the clear pairs are out of the way, who was hidden behind them is found."""
    found = sorted(candidates(left))
    clear = [pair for pair in found if pair.score >= NAME]
    _join(left, clear)
    _join(left, sorted(candidates(left)) if clear else found)


def _join(left: Unmatched, pairs: Iterable[Candidate]) -> None:
    for pair in pairs:
        left.join(pair.old, pair.new, pair.by)


def candidates(left: Unmatched) -> Iterator[Candidate]:
    """Yield the pairs that may be one note, of those that share rare text or a name."""
    sketches = Sketches([*left.gone.values()])
    for new in left.come.values():
        shingles = shingles_of(new.traits)
        olds = left.gone.values() if left.lone else sketches.find(new.name, shingles)
        for old in olds:
            if pair := judge(old, new, overlap(old.traits, shingles), left):
                yield pair
