"""What comes or changes while a summary is being written is never lost, and never summed up unseen."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from grown_vaults import about, prose
from small_vaults import fill_vault, memory_of
from tree_promises import faults

from vaultsync.app.growing import summarise
from vaultsync.app.growing.duty import find_duty
from vaultsync.app.growing.extract import extract
from vaultsync.app.growing.place import place
from vaultsync.app.growing.tend import tend
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.app.sync import Wish, sync
from vaultsync.app.writing.adopt import adopt
from vaultsync.domain import extractive
from vaultsync.domain.tree import ANY_AGE
from vaultsync.store import attempts, summaries, trees

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from types import CodeType, FrameType

    from vaultsync.app.memory import Memory

READ, WRITTEN = summarise.read.__code__, extractive.summarise.__code__
"""What runs when what a summary is made of is about to be read, and when its text is being written of that."""

NAMES = ("apple", "birch", "clover", "daisy", "elder", "fern")


def edit(root: Path) -> None:
    fill_vault(root, {"Garden/clover.md": prose("clover", 1)})


def write_more(root: Path) -> None:
    fill_vault(root, {"Garden/birch.md": f"{prose('birch')}\n# More\n\n{prose('birch', 1) * 20}"})


def add(root: Path) -> None:
    fill_vault(root, {"Garden/bush.md": prose("bush")})


def delete(root: Path) -> None:
    (root / "Garden/apple.md").unlink()


def move_away(root: Path) -> None:
    (root / "Woods").mkdir(exist_ok=True)
    (root / "Garden/daisy.md").rename(root / "Woods/daisy.md")


def hide(root: Path) -> None:
    fill_vault(root, {"Garden/birch.md": f"---\nprivate: true\n---\n{prose('birch')}"})


CHANGES = (edit, write_more, add, delete, move_away, hide)


@contextmanager
def meanwhile(moment: CodeType, act: Callable[[], None], *, at: int | None = None) -> Iterator[list[int]]:
    """Do something when the pass comes to a moment for the n-th time, or each time, as another thread may.

    Yields what will hold the numbers of the times at which it was done.
    """
    seen, done = 0, []

    def watch(frame: FrameType, event: str, _argument: object) -> None:
        nonlocal seen
        if event == "call" and frame.f_code is moment:
            seen += 1
            if at in {None, seen}:
                sys.setprofile(None)
                act()
                done.append(seen)
                sys.setprofile(watch)

    sys.setprofile(watch)
    try:
        yield done
    finally:
        sys.setprofile(None)


def look(memory: Memory) -> None:
    """Bring the notes into their places, and tend no tree."""
    reconcile(memory)
    extract(memory, lambda *_: None)
    duty = find_duty(memory)
    adopt(memory, duty)
    place(memory, duty)


def unseen(memory: Memory) -> list[str]:
    """Return the summaries that tell of other texts than those that they say they were made from, and cut notes."""
    return [fault for fault in faults(memory) if "made from" in fault or "cut" in fault]


@pytest.mark.parametrize("at", [1, 4])
@pytest.mark.parametrize("moment", [READ, WRITTEN], ids=["read", "written"])
@pytest.mark.parametrize("change", CHANGES)
def test_what_changes_meanwhile_is_in_this_summary_or_in_the_next(
    vault: Callable[..., Path], change: Callable[[Path], None], moment: CodeType, at: int
) -> None:
    """Whatever changes, and at whatever summary, a tree tells what is in it, and the next pass has all of it."""
    root = vault(about(*NAMES))

    def act() -> None:
        change(root)
        look(memory)

    with memory_of(root, write=True) as memory:
        look(memory)
        with meanwhile(moment, act, at=at) as done:
            tended = tend(memory, find_duty(memory), flush_before=ANY_AGE)
        assert done == [at]
        assert not tended.failed
        assert unseen(memory) == []
        sync(memory, Wish(flush="all"))
        assert faults(memory, is_flushed=True) == []


def test_notes_that_never_keep_still_hold_up_their_own_tree_alone(vault: Callable[..., Path]) -> None:
    """It is told of and tried again; nothing of it was written that is not so, and the other trees are tended."""
    root = vault({**about(*NAMES), **about("oak", "pine", folder="Woods")})
    versions = iter(range(1000))

    def act() -> None:
        fill_vault(root, {"Garden/apple.md": prose("apple", next(versions))})
        look(memory)

    with memory_of(root, write=True) as memory:
        look(memory)
        garden = next(row for row in trees.every(memory.db.read()) if row.folder == "Garden")
        with meanwhile(WRITTEN, act):
            tended = tend(memory, find_duty(memory), flush_before=ANY_AGE, only=[garden.id])
        tended.add(tend(memory, find_duty(memory), flush_before=ANY_AGE))
        assert [folder for folder, _ in tended.failed] == ["Garden"]
        assert [attempt.subject for attempt in attempts.pending(memory.db.read())] == []
        assert {row.folder for row in summaries.every(memory.db.read())} == {"Garden", "Woods"}
        sync(memory, Wish(flush="all"))
        assert faults(memory, is_flushed=True) == []
