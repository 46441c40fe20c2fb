"""How much a model can read and write at once, and whether it read all."""

from __future__ import annotations

import re
from typing import Final

from vaultsync.domain.tokens import estimate
from vaultsync.models.terms import Failure

_AROUND: Final = 300
"""Tokens for fences, titles and the last line."""

_LETTERS: Final = re.compile(r"[^\W_]+")
_LONGEST_WORD: Final = 10
"""Letters a word above which the words of a text are no measure: its script sets no blanks between them."""


def most_tokens(estimated: int) -> int:
    """Return how many tokens a text of this estimate may be to a model's own tokenizer (`domain.tokens.estimate`)."""
    return estimated * 3 // 2


def input_room(context_tokens: int, instructions: str, room: int) -> int:
    """Return how long passages may be, in estimated tokens, so that a context of that length holds all of a call.

    `room`: tokens for the answer.
    """
    free = (context_tokens - room) * 2 // 3 - estimate(instructions) - _AROUND
    return max(free, context_tokens // 4)


def find_cut(sent: str, seen: object) -> Failure | None:
    """Return the failure of a server that read less than it was sent. `seen`: tokens that it says it read.

    A tokenizer joins no two words, so fewer tokens than words are a cut: what falls short by more than a quarter is
    noticed in English, where there are four tokens to three words. A server that says nothing is believed.
    """
    least = _fewest_tokens(sent)
    if type(seen) is not int or seen <= 0 or seen >= least:
        return None
    return Failure(f"the server cut the notes off: it read {seen:,} tokens of at least {least:,}", "output")


def _fewest_tokens(text: str) -> int:
    """Return how many tokens a text has at least, less a twentieth for tokens such as `://www`.

    In scripts without blanks a token holds two characters on average at most (of Chinese 1.6, by Qwen's tokenizer).
    """
    words = _LETTERS.findall(text)
    long = [len(word) for word in words if len(word) > _LONGEST_WORD and not word.isascii()]
    return (len(words) - len(long) + sum(long) // 2) * 19 // 20
