"""The log is a line an event, whatever its values hold, and never in the way of the work."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from contextlib import redirect_stderr
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultsync import logs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOON = 1_780_000_000.25

_FIELD = re.compile(r' (\w+)=("(?:[^"\\]|\\.)*"|[^ "]+)')


@pytest.fixture(autouse=True)
def _no_log_afterwards() -> Iterator[None]:
    yield
    logs.to_nowhere()


@pytest.fixture
def log(capfd: pytest.CaptureFixture[str]) -> Callable[..., Callable[[], str]]:
    """Return what begins a log of a form, and returns what returns all that it holds."""

    def begin(form: logs.Form, *, debug: bool = False) -> Callable[[], str]:
        logs.to_stderr(form, debug=debug, clock=lambda: NOON)
        return lambda: capfd.readouterr().err

    return begin


def read(line: str) -> dict[str, str]:
    """Return the fields of a line as whoever reads a log does."""
    return {
        name: json.loads(value) if value.startswith('"') else value for name, value in _FIELD.findall(line)
    }


def program(code: str, **how: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", f"import sys; from vaultsync import logs\n{code}"]
    return subprocess.run(command, check=False, text=True, timeout=60, **how)  # type: ignore[call-overload, no-any-return]


def test_nothing_is_logged_before_a_log_is_set_up(capfd: pytest.CaptureFixture[str]) -> None:
    """A command that is no daemon says what it did in its own words."""
    logs.warning("note.failed", path="a.md")
    assert capfd.readouterr() == ("", "")


def test_who_does_not_read_does_not_hold_us() -> None:
    """A full pipe, as a terminal that is held with Ctrl-S: what can't be written is lost, and the work goes on."""
    code = "logs.to_stderr('plain')\nfor n in range(9000): logs.event('note.added', path=f'{n}.md')\nprint('done')"
    reader, writer = os.pipe()
    try:
        assert program(code, stderr=writer, stdout=subprocess.PIPE).stdout == "done\n"
    finally:
        os.close(writer)
        os.close(reader)


def test_journald_knows_the_time_and_gets_the_level(log: Callable[..., Callable[[], str]]) -> None:
    """`<6>` before a line is its priority (sd-daemon(3))."""
    read_log = log("journal", debug=True)
    logs.event("note.renamed", uid="0fe1", **{"from": "a b.md", "to": "c.md"}, by="hash")
    logs.warning("stage.failed", again_s=60)
    logs.debug("turn")
    assert read_log() == (
        '<6>note.renamed uid=0fe1 from="a b.md" to=c.md by=hash\n<4>stage.failed again_s=60\n<7>turn\n'
    )


def test_a_person_gets_the_local_time(log: Callable[..., Callable[[], str]]) -> None:
    """The usual is not said; a warning is."""
    read_log = log("human")
    logs.event("daemon.ready", seconds=0.5, first=True)
    logs.warning("note.failed", path="")
    ready, failed = read_log().splitlines()
    assert re.fullmatch(r"\d\d:\d\d:40 daemon\.ready seconds=0\.5 first=true", ready)
    assert re.fullmatch(r'\d\d:\d\d:40 warning: note\.failed path=""', failed)


def test_a_file_gets_the_whole_time(log: Callable[..., Callable[[], str]]) -> None:
    """With the offset, so that it says which moment is meant."""
    read_log = log("plain")
    logs.event("daemon.ready")
    assert re.fullmatch(r"2026-05-2\dT\d\d:\d\d:40\.250[+-]\d\d:\d\d daemon\.ready\n", read_log())


def test_json_keeps_numbers_and_words_apart(log: Callable[..., Callable[[], str]]) -> None:
    """One object a line, with all that the other forms say."""
    read_log = log("json")
    logs.event("model.asked", calls=3, model="small", left=None, path="\udcff\u2028.md")
    line = read_log()
    assert line.isascii()
    told = json.loads(line)
    assert told.pop("time").startswith("2026-05-2")
    assert told == {
        "level": "info",
        "event": "model.asked",
        "calls": 3,
        "model": "small",
        "left": None,
        "path": "\udcff\u2028.md",
    }


def test_debug_is_silent_unless_asked_for(log: Callable[..., Callable[[], str]]) -> None:
    """It may hold what notes say."""
    read_log = log("plain")
    logs.debug("text", said="secret")
    logs.trace(ValueError("secret"))
    assert read_log() == ""


def test_a_traceback_is_one_line(log: Callable[..., Callable[[], str]]) -> None:
    """All of it, where debug is asked for."""
    read_log = log("journal", debug=True)
    try:
        json.loads("{")
    except ValueError as error:
        logs.trace(error)
    (line,) = read_log().splitlines()
    assert line.startswith("<7>trace error=")
    assert "Traceback" in read(line)["error"]
    assert "\nTraceback" not in line


@given(value=st.text(st.characters(codec=None), max_size=30))
def test_no_value_can_forge_a_line_a_field_or_an_escape(value: str) -> None:
    """Whatever a path holds, it is one printable word behind its `=`, and can be read back."""
    line = logs._line("journal", "info", NOON, "note.added", {"path": value, "by": "hash"})
    assert line.isprintable()
    assert line.splitlines() == [line]
    assert read(line) == {"path": value, "by": "hash"}
    assert json.loads(logs._line("json", "info", NOON, "note.added", {"path": value}))["path"] == value


@pytest.mark.parametrize(
    ("value", "quoted"),
    [
        ("Ünï/日本.md", "Ünï/日本.md"),
        ("a=b", '"a=b"'),
        ('say "x"', r'"say \"x\""'),
        ("a\n<3>fake", r'"a\n<3>fake"'),
        ("\x1b[2J", r'"\u001b[2J"'),
        ("\x7f\x9b", r'"\u007f\u009b"'),
        ("C:\\n", r'"C:\\n"'),
        ("", '""'),
        (None, "none"),
    ],
)
def test_values_are_quoted_where_they_must_be(value: str | None, quoted: str) -> None:
    """What needs no quotes is left as it is, in any script."""
    line = logs._line("journal", "info", NOON, "e", {"v": value})
    assert line == f"<6>e v={quoted}"


def test_the_log_stays_where_it_was_set_up(log: Callable[..., Callable[[], str]]) -> None:
    """While a command of another process is answered, stderr is that one's."""
    read_log = log("journal")
    with redirect_stderr(io.StringIO()) as theirs:
        logs.event("request.begun")
    assert read_log() == "<6>request.begun\n"
    assert theirs.getvalue() == ""


def test_lines_of_threads_do_not_mix(tmp_path: Path) -> None:
    """Also long ones through a pipe."""
    code = """
import threading
logs.to_stderr("journal")
def write(name):
    for number in range(50):
        logs.event("note.added", path=name * 9000)
threads = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""
    del tmp_path
    lines = program(code, stderr=subprocess.PIPE).stderr.splitlines()
    assert len(lines) == 200
    assert {line[:20] + line[20:].strip(line[-1]) for line in lines} == {
        f"<6>note.added path={name}" for name in "abcd"
    }


def test_a_closed_pipe_stops_nothing() -> None:
    """Whoever read the log has gone; the process ends as it would have."""
    reader, writer = os.pipe()
    os.close(reader)
    code = 'logs.to_stderr("plain"); logs.event("a"); logs.event("b"); print("done")'
    done = program(code, stdout=subprocess.PIPE, stderr=writer)
    os.close(writer)
    assert (done.returncode, done.stdout) == (0, "done\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_stops_nothing() -> None:
    """What could not be written is gone, and is not tried again at the end."""
    with Path("/dev/full").open("w") as full:
        code = 'logs.to_stderr("plain"); logs.event("a"); print("done")'
        done = program(code, stdout=subprocess.PIPE, stderr=full)
    assert (done.returncode, done.stdout) == (0, "done\n")


def test_without_a_stderr_nothing_is_written_to_another_file(tmp_path: Path) -> None:
    """Its number is given to the next file that is opened, the database perhaps."""
    place = tmp_path / "other"
    code = f"""
logs.to_stderr(logs.find_form({{}}))
file = open({str(place)!r}, "w")
print(file.fileno())
logs.event("a")
"""
    command = [sys.executable, "-c", f"from vaultsync import logs\n{code}"]
    done = subprocess.run(
        ["sh", "-c", '"$@" 2>&-', "sh", *command], check=True, capture_output=True, text=True
    )
    assert done.stdout == "2\n"
    assert place.read_text() == ""


def test_the_form_follows_what_stderr_is(tmp_path: Path) -> None:
    """journald only where JOURNAL_STREAM names the very file: a child's output may go elsewhere."""
    code = "import os; print(logs.find_form(os.environ), logs.find_form(os.environ, as_json=True))"
    with (tmp_path / "log").open("w") as file:
        found = os.fstat(file.fileno())
        ours = {**os.environ, "JOURNAL_STREAM": f"{found.st_dev}:{found.st_ino}"}
        other = {**os.environ, "JOURNAL_STREAM": "1:2"}
        forms = [program(code, stdout=-1, stderr=file, env=env).stdout for env in (ours, other)]
    assert forms == ["journal json\n", "plain json\n"]


def test_a_terminal_is_a_persons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under systemd as well, if somebody looks on."""
    controller, terminal = os.openpty()
    with os.fdopen(terminal, "w") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        assert logs.find_form({"JOURNAL_STREAM": "1:2"}) == "human"
    os.close(controller)
