"""The text of a summary: what its members say is read, and summed up by chosen sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.extractive import Source, summarise
from vaultsync.domain.flags import unflagged
from vaultsync.domain.prose import plain
from vaultsync.domain.summary_note import inert
from vaultsync.domain.tokens import estimate
from vaultsync.domain.tree import Note, digest
from vaultsync.store import tree_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vaultsync.config import Settings
    from vaultsync.domain.tree import Item
    from vaultsync.store.connection import Reader
    from vaultsync.store.tree_texts import SummaryText

    Chosen = Callable[[int, tuple[Item, ...]], str | None]
    """What was chosen before of these members of a tree (its id); None if nothing was."""

_SHARE = 4
"""A summary takes at most one of so many tokens of its input (design, section 6)."""

_TIME = len("2026-03")
"""Characters of a month's shelf, and no more of a year's; any other that is no folder is a note's."""

_LINE = 40
"""Tokens that the line of a note without sentences has at most."""


class Input(NamedTuple):
    """What was read for a summary. `digest`: of the members' texts; `tokens`: their length."""

    sources: tuple[Source, ...]
    digest: str
    tokens: int


def read(db: Reader, tree_id: int, members: Sequence[Item]) -> Input:
    """Read what the members of a summary say, in order; what is gone by now says nothing."""
    if isinstance(members[0], Note):
        return _read_notes(db, tree_id, [str(member.key) for member in members])
    return _read_summaries(db, tree_id, [int(member.key) for member in members])


def chosen(settings: Settings, given: Input) -> str:
    """Return the sentences of the input that are its summary, as markdown in which nothing runs."""
    return inert(summarise(given.sources, budget(settings, given.tokens), settings.tokens).text)


def budget(settings: Settings, tokens: int) -> int:
    """Return how long a summary of so many tokens may be, in tokens."""
    return min(settings.tokens, tokens // _SHARE)


def _read_notes(db: Reader, tree_id: int, uids: list[str]) -> Input:
    found = tree_texts.of_notes(db, tree_id, uids)
    notes = [found[uid] for uid in uids if uid in found]
    return Input(
        tuple(Source(note.title, note.headings, note.texts) for note in notes),
        digest(digest(note.hashes) for note in notes),
        sum(note.tokens for note in notes),
    )


def _read_summaries(db: Reader, tree_id: int, ordinals: list[int]) -> Input:
    found = tree_texts.of_summaries(db, tree_id, ordinals)
    below = [found[ordinal] for ordinal in ordinals if ordinal in found]
    names = [_name_of(child) for child in below]
    first = {name: at for at, name in reversed([*enumerate(names)])}
    return Input(
        tuple(
            Source(name if first[name] == at else "", (), (unflagged(child.text),))
            for at, (name, child) in enumerate(zip(names, below, strict=True))
        ),
        digest(child.text_hash for child in below),
        sum(child.tokens for child in below),
    )


def _name_of(child: SummaryText) -> str:
    """Return what stands for a summary in which no sentence is found: its place or time, or the line of its note."""
    if child.shelf.endswith("/") or len(child.shelf) <= _TIME:
        return child.shelf.strip("/").rpartition("/")[2]
    line = plain(child.text.partition("\n")[0])
    return line if estimate(line) <= _LINE else ""
