"""What a model is given for one summary: read at one moment, public, and no longer than it can read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultsync.app.asking.unrefined import may_be_refined
from vaultsync.app.growing import summarise
from vaultsync.domain import flags
from vaultsync.domain.tokens import estimate
from vaultsync.domain.tree import gather, inputs_of
from vaultsync.domain.trimming import trim
from vaultsync.models import prompt
from vaultsync.models.contexts import input_room
from vaultsync.models.summarising import Request
from vaultsync.models.terms import Passage
from vaultsync.store import refining, summaries, tree_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultsync.app.growing.summarise import Input
    from vaultsync.app.memory import Memory
    from vaultsync.domain.tree import Item
    from vaultsync.store.connection import Reader
    from vaultsync.store.summaries import SummaryRow


class Task(NamedTuple):
    """A summary to be asked for. `row`: as it was when its inputs were read; `said`: all that these say."""

    row: SummaryRow
    request: Request
    said: tuple[str, ...]


def read_task(memory: Memory, row: SummaryRow) -> Task | None:
    """Read what a summary is made from; None if it stands otherwise by now, or is to be made again first."""
    with memory.db.snapshot() as index:
        if not still_stands(index, row) or refining.has_private(index, row.uid):
            return None
        given = summarise.read(index, row.tree_id, _members(index, row))
    return Task(row, _request(memory, row, given), _said(given))


def still_stands(db: Reader, row: SummaryRow) -> bool:
    """Tell whether a summary may get a text made from just these inputs: it is the same, and so are its members."""
    now = summaries.with_uids(db, [row.uid]).get(row.uid)
    if now is None or not may_be_refined(now) or (now.text_hash, now.inputs) != (row.text_hash, row.inputs):
        return False
    members = _members(db, row)
    return bool(members) and inputs_of(members) == row.inputs


def _members(db: Reader, row: SummaryRow) -> Sequence[Item]:
    """Return what is right under a summary, in order."""
    if row.level > 1:
        return [child for child in tree_rows.summaries(db, row.tree_id) if child.parent == row.ordinal]
    notes = gather(tree_rows.leaves(db, row.tree_id, {}, summaries.members(db, row.uid)))
    return sorted(notes, key=lambda note: note.seq)


def _request(memory: Memory, row: SummaryRow, given: Input) -> Request:
    """Return the request: a summary may be as long as a quarter of its input, or as the text that it replaces."""
    settings = memory.settings
    budget = max(summarise.budget(settings, given.tokens), min(settings.tokens, estimate(row.text)))
    most = input_room(settings.context_tokens, prompt.INSTRUCTIONS, prompt.room(budget))
    if row.level == 1:
        most = min(most, settings.seal_tokens)
    passages = (
        Passage(source.title, flags.unflagged("\n\n".join(source.texts)))
        for source in trim(given.sources, most)
    )
    return Request(tuple(passage for passage in passages if passage.text.strip()), budget)


def _said(given: Input) -> tuple[str, ...]:
    return tuple(text for source in given.sources for text in (source.title, *source.texts))
