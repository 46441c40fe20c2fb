"""Each number of the rule of identity has a pair on either side of its edge."""

from __future__ import annotations

import pytest
from vanishings import Found, come, found, gone, named, returned, shingles, words

from vaultsync.domain.identity import Inode, Traits, certain
from vaultsync.domain.identity.resemblance import (
    GENERIC,
    distinct_names,
    folder_share,
    is_generic,
    loose_name,
    similar,
)
from vaultsync.domain.notes import NotePath

OTHER = {"k.md": shingles(range(9000, 9040))}, {"m.md": shingles(range(8000, 8040))}
"""A note that vanished and another that appeared, so that no pair is a lone one."""

TREES = {"Oak": 1000, "Elm": 2000, "Fir": 3000, "Ash": 4000}
"""Names, and where the shingles of their own begin."""


def pair(
    shared: int = 0,
    lost: int = 0,
    added: int = 0,
    front: int = 0,
    *,
    paths: tuple[str, str] = ("Oak.md", "Elm.md"),
    lone: bool = False,
) -> str | None:
    """Return what joins a pair with so many shingles; `front` of the shared ones are not in the body."""
    outer, inner = range(front), range(front, shared)
    old = {paths[0]: shingles([*inner, *range(1000, 1000 + lost)], outer)}
    new = {paths[1]: shingles([*inner, *range(2000, 2000 + added)], outer)}
    pairs = found(old, new) if lone else found(old | OTHER[0], new | OTHER[1])
    return pairs[paths[0]][1] if paths[0] in pairs else None


def test_half_alike_is_alike() -> None:
    """30 shared of 70 are a likeness of exactly a half; one more lost is less."""
    assert pair(30, 40) == "similarity"
    assert pair(30, 41) is None


def test_losing_counts_three_times_as_much_as_adding() -> None:
    """What was added may be three times as much as what was lost."""
    assert pair(30, 0, 120) == "similarity"
    assert pair(30, 0, 121) is None


def test_six_shingles_of_the_body_are_a_text() -> None:
    """Fewer in the body may be a template's, so the rest must come from names."""
    assert pair(6, 0, 1) == "similarity"
    assert pair(5, 0, 1) is None
    assert pair(12, 0, 12, front=6) == "similarity"
    assert pair(12, 0, 12, front=7) is None


def test_frontmatter_alone_must_agree_more() -> None:
    """Of all shingles 55 in 100 and at least eight are the same, and no digit of the names differs."""
    assert pair(11, 0, 9, front=11) == "similarity"
    assert pair(11, 0, 10, front=11) is None
    assert pair(27, 0, 23, front=27) is None
    assert pair(8, 0, 1, front=8) == "similarity"
    assert pair(7, 0, 1, front=7) is None
    assert pair(11, 0, 9, front=11, paths=("Oak 1.md", "Elm 1.md")) == "similarity"
    assert pair(11, 0, 9, front=11, paths=("Oak 1.md", "Elm 2.md")) is None


def test_a_similar_name_is_a_hint() -> None:
    """It makes a quarter enough."""
    assert pair(10, 40, paths=("Oak trees.md", "Oak tree.md")) == "similarity"
    assert pair(10, 41, paths=("Oak trees.md", "Oak tree.md")) is None
    assert pair(10, 40) is None


def test_an_equal_common_name_is_a_hint_with_a_text() -> None:
    """A generic name makes a quarter enough, if six shingles of the body are among it."""
    assert pair(6, 24, paths=("a/Index.md", "b/Index.md")) == "similarity"
    assert pair(6, 25, paths=("a/Index.md", "b/Index.md")) is None
    assert pair(5, 19, paths=("a/Index.md", "b/Index.md")) is None


def test_an_old_alias_is_no_hint() -> None:
    """Only a name that was added as an alias says that the note was renamed."""
    old = {"Oak.md": shingles(range(50), aliases=("oak",))}
    new = {"Elm.md": shingles(range(20), aliases=("Oak",))}
    assert found(old | OTHER[0], new | OTHER[1]) == {}
    old = {"Oak.md": shingles(range(50))}
    assert found(old | OTHER[0], new | OTHER[1]) == {"Oak.md": ("Elm.md", "similarity")}


def test_a_thin_note_needs_a_similar_name() -> None:
    """Of five shingles three must be left, whatever was added; of six that is too little."""
    paths = ("Oak trees.md", "Oak tree.md")
    assert pair(3, 2, 100, paths=paths) == "similarity"
    assert pair(2, 2, 100, paths=paths) is None
    assert pair(4, 2, 100, paths=paths) is None
    assert pair(3, 2, 100) is None


def test_a_lone_pair_needs_three_shingles_or_a_short_note() -> None:
    """A quarter and three shingles, or two fifths of a short note."""
    assert pair(3, 12, lone=True) == "lone"
    assert pair(3, 13, lone=True) is None
    assert pair(2, 8, lone=True) is None
    assert pair(2, 3, lone=True) == "lone"
    assert pair(2, 4, lone=True) is None


def test_a_lone_pair_of_similar_names() -> None:
    """Anything shared is enough, and so is that both are blank."""
    paths = ("Oak trees.md", "Oak tree.md")
    assert pair(1, 60, 60, paths=paths, lone=True) == "lone"
    assert pair(0, 60, 60, paths=paths, lone=True) is None
    assert pair(paths=paths, lone=True) == "lone"
    assert pair(paths=("a/Untitled.md", "b/Untitled.md"), lone=True) == "lone"
    assert pair(lone=True) is None


def test_a_distinct_name_far_from_its_place() -> None:
    """Full notes of other texts need half of their folders equal; a twentieth of text, or less text, does not."""
    far = ("docs/Oak.md", "wiki/Oak.md")
    assert pair(0, 12, 12, paths=far) is None
    assert pair(0, 11, 12, paths=far) == "name"
    assert pair(0, 12, 12, paths=("x/docs/Oak.md", "x/wiki/Oak.md")) == "name"
    assert pair(0, 12, 12, paths=("a/b/x/y/z/Oak.md", "a/b/u/v/w/Oak.md")) is None
    assert pair(1, 19, 19, paths=far) == "name"
    assert pair(1, 20, 20, paths=far) is None


def test_a_name_is_distinct_if_no_other_bears_it() -> None:
    """Not when it stands elsewhere, when two vanished or appeared with it, nor when it says nothing."""
    old, new = {"a/Oak.md": shingles()}, {"b/Oak.md": shingles(range(9))}
    assert found(old | OTHER[0], new | OTHER[1]) == {"a/Oak.md": ("b/Oak.md", "name")}
    assert found(old | OTHER[0], new | OTHER[1], ["c/oak!.md"]) == {}
    assert found(old | {"c/Oak.md": shingles()}, new | OTHER[1]) == {}
    assert found(old | OTHER[0], new | {"c/Oak.md": shingles()}) == {}
    old, new = {"a/Untitled 2.md": shingles()}, {"b/Untitled 2.md": shingles(range(9))}
    assert found(old | OTHER[0], new | OTHER[1]) == {}


def rivals(old: Traits, new: dict[str, Traits], path: str = "a/Oak trees.md") -> str | None:
    """Return which of several files a note is."""
    pairs = found({path: old} | OTHER[0], new | OTHER[1])
    return pairs[path][0] if path in pairs else None


def test_a_name_is_worth_six_tenths() -> None:
    """A distinct name beats half of the text elsewhere, and loses against three quarters of it."""
    old = shingles(range(100))
    named = {"b/Oak trees.md": shingles([*range(90, 100), *range(500, 510)])}
    assert rivals(old, named | {"b/Elm.md": shingles(range(57))}) == "b/Oak trees.md"
    assert rivals(old, named | {"b/Elm.md": shingles(range(80))}) == "b/Elm.md"


def test_a_similar_name_is_worth_two_tenths() -> None:
    """It decides between texts that are nearly as like, and no others."""
    old, like = shingles(range(100)), {"b/Elm.md": shingles(range(90))}
    assert rivals(old, like | {"b/Oak tree.md": shingles(range(80))}) == "b/Oak tree.md"
    assert rivals(old, like | {"b/Oak tree.md": shingles(range(60))}) == "b/Elm.md"


def test_an_alias_is_worth_three_tenths() -> None:
    """More than a similar name, less than the name itself."""
    old, alias = shingles(range(100)), {"b/Elm.md": shingles(range(80), aliases=("Oak Trees",))}
    assert rivals(old, alias | {"b/Oak tree.md": shingles(range(84))}) == "b/Elm.md"
    assert rivals(old, alias | {"b/Oak trees.md": shingles(range(60))}) == "b/Oak trees.md"


def test_folders_are_worth_a_tenth() -> None:
    """Of files that are nearly as like, the one in the same folder is the note."""
    old, like = shingles(range(100)), {"b/Elm.md": shingles(range(90))}
    assert rivals(old, like | {"a/Fir.md": shingles(range(86))}) == "a/Fir.md"
    assert rivals(old, like | {"a/Fir.md": shingles(range(70))}) == "b/Elm.md"


def test_certain_pairs_need_no_traits() -> None:
    """The same bytes under an equal name are taken, unless blank or with a rival."""
    text = words("w", 9)
    assert _certain({"a/Oak.md": text}, {"b/oak.md": text}) == {"a/Oak.md": ("b/oak.md", "hash")}
    assert _certain({"a/Oak.md": text}, {"b/Elm.md": text}) == {}
    assert _certain({"a/Oak.md": ""}, {"b/Oak.md": ""}) == {}
    assert _certain({"a/Oak.md": text, "Elm.md": text}, {"b/Oak.md": text}) == {}
    assert _certain({"a/Oak.md": text}, {"b/Oak.md": text, "Elm.md": text}) == {}


def _certain(old: dict[str, str], new: dict[str, str]) -> Found:
    notes = gone(old)
    return named(notes, certain(notes, come(new)))


def test_a_short_content_needs_a_name() -> None:
    """The same content joins other names if the note is long or has a text of its own, or nothing else moved."""
    assert pair(6) == "hash"
    assert pair(5) is None
    assert pair(40, front=40, paths=("Oak 1.md", "Elm 2.md")) == "hash"
    assert pair(39, front=34, paths=("Oak 1.md", "Elm 2.md")) is None
    assert pair(5, paths=("Oak trees.md", "Oak tree.md")) == "hash"
    assert pair(5, lone=True) == "hash"


def test_rivals_go_by_name_then_folder_then_tail() -> None:
    """Notes of one content are joined one to one, by what their paths have in common."""
    text = shingles(range(40))
    old = dict.fromkeys(("a/Oak.md", "b/Elm.md", "x/c/Ash.md", "d/Fir.md"), text)
    new = dict.fromkeys(("z/Oak.md", "b/Yew.md", "y/c/Box.md", "e/Bay.md"), text)
    assert found(old, new) == {
        "a/Oak.md": ("z/Oak.md", "hash"),
        "b/Elm.md": ("b/Yew.md", "hash"),
        "x/c/Ash.md": ("y/c/Box.md", "hash"),
        "d/Fir.md": ("e/Bay.md", "hash"),
    }


def test_rivals_of_one_name_go_by_the_longest_tail() -> None:
    """Copies of one page in many folders each stay in theirs."""
    text = shingles(range(40))
    old = {f"old/{side}/n/Page.md": text for side in "abc"}
    new = {f"new/{side}/n/Page.md": text for side in "cab"}
    assert found(old, new) == {f"old/{side}/n/Page.md": (f"new/{side}/n/Page.md", "hash") for side in "abc"}


def test_rivals_of_a_template_need_their_name() -> None:
    """Unfilled notes that stay under their names keep them; the others are no one's."""
    form = shingles(range(3))
    old = dict.fromkeys(("a/Oak.md", "a/Elm.md"), form)
    assert found(old, dict.fromkeys(("b/Oak.md", "a/Yew.md"), form)) == {"a/Oak.md": ("b/Oak.md", "hash")}


def test_an_id_needs_two_fifths_of_the_smaller_note() -> None:
    """An id that stands once on either side is proof with some text or an equal name."""
    assert _by_id(4) == "frontmatter-id"
    assert _by_id(3) is None
    assert _by_id(0, name="x/Oak.md") == "frontmatter-id"


def test_an_id_that_others_hold_is_no_id() -> None:
    """Once a surviving note holds it, or two on one side, it is a template's."""
    assert _by_id(4, held_ids=["moss-17"]) is None
    assert _by_id(4, others={"Fir.md": shingles(range(7000, 7040), ids=("moss-17",))}) is None


def test_different_ids_veto_nothing() -> None:
    """A note whose id was changed is still known by its text."""
    old, new = (
        {"Oak.md": shingles(range(40), ids=("moss-17",))},
        {"Elm.md": shingles(range(41), ids=("fern-4",))},
    )
    assert found(old | OTHER[0], new | OTHER[1]) == {"Oak.md": ("Elm.md", "similarity")}


def _by_id(
    shared: int,
    name: str = "Elm.md",
    held_ids: list[str] | None = None,
    others: dict[str, Traits] | None = None,
) -> str | None:
    old = {"Oak.md": shingles(range(40), ids=("moss-17",))}
    new = {name: shingles([*range(shared), *range(2000, 2010 - shared)], ids=("moss-17",))}
    pairs = found(old | OTHER[0] | (others or {}), new | OTHER[1], held_ids=held_ids or ())
    return pairs["Oak.md"][1] if "Oak.md" in pairs else None


def test_an_inode_is_a_hint_beside_a_text() -> None:
    """Inodes are used again: a quarter of the text must be there."""
    assert _by_inode(10, 40) == "inode"
    assert _by_inode(10, 41) is None


def test_an_inode_yields_to_a_name() -> None:
    """A checkout writes new files into the inodes of those that it removed: siblings of one template cross there."""
    old = {f"a/{name}.md": shingles([*range(30), *range(start, start + 10)]) for name, start in TREES.items()}
    new = {f"b/{name}.md": shingles([*range(30), *range(start, start + 9)]) for name, start in TREES.items()}
    was = {path: Inode(1, number, 5) for number, path in enumerate(old)}
    now = {path: Inode(1, number, 9) for number, path in enumerate(reversed(new))}
    pairs = found(old, new, inodes=(was, now))
    assert {path: there[0] for path, there in pairs.items()} == {path: f"b{path[1:]}" for path in old}


def test_an_inode_needs_text_of_the_bodies() -> None:
    """A template's frontmatter is in the next note as well, whose inode may be the last one's."""
    inodes = {"Oak.md": Inode(1, 7, 5)}, {"Elm.md": Inode(1, 7, 9)}
    old = {"Oak.md": shingles(range(5), range(100, 130)), **OTHER[0]}
    assert found(old, {"Elm.md": shingles(range(6), range(100, 107)), **OTHER[1]}, inodes=inodes) == {}


@pytest.mark.parametrize("count", [0, 5])
def test_an_inode_with_its_time_stamp_knows_even_a_blank_note(count: int) -> None:
    """A rename leaves both; a new note that says as little is younger."""
    old, new = {"Oak.md": shingles(range(count)), **OTHER[0]}, {"Elm.md": shingles(range(count)), **OTHER[1]}
    at = {"Oak.md": Inode(1, 7, 5)}
    assert found(old, new, inodes=(at, {"Elm.md": Inode(1, 7, 5)})) == {"Oak.md": ("Elm.md", "inode")}
    assert found(old, new, inodes=(at, {"Elm.md": Inode(1, 7, 9)})) == {}


def test_an_inode_of_another_device_tells_nothing() -> None:
    """Each device counts inodes anew."""
    assert _by_inode(10, 40, device=2) is None


def test_an_inode_tells_between_rivals() -> None:
    """Of two files with the note's content, the one that is its file is the note."""
    text = shingles(range(40))
    new = dict.fromkeys(("Oak.md", "b/Elm.md"), text)
    inodes = {"a/Oak.md": Inode(1, 7, 0)}, {"b/Elm.md": Inode(1, 7, 0), "Oak.md": Inode(1, 8, 0)}
    assert found({"a/Oak.md": text}, new, inodes=inodes) == {"a/Oak.md": ("b/Elm.md", "inode")}


def _by_inode(shared: int, lost: int, device: int = 1) -> str | None:
    old = {"Oak.md": shingles([*range(shared), *range(1000, 1000 + lost)])} | OTHER[0]
    new = {"Elm.md": shingles(range(shared)), "Fir.md": shingles(range(7000, 7040))}
    inodes = {"Oak.md": Inode(1, 7, 5)}, {"Elm.md": Inode(device, 7, 9)}
    pairs = found(old, new, inodes=inodes)
    return pairs["Oak.md"][1] if "Oak.md" in pairs else None


def test_a_tombstone_needs_half_of_its_text() -> None:
    """Under its distinct name; the very same numbers that two scans of one day would take."""
    old = {"a/Oak.md": shingles(range(70))}
    assert returned(old, {"b/Oak.md": shingles(range(30))}) == {"a/Oak.md": ("b/Oak.md", "name")}
    assert returned(old, {"b/Oak.md": shingles(range(29))}) == {}
    assert returned(old, {"b/Oak trees.md": shingles(range(70))}) == {}


@pytest.mark.parametrize(
    ("old", "new", "are_similar"),
    [
        ("waterways", "waterway", True),
        ("abcdefgh", "abcdefxy", False),
        ("abcdefghij", "abcdefghxy", True),
        ("abcdefghi", "abcdefgxy", False),
        ("oaks", "oak", False),
        ("oaken", "oake", True),
        ("lecture3", "lecture4", False),
        ("lecture3notes", "lecture3note", True),
        ("20250214", "20250214x", False),
        ("waterway", "waterway", False),
    ],
)
def test_similar_names(old: str, new: str, are_similar: bool) -> None:
    """Four fifths the same, four letters at least, and every digit as it was; equal ones are another matter."""
    assert similar(old, new) is are_similar


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a/My - Note_2.md", "mynote2"),
        ("🚀 Ship it!.MD", "shipit"),
        ("Stra\u00dfe.md", "strasse"),
        ("Ba\u0308ck.md", "bäck"),
        ("x/$ .md", "$ "),
        ("a/v1.2.md", "v12"),
        ("कि.md", "कि"),
        ("का.md", "का"),
    ],
)
def test_loose_names(path: str, name: str) -> None:
    """Letters and digits are a name, in any case and composition; without any, all of it is."""
    assert loose_name(path) == name


def test_generic_names_are_spelled_as_they_are_compared() -> None:
    """Else one would never be met; a counter behind one says no more."""
    assert {loose_name(name) for name in GENERIC} == GENERIC
    assert is_generic("untitled12")
    assert not is_generic("untitled123")
    assert distinct_names([NotePath("a/Home.md")], [NotePath("b/Home.md")], []) == frozenset()


@pytest.mark.parametrize(
    ("old", "new", "share"),
    [
        ("", "", 1),
        ("a", "", 0),
        ("a/b", "a/c", 1 / 2),
        ("a/b", "c/b", 1 / 2),
        ("a/b/c", "a/x/c", 2 / 3),
        ("a/a", "a", 1 / 2),
        ("a/b", "a/b", 1),
    ],
)
def test_folder_share(old: str, new: str, share: float) -> None:
    """Equal folders from either end count, each once, of the longer path."""
    assert folder_share(old.split("/") if old else [], new.split("/") if new else []) == share
