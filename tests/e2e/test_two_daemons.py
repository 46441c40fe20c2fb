"""Two clones of a vault, a daemon beside each: what one commits the other pulls, and nothing is ever in git's way."""

from __future__ import annotations

import json
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from busy_person import STEPS, Person, starting_notes
from daemons import Running, await_that, daemon
from machines import Machine, grown_clones

if TYPE_CHECKING:
    from pathlib import Path

PULLS = 50


def run_daemon(machine: Machine, until: ExitStack) -> Running:
    """Let a daemon run on a machine."""
    with machine.at_work():
        return until.enter_context(daemon(machine.root))


def has_same_trees(one: Machine, two: Machine) -> bool:
    return two.trees == one.trees


@pytest.mark.slow
def test_fifty_pulls_with_daemons(home: Path, tmp_path: Path) -> None:
    """Edits on the one alone: each pull succeeds, the other's copy stays clean, and it has the same tree after each."""
    del home
    one, two = grown_clones(tmp_path, starting_notes())
    person = Person(one, 3)
    with ExitStack() as at_end:
        first, second = run_daemon(one, at_end), run_daemon(two, at_end)
        grown = set()
        for step in [*STEPS * 5][:PULLS]:
            person.do(step)
            assert one.run("sync", "-q").status in {0, 1}, first.said
            one.commit()
            one.git("push", "-q")
            assert two.pulls()
            await_that(lambda: has_same_trees(one, two), second)
            assert two.is_clean
            grown.add(json.dumps(two.trees))
        assert first.process.poll() is None
        assert second.process.poll() is None
    assert two.is_clean
    assert len(grown) > PULLS // 2, "most steps change the trees"
    assert one.complaints == two.complaints == {}
