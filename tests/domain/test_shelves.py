"""Every note of a source stands on one shelf, which is about one place or one time."""

from __future__ import annotations

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from vaultsync.domain.dates import day_of
from vaultsync.domain.folders import holdings
from vaultsync.domain.notes import NotePath, Uid
from vaultsync.domain.shelves import Note, folder_of, renamed, shelves


def note(path: str, tokens: int, day: str | None = None) -> Note:
    return Note(Uid(path), NotePath(path), tokens, day)


def shelf_of(*notes: Note, source: str = "P", standing: tuple[str, ...] = ()) -> dict[str, str]:
    return {str(uid): shelf for uid, shelf in shelves(source, notes, standing).items()}


def test_a_folder_with_enough_in_it_is_a_shelf() -> None:
    """The deepest with 4,000 tokens; what a deeper shelf holds does not count for those around it."""
    found = shelf_of(
        note("P/a/b/1.md", 4_000), note("P/a/2.md", 3_999), note("P/c/3.md", 2_000), note("P/c/d/4.md", 2_000)
    )
    assert found == {"P/a/b/1.md": "a/b/", "P/a/2.md": "/", "P/c/3.md": "c/", "P/c/d/4.md": "c/"}


def test_the_root_source_and_what_stands_elsewhere() -> None:
    """The source's own folder is a shelf of any size; a note that is not below its source counts as one of it."""
    assert shelf_of(note("x.md", 1), note("a/y.md", 4_000), source="") == {"x.md": "/", "a/y.md": "a/"}
    assert shelf_of(note("Q/x.md", 9), note("Projects/y.md", 7_000)) == {"Q/x.md": "/", "Projects/y.md": "/"}


def test_a_large_note_is_a_shelf_by_itself() -> None:
    """And counts for no folder; a daily note never is one."""
    found = shelf_of(
        note("P/a/big.md", 8_000), note("P/a/x.md", 3_000), note("P/2026-03-01.md", 9_000, "2026-03-01")
    )
    assert found == {"P/a/big.md": "P/a/big.md", "P/a/x.md": "/", "P/2026-03-01.md": "2026-03"}


def test_daily_notes_go_by_month_or_by_year() -> None:
    """A month needs 2,000 tokens."""
    found = shelf_of(
        note("P/1", 1_999, "2026-02-01"), note("P/2", 1_000, "2026-03-01"), note("P/3", 1_000, "2026-03-09")
    )
    assert found == {"P/1": "2026", "P/2": "2026-03", "P/3": "2026-03"}


def test_a_shelf_stays_one_down_to_half_of_what_made_it() -> None:
    """Under 2,000 tokens it takes no notes; its summaries keep theirs, which is not decided here."""
    for tokens, standing, shelf in ((2_000, ("a/",), "a/"), (1_999, ("a/",), "/"), (3_999, (), "/")):
        assert shelf_of(note("P/a/x.md", tokens), standing=standing) == {"P/a/x.md": shelf}


def test_sizes_follow_what_fills_a_summary() -> None:
    """A quarter, a half and the whole of it."""
    found = shelves(
        "P", [note("P/a/x.md", 50), note("P/y.md", 100), note("P/z.md", 25, "2026-03-01")], full=100
    )
    assert list(found.values()) == ["2026-03", "P/y.md", "a/"]


_NOTES = st.lists(
    st.builds(
        note,
        st.builds(
            "P/{}/{}.md".format, st.sampled_from(["a", "a/b", "a/b/c", "d", "d/e"]), st.integers(0, 999)
        ),
        st.integers(0, 9_000),
        st.none() | st.dates().map(str),
    ),
    unique_by=lambda note: note.uid,
    max_size=40,
)


@given(_NOTES, st.sets(st.sampled_from(["a/", "a/b/", "d/"])))
@settings(max_examples=80)
def test_every_note_has_one_shelf_whatever_the_order(notes: list[Note], standing: set[str]) -> None:
    """A folder's notes stand in it, and a folder that is a shelf holds enough."""
    found = shelves("P", notes, standing)
    assert found == shelves("P", list(reversed(notes)), standing)
    assert found.keys() == {note.uid for note in notes}
    held: dict[str, int] = {}
    for one in notes:
        held[found[one.uid]] = held.get(found[one.uid], 0) + one.tokens
        folder = folder_of("P", found[one.uid])
        assert folder is None or one.path.startswith(f"{folder}/")
    for shelf, tokens in held.items():
        if folder_of("P", shelf):
            assert tokens >= (2_000 if shelf in standing else 4_000)


def test_the_shelf_of_a_renamed_folder_is_renamed() -> None:
    """If its notes went as a whole, within the source, to where no shelf is."""

    def moved(to: str, *others: str) -> dict[str, str]:
        own = [f"{to}/{number}.md" for number in range(5)]
        shelves_now = {
            "a/": holdings(own),
            "d/": holdings(["P/d/1.md"]),
            "2026-03": holdings(own),
            "/": holdings(own),
        }
        return renamed("P", shelves_now, holdings([*own, "P/d/1.md", *others]))

    assert moved("P/b") == {"a/": "b/"}
    assert moved("P/old/a") == {"a/": "old/a/"}
    assert moved("P/a") == moved("P/d") == moved("Q/a") == moved("P") == {}


def test_what_a_daily_note_is() -> None:
    """Its name is a date alone, or holds one in the daily folder; by default the format says it anywhere."""

    def day(path: str, daily_format: str = "YYYY-MM-DD", folder: str = "") -> str | None:
        return day_of(NotePath(path), daily_format, folder)

    assert day("Journal/2026-03-05.md", folder="Journal") == "2026-03-05"
    assert day("Journal/2026-03-05 Rome.md", folder="Journal") == "2026-03-05"
    assert day("Archive/2026-03-05.md", folder="Journal") == "2026-03-05"
    assert day("Meetings/2026-03-05 Committee.md", folder="Journal") is None
    assert day("Meetings/2026-03-05 Committee.md") is None
    assert day("Days/05.03.2026.md", "DD.MM.YYYY") == "2026-03-05"
    assert day("Days/05.03.2026.md", "DD.MM.YYYY", "Journal") is None
    assert day("Notes/Plan.md") is None


def test_a_hundred_thousand_notes_take_less_than_a_second() -> None:
    """Measured: 0.2 s."""
    notes = [note(f"P/{at % 97}/{at % 7}/{at}.md", at % 700) for at in range(100_000)]
    began = time.perf_counter()
    shelves("P", notes)
    assert time.perf_counter() - began < 3  # a busy machine may take its time
