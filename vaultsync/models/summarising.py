"""What a summariser is asked for, and the one that asks a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from vaultsync.models import prompt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultsync.models.chat import Chat
    from vaultsync.models.terms import Answer, Failure, Passage


class Request(NamedTuple):
    """Passages to sum up, in order, in at most `budget` tokens (`domain.tokens.estimate`)."""

    passages: Sequence[Passage]
    budget: int


class Summariser(Protocol):
    """`generator`: whose texts these are, model and version of the prompt, such as `ollama:llama3.2/1`.

    `instructions`: what the model is told beside the passages, the same for each request.
    """

    @property
    def generator(self) -> str:
        """Return who a text is by."""

    @property
    def instructions(self) -> str:
        """Return what a text must not repeat."""

    def summarise(self, request: Request) -> Answer | Failure:
        """Ask for a summary; may be called by several threads."""

    def close(self) -> None:
        """Give the connections back."""


class ModelSummariser:
    """Asks a model, by the one prompt."""

    instructions = prompt.INSTRUCTIONS

    def __init__(self, chat: Chat) -> None:
        self.generator = prompt.generator(chat.name)
        self._chat = chat

    def summarise(self, request: Request) -> Answer | Failure:
        """Ask for a summary."""
        message = prompt.message(request.passages, request.budget)
        return self._chat.ask(self.instructions, message, prompt.room(request.budget))

    def close(self) -> None:
        """Give the connections back."""
        self._chat.close()
