"""A note has one source, chosen by size or by globs, and a source goes where its notes go."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from vaultsync.domain.folders import around, holdings, moved_to
from vaultsync.domain.sources import Weight, choose, sources_of

_PARTS = st.sampled_from(["A", "B", "C", "é"])
_PATHS = st.lists(st.builds("/".join, st.lists(_PARTS, min_size=1, max_size=5)), max_size=60)


def notes(**count: int) -> list[Weight]:
    """Notes of 500 tokens in folders (`__` for a slash)."""
    return [
        Weight(f"{folder.replace('__', '/')}/{number}.md", 500)
        for folder, number_of in count.items()
        for number in range(number_of)
    ]


def test_top_folders_with_enough_in_them_are_sources() -> None:
    """Five notes and 2,000 tokens are enough; the vault's own notes and small folders are of the root source."""
    assert choose([*notes(Projects=5, Journal__2026=6, Inbox=4), Weight("Home.md", 9_000)]) == (
        "Journal",
        "Projects",
    )
    assert choose([Weight(f"Inbox/{number}.md", 300) for number in range(6)]) == ()
    assert choose([]) == ()


def test_a_folder_with_nearly_all_notes_gives_way_to_its_children() -> None:
    """Three times at most; who stands beside it stays a source."""
    assert choose(notes(zh__one=20, zh__two=20, en=5)) == ("en", "zh/one", "zh/two")
    assert choose(notes(zh__one=20, zh__two=20, en=10)) == ("en", "zh")
    assert choose(notes(a__b__c__d__e=20)) == ("a/b/c/d",)
    assert choose(notes(a=20)) == ()


def test_globs_choose_instead() -> None:
    """Folder by folder, in any case, whatever the size."""
    every = notes(Projects__Dome=1, Projects__Dome__Old=1, People=9)
    assert choose(every, ["projects/*"]) == ("Projects/Dome",)
    assert choose(every, ["/Projects/**/"]) == ("Projects", "Projects/Dome", "Projects/Dome/Old")
    assert choose(every, ["nowhere"]) == ()


@given(_PATHS)
@settings(max_examples=60)
def test_the_choice_is_the_same_in_any_order(paths: list[str]) -> None:
    """And every note has exactly one source: the deepest around it."""
    every = [Weight(f"{path}.md", 900) for path in paths]
    chosen = choose(every)
    assert choose(reversed(every)) == chosen
    for note, source in zip(every, sources_of([note.path for note in every], {*chosen}), strict=True):
        outer = [folder for folder in ("", *chosen) if not folder or note.path.startswith(f"{folder}/")]
        assert source == max(outer, key=len)


def test_folders_are_named_alike_on_all_disks() -> None:
    """Decomposed as macOS may write them, or composed; one that is no text is passed over."""
    assert list(around("Cafe\u0301/x.md")) == list(around("Caf\u00e9/x.md")) == ["Caf\u00e9", ""]
    assert list(around("A/\udcff/x.md")) == ["A", ""]


def moved(folder: str, own: list[str], *others: str, taken: tuple[str, ...] = ()) -> str | None:
    return moved_to(folder, holdings(own), holdings([*own, *others]), taken)


def in_folder(folder: str, count: int = 10) -> list[str]:
    return [f"{folder}/{number}.md" for number in range(count)]


def test_a_source_goes_where_most_of_its_notes_went() -> None:
    """Eight in ten; a few may stay or go elsewhere."""
    assert moved("Projects", in_folder("Work")) == "Work"
    assert moved("Projects", [*in_folder("Work", 8), *in_folder("Projects", 2)]) == "Work"
    assert moved("Projects", [*in_folder("Work", 7), *in_folder("Projects", 3)]) is None
    assert moved("Projects", in_folder("Projects/Old")) is None
    assert moved("Projects", []) is None
    assert moved("", in_folder("Work")) is None


def test_of_the_folders_around_them_the_one_of_the_old_name_is_the_source() -> None:
    """Else the uppermost that is mostly theirs, and never one that was around the source before."""
    assert moved("Projects", in_folder("Work/Projects/Dome")) == "Work/Projects"
    assert moved("Projects", in_folder("Work/Things/Dome")) == "Work"
    assert moved("Projects", in_folder("Work/Things"), *in_folder("Work", 30)) == "Work/Things"
    assert moved("A/Old", in_folder("A/New")) == "A/New"
    assert moved("A/Old", in_folder("A")) is None


def test_no_source_takes_the_folder_of_another() -> None:
    """What was moved into another source belongs there."""
    assert moved("Projects", in_folder("Work"), taken=("Work",)) is None
    assert moved("Projects", in_folder("Work"), *in_folder("Projects", 3)) is None
