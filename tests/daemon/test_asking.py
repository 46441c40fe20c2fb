"""A thread waits for a model, and nobody waits for that thread."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from model_server import Reply, serving, summary_of
from small_vaults import complaints, memory_of

from vaultsync.app.asking import refine as refining
from vaultsync.app.asking.unrefined import STAGE
from vaultsync.app.finding.search import search
from vaultsync.app.growing.duty import find_duty
from vaultsync.app.growing.extract import extract
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.app.notes.report import Report
from vaultsync.app.stages import grow
from vaultsync.daemon.asking import Asking
from vaultsync.models.naming import INSTRUCTIONS, find_generator
from vaultsync.store import attempts, naming, summaries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from model_server import Document, ModelServer

    from vaultsync.app.asking.refine import Estimate
    from vaultsync.app.memory import Memory

LIMIT_S = 30.0
SUBJECTS = "gannets bees shutters hives lichens otters seeds tides".split()  # noqa: SIM905 - words
SMALL = "[summaries]\nseal_tokens = 200\nseal_children = 2\ntokens = 90\n"

CHILD = """
import sys
from pathlib import Path
from small_vaults import memory_of
from vaultsync.daemon.asking import Asking

with memory_of(Path(sys.argv[1]), write=True) as memory:
    asking = Asking(memory, print)
    asking.ask()
    print("asking", flush=True)
    sys.stdin.readline()
    assert asking.is_busy
    assert asking.abandon()
print("closed", flush=True)
"""


class Told:
    """What is told, taken by the thread of a test."""

    def __init__(self) -> None:
        self._told: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.hear = self._told.put

    def wait(self) -> str | None:
        return self._told.get(timeout=LIMIT_S)

    @property
    def is_silent(self) -> bool:
        return self._told.empty()


class Slow:
    """A model that answers when it is let."""

    def __init__(self) -> None:
        self.asked, self.ready = threading.Event(), threading.Event()

    def __call__(self, document: Document) -> Reply:
        self.asked.set()
        self.ready.wait(LIMIT_S)
        return summary_of(document)


def note(subject: str, more: str = "") -> str:
    said = (
        f"The {subject} were counted again by Nell near the pond. In March the {subject} came early. {more}\n"
    )
    return said * 3


@contextmanager
def grown(vault: Callable[..., Path], home: Path, server: ModelServer, more: str = "") -> Iterator[Memory]:
    """Open the memory of a small vault whose summaries have chosen sentences, with the server as its model."""
    path = home / "config/vaultsync/config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f'[models]\nsummariser = "openai"\nmodel = "small"\nendpoint = "{server.url}"\n{more}{SMALL}',
        encoding="utf-8",
    )
    root = vault({f"Field/{subject}.md": note(subject) for subject in SUBJECTS})
    with memory_of(root, write=True) as memory:
        tend(memory)
        yield memory


def tend(memory: Memory) -> None:
    """Bring the trees up to date, as the loop does."""
    reconcile(memory)
    extract(memory, lambda *_: None)
    report = Report()
    grow(memory, report, lambda *_: None, flush="all")
    assert not report.tended.failed


def finish(memory: Memory, asking: Asking, told: Told) -> list[str]:
    """Go on as the loop does until nothing comes any more; return the generators that were told."""
    heard = []
    asking.ask()
    while (generator := told.wait()) is not None:
        heard.append(generator)
        tend(memory)
        asking.ask()
    return heard


def generators(memory: Memory) -> set[str]:
    return {row.generator for row in summaries.every(memory.db.read())}


def test_rounds_follow_each_other_until_nothing_is_left(vault: Callable[..., Path], home: Path) -> None:
    """From the notes upward; what all of it takes is told before the first call, once."""
    estimates: list[tuple[Estimate, int]] = []
    with serving(speak=summary_of) as server, grown(vault, home, server) as memory:
        told = Told()
        asking = Asking(memory, told.hear, lambda takes: estimates.append((takes, len(server.asked))))
        assert len(finish(memory, asking, told)) >= 2
        assert generators(memory) == {"openai:small/1"}
        [(takes, asked)] = estimates
        assert (takes.calls, asked) == (len(server.asked), 0)
        assert not asking.is_busy


def test_an_edit_is_searchable_while_a_model_works(vault: Callable[..., Path], home: Path) -> None:
    """Reading goes on in the thread that works; what changed and what came is in the next round."""
    slow = Slow()
    with serving(speak=slow) as server, grown(vault, home, server) as memory:
        told = Told()
        asking = Asking(memory, told.hear)
        asking.ask()
        assert slow.asked.wait(LIMIT_S)
        for path, text in {
            "Field/bees.md": note("bees", "A swarm left for the belfry."),
            "Field/otters.md": note("otters", "One slept in the belfry."),
            "Field/swifts.md": note("swifts", "They nest under the belfry."),
        }.items():
            (memory.root / path).write_text(text, encoding="utf-8")
        tend(memory)
        assert {hit.path for hit in search(memory.db, "belfry").hits} >= {"Field/bees.md", "Field/swifts.md"}
        assert asking.is_busy
        assert told.is_silent
        early = len(server.asked)
        slow.ready.set()
        told.wait()
        tend(memory)
        finish(memory, asking, told)
        late = "".join(server.messages()[early:])
        assert "A swarm left for the belfry." in late
        assert "They nest under the belfry." in late
        assert generators(memory) == {"openai:small/1"}
    assert complaints(memory.root) == {}


def test_one_round_at_a_time(vault: Callable[..., Path], home: Path) -> None:
    """Who asks again meanwhile asks for nothing more."""
    slow = Slow()
    with serving(speak=slow) as server, grown(vault, home, server, "concurrency = 1\n") as memory:
        told = Told()
        asking = Asking(memory, told.hear)
        for _ in range(5):
            asking.ask()
        assert slow.asked.wait(LIMIT_S)
        asking.ask()
        assert server.most_at_once == 1
        slow.ready.set()
        assert told.wait() == "openai:small/1"
        assert told.is_silent


def test_what_failed_waits_for_its_time(vault: Callable[..., Path], home: Path) -> None:
    """A wrong key is not tried again by the clock, nor by the next round."""
    with serving(speak=lambda _document: Reply(None, 401)) as server:  # noqa: SIM117 - the server goes first
        with grown(vault, home, server, "concurrency = 1\n") as memory:
            told = Told()
            asking = Asking(memory, told.hear)
            for _ in range(2):
                asking.ask()
                assert told.wait() is None
            assert len(server.asked) == 1


def test_names_are_asked_for_when_no_summary_is(vault: Callable[..., Path], home: Path) -> None:
    """Summaries have the first claim on the day's calls."""

    def speak(document: Document) -> Reply:
        return Reply("none") if is_for_names(document) else summary_of(document)

    with serving(speak=speak) as server, grown(vault, home, server, 'entities = "model"\n') as memory:
        told = Told()
        finish(memory, Asking(memory, told.hear), told)
        for_names = [is_for_names(asked) for asked in server.asked]
        assert for_names == sorted(for_names)
        assert any(for_names)
        assert not naming.is_any(memory.db.read(), find_generator("openai:small"))


def is_for_names(document: Document) -> bool:
    return str(document["messages"][0]["content"]) == INSTRUCTIONS


def test_a_fault_is_told_and_written_down(vault: Callable[..., Path], home: Path) -> None:
    """The thread does not die in silence; when all goes well again, the words are gone."""
    faults = [ZeroDivisionError("no such luck")]

    def announce(_takes: Estimate) -> None:
        if faults:
            raise faults.pop()

    with serving(speak=summary_of) as server, grown(vault, home, server) as memory:
        told = Told()
        asking = Asking(memory, told.hear, announce)
        asking.ask()
        assert told.wait() is None
        [failure] = [found for found in attempts.pending(memory.db.read()) if found.stage == STAGE]
        assert failure.last_error == "ZeroDivisionError (`vaultsync run -v` logs all of it)"
        finish(memory, asking, told)
        assert attempts.pending(memory.db.read()) == []


def test_who_leaves_does_not_wait_for_an_answer(vault: Callable[..., Path], home: Path) -> None:
    """The store can be closed at once, nothing is told, and no other round begins."""
    slow = Slow()
    with serving(speak=slow) as server:
        with grown(vault, home, server) as memory:
            told = Told()
            asking = Asking(memory, told.hear)
            asking.ask()
            assert slow.asked.wait(LIMIT_S)
            began = time.monotonic()
            assert asking.abandon()
            asking.ask()
            assert not asking.is_busy
        assert time.monotonic() - began < 5
        slow.ready.set()
        assert told.is_silent
        assert complaints(memory.root) == {}


def test_who_leaves_while_names_are_asked_for(vault: Callable[..., Path], home: Path) -> None:
    """As with summaries."""
    slow = Slow()
    more = 'entities = "model"\n'
    with serving(speak=summary_of) as server, grown(vault, home, server, more) as memory:
        while refining.is_wanted(memory, find_duty(memory)):
            with refining.opened(memory, {}) as summariser:
                assert summariser is not None
                refining.refine(memory, find_duty(memory), summariser)
            tend(memory)
        server.speak = slow
        told = Told()
        asking = Asking(memory, told.hear)
        asking.ask()
        assert slow.asked.wait(LIMIT_S)
        assert asking.abandon()
        slow.ready.set()
        assert told.is_silent


def begin(root: Path) -> subprocess.Popen[bytes]:
    """Let another process wait for the model."""
    tests = str(Path(__file__).resolve().parents[1])
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((tests, str(Path(tests).parent)))}
    words = [sys.executable, "-c", CHILD, str(root)]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)


def test_a_process_ends_though_a_request_is_out(vault: Callable[..., Path], home: Path) -> None:
    """Within five seconds, by the ordinary way out, its store closed."""
    slow = Slow()
    with serving(speak=slow) as server:
        with grown(vault, home, server) as memory:
            root = memory.root
        with begin(root) as process:
            assert slow.asked.wait(LIMIT_S)
            began = time.monotonic()
            out, _ = process.communicate(b"\n", timeout=LIMIT_S)
            assert out.split() == [b"asking", b"closed"]
            assert process.returncode == 0
            assert time.monotonic() - began < 5
        slow.ready.set()
        assert complaints(root) == {}


@pytest.mark.skipif(sys.platform == "win32", reason="a process is killed by a signal")
@pytest.mark.parametrize("answers", [0, 1])
def test_killed_while_a_model_works(answers: int, vault: Callable[..., Path], home: Path) -> None:
    """The memory is sound, the calls were counted, and the next process asks for what did not come."""
    slow = Slow()

    def speak(document: dict[str, Any]) -> Reply:
        return summary_of(document) if len(server.asked) <= answers else slow(document)

    with serving(speak=speak) as server:
        with grown(vault, home, server, "concurrency = 1\n") as memory:
            root = memory.root
        with begin(root) as process:
            assert slow.asked.wait(LIMIT_S)
            process.send_signal(signal.SIGKILL)
        slow.ready.set()
        assert complaints(root) == {}
        with memory_of(root, write=True) as memory:
            calls = memory.db.read().value("SELECT value FROM marks WHERE name = 'model calls'")
            assert [*json.loads(calls).values()] == [answers + 1]
            told = Told()
            assert finish(memory, Asking(memory, told.hear), told)
            assert generators(memory) == {"openai:small/1"}
        assert complaints(root) == {}
