"""A model that can be talked to, behind whichever server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from vaultsync.models.terms import Answer, Failure


class Chat(Protocol):
    """`name`: of backend and model, such as `ollama:llama3.2`. May be used by several threads."""

    @property
    def name(self) -> str:
        """Return which model this is."""

    def ask(self, instructions: str, message: str, room: int) -> Answer | Failure:
        """Ask once, at temperature 0; takes as long as the time-out, times the tries.

        `instructions`: what the model is to do; `message`: what it is to do it with. `room`: tokens that its answer
        may take. An answer that was made from less than the whole message, or cut off, is a failure.
        """

    def close(self) -> None:
        """Give the connections back."""
