"""What a model is given and gives back."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Passage(NamedTuple):
    """What one note, or the summary of a bucket below, says: data, whatever it asks for."""

    title: str
    text: str


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
