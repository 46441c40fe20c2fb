"""Programs that stand for `systemctl`, `loginctl` and `launchctl`: they note their calls and keep a state."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_HEAD = """\
#!/bin/sh
here=$(dirname "$0")/../memory
echo "${0##*/} $*" >> "$here/calls"
[ -e "$here/broken" ] && [ "$*" != --version ] && { echo "Failed to connect to bus: No medium found" >&2; exit 1; }
"""

_SYSTEMCTL = r"""
[ "$1" = --version ] && { echo "systemd 252 (252.38-1)"; exit 0; }
shift
verb=$1
case $verb in enable|disable|start|stop|restart|reset-failed|show) ;; daemon-reload) exit 0 ;; *) exit 64 ;; esac
if [ "$2" = --property=UnitPath ]; then cat "$here/unit-path"; exit 0; fi
for word in "$@"; do case $word in vaultsync@*) unit=$word ;; esac; done
case $verb in
enable) touch "$here/enabled" ;;
disable) rm -f "$here/enabled"; rm -f "$here/active" ;;
start|restart)
    [ -e "$here/refusing" ] && { echo "Job for $unit failed." >&2; exit 1; }
    echo active > "$here/active" ;;
stop|reset-failed) rm -f "$here/active" ;;
show)
    state=$(cat "$here/active" 2>/dev/null || echo inactive)
    echo "ActiveState=$state"
    [ -e "$here/enabled" ] && echo UnitFileState=enabled || echo UnitFileState=disabled
    echo NeedDaemonReload=no
    [ "$state" = active ] && echo MainPID=4711 || echo MainPID=0
    echo "ActiveEnterTimestamp=Tue 2026-12-01 09:00:00 CET"
    echo "StatusText=59 notes"
    [ "$state" = failed ] && echo Result=exit-code || echo Result=success
    [ "$state" = failed ] && echo ExecMainStatus=3 || echo ExecMainStatus=0 ;;
esac
"""

_LOGINCTL = """
echo "Linger=$(cat "$here/linger" 2>/dev/null || echo no)"
"""

_LAUNCHCTL = r"""
case $1 in
bootstrap) echo running > "$here/active" ;;
bootout) rm -f "$here/active" ;;
enable) rm -f "$here/disabled" ;;
print-disabled)
    if [ -e "$here/disabled" ]; then printf '\t"%s" => disabled\n' "$(cat "$here/disabled")"; fi ;;
print)
    case $2 in gui/*/*) ;; *) exit 0 ;; esac
    [ -e "$here/active" ] || { echo "Could not find service" >&2; exit 113; }
    printf '%s = {\n\tstate = %s\n\tpid = 4711\n\tlast exit code = 3\n}\n' "$2" "$(cat "$here/active")" ;;
esac
"""

_TEXTS = {"systemctl": _SYSTEMCTL, "loginctl": _LOGINCTL, "launchctl": _LAUNCHCTL}


class Programs:
    """The folder with the programs, and what they remember."""

    def __init__(self, folder: Path, *names: str) -> None:
        self.bin, self._memory = folder / "bin", folder / "memory"
        self.bin.mkdir()
        self._memory.mkdir()
        self.put("unit-path", "")
        for name in names:
            program = self.bin / name
            program.write_text(_HEAD + _TEXTS[name], encoding="utf-8")
            program.chmod(0o755)

    def put(self, name: str, words: str = "") -> None:
        """Let them remember something."""
        (self._memory / name).write_text(words, encoding="utf-8")

    def drop(self, name: str) -> None:
        """Let them forget it."""
        (self._memory / name).unlink()

    def called(self) -> list[str]:
        """Return the calls that change something since the last time."""
        log = self._memory / "calls"
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        asking = (" show ", " --version", "loginctl ", "launchctl print")
        return [line for line in lines if not any(word in line for word in asking)]
