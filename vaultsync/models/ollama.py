"""Summaries by Ollama's own API (docs.ollama.com/api), which can be told how long a context is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from vaultsync.domain.tokens import estimate
from vaultsync.models import prompt
from vaultsync.models.door import Door, Refusal, Server
from vaultsync.models.summarising import Answer, Failure

if TYPE_CHECKING:
    from vaultsync.models.summarising import Request

ENDPOINT: Final = "http://127.0.0.1:11434"

_STEP: Final = 2048
"""Lengths of context are multiples of this: for each other one Ollama loads the model again."""


class Ollama:
    """`model`: as `ollama list` calls it; `context_tokens`: the longest context that it is told to make room for."""

    instructions = prompt.INSTRUCTIONS

    def __init__(self, door: Door, model: str, context_tokens: int) -> None:
        self.generator = prompt.generator("ollama", model)
        self._door = door
        self._model = model
        self._context_tokens = context_tokens

    def summarise(self, request: Request) -> Answer | Failure:
        """Ask for a summary, with a context that holds the whole message and the answer."""
        asked = prompt.message(request)
        document = {
            "model": self._model,
            "messages": prompt.messages(asked),
            "stream": False,
            "think": False,
            "options": {
                "temperature": 0,
                "num_predict": prompt.room(request.budget),
                "num_ctx": self._context(asked, request.budget),
            },
        }
        answer = self._door.post("/api/chat", document)
        if isinstance(answer, Refusal):
            return answer.failure
        return answer if isinstance(answer, Failure) else _read(answer, asked)

    def close(self) -> None:
        """Give the connections back."""
        self._door.close()

    def _context(self, asked: str, budget: int) -> int:
        needed = prompt.most_tokens(estimate(prompt.INSTRUCTIONS) + estimate(asked)) + prompt.room(budget)
        return min(self._context_tokens, -(-needed // _STEP) * _STEP)


def make(server: Server, model: str, context_tokens: int) -> Ollama:
    """Return a summariser. Raises ConfigError as `Door`."""
    return Ollama(Door(server), model, context_tokens)


def _read(document: dict[str, Any], asked: str) -> Answer | Failure:
    """Return the text of an answer, unless it was made from less than the whole message, or ended too early."""
    message = document.get("message")
    if not isinstance(message, dict):
        return Failure("the server's answer is no chat message", "moment")
    if failure := prompt.find_cut(asked, document.get("prompt_eval_count")):
        return failure
    if document.get("done_reason") == "length" or document.get("done") is False:
        return Failure("the model's text was cut off", "output")
    text = message.get("content")
    return Answer(text if isinstance(text, str) else "")
