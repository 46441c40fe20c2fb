"""What has no partner yet, on either side, and the pairs that were found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from vaultsync.domain.identity.resemblance import distinct_names, folders, loose_name
from vaultsync.domain.identity.terms import Pair

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from vaultsync.domain.identity.terms import Come, Evidence, Gone, Inode
    from vaultsync.domain.identity.traits import Traits
    from vaultsync.domain.notes import NotePath

NO_NOTE: Final = 0
"""The node id of a file that no note claims; those of notes begin at 1."""


class Party(NamedTuple):
    """A vanished note or an appeared file, as the steps of the rule compare them."""

    path: NotePath
    node_id: int
    inode: Inode | None
    traits: Traits
    name: str
    folders: tuple[str, ...]


class Unmatched:
    """Both sides in path order, so that what is found depends on no other order.

    `gone`: by node id; `come`: by path; who has no traits cannot be compared and stays out.
    `distinct`: the loose names that are proof by themselves.
    `lone`: one note vanished and one appeared in the whole scan.
    """

    def __init__(
        self, gone: Iterable[Gone], come: Iterable[Come], standing: Iterable[NotePath], *, lone: bool = False
    ) -> None:
        olds = [_party(note.path, note.node_id, note.inode, note.traits) for note in gone if note.traits]
        news = [_party(file.path, NO_NOTE, file.inode, file.traits) for file in come if file.traits]
        olds.sort(key=lambda old: (old.path, old.node_id))
        news.sort(key=lambda new: new.path)
        self.gone = {old.node_id: old for old in olds}
        self.come = {new.path: new for new in news}
        self.distinct = distinct_names((old.path for old in olds), self.come, standing)
        self.lone = lone
        self.pairs: list[Pair] = []

    def join(self, old: Party, new: Party, by: Evidence) -> None:
        """Take a pair, unless one of the two has a partner."""
        if old.node_id in self.gone and new.path in self.come:
            del self.gone[old.node_id], self.come[new.path]
            self.pairs.append(Pair(old.node_id, new.path, by))

    def namesakes(self) -> Iterator[tuple[Party, Party]]:
        """Yield the pairs whose name is distinct."""
        named = {new.name: new for new in self.come.values() if new.name in self.distinct}
        for old in [*self.gone.values()]:
            if old.name in named:
                yield old, named[old.name]


def grouped(
    parties: Iterable[Party], keys: Callable[[Party], Iterable[Hashable]]
) -> dict[Hashable, list[Party]]:
    """Return who has which key; one may have several, or none."""
    groups: dict[Hashable, list[Party]] = {}
    for party in parties:
        for key in keys(party):
            groups.setdefault(key, []).append(party)
    return groups


def one_to_one(left: Unmatched, keys: Callable[[Party], Iterable[Hashable]]) -> Iterator[tuple[Party, Party]]:
    """Yield the pairs that share a key which none but them has."""
    news = grouped(left.come.values(), keys)
    for key, olds in grouped(left.gone.values(), keys).items():
        if len(olds) == 1 == len(news.get(key, ())):
            yield olds[0], news[key][0]


def _party(path: NotePath, node_id: int, inode: Inode | None, traits: Traits) -> Party:
    return Party(path, node_id, inode, traits, loose_name(path), folders(path))
