"""A server on this machine that speaks OpenAI's and Ollama's API, and answers each request as it was told to."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Document = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """How one request is answered. `text`: the model's; None: `body` is sent as it is.

    `seen`: tokens that the model says it read, None for more than there are. `end`: why it stopped. `ready`: the
    answer is held back until this is set.
    """

    text: str | None = "A summary."
    status: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)
    seen: int | None = None
    end: str = "stop"
    ready: threading.Event | None = None


Speaker = "Callable[[Document], Reply]"


@dataclass
class ModelServer:
    """`replies` are used up first, one a request; then `speak` says what to answer to the JSON that came."""

    url: str = ""
    replies: list[Reply] = field(default_factory=list)
    speak: Callable[[Document], Reply] = lambda _document: Reply()
    asked: list[Document] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def messages(self) -> list[str]:
        """Return what the user's side of each request said."""
        return [document["messages"][-1]["content"] for document in self.asked]

    def next_reply(self, path: str, headers: dict[str, str], document: Document) -> Reply:
        """Note a request and return what it is answered."""
        with self.lock:
            self.paths.append(path)
            self.headers.append(headers)
            self.asked.append(document)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            if self.replies:
                return self.replies.pop(0)
        return self.speak(document)

    def done(self) -> None:
        """Note that a request was answered."""
        with self.lock:
            self.at_once -= 1


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    model: ModelServer

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of clients that did not wait for an answer."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        model = cast("_Server", self.server).model
        document = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        reply = model.next_reply(self.path, dict(self.headers), document)
        try:
            if reply.ready is not None:
                reply.ready.wait(10)
        finally:
            model.done()
        raw = reply.body if reply.text is None else _spoken(self.path, reply)
        self.send_response(reply.status)
        for name, value in {**reply.headers, "Content-Length": str(len(raw))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


def _spoken(path: str, reply: Reply) -> bytes:
    seen = 1_000_000 if reply.seen is None else reply.seen
    message = {"role": "assistant", "content": reply.text}
    if path == "/api/chat":
        document: Document = {
            "message": message,
            "done": True,
            "done_reason": reply.end,
            "prompt_eval_count": seen,
        }
    else:
        document = {
            "choices": [{"index": 0, "message": message, "finish_reason": reply.end}],
            "usage": {"prompt_tokens": seen},
        }
    return json.dumps(document).encode()


@contextmanager
def serving(*replies: Reply, speak: Callable[[Document], Reply] | None = None) -> Iterator[ModelServer]:
    """Run a server on a free port of this machine for the length of the block."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.model = ModelServer(f"http://127.0.0.1:{server.server_address[1]}", list(replies))
    if speak is not None:
        server.model.speak = speak
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server.model
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def summary_of(document: Document) -> Reply:
    """Answer with the first words of each note that a request holds: a summary that can be told from its notes."""
    lines = document["messages"][-1]["content"].split("\n")
    starts = [number for number, line in enumerate(lines) if line.startswith("Note ")]
    said = [
        " ".join(line for line in lines[at + 2 : at + 6] if line and not line.startswith("~"))
        for at in starts
    ]
    return Reply("In short: " + " ".join(" ".join(text.split()[:12]) for text in said) + ".")
