"""Every read counts once, whatever ends a process."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from small_vaults import ask, memory_of

from vaultsync.app.growing.reads import LOG, fold_reads, tell_read
from vaultsync.app.notes.reconcile import reconcile
from vaultsync.domain.notes import Uid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from vaultsync.app.memory import Memory

    Note = Callable[[str, str], Path]

TODAY = 20_000


class Killed(Exception):
    """Stands for a kill at a step of folding."""


def counted(memory: Memory) -> list[tuple[str, int, int]]:
    """Return the path, the day and the number of all reads."""
    return memory.db.read().all(
        "SELECT path, day, reads FROM touches JOIN files USING (node_id) ORDER BY path, day"
    )


def uid(memory: Memory, path: str) -> Uid:
    return Uid(memory.db.read().value("SELECT uid FROM node WHERE path = ?", [path]))


@pytest.fixture
def read(memory: Memory, note: Note) -> tuple[Uid, Uid]:
    """The uids of two notes."""
    note("a.md", "one")
    note("b.md", "two")
    reconcile(memory)
    return uid(memory, "a.md"), uid(memory, "b.md")


def test_reads_are_added_up_by_day(memory: Memory, read: tuple[Uid, Uid]) -> None:
    """Those of several passes too; the log is gone afterwards, and nothing is folded where nothing was read."""
    one, two = read
    fold_reads(memory, TODAY)
    tell_read(memory.state, [one, two], TODAY - 1)
    tell_read(memory.state, [one], TODAY)
    fold_reads(memory, TODAY)
    tell_read(memory.state, [one, one], TODAY)
    fold_reads(memory, TODAY)
    fold_reads(memory, TODAY)
    assert counted(memory) == [("a.md", TODAY - 1, 1), ("a.md", TODAY, 3), ("b.md", TODAY - 1, 1)]
    assert not list(memory.state.glob("reads*"))


def test_what_is_no_read_counts_for_nothing(memory: Memory, read: tuple[Uid, Uid]) -> None:
    """Torn lines, other bytes, nodes that are not there; a folder that can't be written fails no read."""
    tell_read(memory.state, [Uid("00000000-0000-0000-0000-000000000000"), read[0]], TODAY)
    with (memory.state / LOG).open("ab") as log:
        log.write(f"{TODAY}\t{read[0][:9]}\n\xff\n\n{TODAY}".encode("latin-1"))
    fold_reads(memory, TODAY)
    tell_read(memory.state / "none", [read[0]], TODAY)
    assert counted(memory) == [("a.md", TODAY, 1)]


def test_reads_that_count_no_more_are_forgotten(memory: Memory, read: tuple[Uid, Uid]) -> None:
    """The table holds the thirty days in which a read counts."""
    for day in (TODAY - 30, TODAY - 29):
        tell_read(memory.state, [read[0]], day)
    fold_reads(memory, TODAY)
    assert counted(memory) == [("a.md", TODAY - 29, 1)]


@pytest.mark.parametrize("step", ["rename", "read_text", "unlink"])
@pytest.mark.parametrize("done", [False, True])
def test_a_kill_loses_and_doubles_no_read(
    memory: Memory, read: tuple[Uid, Uid], monkeypatch: pytest.MonkeyPatch, step: str, *, done: bool
) -> None:
    """Before and after each step; what is read meanwhile counts at the next pass, too."""
    real = getattr(Path, step)

    def killed(path: Path, *how: object, **more: object) -> None:
        if not (step == "unlink" and not path.exists()):
            if done:
                real(path, *how, **more)
            raise Killed

    tell_read(memory.state, [read[0]], TODAY)
    with monkeypatch.context() as patch:
        patch.setattr(Path, step, killed)
        with pytest.raises(Killed):
            fold_reads(memory, TODAY)
    tell_read(memory.state, [read[0]], TODAY)
    fold_reads(memory, TODAY)
    fold_reads(memory, TODAY)
    assert counted(memory) == [("a.md", TODAY, 2)]
    assert not list(memory.state.glob("reads*"))


def test_showing_a_note_is_a_read(vault: Callable[[Mapping[str, str | bytes]], Path]) -> None:
    """`show` tells it beside the database, which it does not write; the next sync counts it."""
    root = vault({"a.md": "Nine bees fly over the wall.\n"})
    assert ask("--vault", root, "sync").status == 0
    assert ask("--vault", root, "show", "a").status == 0
    assert ask("--vault", root, "show", "a", "--json").status == 0
    assert ask("--vault", root, "sync").status == 0
    with memory_of(root) as memory:
        assert memory.db.read().all("SELECT reads FROM touches") == [(2,)]
