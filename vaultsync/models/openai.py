"""Any server that speaks OpenAI's chat completions (platform.openai.com/docs/api-reference/chat)."""

from __future__ import annotations

from typing import Final

from vaultsync.models.contexts import find_cut
from vaultsync.models.door import Document, Door, Refusal, turns
from vaultsync.models.terms import Answer, Failure

ENDPOINT: Final = "https://api.openai.com/v1"

_ENDS: Final = {
    "length": Failure("the model's text was cut off", "output"),
    "content_filter": Failure("the server's filter held the model's text back", "output"),
}


class OpenAI:
    """`model`: as the server calls it."""

    def __init__(self, door: Door, model: str) -> None:
        self.name = f"openai:{model}"
        self._door = door
        self._model = model
        self._unwanted: set[str] = set()

    def ask(self, instructions: str, message: str, room: int) -> Answer | Failure:
        """Ask once; a setting that a model does not take (some have no temperature) is left out from then on."""
        while True:
            answer = self._door.post("/chat/completions", self._document(instructions, message, room))
            if not isinstance(answer, Refusal):
                return answer if isinstance(answer, Failure) else _read(answer, instructions + message)
            if not self._leave_out(answer):
                return answer.failure

    def close(self) -> None:
        """Give the connections back."""
        self._door.close()

    def _document(self, instructions: str, message: str, room: int) -> Document:
        optional = {"temperature": 0, "max_tokens": room}
        return {
            "model": self._model,
            "messages": turns(instructions, message),
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


def _read(document: Document, sent: str) -> Answer | Failure:
    """Return the text of an answer, unless it was made from less than was sent, or ended too early."""
    try:
        choice = document["choices"][0]
        text, end = choice["message"]["content"], choice.get("finish_reason")
        seen = (document.get("usage") or {}).get("prompt_tokens")
    except (KeyError, IndexError, TypeError, AttributeError):
        return Failure("the server's answer is no chat completion", "moment")
    if failure := find_cut(sent, seen) or _ENDS.get(str(end)):
        return failure
    return Answer(text if isinstance(text, str) else "")
