"""Vanished notes and appeared files, made from texts or, where a test is about a number, from shingles."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from vaultsync.domain.identity import Come, Gone, Traits, match, returning, traits_of
from vaultsync.domain.notes import NotePath, ReadOptions
from vaultsync.domain.reading import read_note

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultsync.domain.identity import Evidence, Pair
    from vaultsync.domain.identity.terms import Inode

Content = str | Traits
"""What a note holds: its text, or its traits where a test counts shingles."""

Found = dict[str, tuple[str, "Evidence"]]
"""By the old path the new one and what said so."""


def words(name: str, count: int, start: int = 0) -> str:
    """Return `count` words that only texts of this name have; they have two shingles less."""
    return " ".join(f"{name}{number}" for number in range(start, start + count))


def shingles(
    body: Iterable[int] = (),
    front: Iterable[int] = (),
    *,
    ids: tuple[str, ...] = (),
    aliases: tuple[str, ...] = (),
) -> Traits:
    """Return the traits of a note with these shingles; of none, a blank note's."""
    inner, outer = array("I", sorted(body)), array("I", sorted(front))
    return Traits(inner.tobytes() + outer.tobytes(), outer, inner, ids, aliases)


def read(text: str) -> tuple[str, Traits]:
    """Return a note's hash and traits as a sync finds them."""
    reading = read_note(text.encode(), NotePath("any.md"), ReadOptions())
    leaves = (leaf.text for leaf in reading.leaves)
    return reading.content_hash, traits_of(reading.metadata, reading.property_text, reading.aliases, leaves)


def gone(notes: Mapping[str, Content], inodes: Mapping[str, Inode] | None = None) -> list[Gone]:
    """Return vanished notes; their node ids count from 1."""
    return [
        Gone(number, NotePath(path), content_hash, (inodes or {}).get(path), not traits.content, traits)
        for number, (path, (content_hash, traits)) in enumerate(_contents(notes), 1)
    ]


def come(files: Mapping[str, Content], inodes: Mapping[str, Inode] | None = None) -> list[Come]:
    """Return appeared files."""
    return [
        Come(NotePath(path), content_hash, (inodes or {}).get(path), traits)
        for path, (content_hash, traits) in _contents(files)
    ]


def found(
    old: Mapping[str, Content],
    new: Mapping[str, Content],
    standing: Iterable[str] = (),
    held_ids: Iterable[str] = (),
    inodes: tuple[Mapping[str, Inode], Mapping[str, Inode]] = ({}, {}),
) -> Found:
    """Match all that vanished with all that appeared, as one scan saw them."""
    left = gone(old, inodes[0])
    lone = len(old) == len(new) == 1
    pairs = match(left, come(new, inodes[1]), [*map(NotePath, standing)], [*held_ids], lone=lone)
    return named(left, pairs)


def returned(old: Mapping[str, Content], new: Mapping[str, Content], standing: Iterable[str] = ()) -> Found:
    """Match tombstones with all that appeared."""
    left = gone(old)
    return named(left, returning(left, come(new), [*map(NotePath, standing)], []))


def named(notes: Iterable[Gone], pairs: Iterable[Pair]) -> Found:
    """Return pairs by the old path."""
    paths: dict[int, str] = {note.node_id: note.path for note in notes}
    return {paths[pair.node_id]: (pair.path, pair.by) for pair in pairs}


def _contents(notes: Mapping[str, Content]) -> Iterable[tuple[str, tuple[str, Traits]]]:
    for path, content in notes.items():
        yield path, read(content) if isinstance(content, str) else (content.content.hex(), content)
