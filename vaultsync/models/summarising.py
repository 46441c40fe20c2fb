"""What a summariser is asked, what it answers, and how it fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence


class Passage(NamedTuple):
    """What one note, or the summary of a bucket below, says: data, whatever it asks for."""

    title: str
    text: str


class Request(NamedTuple):
    """Passages to sum up, in order, in at most `budget` tokens (`domain.tokens.estimate`)."""

    passages: Sequence[Passage]
    budget: int


class Answer(NamedTuple):
    """A text as the model wrote it; nothing in it has been judged."""

    text: str


Blame = Literal["backend", "moment", "input", "output"]
"""What a failure lies in: the backend, for all requests (a wrong key, no such model); the moment, so that the same
request may succeed later; this input, which fails again unless it changes; or the output, which may come out
otherwise another day."""


class Failure(NamedTuple):
    """Why there is no answer, in words for a person, without keys."""

    words: str
    blame: Blame


class Summariser(Protocol):
    """A model behind a server. `generator` names it and the version of its prompt, such as `ollama:llama3.2/1`."""

    @property
    def generator(self) -> str:
        """Return who a text is by."""

    @property
    def instructions(self) -> str:
        """Return what the model is told beside the passages, the same for each request."""

    def summarise(self, request: Request) -> Answer | Failure:
        """Ask for a summary; takes as long as the time-out, times the tries. May be called by several threads."""

    def close(self) -> None:
        """Give the connections back."""
