"""The docs name every command, option and setting, and no link in them leads nowhere."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from vaultsync import config
from vaultsync.surfaces.cli.program import VERBS, program

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])

_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_SHELL = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def verbs() -> Iterator[click.Command]:
    context = click.Context(program)
    for name in VERBS:
        command = program.get_command(context, name)
        assert command is not None
        yield command


def all_commands() -> Iterator[click.Command]:
    """Return the program, its verbs, and what follows a verb, as `install` in `service install`."""
    yield program
    for command in verbs():
        yield command
        yield from command.commands.values() if isinstance(command, click.Group) else ()


def sections() -> dict[str, str]:
    """Return the sections of the commands' page by the first word of their heading."""
    parts = re.split(r"^## ", read("docs/commands.md"), flags=re.MULTILINE)
    return {part.split()[0]: part for part in parts[1:]} | {"": parts[0]}


def options(command: click.Command) -> set[str]:
    """Return the long names of options that a verb has beside the common ones."""
    common = {name for param in program.params for name in param.opts}
    return {name for param in command.params for name in param.opts if name.startswith("-")} - common


def test_every_verb_is_documented_with_all_its_options() -> None:
    """Each has a section that names its arguments' options; no section is about a verb that is not there."""
    written = sections()
    assert written.keys() - {""} == set(VERBS)
    for command in verbs():
        assert command.name is not None
        missing = {name for name in options(command) if not re.search(rf"{name}\b", written[command.name])}
        assert not missing, f"{command.name}: {missing}"


def test_every_common_option_is_documented() -> None:
    """What may stand before or after each verb is explained once, at the top."""
    names = [name for param in program.params for name in (*param.opts, *param.secondary_opts)]
    assert len(names) >= 5
    assert [name for name in names if f"`{name}" not in sections()[""]] == []


def test_no_documented_option_is_made_up() -> None:
    """Every option that the commands' page names exists."""
    known = {name for command in all_commands() for param in command.params for name in param.opts}
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", read("docs/commands.md")))
    assert named - known - {"--help"} == set()


def test_every_setting_is_documented_with_its_default() -> None:
    """A row each, with the default that is in force."""
    page = read("docs/config.md")
    rows = [
        f"| `{option.metadata['section']}.{option.name}` | `{config.to_toml(option.default)}` |"
        for option in fields(config.Settings)
    ]
    assert [row for row in rows if row not in page] == []


def test_every_exit_status_is_documented() -> None:
    """Scripts rely on them."""
    assert re.search(r"Exit status: 0 .*; 1 .*; 2 .*; 3 .*; 4 .*; 130 ", sections()[""], re.DOTALL)


def test_the_readme_starts_with_two_commands() -> None:
    """The first installs and does the main job, the second runs the tests."""
    blocks = _SHELL.findall(read("README.md"))
    commands = blocks[0].splitlines()
    assert len(commands) == 2
    assert "sync sample_vault" in commands[0]
    assert "pytest" in commands[1]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link is to a file that is there, and to a heading that it has."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    for link in _LINK.findall(text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page.name}: {link}"
        if anchor:
            assert anchor in anchors(target), f"{page.name}: {link}"


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def test_every_page_can_be_reached() -> None:
    """Decisions stand in the list of decisions, all other pages are linked from another."""
    reached = set()
    for page in PAGES:
        for link in _LINK.findall(page.read_text(encoding="utf-8")):
            reached.add((page.parent / link.partition("#")[0]).resolve())
    decisions = {
        (ROOT / "docs/decisions" / link).resolve() for link in _LINK.findall(read("docs/decisions/README.md"))
    }
    assert [page for page in ROOT.glob("docs/decisions/[0-9]*.md") if page not in decisions] == []
    assert [page for page in PAGES if page not in reached and page.name != "README.md"] == []


def test_decisions_are_numbered_in_order() -> None:
    """0001, 0002 ... without a gap or a double."""
    numbers = [int(page.name[:4]) for page in sorted(ROOT.glob("docs/decisions/[0-9]*.md"))]
    assert numbers == list(range(1, len(numbers) + 1))
