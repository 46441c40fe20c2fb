"""Ask the model whom and what notes name, where the settings want that, after summaries had their share of the day."""

from __future__ import annotations

from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from vaultsync.app.asking import model_calls
from vaultsync.app.asking.conversation import converse
from vaultsync.app.progress import silent
from vaultsync.domain.entities import given
from vaultsync.domain.errors import ConfigError
from vaultsync.models.choosing import find_chat, find_name
from vaultsync.models.naming import Namer, find_generator
from vaultsync.models.terms import Failure, Passage
from vaultsync.store import attempts, entities, naming
from vaultsync.store.entities import Spot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from vaultsync.app.growing.duty import Duty
    from vaultsync.app.memory import Memory
    from vaultsync.app.progress import Progress
    from vaultsync.store.naming import Leaf, Unnamed

STAGE: Final = "names"
"""The name of this work in `attempts`, whose subject is the generator."""

_MOST_TOKENS: Final = 3000
"""Of the notes of one request: in longer ones models pass over names."""


@dataclass(slots=True)
class Named:
    """`calls` made, `mentions` that came of them, leaves that are `left`; `failure`: why no more, in words."""

    calls: int = 0
    mentions: int = 0
    left: int = 0
    failure: str | None = None


def name_entities(
    memory: Memory,
    namer: Namer,
    progress: Progress = silent,
    *,
    asked: bool = True,
) -> Named:
    """Ask about the text that this model has not seen, as far as the day's calls go; never about private ones.

    Only what stands in a text counts. A failure ends the pass; `asked`: a person wants it tried again at once.
    `progress`: called as well while no answer comes, and may end the pass by what it raises.
    """
    waiting = naming.unnamed(memory.db.read(), namer.generator)
    named = Named(left=len(waiting))
    if not asked and _rests(memory, namer.generator):
        return named

    def step() -> None:
        progress("naming", len(waiting) - named.left, len(waiting))

    for batch in _batches(waiting):
        if named.failure or not model_calls.left(memory):
            break
        _name(memory, namer, batch, named, step)
        step()
    return named


def is_wanted(memory: Memory, duty: Duty) -> bool:
    """Tell whether the settings want a model to name entities, this machine may ask it, and there is what to ask."""
    settings = memory.settings
    if settings.entities != "model" or settings.summariser == "extractive" or not duty.may_write:
        return False
    generator = find_generator(find_name(settings))
    return model_calls.left(memory) > 0 and naming.is_any(memory.db.read(), generator)


@contextmanager
def opened(memory: Memory, environ: Mapping[str, str]) -> Iterator[Namer | None]:
    """Open the model that the settings name; None if it can't be asked, which asking it for summaries records."""
    chat = None
    with suppress(ConfigError):
        chat = find_chat(memory.settings, environ)
    if chat is None:
        yield None
        return
    with closing(Namer(chat)) as namer:
        yield namer


def _name(
    memory: Memory, namer: Namer, batch: Sequence[Unnamed], named: Named, idle: Callable[[], None]
) -> None:
    """Ask about some leaves, and write down where they and no others have what the model names."""
    ids = {leaf.chunk_id for leaf in batch}
    leaves = naming.leaves(memory.db.read(), {leaf.node_id for leaf in batch})
    sent = [leaf for leaf in leaves if leaf.chunk_id in ids]
    model_calls.count(memory)
    named.calls += 1
    [(_, found)] = converse(namer.list_names, iter([_passages(sent)]), 1, idle)
    with memory.db.write() as tx:
        if isinstance(found, Failure) and found.blame != "input":
            named.failure = found.words
            attempts.record(tx, STAGE, [(namer.generator, found.words)], int(memory.clock()))
            return
        attempts.clear(tx, STAGE, [namer.generator])
        names = [] if isinstance(found, Failure) else found  # what a server refuses to read names nobody
        spots = list(_spots(leaves, names, naming.settle(tx, sent, namer.generator)))
        entities.add(tx, spots)
    named.mentions += len(spots)
    named.left -= len(batch)


def _rests(memory: Memory, generator: str) -> bool:
    now = memory.clock()
    return any(
        (found.stage, found.subject) == (STAGE, generator) and (found.next_attempt_at or 0) > now
        for found in attempts.pending(memory.db.read())
    )


def _batches(waiting: Sequence[Unnamed]) -> Iterator[list[Unnamed]]:
    """Yield leaves that fit one request together."""
    batch: list[Unnamed] = []
    tokens = 0
    for leaf in waiting:
        if batch and tokens + leaf.tokens > _MOST_TOKENS:
            yield batch
            batch, tokens = [], 0
        batch.append(leaf)
        tokens += leaf.tokens
    if batch:
        yield batch


def _passages(leaves: Sequence[Leaf]) -> list[Passage]:
    notes = (list(group) for _, group in groupby(leaves, key=attrgetter("node_id")))
    return [Passage(note[0].title, "\n\n".join(leaf.text for leaf in note)) for note in notes]


def _spots(leaves: Sequence[Leaf], names: Sequence[str], same: set[int]) -> Iterator[Spot]:
    """Yield where the leaves that were asked about have one of the names."""
    for _, group in groupby(leaves, key=attrgetter("node_id")):
        note = list(group)
        for leaf, mentions in zip(note, given([leaf.text for leaf in note], names), strict=True):
            if leaf.chunk_id in same:
                yield from (
                    Spot(leaf.chunk_id, *entity, start, end, score)
                    for entity, _, start, end, score in mentions
                )
