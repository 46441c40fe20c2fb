"""Who and what a leaf names: its entities, each in one form however it is written."""

from __future__ import annotations

from vaultsync.domain.entities.finding import find
from vaultsync.domain.entities.given import given
from vaultsync.domain.entities.values import Entity, EntityKind, Mention

__all__ = ["Entity", "EntityKind", "Mention", "find", "given"]
