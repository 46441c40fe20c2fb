"""Entities that a sign gives away: links, tags, addresses, handles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from vaultsync.domain.entities import canonical
from vaultsync.domain.entities.values import Entity, Mention
from vaultsync.domain.markdown.inline import Inline
from vaultsync.domain.names import caseless, target_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultsync.domain.entities.values import EntityKind
    from vaultsync.domain.markdown.lines import Span
    from vaultsync.domain.notes import Link

_URL: Final = re.compile(r"(?:h(?<![\w]h)ttps?://|w(?<![\w/]w)ww\.(?=[\w-]+\.))[^\s<>\"`|\\^{}\[\]]+")
_TRAILING: Final = ".,:;!?'*_~=…”’»。，、；：！？）」』"  # noqa: RUF001 -- typographic and wide signs
"""What a sentence or its marks put behind an address."""

_LOCAL: Final = re.compile(r"[\w.+%-]+\Z")
_LONGEST_LOCAL: Final = 64
"""Characters before the `@` of an address (RFC 5321)."""

_DOMAIN: Final = re.compile(r"@((?:[^\W_](?:[\w-]*[^\W_])?\.)+[^\W\d_]{2,})(?![\w@])")
_HANDLE: Final = re.compile(r"@[^\W_](?:[\w.-]*\w)?(?:@[\w-]+(?:\.[\w-]+)+)?(?![/\w])")
_IN_WORD: Final = re.compile(r"[\w@/.+-]")
"""What stands before no handle: it is an address then, or the path of a page or package."""


def linked(text: str) -> tuple[list[Mention], list[Span]]:
    """Return the notes that links point to and the tags, as the parser of notes finds them, and all that they take up.

    A link to a heading of its own note or to a picture takes up its text, too, and mentions nothing.
    """
    inline = Inline(text)
    inline.scan([(0, len(text))])
    links = [
        _mention("link", key, text, link.start, link.end)
        for link in inline.links
        if _to_a_note(link) and (key := target_key(link.link))
    ]
    tags = [_mention("tag", caseless(tag.name), text, tag.start, tag.end) for tag in inline.tags]
    taken = [(link.start, link.end) for link in inline.links] + [(tag.start, tag.end) for tag in inline.tags]
    return links + tags, taken


def urls(text: str) -> Iterator[Mention]:
    """Yield the addresses of pages; a bracket that opens before one is not closed by it."""
    if "://" in text or "www." in text:
        for found in _URL.finditer(text):
            written = _without_trailing(found[0])
            yield _mention("url", canonical.url(written), text, found.start(), found.start() + len(written))


def addressed(text: str) -> Iterator[Mention]:
    """Yield the addresses of mail, and the handles."""
    at = text.find("@")
    while at >= 0:
        found = _email(text, at) or _handle(text, at)
        if found:
            yield found
        at = text.find("@", found.end if found else at + 1)


def _email(text: str, at: int) -> Mention | None:
    local = _LOCAL.search(text, max(0, at - _LONGEST_LOCAL), at)
    domain = _DOMAIN.match(text, at)
    if not local or not domain:
        return None
    return _mention("email", caseless(text[local.start() : domain.end()]), text, local.start(), domain.end())


def _handle(text: str, at: int) -> Mention | None:
    if at and _IN_WORD.match(text, at - 1):
        return None
    found = _HANDLE.match(text, at)
    if not found or not any(map(str.isalpha, found[0])):
        return None
    return _mention("handle", caseless(found[0]), text, at, found.end())


def _to_a_note(link: Link) -> bool:
    """Whether a link is one of Obsidian's, or a markdown link to a note: others may point to any file."""
    return link.kind in {"wikilink", "embed"} or link.link.partition("#")[0].endswith(".md")


def _without_trailing(written: str) -> str:
    """Return an address without the signs of the sentence around it."""
    while (last := written[-1:]) and (
        last in _TRAILING or (last == ")" and written.count(")") > written.count("("))
    ):
        written = written[:-1]
    return written


def _mention(kind: EntityKind, form: str, text: str, start: int, end: int) -> Mention:
    return Mention(Entity(kind, form), text[start:end], start, end, 1.0)
