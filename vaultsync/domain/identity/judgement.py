"""Whether a vanished and an appeared note may be one, by what evidence, and how strongly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from vaultsync.domain.identity.exact import LIKE, OWN
from vaultsync.domain.identity.resemblance import folder_share, loose_name, same_digits, similar

if TYPE_CHECKING:
    from vaultsync.domain.identity.overlap import Overlap
    from vaultsync.domain.identity.terms import Evidence
    from vaultsync.domain.identity.unmatched import Party, Unmatched
    from vaultsync.domain.notes import NotePath

HINTED: Final = 0.25
"""Likeness that joins when a name, an alias or the inode points the same way, or nothing else vanished or appeared."""

NAME: Final = 0.6
"""Must beat the likeness of 0.5 to 0.57 of a text that was split off, and lose against 0.95 of one that went on."""

_UNLIKE: Final = 0.05
_FULL: Final = 12
"""Two notes of so many shingles and less likeness are another text: a name must be near its old place then."""

_ALL_SHINGLES_ALIKE: Final = 0.55
_FEWEST_SHARED: Final = 8
"""Of notes that are nearly all frontmatter: Jaccard's index, and shingles."""

_THIN: Final = 6
_THIN_KEPT: Final = 0.6
"""Shingles of a note in which one word less changes everything, and how much of it must be left."""

_LONE_SHARED: Final = 3
_LONE_SHORT: Final = 0.4
"""For a lone pair: shingles, or Jaccard's index, which asks less than that of a note of few shingles alone."""


class Signs(NamedTuple):
    """What beside the texts speaks for a pair: how their names agree, and whether they have one inode.

    `alias`: the file took the note's old name as an alias.
    """

    equal: bool
    distinct: bool
    similar: bool
    alias: bool
    inode: bool

    @property
    def bonus(self) -> float:
        """Return what they add to the likeness."""
        if self.distinct:
            return NAME
        if self.alias:
            return 0.3
        return 0.2 if self.equal or self.similar or self.inode else 0.0


class Candidate(NamedTuple):
    """A pair that may be one note; the smallest `rank` is the best."""

    rank: tuple[float, float, bool, NotePath, NotePath, int]
    old: Party
    new: Party
    by: Evidence

    @property
    def score(self) -> float:
        """Return likeness, bonus for the names and a tenth for the folders; 0 to 1.7."""
        return -self.rank[0]


def judge(old: Party, new: Party, text: Overlap, left: Unmatched) -> Candidate | None:
    """Return the pair if anything speaks for it; among equal scores likeness, then names, then paths decide."""
    if not (left.lone or old.name == new.name or text.likeness >= HINTED or text.kept >= _THIN_KEPT):
        return None  # most pairs share a phrase and no more
    signs, place = _signs(old, new, left), folder_share(old.folders, new.folders)
    by = _evidence(old, new, text, signs, place, lone=left.lone)
    if by is None:
        return None
    score = text.likeness + signs.bonus + 0.1 * place
    rank = (-score, -text.likeness, not signs.equal, old.path, new.path, old.node_id)
    return Candidate(rank, old, new, by)


def _signs(old: Party, new: Party, left: Unmatched) -> Signs:
    equal = old.name == new.name
    added = set(map(loose_name, new.traits.aliases)).difference(map(loose_name, old.traits.aliases))
    distinct = equal and old.name in left.distinct
    one_file = old.inode is not None and new.inode is not None and old.inode[:2] == new.inode[:2]
    return Signs(equal, distinct, similar(old.name, new.name), old.name in added, one_file)


def _evidence(
    old: Party, new: Party, text: Overlap, signs: Signs, place: float, *, lone: bool
) -> Evidence | None:
    other_text = text.likeness < _UNLIKE and min(text.old, text.new) >= _FULL
    if signs.distinct and (not other_text or place >= 0.5):  # noqa: PLR2004 -- half of the folders
        return "name"
    if _alike(text) or _nearly_all_alike(old, new, text) or _hinted(text, signs) or _thin(text, signs):
        return "similarity"
    if signs.inode and text.likeness >= HINTED and text.shared_body >= OWN:
        return "inode"
    return "lone" if lone and _enough_alone(old, new, text, signs) else None


def _alike(text: Overlap) -> bool:
    return text.likeness >= LIKE and text.shared_body >= OWN


def _nearly_all_alike(old: Party, new: Party, text: Overlap) -> bool:
    """Frontmatter alone must agree more, and numbered siblings of a template differ in their digits."""
    alike = text.likeness >= LIKE and text.jaccard >= _ALL_SHINGLES_ALIKE and text.shared >= _FEWEST_SHARED
    return alike and same_digits(old.name, new.name)


def _hinted(text: Overlap, signs: Signs) -> bool:
    hint = signs.similar or signs.equal or signs.alias
    return hint and text.likeness >= HINTED and (text.shared_body >= OWN or signs.similar)


def _thin(text: Overlap, signs: Signs) -> bool:
    near = signs.equal or signs.similar
    return near and min(text.old, text.new) < _THIN and (text.likeness >= LIKE or text.kept >= _THIN_KEPT)


def _enough_alone(old: Party, new: Party, text: Overlap, signs: Signs) -> bool:
    if (text.likeness >= HINTED and text.shared >= _LONE_SHARED) or text.jaccard >= _LONE_SHORT:
        return True
    both_blank = not old.traits.content and not new.traits.content
    return (signs.equal or signs.similar) and (text.shared > 0 or both_blank)
