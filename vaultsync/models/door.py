"""The one door to HTTP: a JSON object is posted and one comes back, patiently but never for ever."""

from __future__ import annotations

import json
import random
import threading
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit

import httpx

from vaultsync.domain.errors import ConfigError
from vaultsync.models.terms import Failure

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultsync.models.terms import Blame

Document = dict[str, Any]
"""A JSON object."""

_WAITS_S: Final = (1.0, 4.0, 16.0)
"""Before the second, third and fourth try, up to a half more by chance; a server may ask for more."""

_LONGEST_WAIT_S: Final = 60.0
"""A server that asks to be left alone for longer is left for another pass."""

_MOST_BYTES: Final = 4_000_000
"""No answer is longer: a summary is under 10 kB."""

_MOST_SAID: Final = 200
"""Characters of a server's own words that are passed on."""

_MAY_PASS: Final = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
_OF_THE_INPUT: Final = frozenset({400, 413, 422})
_HERE: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class Server(NamedTuple):
    """Where a model is. `key`: of the user's account there, "" for none; `timeout_s`: seconds a try."""

    url: str
    key: str
    timeout_s: float
    concurrency: int


class Refusal(NamedTuple):
    """What a server said of a request that it did not want as it was."""

    failure: Failure
    document: Document


class _Busy(NamedTuple):
    """A failure that may pass by itself. `wait_s`: how long the server asks to be left alone, 0 if it does not say."""

    failure: Failure
    wait_s: float


class Door:
    """Posts to one server. What it says of a failure holds no key, and of the address no more than where it leads.

    `pause`: waits some seconds between two tries. Raises ConfigError for an address or key that can't be right.
    """

    def __init__(self, server: Server, pause: Callable[[float], None] = time.sleep) -> None:
        self._server = server
        self._place = _place(server)
        self._pause = pause
        self._turns = threading.BoundedSemaphore(max(1, server.concurrency))
        self._client = _client(server)

    def post(self, path: str, document: Document) -> Document | Refusal | Failure:
        """Return what answers; what may pass (too many requests, trouble, no connection) is tried four times."""
        with self._turns:
            for wait_s in _WAITS_S:
                answer = self._try(path, document)
                if not isinstance(answer, _Busy) or answer.wait_s > _LONGEST_WAIT_S:
                    break
                self._pause(max(answer.wait_s, wait_s * random.uniform(1, 1.5)))  # noqa: S311 - no secret
            else:
                answer = self._try(path, document)
        return answer.failure if isinstance(answer, _Busy) else answer

    def close(self) -> None:
        """Give the connections back."""
        self._client.close()

    def _try(self, path: str, document: Document) -> Document | Refusal | Failure | _Busy:
        # A server that sends a byte a minute never lets a read time out.
        deadline = time.monotonic() + self._server.timeout_s
        url = self._server.url.rstrip("/") + path
        try:
            with self._client.stream("POST", url, json=document) as response:
                return self._read(response, deadline)
        except httpx.TimeoutException:
            return self._late()
        except httpx.TransportError as error:
            return _Busy(self._failure(f"no answer from {self._place}", str(error), "moment"), 0)
        except httpx.HTTPError as error:
            return self._failure(f"no use of the answer from {self._place}", str(error), "moment")

    def _read(self, response: httpx.Response, deadline: float) -> Document | Refusal | Failure | _Busy:
        raw = bytearray()
        for piece in response.iter_bytes():
            raw += piece
            if time.monotonic() > deadline:
                return self._late()
            if len(raw) > _MOST_BYTES:
                return self._failure(f"{self._place} sends more than {_MOST_BYTES:,} bytes", "", "moment")
        found = _object(bytes(raw))
        if not response.is_success:
            return self._refused(response, found or {})
        if found is None:
            return self._failure(f"{self._place} sends no JSON object", "", "moment")
        if self._server.key and self._server.key in str(found):
            return self._failure(
                f"{self._place} answers with your key, so nothing of that is kept", "", "backend"
            )
        return found

    def _refused(self, response: httpx.Response, document: Document) -> Refusal | Failure | _Busy:
        status = response.status_code
        words, said = f"{self._place} answers {status}", _said(document)
        if status in _MAY_PASS:
            return _Busy(self._failure(words, said, "moment"), _asked_wait(response))
        if status in _OF_THE_INPUT:
            return Refusal(self._failure(words, said, "input"), document)
        return self._failure(words, said, "backend")

    def _late(self) -> Failure:
        return Failure(f"no answer from {self._place} in {self._server.timeout_s:g} s", "moment")

    def _failure(self, words: str, said: str, blame: Blame) -> Failure:
        """Return a failure with what others said of it, on one line, not too long, and without the key."""
        shown = said.replace(self._server.key, "***") if self._server.key else said
        shown = " ".join(shown.split())[:_MOST_SAID]
        return Failure(f"{words}: {shown}" if shown else words, blame)


def turns(instructions: str, message: str) -> list[Document]:
    """Return a conversation of these two turns, as both APIs have it."""
    return [{"role": "system", "content": instructions}, {"role": "user", "content": message}]


def _client(server: Server) -> httpx.Client:
    headers = {"Authorization": f"Bearer {server.key}"} if server.key else {}
    try:
        # Proxies are for what is elsewhere: notes for a model on this machine must not take a way around it.
        return httpx.Client(headers=headers, timeout=server.timeout_s, trust_env=not _is_here(server.url))
    except (ImportError, OSError, ValueError) as error:
        raise ConfigError(
            f"The proxy or certificates that your environment names are of no use: {error}."
        ) from error


def _place(server: Server) -> str:
    """Return the address as it may be shown. Raises ConfigError if it or the key can't be right."""
    try:
        parts, port = urlsplit(server.url), urlsplit(server.url).port
        httpx.URL(server.url)
    except (ValueError, httpx.InvalidURL) as error:
        raise ConfigError(f"models.endpoint is no address: {error}.") from error
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ConfigError("models.endpoint must be an address such as https://api.example.org/v1.")
    if parts.username or parts.password:
        raise ConfigError(
            "models.endpoint holds a password. Put it into the environment; see models.key_variable."
        )
    if not (server.key.isascii() and server.key.isprintable()) or " " in server.key:
        raise ConfigError("The variable that models.key_variable names holds what can't be a key.")
    if server.key and parts.scheme == "http" and not _is_here(server.url):
        raise ConfigError(
            f"Anybody on the way to {parts.hostname} could read your key. Let models.endpoint begin with https://, "
            'or set models.key_variable = "" if that server needs no key.'
        )
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}{f':{port}' if port else ''}{parts.path.rstrip('/')}"


def _is_here(url: str) -> bool:
    return urlsplit(url).hostname in _HERE


def _object(raw: bytes) -> Document | None:
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _said(document: Document) -> str:
    """Return the message in an error of either API: `{"error": {"message": ...}}`, `{"error": "..."}`."""
    error = document.get("error", document.get("message", ""))
    return str(error.get("message", "")) if isinstance(error, dict) else str(error or "")


def _asked_wait(response: httpx.Response) -> float:
    """Return the seconds that `Retry-After` asks for, as a number or a date (RFC 9110, section 10.2.3)."""
    asked = response.headers.get("Retry-After", "").strip()
    if asked.isascii() and asked.isdigit():
        return float(asked[:9])
    try:
        return max(0.0, parsedate_to_datetime(asked).timestamp() - time.time())
    except (ValueError, OverflowError):
        return 0.0
