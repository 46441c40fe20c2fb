"""`vaultsync service`: let the system start the daemon at login, and see how that is."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click

from vaultsync.bootstrap import find_root, refuse_part
from vaultsync.domain.errors import ServiceError
from vaultsync.service.choice import choose
from vaultsync.service.launchd import Launchd
from vaultsync.service.systemd import Systemd
from vaultsync.service.task import find_task
from vaultsync.surfaces.cli import screen
from vaultsync.surfaces.cli.invocation import Invocation, common_options, current_folder

if TYPE_CHECKING:
    from pathlib import Path

    from vaultsync.service.choice import Service
    from vaultsync.service.steps import Health, Plan
    from vaultsync.service.task import Task


@click.group("service")
@common_options
def verb() -> None:
    """Run at login: a service of systemd's or an agent of launchd's that keeps this vault's memory up to date."""


@verb.command("install")
@common_options
@click.pass_obj
def install_verb(invocation: Invocation) -> int:
    """Let the daemon run now and after each login; done again, it changes only what is not as it should be."""
    root = _root(invocation)
    refuse_part(root)
    service = _service(invocation, root)
    plan = service.install()
    done = carry_out(plan, speaks=_speaks(invocation))
    advice = None if done.error else service.advice()
    if invocation.json:
        screen.print_json(_told(root, service, done) | {"advice": advice})
    elif _speaks(invocation):
        if not done.steps and not done.error:
            screen.print_line("It is installed already, and as it should be.")
        elif not done.error:
            screen.print_line(f"{root} is kept up to date from now on; `vaultsync service status` shows how.")
        if advice:
            screen.print_line(advice)
    return ended(done)


@verb.command("uninstall")
@common_options
@click.pass_obj
def uninstall_verb(invocation: Invocation) -> int:
    """Stop the daemon and let it start no more; the memory and your notes stay as they are."""
    root = _root(invocation)
    service = _service(invocation, root)
    done = carry_out(service.uninstall(), speaks=_speaks(invocation))
    if invocation.json:
        screen.print_json(_told(root, service, done))
    elif _speaks(invocation) and not done.error:
        screen.print_line("It runs no more." if done.steps else "No service is installed for this vault.")
    return ended(done)


@verb.command("status")
@common_options
@click.pass_obj
def status_verb(invocation: Invocation) -> int:
    """Say whether the service is installed, starts at login and runs; exit status 1 if it should and does not."""
    root = _root(invocation)
    service = _service(invocation, root)
    health = service.health()
    if invocation.json:
        screen.print_json(_named(root, service) | health._asdict())
    else:
        for line in _words(service, health):
            screen.print_line(line)
    return 1 if health.installed and not health.ok else 0


@verb.command("print")
@click.option(
    "--systemd", "system", flag_value="systemd", help="As a unit of systemd's, on whatever machine."
)
@click.option("--launchd", "system", flag_value="launchd", help="As a property list of launchd's.")
@common_options
@click.pass_obj
def print_verb(invocation: Invocation, system: str | None) -> None:
    """Print the file that `install` would write, and write nothing."""
    root = _root(invocation)
    task = _task(invocation, root)
    kinds: dict[str, type[Service]] = {"systemd": Systemd, "launchd": Launchd}
    service = kinds[system](task) if system else choose(task, sys.platform)
    if invocation.json:
        screen.print_json(_named(root, service) | {"text": service.text()})
    else:
        screen.print_raw(service.text().removesuffix("\n"))


@dataclass(slots=True)
class Done:
    """The steps that were taken, what went wrong, and the commands that a person is to run then."""

    steps: list[str] = field(default_factory=list)
    error: str | None = None
    rest: tuple[str, ...] = ()


def carry_out(plan: Plan, *, speaks: bool) -> Done:
    """Say all that will be done, and do it; what can't be done ends it."""
    if speaks and plan.steps:
        screen.print_line("This will:")
        for step in plan.steps:
            screen.print_line(f"  {step.words}")
    done = Done(error=plan.trouble, rest=plan.rest)
    for step in plan.steps:
        try:
            step.act()
        except ServiceError as error:
            done.error = str(error)
            break
        done.steps.append(step.words)
    return done


def ended(done: Done) -> int:
    """Say what went wrong, if anything did, and return the exit status."""
    if done.error is None:
        return 0
    screen.say_error(done.error)
    if done.rest:
        screen.say("Where it can, run:")
    for command in done.rest:
        screen.say(f"  {command}")
    return 1


def _speaks(invocation: Invocation) -> bool:
    return not (invocation.json or invocation.quiet)


def _root(invocation: Invocation) -> Path:
    return find_root(invocation.vault, os.environ, current_folder())


def _task(invocation: Invocation, root: Path) -> Task:
    return find_task(root, invocation.state, os.environ)


def _service(invocation: Invocation, root: Path) -> Service:
    return choose(_task(invocation, root), sys.platform)


def _named(root: Path, service: Service) -> dict[str, object]:
    return {
        "vault": str(root),
        "system": service.system,
        "name": service.name,
        "file": str(service.file),
    }


def _told(root: Path, service: Service, done: Done) -> dict[str, object]:
    return _named(root, service) | {"done": done.steps, "error": done.error, "to_run": list(done.rest)}


def _words(service: Service, health: Health) -> list[str]:
    if not health.installed and health.pid is None:
        return ["No service is installed for this vault. `vaultsync service install` does that."]
    process = f", process {health.pid}" if health.pid else ""
    since = f", since {health.since}" if health.since else ""
    lines = [
        f"{service.name}: {health.active}{process}{since}",
        f"  file   {service.file}{'' if health.installed else ' (gone)'}",
        f"  login  {'starts with it' if health.enabled else 'does not start with it'}",
        *([f"  says   {health.says}"] if health.says else []),
        f"  log    {health.log}",
    ]
    if health.trouble:
        lines.append(health.trouble)
    elif not health.ok:
        why = "" if health.current else " It is not as it would be installed now."
        lines.append(f"`vaultsync service install` puts it right.{why}")
    return lines
