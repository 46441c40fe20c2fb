"""The prompt: what a model is told, and that no note can say any of it."""

from __future__ import annotations

import re
from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from vaultsync.models import prompt
from vaultsync.models.contexts import input_room, most_tokens
from vaultsync.models.terms import Passage

LINES = st.text(st.sampled_from("~~~~ab \n`#"), max_size=60)


@given(st.lists(st.tuples(LINES, LINES), min_size=1, max_size=4), st.integers(1, 1000))
def test_what_stands_outside_the_fences_is_ours(notes: list[tuple[str, str]], budget: int) -> None:
    """Whatever the notes say, the message can be taken apart again into just these notes and our own lines."""
    message = prompt.message([Passage(*note) for note in notes], budget)
    fence = max(re.findall("^~+$", message, re.MULTILINE), key=len)
    parts = message.split(f"\n{fence}\n")
    assert parts[0] == f"Note 1 of {len(notes)}"
    assert re.fullmatch(
        r"\n(Note \d of \d|Write the summary of these notes now, in at most [\d,]+ (words|characters)\.)",
        parts[2],
    )
    for (title, text), inside in zip(notes, parts[1::2], strict=True):
        assert inside.endswith(text.strip())
        assert not title.strip() or inside.startswith(f"Title: {' '.join(title.split())}")


def test_the_prompt_is_the_one_of_its_version() -> None:
    """Whoever changes a word of it raises the version, so that a text says what it was asked with."""
    sample = prompt.message([Passage("Bees", "They came back in March.")], 100)
    asked = f"{prompt.INSTRUCTIONS}\n{sample}".encode()
    assert (prompt.VERSION, sha256(asked).hexdigest()[:12]) == (1, "1f32ac5f450f")


def test_room_is_left_for_all_of_a_call() -> None:
    """Passages of that length, with everything else, fit a context even where its tokens are half as many again."""
    for context, budget in ((4096, 200), (8192, 1000), (32_768, 1000), (131_072, 4000)):
        room = input_room(context, prompt.INSTRUCTIONS, prompt.room(budget))
        assert 0 < most_tokens(room + 500) + prompt.room(budget) <= context
