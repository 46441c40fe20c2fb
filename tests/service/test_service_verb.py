"""`vaultsync service` with programs that stand for systemd's and launchd's."""

from __future__ import annotations

import os
import plistlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from small_vaults import Answer, ask

from vaultsync.service.launchd import label
from vaultsync.service.unit import unit_name

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest
    from system_programs import Programs

UNREACHED = "can't be reached: Failed to connect to bus: No medium found"


def service(root: Path, *words: str) -> Answer:
    return ask("--vault", root, "service", *words)


def test_install_says_what_it_does_and_does_it(systemd: Programs, root: Path, home: Path) -> None:
    """The folders, the unit, and the commands, in the order in which they are done."""
    answer = service(root, "install")
    unit, file = unit_name(root), home / "config/systemd/user" / unit_name(root)
    assert answer.status == 0
    will, _, after = answer.text.partition(f"{root} is kept")
    assert [line.split()[0] for line in will.splitlines()] == ["This", "make", "make", "write", *["run"] * 3]
    assert f"  write {file}\n" in will
    assert "loginctl enable-linger" in after
    assert systemd.called() == [
        "systemctl --user daemon-reload",
        f"systemctl --user enable {unit}",
        f"systemctl --user start --no-block {unit}",
    ]
    assert service(root, "print").text == file.read_text(encoding="utf-8")
    assert (home / "state/vaultsync").is_dir()


def test_install_again_changes_nothing(systemd: Programs, root: Path) -> None:
    """What is as it should be is left; with lingering on, nothing is said of it."""
    service(root, "install")
    systemd.put("linger", "yes")
    systemd.called()
    answer = service(root, "install")
    assert (answer.status, answer.text) == (0, "It is installed already, and as it should be.\n")
    assert systemd.called() == []
    said = service(root, "install", "--json").json
    assert (said["done"], said["error"], said["to_run"], said["advice"]) == ([], None, [], None)


def test_another_interpreter_is_written_and_started(
    systemd: Programs, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An upgraded Python is in the unit after the next install, and at work."""
    service(root, "install")
    systemd.called()
    monkeypatch.setattr("vaultsync.service.task.find_task.__defaults__", ("/opt/other/python",))
    said = service(root, "install", "--json").json
    assert "/opt/other/python" in Path(said["file"]).read_text(encoding="utf-8")
    assert systemd.called() == [
        "systemctl --user daemon-reload",
        f"systemctl --user restart --no-block {unit_name(root)}",
    ]


def test_what_was_stopped_or_failed_is_started(systemd: Programs, root: Path) -> None:
    """Install puts right what is not as it should be, and that alone."""
    service(root, "install")
    systemd.put("active", "failed")
    systemd.called()
    assert service(root, "status").status == 1
    assert service(root, "install").status == 0
    assert systemd.called() == [
        f"systemctl --user reset-failed {unit_name(root)}",
        f"systemctl --user start --no-block {unit_name(root)}",
    ]


def test_the_unit_lies_where_systemd_looks(systemd: Programs, root: Path, home: Path) -> None:
    """A manager that was started without our XDG_CONFIG_HOME looks in ~/.config."""
    systemd.put("unit-path", f"UnitPath={home}/.config/systemd/user /etc/systemd/user")
    said = service(root, "install", "--json").json
    assert Path(said["file"]).parent == home / ".config/systemd/user"
    assert service(root, "status").status == 0


def test_without_a_user_bus_the_rest_is_told(systemd: Programs, root: Path) -> None:
    """In a container: the unit is written, and the commands for later are said; uninstalling takes it out."""
    systemd.put("broken")
    answer = service(root, "install")
    assert answer.status == 1
    assert UNREACHED in answer.err
    assert "\n  systemctl --user daemon-reload\n" in answer.err
    said = service(root, "install", "--json").json
    assert said["to_run"][1] == f"systemctl --user enable --now '{unit_name(root)}'"
    assert UNREACHED in said["error"]
    file = Path(said["file"])
    assert file.is_file()
    told = service(root, "status", "--json")
    assert told.status == 1
    assert UNREACHED in told.json["trouble"]
    (file.parent / "default.target.wants").mkdir()
    link = file.parent / "default.target.wants" / file.name
    link.symlink_to(file)
    assert service(root, "uninstall").status == 1
    assert not file.exists()
    assert not link.is_symlink()
    assert service(root, "uninstall").status == 0


def test_a_command_that_fails_ends_it(systemd: Programs, root: Path) -> None:
    """Its words are passed on; what was done before is told."""
    systemd.put("refusing")
    answer = service(root, "install", "--json")
    assert answer.status == 1
    assert "start --no-block" in answer.json["error"]
    assert "Job for vaultsync@" in answer.json["error"]
    assert answer.json["done"][-1].startswith("run systemctl --user enable")


def test_status_in_words_and_in_json(systemd: Programs, root: Path) -> None:
    """Installed, starts at login, runs since when and as which process, and where its log is."""
    assert service(root, "status").text.startswith("No service is installed")
    service(root, "install")
    answer = service(root, "status", "--json")
    assert answer.status == 0
    said = answer.json
    assert (said["installed"], said["current"], said["enabled"], said["active"]) == (
        True,
        True,
        True,
        "active",
    )
    assert (said["pid"], said["since"], said["says"]) == (4711, "Tue 2026-12-01 09:00:00 CET", "59 notes")
    words = service(root, "status").text
    assert "active, process 4711, since Tue" in words
    assert "journalctl --user --unit" in words
    systemd.put("active", "failed")
    assert "says   It ended (exit-code, status 3)" in service(root, "status").text
    Path(said["file"]).write_text("[Unit]\n", encoding="utf-8")
    assert "not as it would be installed now" in service(root, "status").text


def test_uninstall_stops_it_first(systemd: Programs, root: Path) -> None:
    """Stopped and disabled, then the file goes; again, there is nothing to do."""
    file = Path(service(root, "install", "--json").json["file"])
    systemd.called()
    said = service(root, "uninstall", "--json").json
    assert not file.exists()
    assert [words.split()[0] for words in said["done"]] == ["run", "remove", "run"]
    assert systemd.called() == [
        f"systemctl --user disable --now {unit_name(root)}",
        "systemctl --user daemon-reload",
    ]
    assert service(root, "uninstall").text == "No service is installed for this vault.\n"
    assert systemd.called() == []


def test_a_service_whose_file_is_gone_is_stopped(systemd: Programs, root: Path) -> None:
    """Somebody removed the unit by hand, and the daemon runs on."""
    file = Path(service(root, "install", "--json").json["file"])
    file.unlink()
    systemd.called()
    assert "(gone)" in service(root, "status").text
    assert service(root, "uninstall").status == 0
    assert systemd.called() == [f"systemctl --user stop {unit_name(root)}"]


def test_without_either_there_is_no_service(system: Callable[..., Programs], root: Path) -> None:
    """The sentence gives the command that something else may start."""
    system("linux")
    answer = service(root, "install", "--json")
    assert (answer.status, answer.json["error"]["code"]) == (1, "service")
    assert f"-m vaultsync --vault {root} run" in answer.json["error"]["message"]
    assert service(root, "print", "--systemd").status == 0


def test_a_part_of_a_vault_gets_no_service(systemd: Programs, root: Path) -> None:
    """As `run` would refuse it."""
    (root / "Part").mkdir()
    assert service(root / "Part", "install").status == 2
    assert systemd.called() == []


def test_both_kinds_can_be_printed(systemd: Programs, root: Path) -> None:
    """On any machine, without a change."""
    del systemd
    assert service(root, "print", "--systemd").text.startswith("[Unit]\n")
    printed = service(root, "print", "--launchd", "--json").json
    assert printed["system"] == "launchd"
    assert plistlib.loads(printed["text"].encode())["Label"] == printed["name"]


def test_the_property_list_holds_what_launchd_asks(launchd: Programs, root: Path, home: Path) -> None:
    """launchd.plist(5): all keys with the types that it wants; paths come out as they went in."""
    del launchd
    listed = plistlib.loads(service(root, "print").out)
    kinds = {
        "Label": str,
        "ProgramArguments": list,
        "EnvironmentVariables": dict,
        "WorkingDirectory": str,
        "RunAtLoad": bool,
        "KeepAlive": dict,
        "ThrottleInterval": int,
        "ExitTimeOut": int,
        "ProcessType": str,
        "LowPriorityIO": bool,
        "Nice": int,
        "StandardOutPath": str,
        "StandardErrorPath": str,
    }
    assert {key: type(value) for key, value in listed.items()} == kinds
    assert listed["ProgramArguments"] == [
        sys.executable,
        "-P",
        "-m",
        "vaultsync",
        "--vault",
        str(root),
        "run",
    ]
    assert listed["KeepAlive"] == {"SuccessfulExit": False}
    assert listed["ProcessType"] == "Background"
    assert listed["StandardErrorPath"] == f"{home}/Library/Logs/vaultsync/{label(root)}.log"
    assert listed["EnvironmentVariables"]["XDG_STATE_HOME"] == f"{home}/state"


def test_an_agent_is_installed_and_taken_out(launchd: Programs, root: Path, home: Path) -> None:
    """Loaded into this user's session; again changes nothing; a change is loaded anew; out it goes."""
    file, target = home / f"Library/LaunchAgents/{label(root)}.plist", f"gui/{os.getuid()}/{label(root)}"
    load = f"launchctl bootstrap gui/{os.getuid()} {file}"
    answer = service(root, "install")
    assert answer.status == 0
    assert "Full Disk Access" in answer.text
    assert launchd.called() == [load]
    assert (home / "Library/Logs/vaultsync").is_dir()
    service(root, "install")
    assert launchd.called() == []
    health = service(root, "status", "--json").json
    assert (health["active"], health["pid"], health["enabled"]) == ("running", 4711, True)
    assert health["says"] == "last exit status: 3"
    file.write_bytes(plistlib.dumps({}))
    launchd.put("disabled", label(root))
    assert service(root, "status").status == 1
    service(root, "install")
    assert launchd.called() == [f"launchctl enable {target}", f"launchctl bootout {target}", load]
    assert service(root, "uninstall").status == 0
    assert not file.exists()
    assert launchd.called() == [f"launchctl bootout {target}"]
    assert service(root, "uninstall").text == "No service is installed for this vault.\n"


def test_without_a_session_an_agent_waits_for_the_next(launchd: Programs, root: Path, home: Path) -> None:
    """Over ssh nobody is logged in at the screen: the list is written, and the command for later is said."""
    launchd.put("broken")
    answer = service(root, "install", "--json")
    assert answer.status == 1
    assert answer.json["to_run"] == [
        f"launchctl bootstrap gui/{os.getuid()} {home}/Library/LaunchAgents/{label(root)}.plist"
    ]
    assert Path(answer.json["file"]).is_file()
