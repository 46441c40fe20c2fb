"""Commands that must write while another process holds the vault."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from holding import await_that, holder, requests_in
from small_vaults import Answer, ask, command, fill_vault, memory_of, run_vaultsync

from vaultsync.daemon.instance_lock import hold
from vaultsync.daemon.petition import _filed
from vaultsync.daemon.requests import FOLDER, Request
from vaultsync.domain.errors import Stopped
from vaultsync.surfaces.cli.invocation import Invocation
from vaultsync.surfaces.cli.serving import answer

if TYPE_CHECKING:
    from collections.abc import Iterator

NOTES = {
    "Projects/Alpha.md": "# Alpha\n\nWhat it is about. See [[Beta]].\n",
    "Projects/Beta.md": "# Beta\n\nA plan to reach.\n",
    "Bad.md": "---\ntitle: a: b\n---\nStill searchable.\n",
}

COMMANDS = (
    ("sync",),
    ("sync", "--json"),
    ("-q", "sync", "--rehash", "--json"),
    ("seal",),
    ("flush", "--json"),
    ("flush", "No\nsuch", "--json"),
    ("flush", os.fsdecode(b"no\xfftext"), "--json"),
    ("flush", os.fsdecode(b"no\xfftext")),
    ("summary", "unpin", "Nobody"),
    ("summary", "rebuild", "--json"),
    ("summary", "off"),
    ("summary", "on", "--json"),
    ("sync", "--only", "../elsewhere.md"),
    ("doctor", "--repair"),
    ("doctor", "--repair", "--json"),
    ("writer", "--take", "--json"),
    ("config", "trust", "--json"),
)


@pytest.fixture
def root(home: Path, tmp_path: Path) -> Path:
    """A small vault that was synced once."""
    del home
    root = fill_vault(tmp_path / "Vault", NOTES)
    assert ask("sync", root).status == 0
    return root


@pytest.fixture
def state(root: Path) -> Path:
    return Path(ask("--vault", root, "config", "--json").json["state"])


def without_times(answer: Answer) -> Answer:
    """Return an answer as it would be if nothing took time."""
    return answer._replace(out=re.sub(rb'("total": )\d+\.\d+|\d+\.\d+ s\b', rb"\1T", answer.out))


@contextmanager
def started(*words: str | Path) -> Iterator[subprocess.Popen[bytes]]:
    """Let a command run beside the test."""
    with subprocess.Popen(command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        yield process
        process.communicate(timeout=30)


# ---- what it says ----


def test_an_answer_is_the_same_by_whom_it_is_given(root: Path, state: Path) -> None:
    """Status, stdout and stderr are byte for byte those of the command itself, in words and as JSON."""
    for words in COMMANDS:
        ask("--vault", root, *words)
    own = {words: without_times(ask("--vault", root, *words)) for words in COMMANDS}
    with holder("serving", root):
        for words in COMMANDS:
            assert without_times(ask("--vault", root, *words)) == own[words], words
    assert {given.status for given in own.values()} == {0, 2}
    assert requests_in(state) == []


def test_paths_mean_what_they_do_where_the_asker_stands(root: Path) -> None:
    """`--only Gamma.md`, said in a folder of the vault, is that folder's; the holder stands elsewhere."""
    fill_vault(root, {"Projects/Gamma.md": "gamma", "Gamma.md": "another"})
    with holder("serving", root):
        said = run_vaultsync("--vault", "..", "sync", "--only", "Gamma.md", "--json", here=root / "Projects")
        assert (said.status, said.json["added"]) == (0, 1)
        assert ask("--vault", root, "show", "Projects/Gamma.md").status == 0


def test_a_folder_that_is_gone(root: Path, state: Path) -> None:
    """Who stands in a folder that was deleted is served as well, and the holder then stands where it stood."""
    with hold(state), memory_of(root, write=True) as memory:
        before = Path.cwd()
        gone = Request("1-1.json", ("sync", "--only", str(root / "Bad.md")), root / "gone")
        assert answer(memory, lambda *_: None, gone).status == 0
        assert Path.cwd() == before


# ---- who holds it ----


def test_two_commands_at_once(root: Path, state: Path) -> None:
    """One waits for the other: both end well, and the work is done once."""
    fill_vault(root, {"New.md": "new"})
    with started("sync", root, "--json") as first, started("sync", root, "--json") as second:
        said = [Answer(each.wait(30), *_heard(each)) for each in (first, second)]
    assert [each.status for each in said] == [0, 0]
    assert sorted(each.json["added"] for each in said) == [0, 1]
    assert requests_in(state) == []


def test_a_holder_that_is_killed_after_it_acknowledged(root: Path, state: Path) -> None:
    """The command then does its work itself."""
    fill_vault(root, {"New.md": "new"})
    with holder("busy", root) as busy, started("sync", root, "--json") as asker:
        await_that(lambda: [said for said in requests_in(state) if said.endswith(b"\n\n")])
        busy.send_signal(signal.SIGKILL)
        busy.wait(30)
        assert Answer(asker.wait(30), *_heard(asker)).json["added"] == 1
    assert requests_in(state) == []


def test_an_asker_that_is_interrupted(root: Path, state: Path) -> None:
    """Ctrl-C withdraws what was asked: nobody does it."""
    fill_vault(root, {"New.md": "new"})
    with holder("busy", root), started("sync", root, "--json") as asker:
        await_that(lambda: requests_in(state))
        asker.send_signal(signal.SIGINT)
        assert asker.wait(30) == 130
        assert requests_in(state) == []
    assert ask("sync", root, "--dry-run", "--json").json["added"] == 1


def test_where_no_request_can_be_written(root: Path, state: Path) -> None:
    """Exit status 3, in words; who reads needs none."""
    (state / FOLDER).write_text("in the way", encoding="utf-8")
    with hold(state):
        said = ask("sync", root, "--json")
        assert (said.status, said.json["error"]["code"]) == (3, "state-unusable")
        assert str(state / FOLDER) in said.err
        assert ask("--vault", root, "status").status == 0


def test_a_terminal_hears_for_whom_it_waits(root: Path) -> None:
    """After a second, on stderr."""
    ours, theirs = pty.openpty()
    with (
        holder("busy", root) as busy,
        subprocess.Popen(command("sync", root), stdout=subprocess.DEVNULL, stderr=theirs) as asker,
    ):
        heard = os.read(ours, 1000)
        asker.kill()
    os.close(theirs)
    os.close(ours)
    assert f"Waiting for another vaultsync (daemon, process {busy.pid})".encode() in heard


def test_a_command_lets_others_know_between_its_batches(root: Path, state: Path) -> None:
    """Who waits for a long command is acknowledged by it, and goes on when it ends."""
    invocation = Invocation(vault=root, quiet=True)
    with (
        invocation.writing(),
        invocation.progress() as step,
        _filed(state, ["sync"], root) as asked,
    ):

        def is_seen_after_a_batch() -> bool:
            step("reading", 1, 2)
            return asked.is_seen

        await_that(is_seen_after_a_batch)


# ---- the daemon at work ----


def test_the_daemon_s_hook_is_called_by_the_pass(root: Path, state: Path) -> None:
    """So others are acknowledged while one is served, and the daemon shows that it lives."""
    fill_vault(root, {"New.md": "new"})
    stages = []
    with hold(state), memory_of(root, write=True) as memory:
        reply = answer(memory, lambda stage, _done, _total: stages.append(stage), _sync(root))
    assert reply.status == 0
    assert "reading" in stages


def test_a_daemon_that_is_stopped_while_it_serves(root: Path, state: Path) -> None:
    """It gives no reply, so that the asker does it all; folder and streams are as before."""
    fill_vault(root, {"New.md": "new"})

    def stop(_stage: str, _done: int, _total: int) -> None:
        raise Stopped

    before = Path.cwd(), sys.stdout, sys.stderr
    with hold(state), memory_of(root, write=True) as memory, pytest.raises(Stopped):
        answer(memory, stop, _sync(root))
    assert (Path.cwd(), sys.stdout, sys.stderr) == before
    assert ask("sync", root).status == 0


def test_remove_while_a_daemon_runs(root: Path, state: Path) -> None:
    """It is refused at once and says how to stop the daemon; a dry run is not."""
    with holder("serving", root) as daemon:
        said = ask("--vault", root, "remove", "--json")
        assert (said.status, said.json["error"]["code"]) == (4, "locked")
        assert f"daemon, process {daemon.pid}" in said.err
        assert ask("--vault", root, "remove", "--dry-run").status == 0
    assert ask("--vault", root, "remove").status == 0
    assert not state.exists()


def test_settings_are_accepted_where_nothing_is_known_yet(home: Path, tmp_path: Path) -> None:
    """`config trust` before the first sync makes no memory."""
    root = fill_vault(tmp_path / "Vault", NOTES)
    assert ask("--vault", root, "config", "trust").status == 0
    assert not (home / "state").exists()


def test_what_is_accepted_before_the_first_sync_counts_after_it(home: Path, tmp_path: Path) -> None:
    """The vault gets its id then: under another one nothing would be accepted."""
    del home
    root = fill_vault(tmp_path / "Vault", {**NOTES, ".vaultsync/config.toml": '[models]\nmodel = "small"\n'})
    assert ask("--vault", root, "config", "trust", "--json").json["accepted"] == {"models.model": "small"}
    assert ask("--vault", root, "sync").status == 0
    assert ask("--vault", root, "config", "--json").json["not_trusted"] == {}


def test_secrets_in_an_address_that_is_not_accepted_are_not_shown(home: Path, tmp_path: Path) -> None:
    """Wherever it is said that it counts for nothing."""
    del home
    address = "http://anna:PASSWORD@127.0.0.1:1/v1?key=SECRET"
    root = fill_vault(
        tmp_path / "Vault", {**NOTES, ".vaultsync/config.toml": f'[models]\nendpoint = "{address}"\n'}
    )
    said = [ask("--vault", root, *words.split()) for words in ("sync", "status", "status --json", "doctor")]
    text = "".join(answer.out.decode() + answer.err for answer in said)
    assert "http://***@127.0.0.1:1/v1?***" in text
    assert "PASSWORD" not in text
    assert "SECRET" not in text


@pytest.mark.slow
def test_twenty_commands_at_once(root: Path, state: Path) -> None:
    """Each is answered, and the note that all saw is added once."""
    fill_vault(root, {"New.md": "new"})
    with holder("serving", root), ExitStack() as askers:
        asked = [askers.enter_context(started("sync", root, "--json")) for _ in range(20)]
        said = [Answer(each.wait(60), *_heard(each)) for each in asked]
    assert {each.status for each in said} == {0}
    assert sorted(each.json["added"] for each in said) == [0] * 19 + [1]
    assert requests_in(state) == []


def _sync(root: Path) -> Request:
    return Request("1-1.json", ("sync", "--json"), root)


def _heard(process: subprocess.Popen[bytes]) -> tuple[bytes, str]:
    out, err = process.communicate()
    return out, err.decode()
