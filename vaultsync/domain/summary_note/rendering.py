"""Write a summary note: new, or around what the user wrote, whose every byte stays where it was."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vaultsync.domain.summary_note.content import body, digest_of
from vaultsync.domain.summary_note.parts import BEGIN, END, MARK, OUR_KEYS, Parts, mark
from vaultsync.domain.summary_note.record import Block, written

if TYPE_CHECKING:
    from vaultsync.domain.summary_note.content import Content
    from vaultsync.domain.summary_note.record import Record


FORMAT = 1
"""Raised whenever the same content would be written otherwise than before; then every note is written again."""


def render(content: Content) -> bytes:
    """Return the bytes of a new note: equal for equal contents, on every machine."""
    keys = OUR_KEYS if content.draft else OUR_KEYS[:1]
    head = "\n".join(("---", mark(content.record.id), *keys, "---", BEGIN, ""))
    return merge(Parts(head, "", f"{END}\n\n", Block(content.record, ""), "\n"), content)


def merge(parts: Parts, content: Content) -> bytes:
    """Return the note with our part new, the short id in its frontmatter too, and all else as it is.

    It asks nobody: what a person changed between the markers is written over. See `unpinned`.
    """
    part = body(content)
    return _joined(parts, content.record, part, "" if content.typed else digest_of(part))


def unpinned(parts: Parts, content: Content) -> bytes:
    """Return the note made anew, after what a person changed was copied below the end marker."""
    return merge(_copied(parts), content)


def relisted(parts: Parts, record: Record) -> bytes:
    """Return the note with what is known of its summary new, and every other byte as a person left it.

    A text that was a person's is so still.
    """
    data = written(Block(record, parts.block.digest, parts.block.others)).replace("\n", parts.line_end)
    return f"{parts.head}{parts.part}{parts.middle}{data}{parts.tail}".encode("utf-8", "surrogateescape")


def emptied(parts: Parts) -> bytes:
    """Return the note without a summary and without children, for one that has no leaves left.

    What a person changed between the markers is copied below them first. Emptied again it is the same.
    """
    return _joined(_copied(parts), parts.record._replace(input_digest="", children=()), "", digest_of(""))


def _copied(parts: Parts) -> Parts:
    """Return the parts with what a person changed also behind the end marker; nothing if a machine wrote it."""
    words = parts.part.strip("\r\n")
    if parts.is_unchanged or not words.strip():
        return parts
    marker, line_end, rest = parts.middle.partition("\n")
    gap = parts.line_end
    return replace(parts, middle=f"{marker}{line_end}{gap}{words}{gap}{rest}")


def _joined(parts: Parts, record: Record, part: str, digest: str) -> bytes:
    is_same = parts.record.id == record.id
    head = parts.head if is_same else MARK.sub(mark(record.id), parts.head, count=1)
    block = written(Block(record, digest, parts.block.others))
    ours, data = (piece.replace("\n", parts.line_end) for piece in (part, block))
    return f"{head}{ours}{parts.middle}{data}{parts.tail}".encode("utf-8", "surrogateescape")
