"""What is done to set a service up or to take it out: each step said in words before it is taken."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vaultsync.domain.errors import ServiceError
from vaultsync.service import programs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Step(NamedTuple):
    """`words`: what it does, as an order; `act`: does it, and raises ServiceError."""

    words: str
    act: Callable[[], None]


class Plan(NamedTuple):
    """`steps`: to be taken in this order. `trouble`: why that is not all; `rest`: the commands to run then."""

    steps: tuple[Step, ...]
    trouble: str | None = None
    rest: tuple[str, ...] = ()


class Health(NamedTuple):
    """How a service is. `installed`: its file is there; `current`: just as it would be written now.

    `enabled`: it starts at login; `active`: the system's own word for what it does, such as `active` or `failed`.
    `since`, `pid`, `says`: of a process that runs, as far as the system tells. `trouble`: why no more is known.
    `log`: the command that shows what the daemon said.
    """

    installed: bool
    current: bool
    enabled: bool
    active: str
    since: str | None
    pid: int | None
    says: str | None
    trouble: str | None
    log: str

    @property
    def ok(self) -> bool:
        """Whether it runs, and will after the next login, as it would be installed now."""
        return (
            self.current and self.enabled and self.active in {"active", "activating", "reloading", "running"}
        )


def folders(paths: Iterable[Path]) -> list[Step]:
    """Return the steps that make the folders that are not there."""
    return [_making(path) for path in paths if not path.is_dir()]


def writing(path: Path, content: bytes) -> Step:
    """Return the step that writes a file, whole or not at all."""
    return Step(f"write {path}", lambda: _write(path, content))


def removing(path: Path) -> Step:
    """Return the step that removes a file, there or not."""
    return Step(f"remove {path}", lambda: _remove(path))


def running(*words: str) -> Step:
    """Return the step that runs a program."""
    return Step(f"run {line(*words)}", lambda: _run(words))


def line(*words: str) -> str:
    """Return words as a line for a shell."""
    import shlex  # noqa: PLC0415 - for people who read it

    return shlex.join(words)


def content(path: Path) -> bytes | None:
    """Return what a file holds, None if it can't be read."""
    try:
        return path.read_bytes()
    except OSError:
        return None


def _making(path: Path) -> Step:
    return Step(f"make the folder {path}", lambda: _make(path))


def _make(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ServiceError(f"{path} can't be made: {error.strerror}.") from error


def _write(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".vaultsync-") as folder:
            new = Path(folder, "new")
            new.write_bytes(content)
            new.chmod(0o644)
            new.replace(path)
    except OSError as error:
        raise ServiceError(f"{path} can't be written: {error.strerror}.") from error


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise ServiceError(f"{path} can't be removed: {error.strerror}.") from error


def _run(words: tuple[str, ...]) -> None:
    outcome = programs.run(*words)
    if not outcome.ok:
        raise ServiceError(f"`{line(*words)}` failed: {outcome.words}")
