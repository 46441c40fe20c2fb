"""When a path that changed is handed on."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from vaultsync.domain.notes import NotePath
from vaultsync.vault.settling import GONE_S, MANY, PATIENCE_S, QUIET_S, STILL_S, Batch, Look, Settling

TICK_S = 0.1
EPOCH_NS = 1_800_000_000_000_000_000
A, B = NotePath("A.md"), NotePath("Folder/B.md")


class Disk:
    """Files as they are now, a clock, and a settle rule that is asked at each tick."""

    def __init__(self) -> None:
        self.now = 100.0
        self.files: dict[NotePath, Look] = {}
        self.settling = Settling()

    @property
    def wall_ns(self) -> int:
        return EPOCH_NS + round(self.now * 1e9)

    def write(self, path: NotePath, *, mtime_ns: int | None = None) -> None:
        before = self.files.get(path, Look(0, 0, 1))
        self.files[path] = Look(before.size + 1, mtime_ns or self.wall_ns, before.inode)

    def hear(self, path: NotePath, *, has_appeared: bool = False) -> None:
        self.settling.hear(path, self.now, has_appeared=has_appeared)

    def tick(self, seconds: float = TICK_S) -> Batch | None:
        self.now = round(self.now + seconds, 3)
        return self.settling.take(self.now, self.wall_ns, self.files.get)

    def ticks(self, seconds: float) -> list[tuple[float, Batch]]:
        """What is handed on, with when."""
        until = self.now + seconds
        handed = []
        while self.now < until:
            if batch := self.tick():
                handed.append((self.now, batch))
        return handed


def batch(*paths: NotePath) -> Batch:
    return Batch(frozenset(paths))


def test_a_saved_note_is_handed_on_as_soon_as_it_stands() -> None:
    """Its own time says that nobody has written for long enough, so no second look is needed."""
    disk = Disk()
    disk.write(A)
    disk.hear(A)
    assert disk.tick(STILL_S / 2) is None
    assert disk.tick(STILL_S / 2) == batch(A)
    assert disk.tick() is None


def test_a_time_in_the_future_does_not_hold_a_note_back() -> None:
    """A clock that was set back, or a file from another machine: then two looks say that it stands."""
    disk = Disk()
    disk.write(A, mtime_ns=EPOCH_NS * 2)
    disk.hear(A)
    assert disk.tick() is None
    assert disk.tick(STILL_S) == batch(A)


def test_a_file_that_keeps_growing_is_handed_on_now_and_then() -> None:
    """Every five seconds as it is, and once more when it stands."""
    disk = Disk()
    handed = []
    for _ in range(120):
        disk.write(A)
        disk.hear(A)
        if disk.tick(STILL_S / 2):
            handed.append(disk.now)
        if disk.now > 110:
            break
    while not (last := disk.tick()):
        pass
    assert last == batch(A)
    for before, after in zip([100.0, *handed], [*handed, disk.now], strict=True):
        assert after - before <= PATIENCE_S + TICK_S
    assert len(handed) == 1


def test_both_halves_of_a_rename_are_one_batch() -> None:
    """What vanished waits for what appears, which waits with it."""
    disk = Disk()
    disk.hear(A)
    assert disk.tick() is None
    assert disk.tick(0.3) is None
    disk.write(B)
    disk.hear(B, has_appeared=True)
    assert [batch for _, batch in disk.ticks(1.0)] == [batch(A, B)]


def test_a_note_that_is_renamed_twice_in_a_stream_of_others_is_told_as_one() -> None:
    """While files come and go all the time nothing that moves ever stands; no half is handed on by its own age."""
    disk, batches = Disk(), list[Batch]()
    names = [NotePath(f"{name}.md") for name in ("first", "second", "third")]
    disk.write(names[0])
    for tick in range(150):
        passing = NotePath(f"tmp{tick // 3}.md")
        if tick % 3 == 0:
            disk.write(passing)
            disk.hear(passing, has_appeared=True)
        elif tick % 3 == 1:
            del disk.files[passing]
            disk.hear(passing)
        if tick in {20, 40}:
            old, new = names[tick // 20 - 1], names[tick // 20]
            disk.files[new] = disk.files.pop(old)
            disk.hear(old)
            disk.hear(new, has_appeared=True)
        if handed := disk.tick():
            batches.append(handed)
    told = [handed.paths & set(names) for handed in batches if handed.paths & set(names)]
    assert told
    for paths in told:
        assert paths in (set(names[:2]), set(names))
    assert names[2] in told[-1]


def test_an_edit_waits_for_no_deletion() -> None:
    """A note that was there and is there has nothing to do with one that vanished."""
    disk = Disk()
    disk.hear(A)
    disk.write(B)
    disk.hear(B)
    assert disk.tick() == batch(B)
    assert [batch for _, batch in disk.ticks(1.0)] == [batch(A)]


def test_F19_a_backup_save_is_a_change_of_one_note() -> None:
    """A note that was moved away and is there again has not vanished, and need not wait."""
    disk = Disk()
    disk.hear(A)
    disk.write(A)
    disk.hear(A, has_appeared=True)
    assert disk.tick() == batch(A)


def test_a_folder_waits_for_what_is_written_in_it() -> None:
    """It will be walked, and would be read half-written."""
    disk = Disk()
    folder = NotePath("Folder")
    disk.write(folder)
    disk.hear(folder, has_appeared=True)
    disk.now += 1.0
    disk.write(B)
    disk.hear(B)
    assert disk.tick(STILL_S / 2) is None
    assert disk.tick(STILL_S / 2) == batch(B, folder)


def test_too_many_paths_are_one_look_at_all() -> None:
    """Once it is quiet; the paths themselves are forgotten."""
    disk = Disk()
    for number in range(MANY + 1):
        disk.hear(NotePath(f"{number}.md"))
    began = disk.now
    handed = disk.ticks(3.0)
    assert [batch for _, batch in handed] == [Batch(frozenset(), overflow=True)]
    assert QUIET_S <= handed[0][0] - began <= QUIET_S + TICK_S
    disk.write(A)
    disk.hear(A)
    assert disk.tick(STILL_S) == batch(A)


def test_a_flood_that_does_not_end_is_looked_at_all_the_same() -> None:
    """After five seconds at most."""
    disk = Disk()
    disk.settling.hear_all(disk.now)
    began = disk.now
    handed = None
    while handed is None:
        disk.hear(A)
        handed = disk.tick()
    assert handed.overflow
    assert PATIENCE_S <= disk.now - began <= PATIENCE_S + TICK_S


PATHS = tuple(NotePath(name) for name in ("A.md", "B.md", "F", "F/C.md", "F/G/D.md"))
DEEDS = st.lists(
    st.tuples(
        st.sampled_from(PATHS),
        st.sampled_from(("write", "write", "delete", "touch")),
        st.integers(0, 8),  # ticks until the next deed
        st.integers(0, 3),  # ticks until it is heard of
    ),
    max_size=60,
)


@settings(max_examples=150)
@given(deeds=DEEDS)
def test_nothing_is_lost_and_nothing_handed_on_while_it_changes(
    deeds: list[tuple[NotePath, str, int, int]],
) -> None:
    """Whatever happens and however late it is heard of: each path is told after it stands, and not before.

    But for what has waited for longer than anybody's patience, which is told again.
    """
    disk = Disk()
    changed: dict[NotePath, float] = {}
    told: dict[NotePath, float] = {}
    waits_since: dict[NotePath, float] = {}
    heard: list[tuple[float, NotePath, bool]] = []

    def pass_time() -> None:
        for _, path, has_appeared in [word for word in heard if word[0] <= disk.now + 1e-6]:
            disk.hear(path, has_appeared=has_appeared)
            waits_since.setdefault(path, disk.now)
        heard[:] = [word for word in heard if word[0] > disk.now + 1e-6]
        for path in (disk.tick() or Batch(frozenset())).paths:
            is_overdue = disk.now - waits_since[path] >= PATIENCE_S - 1e-6
            needed = STILL_S if path in disk.files else GONE_S
            assert is_overdue or disk.now - changed[path] >= needed - 1e-6, path
            told[path] = disk.now
            waits_since[path] = disk.now
            if not is_overdue:
                del waits_since[path]

    for path, deed, pause, delay in deeds:
        had = path in disk.files
        if deed == "delete":
            disk.files.pop(path, None)
        else:
            old = EPOCH_NS * 2 if deed == "touch" else None
            disk.write(path, mtime_ns=old)
        if had or path in disk.files:
            changed[path] = disk.now
            heard.append((disk.now + delay * TICK_S, path, not had))
        for _ in range(pause + 1):
            pass_time()
    for _ in range(130):
        pass_time()
    assert changed.keys() == told.keys()
    assert all(told[path] > changed[path] for path in changed)


@settings(max_examples=60)
@given(late=st.integers(0, 4), others=st.lists(st.integers(0, 10), max_size=6))
def test_a_rename_is_told_as_one(late: int, others: list[int]) -> None:
    """Though the new name is heard of up to 0.4 s after the old one is gone, and whatever else is saved meanwhile."""
    disk = Disk()
    for tick in range(20):
        if tick == 2:
            disk.hear(A)
        if tick == 2 + late:
            disk.write(B)
            disk.hear(B, has_appeared=True)
        for number in (number for number, at in enumerate(others) if at == tick):
            path = NotePath(f"Other {number}.md")
            disk.write(path)
            disk.hear(path, has_appeared=number % 2 == 0)
        handed = disk.tick() or Batch(frozenset())
        assert (A in handed.paths) == (B in handed.paths)
    assert disk.ticks(1.0) == []
