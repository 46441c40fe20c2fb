"""Requests to the holder of the lock: what each side may rely on, also when the other dies."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest
from holding import await_that, requests_in
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vaultsync.daemon.instance_lock import DAEMON, Lock, hold, is_held, refuse_daemon
from vaultsync.daemon.petition import _Asked, _await, _filed, hold_or_ask
from vaultsync.daemon.requests import FOLDER, Desk, Reply, Request
from vaultsync.domain.errors import LockedError, StateError

DONE = Reply(0, b"done\n", b"")

ASKER = """
import sys
from pathlib import Path
from vaultsync.daemon.petition import hold_or_ask
with hold_or_ask(Path(sys.argv[1]), ["sync"], Path("/")):
    pass
"""

words = st.binary(max_size=20).map(lambda raw: os.fsdecode(raw.replace(b"\0", b"0")))


def ask(state: Path, word: str = "sync", patience: float = 30) -> Reply | None:
    with hold_or_ask(state, [word], Path("/"), patience=patience) as reply:
        return reply


def served(desk: Desk) -> Request:
    """Wait for a request and return it."""
    request = await_that(desk.next)
    assert request is not None
    return request


def reply_to(asked: _Asked) -> Reply | None:
    return asked.reply


# ---- what is asked and said ----


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(argv=st.lists(words, max_size=5), out=st.binary(), err=st.binary(), status=st.integers(0, 255))
def test_any_command_and_any_reply(
    tmp_path: Path, argv: list[str], out: bytes, err: bytes, status: int
) -> None:
    """What a command line and its output consist of arrives as it is, though it be no text and have lines."""
    here = tmp_path / os.fsdecode(b"no\ntext\xff")
    with _filed(tmp_path, argv, here) as asked:
        desk = Desk(tmp_path)
        request = desk.next()
        assert request is not None
        assert (list(request.argv), request.here) == (argv, here)
        assert asked.is_seen
        assert reply_to(asked) is None
        desk.answer(request, Reply(status, out, err))
        assert reply_to(asked) == Reply(status, out, err)
    assert requests_in(tmp_path) == []


def test_the_oldest_first_and_each_once(tmp_path: Path) -> None:
    """What is answered is not done again, nor by the next holder, while the asker has not yet read the reply."""
    with _filed(tmp_path, ["one"], Path("/")), _filed(tmp_path, ["two"], Path("/")):
        for word in ("one", "two"):
            request = Desk(tmp_path).next()
            assert request is not None
            assert request.argv == (word,)
            Desk(tmp_path).answer(request, DONE)
        assert Desk(tmp_path).next() is None


def test_acknowledged_once(tmp_path: Path) -> None:
    """A holder that acknowledges at every batch writes once."""
    with _filed(tmp_path, ["sync"], Path("/")) as asked:
        was_seen = asked.is_seen
        desk = Desk(tmp_path)
        desk.acknowledge()
        assert not was_seen
        assert asked.is_seen
        (before,) = requests_in(tmp_path)
        desk._next_look = 0
        desk.acknowledge()
        assert requests_in(tmp_path) == [before]


def test_no_reply_to_who_is_gone(tmp_path: Path) -> None:
    """An answer that comes too late leaves nothing behind."""
    desk = Desk(tmp_path)
    with _filed(tmp_path, ["sync"], Path("/")):
        request = desk.next()
    assert request is not None
    desk.answer(request, DONE)
    assert requests_in(tmp_path) == []


def test_half_a_reply(tmp_path: Path) -> None:
    """What a holder wrote as it died is no reply; that of the next one is."""
    with _filed(tmp_path, ["sync"], Path("/")) as asked:
        (path,) = (tmp_path / FOLDER).iterdir()
        for half in (b"\n", b'\n{"status": 0, "out": "do'):
            with path.open("ab") as file:
                file.write(half)
            assert reply_to(asked) is None
        desk = Desk(tmp_path)
        request = desk.next()
        assert request is not None
        assert reply_to(asked) is None
        desk.answer(request, DONE)
        assert reply_to(asked) == DONE


@pytest.mark.parametrize(
    "line",
    [
        b"[]\n",
        b"{}\n",
        b"sync\n",
        b"\n",
        b'{"argv": [1], "here": "/"}\n',
        b'{"argv": [], "here": "a\\u0000"}\n',
        b"[" * 100_000 + b"\n",
    ],
    ids=range(7),
)
def test_what_is_no_request(tmp_path: Path, line: bytes) -> None:
    """A line that no asker of ours wrote is passed over."""
    with _filed(tmp_path, [], Path("/")):
        (path,) = (tmp_path / FOLDER).iterdir()
        path.write_bytes(line)
        assert Desk(tmp_path).next() is None


@pytest.mark.parametrize("kind", ["pipe", "link", "folder"])
def test_what_is_no_file(tmp_path: Path, kind: str) -> None:
    """It is passed over, and nobody waits for what it may say."""
    (tmp_path / FOLDER).mkdir()
    place = tmp_path / FOLDER / "1.json"
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "link":
        place.symlink_to("/dev/zero")
    else:
        place.mkdir()
    assert Desk(tmp_path).next() is None
    assert os.path.lexists(place)


# ---- who dies ----


def test_an_asker_that_is_killed(tmp_path: Path) -> None:
    """Its request is dropped, not done for nobody, and its file goes."""
    command = [sys.executable, "-c", ASKER, str(tmp_path)]
    with hold(tmp_path), subprocess.Popen(command) as asker:
        await_that(lambda: Desk(tmp_path).next() is not None)
        os.kill(asker.pid, signal.SIGKILL)
        asker.wait()
        assert len(requests_in(tmp_path)) == 1
        assert Desk(tmp_path).next() is None
        assert requests_in(tmp_path) == []


def test_an_asker_that_was_killed_at_its_first_step(tmp_path: Path) -> None:
    """A file that nobody has locked and written into stays a while, as it may be about to be; then it goes."""
    path = tmp_path / FOLDER / "1-1.json"
    path.parent.mkdir()
    path.touch()
    Desk(tmp_path).acknowledge()
    assert path.exists()
    os.utime(path, (time.time() - 3600,) * 2)
    Desk(tmp_path).acknowledge()
    assert not path.exists()


def test_a_holder_that_ends_without_a_reply(tmp_path: Path) -> None:
    """Its asker then holds the lock itself, and has withdrawn its request; also if it was acknowledged."""
    with ThreadPoolExecutor() as pool:
        with hold(tmp_path):
            asking = pool.submit(ask, tmp_path)
            served(Desk(tmp_path))
        assert asking.result(30) is None
    assert requests_in(tmp_path) == []


def test_a_holder_that_ends_right_after_its_reply(tmp_path: Path) -> None:
    """The lock is free and the reply there: it counts, since the work is done."""
    with _filed(tmp_path, ["sync"], Path("/")) as asked, closing(Lock(tmp_path)) as lock:
        desk = Desk(tmp_path)
        desk.answer(served(desk), DONE)
        assert _await(lock, asked, lambda _holder: None, patience=0) == DONE


# ---- who waits ----


def test_who_gets_no_answer(tmp_path: Path) -> None:
    """Without an acknowledgement the asker gives up, names the holder and withdraws."""
    with hold(tmp_path, DAEMON), pytest.raises(LockedError, match=f"daemon, process {os.getpid()}"):
        ask(tmp_path, patience=0.1)
    assert requests_in(tmp_path) == []


def test_who_is_acknowledged_waits_on(tmp_path: Path) -> None:
    """There is no limit then; after a second the asker hears for whom it waits."""
    told, holders = Event(), []

    def tell(holder: str) -> None:
        holders.append(holder)
        told.set()

    def asks() -> Reply | None:
        with hold_or_ask(tmp_path, [], Path("/"), tell, patience=0.9) as reply:
            return reply

    with hold(tmp_path), ThreadPoolExecutor() as pool:
        asking = pool.submit(asks)
        request = served(desk := Desk(tmp_path))
        assert told.wait(30)
        desk.answer(request, DONE)
        assert asking.result(30) == DONE
    assert holders == [f"process {os.getpid()}"]


def test_twenty_at_once(tmp_path: Path) -> None:
    """Each gets the reply to its own request."""
    with hold(tmp_path), ThreadPoolExecutor(20) as pool:
        asking = [pool.submit(ask, tmp_path, str(number)) for number in range(20)]
        desk = Desk(tmp_path)
        for _ in asking:
            request = served(desk)
            desk.answer(request, Reply(int(request.argv[0]), b"", b""))
        assert [reply.status for each in asking if (reply := each.result(30))] == list(range(20))
    assert requests_in(tmp_path) == []


def test_where_no_request_can_be_written(tmp_path: Path) -> None:
    """The asker says so, and who it was that it could not ask."""
    (tmp_path / FOLDER).write_text("in the way", encoding="utf-8")
    with hold(tmp_path), pytest.raises(StateError, match=f"process {os.getpid()}.*{FOLDER} can't be written"):
        ask(tmp_path)
    with hold(tmp_path):
        Desk(tmp_path).acknowledge()
        assert Desk(tmp_path).next() is None


def test_a_request_that_is_thrown_away(tmp_path: Path) -> None:
    """Nobody waits for a reply that can't come: so a holder lets know that there was no room for it."""
    with hold(tmp_path), ThreadPoolExecutor() as pool:
        asking = pool.submit(ask, tmp_path)
        (tmp_path / FOLDER / served(Desk(tmp_path)).id).unlink()
        with pytest.raises(StateError, match="could not say how it went"):
            asking.result(30)


# ---- the lock ----


def test_a_lock_that_went_with_its_state(tmp_path: Path) -> None:
    """Who waited for it takes the one that is there now: a removed file keeps nobody out."""
    state = tmp_path / "state"
    state.mkdir()
    with closing(Lock(state)) as lock:
        shutil.rmtree(state)
        with pytest.raises(StateError):
            lock.take()
    state.mkdir()
    with closing(Lock(state)) as lock:
        shutil.rmtree(state)
        state.mkdir()
        assert lock.take()
        with pytest.raises(LockedError), hold(state, patience=0):
            pytest.fail("two writers")


def test_asking_whether_it_is_held(tmp_path: Path) -> None:
    """It makes nothing, and keeps nobody from taking the lock."""
    assert not is_held(tmp_path)
    assert list(tmp_path.iterdir()) == []
    with hold(tmp_path, patience=0):
        assert is_held(tmp_path)
        assert is_held(tmp_path)
    assert not is_held(tmp_path)
    with hold(tmp_path, patience=0):
        pass


def test_F123_a_second_daemon_ends_at_once(tmp_path: Path) -> None:
    """It is told which process the first one is."""
    with hold(tmp_path, DAEMON):
        started = time.monotonic()
        with pytest.raises(LockedError, match=f"daemon, process {os.getpid()}"), hold(tmp_path, patience=0):
            pytest.fail("two daemons")
        assert time.monotonic() - started < 5


def test_what_can_not_be_done_while_a_daemon_runs(tmp_path: Path) -> None:
    """It is refused at once, with what to do; a command that holds the lock can be waited for, a dead daemon too."""
    refuse_daemon(tmp_path)
    with hold(tmp_path):
        refuse_daemon(tmp_path)
    with hold(tmp_path, DAEMON), pytest.raises(LockedError, match="service uninstall"):
        refuse_daemon(tmp_path)
    (tmp_path / "lock").write_text("daemon, process 1", encoding="utf-8")
    refuse_daemon(tmp_path)
