"""A node is as hot as the last thirty days made it."""

from __future__ import annotations

import os
from dataclasses import replace
from math import log
from typing import TYPE_CHECKING

import pytest

from vaultsync.app.growing.heat import hotness_of, today
from vaultsync.app.growing.reads import fold_reads, tell_read
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.domain.notes import Uid

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vaultsync.app.memory import Memory

    Note = Callable[[str, str], Path]
    Dated = Callable[[str, str, int], Path]

DAY = 20_000


@pytest.fixture
def dated(note: Note) -> Dated:
    """Return what writes a note that last changed on a day."""

    def write(path: str, text: str, day: int) -> Path:
        place = note(path, text)
        os.utime(place, (day * 86_400, day * 86_400 + 7))
        return place

    return write


def heat(memory: Memory, path: str, day: int = DAY) -> float | None:
    """Index the vault and return how hot a note is on a day, None if it is gone."""
    reconcile(memory)
    node_id = memory.db.read().value("SELECT node_id FROM files WHERE path = ?", [path])
    return hotness_of(memory, [node_id], day).get(node_id)


def test_links_from_other_notes_count_on_the_day_of_the_note(memory: Memory, dated: Dated) -> None:
    """In the window as mentions, of so many sources; as links in however old; a note's own and a template's never."""
    (memory.root / ".obsidian/templates.json").write_text('{"folder": "Forms"}')
    dated("a.md", "see [[a]]", DAY - 60)
    assert heat(memory, "a.md") == 0
    dated("One/b.md", "[[a]] and [[a]]", DAY - 7)
    dated("Two/c.md", "[[a]]", DAY - 29)
    dated("Two/d.md", "[[a]]", DAY - 30)
    dated("Forms/e.md", "[[a]]", DAY)
    assert heat(memory, "a.md") == pytest.approx(log(1 + 3) + 0.5 * 2 + 0.5 + log(1 + 4))
    (memory.root / "One/b.md").unlink()
    assert heat(memory, "a.md") == pytest.approx(log(1 + 1) + 0.5 + 0.5 / 23 + log(1 + 2))


def test_the_source_is_the_tree(memory: Memory, dated: Dated) -> None:
    """Two folders of one tree are one source."""
    dated("a.md", "one", DAY - 60)
    dated("One/b.md", "[[a]]", DAY)
    dated("Two/c.md", "[[a]]", DAY)
    apart = heat(memory, "a.md")
    with memory.db.write() as tx:
        tx.run("INSERT INTO trees (uid, folder, private) VALUES ('t', '', 0)")
        tx.run("UPDATE chunks SET tree_id = (SELECT id FROM trees)")
    assert heat(memory, "a.md") == pytest.approx((apart or 0) - 0.5)


def test_reads_and_changes_count_until_the_window_has_passed(memory: Memory, dated: Dated) -> None:
    """Each read twice, a change by its age; and a note that is gone has no hotness."""
    place = dated("a.md", "one", DAY)
    heat(memory, "a.md")
    uid = Uid(memory.db.read().value("SELECT uid FROM nodes"))
    tell_read(memory.state, [uid, uid], DAY)
    fold_reads(memory, DAY)
    assert heat(memory, "a.md") == 1 + 2 * 2
    assert heat(memory, "a.md", DAY + 7) == 0.5 + 2 * 2
    assert heat(memory, "a.md", DAY + 30) == 0
    place.unlink()
    assert heat(memory, "a.md") is None


def test_today_is_the_day_by_the_memorys_clock(memory: Memory) -> None:
    """Days count from 1970, each from midnight, UTC."""
    assert 20_000 < today(memory) < 60_000
    assert today(replace(memory, clock=lambda: 86_400.0 * DAY - 0.1)) == DAY - 1
    assert today(replace(memory, clock=lambda: 86_400.0 * DAY)) == DAY
