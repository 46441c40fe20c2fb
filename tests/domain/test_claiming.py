"""Who gets which note, where generated notes name them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain.claiming import Claim, Holder, Place, divide
from vaultsync.domain.notes import Uid
from vaultsync.domain.summary_note import Child

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ONE, TWO = Uid("tree 1"), Uid("tree 2")


def claim(tree: Uid, ordinal: int, *children: str) -> Claim:
    """`a` names the note a; `a=h` the note a, whose text had the hash h."""
    pairs = (child.partition("=") for child in children)
    return Claim(Holder(tree, ordinal), tuple(Child(uid, text or f"#{uid}") for uid, _, text in pairs))


def shares(
    *claims: Claim,
    places: Mapping[str, Place],
    by_hash: Mapping[str, Sequence[str]] = {},
) -> dict[int, str]:
    """Return the members of each claim by its ordinal, as one word."""
    return {holder.ordinal: "".join(got) for holder, got in divide(claims, places, by_hash).items()}


LOOSE = {uid: Place(ONE, None) for uid in "abc"}


def test_members_come_in_the_order_of_the_lines() -> None:
    """And each only once, whatever the file says."""
    assert shares(claim(ONE, 1, "c", "a", "c"), places=LOOSE) == {1: "ca"}


def test_what_is_not_here_is_not_given() -> None:
    """A note that is unknown, or has no place in a tree, is nobody's."""
    assert shares(claim(ONE, 1, "x", "a"), places=LOOSE) == {1: "a"}


def test_the_tree_where_the_note_is_wins_then_the_lower_ordinal() -> None:
    """Of several claims; without a tree the ordinal alone decides."""
    at_two = {"a": Place(TWO, None)}
    assert shares(claim(ONE, 1, "a"), claim(TWO, 9, "a"), places=at_two) == {1: "", 9: "a"}
    assert shares(claim(ONE, 4, "a"), claim(ONE, 3, "a"), places=LOOSE) == {4: "", 3: "a"}
    nowhere = {"a": Place(None, None)}
    assert shares(claim(TWO, 2, "a"), claim(ONE, 3, "a"), places=nowhere) == {2: "a", 3: ""}


def test_what_claims_nothing_anew_keeps_its_members() -> None:
    """Its place is a claim like the others; a summary that does claim anew keeps nothing besides."""
    below = {"a": Place(ONE, 3), "b": Place(ONE, 3)}
    assert shares(claim(ONE, 5, "a"), places=below) == {5: ""}
    assert shares(claim(ONE, 2, "a"), places=below) == {2: "a"}
    assert shares(claim(ONE, 5, "a"), claim(ONE, 3, "b"), places=below) == {5: "a", 3: "b"}


def test_a_strange_id_is_found_by_its_text() -> None:
    """If one note alone has it that no other line names."""
    found = {"#x": ["a"], "#y": ["b", "c"]}
    assert shares(claim(ONE, 1, "x", "y"), places=LOOSE, by_hash=found) == {1: "a"}
    assert shares(claim(ONE, 1, "x"), claim(ONE, 2, "a"), places=LOOSE, by_hash=found) == {1: "", 2: "a"}
    assert shares(claim(ONE, 1, "y"), claim(ONE, 2, "b"), places=LOOSE, by_hash=found) == {1: "c", 2: "b"}


@st.composite
def _cases(draw: st.DrawFn) -> tuple[list[Claim], dict[str, Place]]:
    holders = draw(
        st.lists(st.tuples(st.sampled_from([ONE, TWO]), st.integers(1, 5)), unique=True, max_size=5)
    )
    names = st.lists(st.sampled_from("abcdexy"), max_size=5)
    claims = [claim(*holder, *draw(names)) for holder in holders]
    somewhere = st.builds(Place, st.sampled_from([ONE, TWO]), st.none() | st.integers(1, 7))
    places = {uid: draw(st.just(Place(None, None)) | somewhere) for uid in "abcde"}
    return claims, places


@given(_cases(), st.randoms(use_true_random=False))
def test_nobody_gets_what_another_has(case: tuple[list[Claim], dict[str, Place]], random: object) -> None:
    """Each note has one place, named by its claim; what all claim somebody gets, in whatever order the claims come."""
    claims, places = case
    got = divide(claims, places, {})
    given_out = [uid for share in got.values() for uid in share]
    assert len(given_out) == len(set(given_out))
    for one in claims:
        assert set(got[one.holder]) <= {child.id for child in one.children}
    named = {child.id for one in claims for child in one.children} & places.keys()
    for uid in named - set(given_out):
        holder = places[uid].holder
        assert holder is not None
        assert holder not in got
    shuffled = [*claims]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert divide(shuffled, places, {}) == got
