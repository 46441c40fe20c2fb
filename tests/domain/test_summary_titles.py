"""A summary is called what a reader would call it, and no two are called alike."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain.notes import NotePath
from vaultsync.domain.summary_titles import Member, Titled, root_of, titles


def member(path: str, date: str | None = None) -> Member:
    return Member(path.rpartition("/")[2], NotePath(f"{path}.md"), date)


def first(ordinal: int, shelf: str, *members: Member, parent: int | None = 9) -> Titled:
    return Titled(ordinal, 1, shelf, parent, members)


def test_the_root_is_called_as_its_folder() -> None:
    """The root source has no folder: what the folder of the vault is called is another thing on each machine."""
    lone = [first(1, "/", member("a/b/C"), parent=None)]
    assert titles("a/b", lone) == {1: "b"}
    assert titles("", lone) == {1: "Vault"}
    assert titles("a", []) == {}


def test_of_several_roots_the_highest_and_then_the_oldest_is_called_so() -> None:
    """Before a flush a tree may have more than one; which is the root must not change with each new one."""
    lone = first(1, "/", member("a/C"), parent=None)
    second = first(2, "/", member("a/D"), parent=None)
    assert root_of([second, lone]) == 1
    assert root_of([lone, second, Titled(3, 2, "/", None)]) == 3
    assert titles("a", [lone, second]) == {1: "a", 2: "a: D"}


def test_level_one_is_called_as_its_shelf() -> None:
    """A folder by its last part, a month in words, a year as it is, a note that stands alone by its title."""
    summaries = [
        first(1, "Beds/North/", member("Garden/Beds/North/Beans")),
        first(2, "2026-03", member("Garden/2026-03-02")),
        first(3, "2025", member("Garden/2025-01-01")),
        first(4, "0b52", member("Garden/The long history of beans")),
        first(5, "/", member("Garden/Water")),
        Titled(9, 2, "/", None),
    ]
    assert titles("Garden", summaries) == {
        1: "North",
        2: "March 2026",
        3: "2025",
        4: "The long history of beans",
        5: "Garden: Water",
        9: "Garden",
    }


def test_a_shelf_whose_notes_were_moved_is_called_as_their_folder_now() -> None:
    """The deepest that they share; where they share none, the source is all that can be said."""
    moved = first(1, "Beds/", member("Garden/Plots/East/Beans"), member("Garden/Plots/West/Peas"))
    scattered = first(2, "Tools/", member("Garden/Hoe"), member("Elsewhere/Rake"))
    assert titles("Garden", [moved, scattered, Titled(9, 2, "/", None)]) == {
        1: "Plots",
        2: "Garden: Hoe to Rake",
        9: "Garden",
    }


def test_two_folders_of_one_name_are_told_apart_by_where_they_are() -> None:
    """The name alone would say nothing."""
    summaries = [
        first(1, "North/Beds/", member("Garden/North/Beds/Beans")),
        first(2, "South/Beds/", member("Garden/South/Beds/Peas")),
        Titled(9, 2, "/", None),
    ]
    assert titles("Garden", summaries) == {1: "North/Beds", 2: "South/Beds", 9: "Garden"}


def test_parts_of_one_shelf_are_told_apart_by_time_or_names() -> None:
    """By time where all their notes have a date, else by the first and the last note."""
    dated = [
        first(1, "Log/", member("W/Log/a", "2026-03-01"), member("W/Log/b", "2026-03-09")),
        first(2, "Log/", member("W/Log/c", "2026-04-01")),
    ]
    named = [
        first(3, "People/", member("W/People/Ada"), member("W/People/Bert")),
        first(4, "People/", member("W/People/Carla"), member("W/People/Dora", "2026-01-01")),
    ]
    assert titles("W", [*dated, *named, Titled(9, 2, "/", None)]) == {
        1: "Log, 2026-03-01 to 2026-03-09",
        2: "Log, 2026-04-01",
        3: "People: Ada to Bert",
        4: "People: Carla to Dora",
        9: "W",
    }


def test_parts_of_one_place_are_told_apart_by_the_folders_below_it() -> None:
    """A reader knows the folders of a place better than its notes; of many the first and the last are named."""
    summaries = [
        first(1, "/", member("W/Barley/a"), member("W/Barley/b"), member("W/Dome/c")),
        first(2, "/", *(member(f"W/{folder}/x") for folder in "EFGH")),
        first(3, "/", member("W/Tools/Hoe/x")),
        first(4, "/", member("W/Alone"), member("W/Tools/y")),
        first(5, "Tools/", member("W/Tools/Rake/z")),
        first(6, "Tools/", member("W/Tools/Rake/zz")),
        Titled(9, 2, "/", None),
    ]
    assert titles("W", summaries) == {
        1: "W: Barley and Dome",
        2: "W: E to H",
        3: "W: Tools",
        4: "W: Alone to y",
        5: "Tools: Rake: z",
        6: "Tools: Rake: zz",
        9: "W",
    }


def test_what_is_above_is_called_from_its_first_part_to_its_last() -> None:
    """Months in the order of time, whichever of them was summed up first."""
    summaries = [
        first(1, "2026-05", member("J/2026-05-01"), parent=7),
        first(2, "2026-01", member("J/2026-01-01"), parent=7),
        first(3, "2026-03", member("J/2026-03-01"), parent=7),
        first(4, "Ideas/", member("J/Ideas/x"), parent=8),
        first(5, "Tools/", member("J/Tools/x"), parent=8),
        Titled(7, 2, "/", 9),
        Titled(8, 2, "/", 9),
        Titled(9, 3, "/", None),
    ]
    found = titles("J", summaries)
    assert found[7] == "January 2026 – May 2026"
    assert found[8] == "Ideas – Tools"


def test_a_long_name_is_cut_between_words() -> None:
    """A title is a line that a person reads."""
    long = "How we came to plant beans beside maize and what our grandmothers had to say of it"
    summaries = [
        first(1, "/", member(f"G/{long}")),
        first(2, "/", member("G/x" * 40)),
        Titled(9, 2, "/", None),
    ]
    found = titles("G", summaries)
    assert found[1] == "G: How we came to plant beans beside maize and…"


NAMES = st.sampled_from(["a", "b", "c d", "2026-03"])
MEMBERS = st.builds(
    member,
    st.lists(NAMES, min_size=1, max_size=3).map("/".join),
    st.none() | st.sampled_from(["2026-01-01", "2026-02-01"]),
)
SHELVES = st.sampled_from(["/", "a/", "b/a/", "2026-03", "2026", "a"])


@given(st.lists(st.tuples(SHELVES, st.lists(MEMBERS, max_size=3), st.sampled_from([8, 9])), max_size=8))
def test_no_two_are_called_alike(shelved: list[tuple[str, list[Member], int]]) -> None:
    """Whatever lies where, and in whatever order the summaries are given."""
    summaries = [
        first(100 + at, shelf, *members, parent=parent) for at, (shelf, members, parent) in enumerate(shelved)
    ]
    summaries += [Titled(8, 2, "/", 9), Titled(9, 3, "/", None)]
    found = titles("a", summaries)
    assert titles("a", summaries[::-1]) == found
    assert found.keys() == {summary.ordinal for summary in summaries}
    assert len(set(found.values())) == len(found)
    assert all(found.values())
