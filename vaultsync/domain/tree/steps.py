"""The steps that keep a tree: plain data, which a store persists and `Tree.apply` repeats in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from vaultsync.domain.tree.terms import Item, Key, State, Summary


class Write(NamedTuple):
    """Make or remake a summary of just these members, in one transaction with its text.

    `before`: its row as it was, None for a new one. `after`: its row then, `after.digest` still to become the hash
    of the text. `members`: as they were, in order; all leaves of a note, also those that do not count, come under
    the summary. `leaving`: members that it has no more, whose parent becomes NULL.
    `after.inputs` is the digest of the members' digests: whoever reads their text checks it against what was read.
    """

    before: Summary | None
    after: Summary
    members: tuple[Item, ...]
    leaving: tuple[Key, ...] = ()

    @property
    def needs_text(self) -> bool:
        """False where a person's text stays: a pinned summary takes a member that has no other place."""
        return not self.after.pinned


class Turn(NamedTuple):
    """Seal an open summary as it is, or reopen a sealed one; text, members and parent stay."""

    before: Summary
    state: State


class Dissolve(NamedTuple):
    """Take a summary away; everything under it, also what does not count, goes to `heir` (None: parent NULL)."""

    before: Summary
    heir: int | None


Step = Write | Turn | Dissolve
