"""Which notes and summaries are below which summary, by what generated notes name: every one its children in order."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from vaultsync.domain.notes import Uid
    from vaultsync.domain.summary_note import Child


class Holder(NamedTuple):
    """A summary, by its tree and ordinal."""

    tree: Uid
    ordinal: int


class Claim(NamedTuple):
    """What a generated note says is below its summary, in order."""

    holder: Holder
    children: tuple[Child, ...]


class Place(NamedTuple):
    """Where a note or summary is now: in which tree, if any, and below which summary of it."""

    tree: Uid | None
    parent: int | None

    @property
    def holder(self) -> Holder | None:
        """Return the summary that it is below."""
        return Holder(self.tree, self.parent) if self.tree and self.parent else None


def divide(
    claims: Collection[Claim],
    places: Mapping[str, Place],
    by_hash: Mapping[str, Collection[str]],
) -> dict[Holder, tuple[str, ...]]:
    """Return what each claim gets, in order, of the notes or summaries that can be had (`places`, by uid).

    A child is what has its id, else the one that has its text (`by_hash`) and is named by no other. Of several
    claims to it the one in the tree where it is now wins, then the lower ordinal; what it is below now, by a
    summary that claims nothing anew, is such a claim too.
    """
    named = {child.id for claim in claims for child in claim.children if child.id in places}
    found = {claim.holder: [_find(child, named, by_hash) for child in claim.children] for claim in claims}
    winners = _winners(found, places)
    return {
        holder: tuple(child for child in dict.fromkeys(children) if child and winners[child] == holder)
        for holder, children in found.items()
    }


def _find(child: Child, named: Collection[str], by_hash: Mapping[str, Collection[str]]) -> str | None:
    if child.id in named:
        return child.id
    alike = [uid for uid in by_hash.get(child.text_hash, ()) if uid not in named]
    return alike[0] if len(alike) == 1 else None


def _winners(found: Mapping[Holder, Iterable[str | None]], places: Mapping[str, Place]) -> dict[str, Holder]:
    """Return who gets each child."""
    claimants: defaultdict[str, set[Holder]] = defaultdict(set)
    for holder, children in found.items():
        for child in children:
            if child:
                claimants[child].add(holder)
    for child, holders in claimants.items():
        standing = places[child].holder
        if standing and standing not in found:
            holders.add(standing)
    return {
        child: min(
            holders, key=lambda holder: (holder.tree != places[child].tree, holder.ordinal, holder.tree)
        )
        for child, holders in claimants.items()
    }
