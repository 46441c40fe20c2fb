"""What an entity and a mention of it are."""

from __future__ import annotations

from typing import Literal, NamedTuple

EntityKind = Literal["email", "url", "handle", "tag", "link", "date", "name"]
"""`link` is a note: what a wikilink, an embed or an internal markdown link points to."""


class Entity(NamedTuple):
    """What is mentioned, in the one form of all its spellings.

    email, handle (with its `@`), tag (without `#`), name: NFC, without case. url: see `canonical.url`. link: the
    key of the note's name or alias (`domain.names.target_key`), without folder. date: ISO.
    """

    kind: EntityKind
    canonical: str


class Mention(NamedTuple):
    """An entity as it stands in a leaf: `text[start:end] == surface`, in characters of the leaf's text.

    `score`: how sure it is that this is meant, 0 to 1.
    """

    entity: Entity
    surface: str
    start: int
    end: int
    score: float
