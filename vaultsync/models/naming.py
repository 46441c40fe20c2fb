"""Asks a model whom and what notes name; that a name stands in them is for others to see."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from vaultsync.models.fencing import RULE, fenced
from vaultsync.models.terms import Failure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultsync.models.chat import Chat
    from vaultsync.models.terms import Passage

VERSION: Final = 1
"""Raised by whatever changes the prompt; notes are asked for anew then."""

INSTRUCTIONS: Final = f"""\
You list whom and what some notes name, for the index of a person's own collection.

{RULE}

List every person, organisation, place, product and event that the notes name by a proper name. Write each name once, \
on a line of its own, letter for letter as it stands in the notes. Leave out common nouns, dates, addresses and code.

Answer with the list alone, or with the one word none."""

ROOM: Final = 1500
"""Tokens for the answer: some 300 names, more than 3,000 tokens of notes hold."""

_ITEM: Final = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_LONGEST: Final = 80
"""Characters of a name; what is longer is a sentence."""


def find_generator(name: str) -> str:
    """Return who names are by that a model of this name was asked for."""
    return f"names by {name}/{VERSION}"


class Namer:
    """`generator`: model and version of the prompt."""

    def __init__(self, chat: Chat) -> None:
        self.generator = find_generator(chat.name)
        self._chat = chat

    def list_names(self, passages: Sequence[Passage]) -> list[str] | Failure:
        """Return what the model says the passages name, each once, in its order."""
        answer = self._chat.ask(INSTRUCTIONS, f"{fenced(passages)}\n\nList the names now.", ROOM)
        return answer if isinstance(answer, Failure) else _read(answer.text)

    def close(self) -> None:
        """Give the connections back."""
        self._chat.close()


def _read(text: str) -> list[str]:
    names = (" ".join(_ITEM.sub("", line).strip("\"'`*").split()) for line in text.split("\n"))
    return list(
        dict.fromkeys(name for name in names if 1 < len(name) <= _LONGEST and name.casefold() != "none")
    )
