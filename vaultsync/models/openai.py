"""Summaries by any server that speaks OpenAI's chat completions (platform.openai.com/docs/api-reference/chat)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from vaultsync.models import prompt
from vaultsync.models.door import Door, Refusal, Server
from vaultsync.models.summarising import Answer, Failure

if TYPE_CHECKING:
    from vaultsync.models.summarising import Request

ENDPOINT: Final = "https://api.openai.com/v1"

_ENDS: Final = {
    "length": Failure("the model's text was cut off", "output"),
    "content_filter": Failure("the server's filter held the model's text back", "output"),
}


class OpenAI:
    """`model`: as the server calls it. Temperature 0: the same notes are to give the same text."""

    instructions = prompt.INSTRUCTIONS

    def __init__(self, door: Door, model: str) -> None:
        self.generator = prompt.generator("openai", model)
        self._door = door
        self._model = model
        self._unwanted: set[str] = set()

    def summarise(self, request: Request) -> Answer | Failure:
        """Ask for a summary; what a model takes no such setting of (some have no temperature) is left out then."""
        asked = prompt.message(request)
        while True:
            answer = self._door.post("/chat/completions", self._document(asked, request.budget))
            if not isinstance(answer, Refusal):
                return answer if isinstance(answer, Failure) else _read(answer, asked)
            if not self._leave_out(answer):
                return answer.failure

    def close(self) -> None:
        """Give the connections back."""
        self._door.close()

    def _document(self, asked: str, budget: int) -> dict[str, Any]:
        optional = {"temperature": 0, "max_tokens": prompt.room(budget)}
        return {
            "model": self._model,
            "messages": prompt.messages(asked),
            "stream": False,
            **{name: value for name, value in optional.items() if name not in self._unwanted},
        }

    def _leave_out(self, refusal: Refusal) -> bool:
        """Note which setting a server does not want; False if it is none that may be left out."""
        error = refusal.document.get("error")
        name = error.get("param") if isinstance(error, dict) else None
        if name not in ("temperature", "max_tokens") or name in self._unwanted:
            return False
        self._unwanted.add(name)
        return True


def make(server: Server, model: str) -> OpenAI:
    """Return a summariser. Raises ConfigError as `Door`."""
    return OpenAI(Door(server), model)


def _read(document: dict[str, Any], asked: str) -> Answer | Failure:
    """Return the text of an answer, unless it was made from less than the whole message, or ended too early."""
    try:
        choice = document["choices"][0]
        text, end = choice["message"]["content"], choice.get("finish_reason")
        seen = (document.get("usage") or {}).get("prompt_tokens")
    except (KeyError, IndexError, TypeError, AttributeError):
        return Failure("the server's answer is no chat completion", "moment")
    if failure := prompt.find_cut(asked, seen) or _ENDS.get(str(end)):
        return failure
    return Answer(text if isinstance(text, str) else "")
