"""How much of one note's text is in another."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.likeness import ratio

if TYPE_CHECKING:
    from vaultsync.domain.identity.traits import Traits


class Shingles(NamedTuple):
    """An appeared file's shingles, ready to be compared with those of many notes."""

    whole: set[int]
    body: set[int]


class Overlap(NamedTuple):
    """Shingles of an old and a new note: those in both, in both bodies, and all of each."""

    shared: int
    shared_body: int
    old: int
    new: int

    @property
    def likeness(self) -> float:
        """Return shared / (shared + 0.75 lost + 0.25 added), 0 to 1; 0 if nothing is shared."""
        return ratio(self.shared, self.old, self.new)

    @property
    def kept(self) -> float:
        """Return the share of the old note that is in the new one."""
        return self.shared / self.old if self.old else 0.0

    @property
    def jaccard(self) -> float:
        """Return the share of both notes' shingles that is in both."""
        return self.shared / (self.old + self.new - self.shared) if self.shared else 0.0


def shingles_of(traits: Traits) -> Shingles:
    """Return a note's shingles as sets."""
    body = set(traits.body)
    return Shingles(body.union(traits.front) if traits.front else body, body)


def overlap(old: Traits, new: Shingles) -> Overlap:
    """Compare a vanished note with an appeared one."""
    in_body = len(new.whole.intersection(old.body))
    shared = in_body + (len(new.whole.intersection(old.front)) if old.front else 0)
    both = in_body if new.whole is new.body else len(new.body.intersection(old.body))
    return Overlap(shared, both, old.size, len(new.whole))
