"""The unit of a vault, read by systemd itself where it is."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from vaultsync.domain.errors import ServiceError
from vaultsync.service.task import Task, find_task
from vaultsync.service.unit import template, unit, unit_name

BY_HAND = Path(__file__).resolve().parents[2] / "systemd" / "vaultsync@.service"

ODD = 'Anna\'s "Notes" 50% $HOME é日本 \\'
"""A folder's name with all that a unit could take for something else."""

TMP = "/tmp"  # noqa: S108 - only named

needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")


def installed_version() -> int:
    """Return systemd's version here."""
    told = subprocess.run(["systemd-analyze", "--version"], capture_output=True, text=True, check=True).stdout
    return int(told.split()[1])


def verify(folder: Path, name: str, text: str) -> str:
    """Let systemd verify a unit; return what it read, after checking that it had nothing to say of it."""
    file = folder / name
    file.write_text(text, encoding="utf-8")
    (folder / "run").mkdir(mode=0o700, exist_ok=True)
    environ = {**os.environ, "XDG_RUNTIME_DIR": str(folder / "run"), "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    command = ["systemd-analyze", "verify", "--user", "--man=no", str(file)]
    ended = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    debug = {**environ, "SYSTEMD_LOG_LEVEL": "debug"}
    return subprocess.run(command, env=debug, capture_output=True, text=True, check=True).stdout


def a_task(root: Path, *words: str) -> Task:
    return Task(
        root, words or (sys.executable, "-m", "vaultsync", "run"), {"PATH": "/bin"}, (root / "s", root / "c")
    )


@needs_systemd
@pytest.mark.parametrize("name", ["Notes", "My Notes", ODD, "日本語のノート" * 8])
def test_systemd_has_nothing_to_say_of_a_unit(name: str, tmp_path: Path) -> None:
    """`systemd-analyze verify` passes in silence, whatever the vault is called."""
    root = Path("/home/anna") / name
    verify(tmp_path, unit_name(root), unit(a_task(root), installed_version()))


@needs_systemd
def test_systemd_reads_what_was_meant(tmp_path: Path) -> None:
    """Words, variables and folders come out of systemd as they went in."""
    root = Path("/home") / ODD
    words = (sys.executable, "-m", "vaultsync", "--vault", str(root), "a$b ${c} %h", "", ";", "run")
    read = verify(tmp_path, unit_name(root), unit(a_task(root, *words)))
    (command,) = re.findall(r"Command Line: (.*)", read)[:1]
    # systemd prints a command as a shell would read it.
    assert subprocess.check_output(["sh", "-c", f"printf '%s\\0' {command}"]).split(b"\0")[:-1] == [
        word.encode() for word in words
    ]
    assert f"ReadWritePaths: -{root} -{root}/s -{root}/c" in read
    assert "Environment: PATH=/bin" in read


@needs_systemd
def test_an_interpreter_of_any_name_is_started(tmp_path: Path) -> None:
    """systemd refuses quotes in a program's name; a shell in between does not."""
    folder = tmp_path / ODD
    folder.mkdir()
    (folder / "python").symlink_to(sys.executable)
    for place in (folder / "python", tmp_path / "50% $x"):
        if not place.exists():
            place.symlink_to(sys.executable)
        root = Path("/home/anna/Notes")
        text = unit(a_task(root, str(place), "-c", "print('here', end='')"))
        read = verify(tmp_path, unit_name(root), text)
        command = re.findall(r"Command Line: (.*)", read)[0]
        assert subprocess.check_output(["sh", "-c", command]) == b"here"


@needs_systemd
def test_the_template_is_right_for_a_vault_of_any_name(tmp_path: Path) -> None:
    """As an instance, it names the vault with its blanks and quotes."""
    program = tmp_path / ".local/bin/vaultsync"
    program.parent.mkdir(parents=True)
    program.symlink_to("/bin/true")
    read = verify(tmp_path, unit_name(Path("/home/a b/$x")), template())
    assert f'Command Line: {program} --vault "/home/a b/\\$x" run' in read
    assert "ReadWritePaths: -/home/a b/$x " in read


def test_the_template_is_the_file_to_install_by_hand() -> None:
    """Both are made from one text."""
    assert BY_HAND.read_text(encoding="utf-8") == template()


def test_newer_systemd_slows_a_crash_loop_down() -> None:
    """Older ones, which would warn of it, get a limit alone."""
    task = a_task(Path("/home/anna/Notes"))
    assert "RestartSteps=" in unit(task, 254)
    assert "RestartSteps=" not in unit(task, 253)
    assert "RestartSteps=" not in unit(task)
    for text in (unit(task), unit(task, 254)):
        assert "StartLimitBurst=20" in text


@pytest.mark.parametrize(
    ("root", "python", "kept"),
    [
        (f"{TMP}/Notes", "/usr/bin/python3", "/home/a/state"),
        ("/home/a/Notes", f"/var{TMP}/venv/bin/python", "/home/a/state"),
        ("/home/a/Notes", "/usr/bin/python3", f"{TMP}/state"),
    ],
)
def test_what_lies_in_tmp_is_seen(root: str, python: str, kept: str) -> None:
    """A service with a /tmp of its own would find it empty; without, it may still write temporary files."""
    text = unit(Task(Path(root), (python, "run"), {}, (Path(kept),)))
    assert "PrivateTmp" not in text
    assert f'"-/var{TMP}"' in text
    other = unit(Task(Path(f"{TMP}files/x"), ("/usr/bin/python3", "run"), {}, ()))
    assert "PrivateTmp=yes" in other


def test_the_task_is_what_is_in_force(home: Path, tmp_path: Path) -> None:
    """The running interpreter, the state that was named, and the variables that say where things are."""
    environ = {
        "XDG_STATE_HOME": str(home / "state"),
        "VAULTSYNC_STATE": str(tmp_path / "mine"),
        "SECRET_KEY": "x",
    }
    task = find_task(tmp_path, None, environ)
    assert task.words[:4] == (sys.executable, "-P", "-m", "vaultsync")
    assert task.words[4:] == ("--vault", str(tmp_path), "--state", str(tmp_path.resolve() / "mine"), "run")
    assert task.environment.keys() == {"PATH", "XDG_STATE_HOME"}
    assert task.kept == (tmp_path.resolve() / "mine", home / "state/vaultsync", home / "config/vaultsync")
    assert "--state" not in find_task(tmp_path, None, {}).words
    (tmp_path / "git").symlink_to("/bin/true")
    found = find_task(tmp_path, None, {"PATH": str(tmp_path)}).environment["PATH"]
    assert found.startswith(f"{tmp_path}:/usr/")


@pytest.mark.parametrize("name", ["a\nb", "a\udcff"])
def test_a_path_that_no_unit_can_hold_is_refused(name: str) -> None:
    """The sentence says which and why."""
    with pytest.raises(ServiceError, match="can't be written into a service's file"):
        find_task(Path("/home") / name, None, {})


def test_a_name_is_never_too_long() -> None:
    """Each letter of another script takes eight or twelve: such a vault is told by a hash."""
    deep = Path("/home") / "/".join(["Заметки"] * 20)
    assert re.fullmatch(r"vaultsync@[0-9a-f]{24}\.service", unit_name(deep))
    assert unit_name(Path("/home/a b")) == r"vaultsync@home-a\x20b.service"
