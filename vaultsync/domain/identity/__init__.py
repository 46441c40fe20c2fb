"""Which vanished note is which appeared file: decided from names, contents, ids and inodes, never from events."""

from __future__ import annotations

from vaultsync.domain.identity.copies import moved_in_two_steps, vacated
from vaultsync.domain.identity.matching import certain, match, returning
from vaultsync.domain.identity.terms import Come, Evidence, Gone, Inode, Pair, Rewritten, Young
from vaultsync.domain.identity.traits import Traits, traits_of

__all__ = [
    "Come",
    "Evidence",
    "Gone",
    "Inode",
    "Pair",
    "Rewritten",
    "Traits",
    "Young",
    "certain",
    "match",
    "moved_in_two_steps",
    "returning",
    "traits_of",
    "vacated",
]
