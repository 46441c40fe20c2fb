"""What stands before every verb: which vault, which state, how to answer; and the way to a memory."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from vaultsync.bootstrap import Place, find_place, find_root, open_memory, prepare_state, rehearse
from vaultsync.surfaces.cli import screen

if TYPE_CHECKING:
    from vaultsync.app.memory import Memory
    from vaultsync.app.progress import Progress

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(slots=True)
class Invocation:
    """The common options, wherever on the command line they stood."""

    vault: Path | None = None
    state: Path | None = None
    json: bool = False
    quiet: bool = False
    verbose: bool = False
    argv: tuple[str, ...] = ()
    """The whole command line, without the program's name."""
    hook: Progress = lambda _stage, _done, _total: None
    """Called between the batches of long work."""

    def find_place(self, vault: Path | None = None) -> Place:
        """Return the vault named, or meant, and where its memory is kept."""
        return find_place(
            find_root(vault or self.vault, os.environ, current_folder()), self.state, os.environ
        )

    @contextmanager
    def reading(self) -> Iterator[Memory]:
        """Open the memory to read it; never waits for a writer."""
        with open_memory(self.find_place()) as memory:
            yield memory

    @contextmanager
    def rehearsing(self, vault: Path | None = None) -> Iterator[Memory]:
        """Open the memory for a dry run, which makes and changes nothing."""
        with rehearse(self.find_place(vault)) as memory:
            yield memory

    @contextmanager
    def writing(self, vault: Path | None = None) -> Iterator[Memory]:
        """Open the memory to write it, under the instance lock: see `holding`."""
        place = prepare_state(self.find_place(vault))
        with self.holding(place.state), open_memory(place, write=True) as memory:
            yield memory

    @contextmanager
    def holding(self, state: Path) -> Iterator[None]:
        """Hold the instance lock; where no state is, there is none.

        If another process holds it, that one is let know what is to be done: it runs this command, and we print what
        it says and end, or it ends before, and we go on. Raises LockedError.
        """
        from vaultsync.daemon import petition, requests  # noqa: PLC0415 - readers need no lock

        if not state.is_dir():
            yield
            return
        asked = petition.hold_or_ask(state, self.argv, current_folder(), self._say_who_holds)
        with asked as reply:
            if reply:
                screen.print_bytes(reply.out, reply.err)
                raise click.exceptions.Exit(reply.status)
            desk = requests.Desk(state)
            desk.acknowledge()
            self.hook = lambda _stage, _done, _total: desk.acknowledge()
            yield

    @contextmanager
    def progress(self) -> Iterator[Progress]:
        """Show the progress of long work, unless told to be quiet; between its batches others are heard."""
        with screen.progress(shown=not self.quiet and not self.json) as show:

            def step(stage: str, done: int, total: int) -> None:
                self.hook(stage, done, total)
                show(stage, done, total)

            yield step

    def _say_who_holds(self, holder: str) -> None:
        if sys.stderr.isatty() and not self.quiet:
            screen.say(f"Waiting for another vaultsync ({holder}) ...")


def common_options(command: F) -> F:
    """Add the options that every verb takes, before or after its name."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def _keep(ctx: click.Context, param: click.Parameter, value: object) -> None:
    invocation = ctx.ensure_object(Invocation)
    if value and param.name:
        setattr(invocation, param.name, value)


def _option(*names: str, **attributes: Any) -> Callable[[F], F]:  # noqa: ANN401 - click's own
    return click.option(*names, expose_value=False, callback=_keep, **attributes)


def current_folder() -> Path:
    """Return the folder we are in, `/` if it was deleted around us."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return Path("/")


class _Folder(click.Path):
    """A folder named on the command line; an empty name, of an unset variable perhaps, is a mistake, not `.`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        """Return the path."""
        if value == "":
            self.fail("the name is empty.", param, ctx)
        return super().convert(value, param, ctx)


FOLDER = _Folder(path_type=Path, readable=False)

_OPTIONS = (
    _option(
        "--vault",
        type=FOLDER,
        metavar="DIR",
        help="The vault; else $VAULTSYNC_VAULT, else the one around you.",
    ),
    _option("--state", type=FOLDER, metavar="DIR", help="Where its memory is kept; else $VAULTSYNC_STATE."),
    _option("--json", is_flag=True, help="Print one JSON document and nothing else on stdout."),
    _option("-q", "--quiet", is_flag=True, help="Say only what went wrong."),
    _option("-v", "--verbose", is_flag=True, help="Say more."),
)
