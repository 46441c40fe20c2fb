"""Our own notes in the vault: rendered, recognised, taken apart, and made anew around what the user wrote."""

from __future__ import annotations

from vaultsync.domain.summary_note.content import Content, Entry, LinkStyle, Section, digest_of
from vaultsync.domain.summary_note.inert import inert
from vaultsync.domain.summary_note.parts import Parts, recognise, take_apart
from vaultsync.domain.summary_note.record import Child, Record, State
from vaultsync.domain.summary_note.rendering import FORMAT, emptied, merge, relisted, render, unpinned

__all__ = [
    "FORMAT",
    "Child",
    "Content",
    "Entry",
    "LinkStyle",
    "Parts",
    "Record",
    "Section",
    "State",
    "digest_of",
    "emptied",
    "inert",
    "merge",
    "recognise",
    "relisted",
    "render",
    "take_apart",
    "unpinned",
]
