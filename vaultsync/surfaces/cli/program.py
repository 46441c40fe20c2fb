"""The `vaultsync` program: finds the verb, runs it, and turns errors into words and exit statuses."""

from __future__ import annotations

import importlib
import itertools
import os
import sys
from typing import TYPE_CHECKING, NoReturn

import click

from vaultsync.domain.errors import VaultsyncError
from vaultsync.surfaces.cli import screen
from vaultsync.surfaces.cli.invocation import Invocation, common_options

if TYPE_CHECKING:
    from collections.abc import Sequence

VERBS = (
    "init",
    "sync",
    "run",
    "search",
    "show",
    "tree",
    "drill",
    "leaves",
    "source",
    "status",
    "flush",
    "seal",
    "summary",
    "dump",
    "doctor",
    "writer",
    "service",
    "remove",
    "config",
)
"""In the order of a first day; each is the command `verb` in the module of its name."""

INTERRUPTED = 130


class Verbs(click.Group):
    """A group that imports a verb's module only when it is asked for: start-up is part of every search."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order of a first day."""
        del ctx
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the verb's module and return its command."""
        del ctx
        if cmd_name not in VERBS:
            return None
        command = importlib.import_module(f"vaultsync.surfaces.cli.{cmd_name}").verb
        assert isinstance(command, click.Command)  # noqa: S101 - every module of VERBS has a `verb`
        return command


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@common_options
@click.version_option(package_name="vaultsync", prog_name="vaultsync")
def program() -> None:
    """Give an Obsidian vault a memory: parsed, searchable, and never harmed."""


def run(arguments: Sequence[str], invocation: Invocation | None = None) -> int:
    """Run one command and return its exit status (commands.md: 0, 1, 2, 3, 4 or 130).

    `invocation`: what stands before the verb, if it is more than the words say. Raises Stopped, if that is raised.
    """
    options = list(itertools.takewhile(lambda word: word != "--", arguments))
    invocation = invocation or Invocation()
    invocation.argv = tuple(arguments)
    invocation.json = "--json" in options
    invocation.verbose = "-v" in options or "--verbose" in options
    screen.speak_utf8()
    try:
        status = program.main(list(arguments), prog_name="vaultsync", standalone_mode=False, obj=invocation)
    except click.Abort:
        return _fail(invocation, "interrupted", "Interrupted; what was committed stays.", INTERRUPTED)
    except click.exceptions.NoArgsIsHelpError as error:
        screen.say(error.format_message())
        return 2
    except click.ClickException as error:
        return _fail(invocation, "usage", _usage_words(error), 2)
    except VaultsyncError as error:
        return _fail(invocation, error.code, str(error), error.exit_status)
    except SystemExit:  # so click and rich leave, with 1, when nobody reads our output any more
        _leave_closed_pipe()
    except Exception as error:  # noqa: BLE001 - the last door: no traceback reaches a user
        if invocation.verbose:
            sys.excepthook(type(error), error, error.__traceback__)
        fault = f"{type(error).__name__}: {error}"
        words = f"vaultsync failed in a way it should not: {fault}. Run it with -v and report what it prints."
        return _fail(invocation, "internal", words, 1)
    return status if isinstance(status, int) else 0


def _fail(invocation: Invocation, code: str, words: str, status: int) -> int:
    if invocation.json:
        screen.print_json({"error": {"code": code, "message": words}})
    screen.say_error(words)
    return status


def _usage_words(error: click.ClickException) -> str:
    words = error.format_message()
    if isinstance(error, click.UsageError) and error.ctx is not None:
        words += f" See `{error.ctx.command_path} --help`."
    return words


def _leave_closed_pipe() -> NoReturn:
    """Leave quietly when the reader of our output went away, as `head` does."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)
