"""The generic tree engine: buckets of items that fill, seal and cascade; it knows no kind, policy, clock or store."""

from __future__ import annotations

from vaultsync.domain.tree.arrivals import Arrival, in_order
from vaultsync.domain.tree.snapshot import Bucket, Tree
from vaultsync.domain.tree.steps import Dissolve, Step, Turn, Write
from vaultsync.domain.tree.terms import ANY_AGE, Item, Key, Leaf, Limits, Note, State, Summary, digest, gather
from vaultsync.domain.tree.upkeep import Occasion, Upkeep, inputs_of, is_due, is_stale

__all__ = [
    "ANY_AGE",
    "Arrival",
    "Bucket",
    "Dissolve",
    "Item",
    "Key",
    "Leaf",
    "Limits",
    "Note",
    "Occasion",
    "State",
    "Step",
    "Summary",
    "Tree",
    "Turn",
    "Upkeep",
    "Write",
    "digest",
    "gather",
    "in_order",
    "inputs_of",
    "is_due",
    "is_stale",
]
