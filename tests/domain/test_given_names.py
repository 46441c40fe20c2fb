"""Names that somebody else says a text has: found where they stand, and only there."""

from __future__ import annotations

import pytest

from vaultsync.domain.entities import given


@pytest.mark.parametrize(
    ("text", "surfaces", "found"),
    [
        ("We saw Nell and Nellie.", ["Nell"], ["Nell"]),
        ("At Pond House by the Pond.", ["Pond", "Pond House"], ["Pond House", "Pond"]),
        ("we met nell", ["nell", "Nell"], []),
        ("The the THE", ["The"], []),
        ("昨日は山田さんと東京駅へ。", ["山田", "東京駅"], ["山田", "東京駅"]),
        ("A (C++) and a.b", ["C++", "A.B"], ["C++"]),
        ("`Nell` and %% Nell %%", ["Nell"], []),
        ("Nell", [], []),
    ],
)
def test_a_surface_counts_as_a_word(text: str, surfaces: list[str], found: list[str]) -> None:
    """Whole, letter for letter, the longer one first, not in code or comments."""
    [mentions] = given([text], surfaces)
    assert [mention.surface for mention in mentions] == found
    assert all(text[mention.start : mention.end] == mention.surface for mention in mentions)


def test_a_fence_goes_on_in_the_next_leaf() -> None:
    """Code in a block that was cut is code in all its leaves."""
    assert [len(found) for found in given(["Nell\n```\nNell", "Nell\n```\nNell"], ["Nell"])] == [1, 1]
