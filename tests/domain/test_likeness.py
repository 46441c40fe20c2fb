"""How alike two texts are, and which of many are most alike."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from vaultsync.domain.likeness import LIKE, candidates, likeness, pair_similar, words

TEXTS = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=8).map(" ".join), max_size=8)


def like(old: str, new: str) -> float:
    return likeness(Counter(words(old)), Counter(words(new)))


def test_words_are_folded_and_characters_of_unspaced_scripts_stand_alone() -> None:
    """Case, diacritics and their spelling, and punctuation say nothing."""
    assert (
        words("Der Fluß, **das CAFÉ**") == words("der fluß das cafe\u0301") == ["der", "fluß", "das", "cafe"]
    )
    assert words("短い文 ok") == ["短", "い", "文", "ok"]


def test_growing_costs_less_than_losing() -> None:
    """A text that grew threefold is the same; a third of a text is not it."""
    short, long = "one two three", "one two three four five six seven eight nine"
    assert like(short, long) == 3 / (3 + 0.25 * 6) > LIKE
    assert like(long, short) == 3 / (3 + 0.75 * 6) < LIKE


def test_texts_without_words_are_like_nothing() -> None:
    """A ruler and an empty task say nothing."""
    assert like("---", "---") == like("", "- [ ]") == 0


def test_the_most_similar_pair_comes_first() -> None:
    """A text goes to what is most like it, not to what stands at its place."""
    assert pair_similar(["a b c d", "p q r s"], ["p q r x", "a b c x", "a b c d x"]) == {0: 1, 2: 0}


def test_a_split_text_goes_on_in_its_larger_part() -> None:
    """And of two texts that became one, one goes on."""
    assert pair_similar(["a b c d e f g h i j"], ["a b c d", "e f g h i j"]) == {1: 0}
    assert pair_similar(["a b c d e f g h i j"], ["a b c d e f", "g h i j"]) == {0: 0}
    assert pair_similar(["a b c d", "e f g h i j"], ["a b c d e f g h i j"]) == {0: 1}


def test_texts_of_one_template_pair_by_their_place() -> None:
    """No word of theirs is rare; those before a gap that grew count from the first, those behind from the last."""
    old = ["do the same every day"] * 100
    new = ["do the same every single day"] * 100
    assert pair_similar(old, new) == {at: at for at in range(100)}


def test_comparisons_grow_with_the_texts_not_with_their_square() -> None:
    """A note of thousands of chunks that all changed at once: at most ten comparisons each."""
    old = [Counter(f"common words {at % 7} {at} {at // 3}".split()) for at in range(2000)]
    new = [Counter(f"common words {at % 7} {at} {at // 3} more".split()) for at in range(2000)]
    pairs = list(candidates(old, new))
    assert len(pairs) <= 10 * 2000
    assert {(at, at) for at in range(2000)} <= set(pairs)


@given(TEXTS, TEXTS)
def test_of_few_texts_none_that_is_alike_is_overlooked(old: list[str], new: list[str]) -> None:
    """In a gap of everyday size every pair that could be taken is compared."""
    bags = [Counter(words(text)) for text in old], [Counter(words(text)) for text in new]
    alike = {
        (was, at)
        for was, one in enumerate(bags[0])
        for at, two in enumerate(bags[1])
        if likeness(one, two) >= LIKE
    }
    assert alike <= set(candidates(*bags))


@given(TEXTS, TEXTS)
def test_pairs_are_one_to_one_and_alike(old: list[str], new: list[str]) -> None:
    """No text has two origins, none two heirs, and what is left on both sides is not alike."""
    pairs = pair_similar(old, new)
    assert len(set(pairs.values())) == len(pairs)
    assert all(like(old[was], new[at]) >= LIKE for at, was in pairs.items())
    rest = set(range(len(old))) - set(pairs.values())
    assert all(like(old[was], new[at]) < LIKE for was in rest for at in range(len(new)) if at not in pairs)
