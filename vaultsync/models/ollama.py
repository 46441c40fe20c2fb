"""Ollama by its own API (docs.ollama.com/api), which can be told how long a context is needed."""

from __future__ import annotations

from typing import Final

from vaultsync.domain.tokens import estimate
from vaultsync.models.contexts import find_cut, most_tokens
from vaultsync.models.door import Document, Door, Refusal, turns
from vaultsync.models.terms import Answer, Failure

ENDPOINT: Final = "http://127.0.0.1:11434"

_STEP: Final = 2048
"""Lengths of context are multiples of this: for each other one Ollama loads the model again."""


class Ollama:
    """`model`: as `ollama list` calls it; `context_tokens`: the longest context that it is told to make room for."""

    def __init__(self, door: Door, model: str, context_tokens: int) -> None:
        self.name = f"ollama:{model}"
        self._door = door
        self._model = model
        self._context_tokens = context_tokens

    def ask(self, instructions: str, message: str, room: int) -> Answer | Failure:
        """Ask once, with a context that holds all that is sent and the answer."""
        sent = instructions + message
        document = {
            "model": self._model,
            "messages": turns(instructions, message),
            "stream": False,
            "think": False,
            "options": {"temperature": 0, "num_predict": room, "num_ctx": self._context(sent, room)},
        }
        answer = self._door.post("/api/chat", document)
        if isinstance(answer, Refusal):
            return answer.failure
        return answer if isinstance(answer, Failure) else _read(answer, sent)

    def close(self) -> None:
        """Give the connections back."""
        self._door.close()

    def _context(self, sent: str, room: int) -> int:
        needed = most_tokens(estimate(sent)) + room
        return min(self._context_tokens, -(-needed // _STEP) * _STEP)


def _read(document: Document, sent: str) -> Answer | Failure:
    """Return the text of an answer, unless it was made from less than was sent, or ended too early."""
    message = document.get("message")
    if not isinstance(message, dict):
        return Failure("the server's answer is no chat message", "moment")
    if failure := find_cut(sent, document.get("prompt_eval_count")):
        return failure
    if document.get("done_reason") == "length" or document.get("done") is False:
        return Failure("the model's text was cut off", "output")
    text = message.get("content")
    return Answer(text if isinstance(text, str) else "")
