"""The one prompt that summaries are asked for with; whatever changes it raises its version."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from vaultsync.domain.tokens import estimate
from vaultsync.models.fencing import RULE, fenced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultsync.models.terms import Passage

VERSION: Final = 1
"""Part of a text's generator. Texts of other versions stand; `summary rebuild` asks anew."""

INSTRUCTIONS: Final = f"""\
You write the summary of some notes from a person's own collection, for that person.

{RULE}

The summary
- says what the notes say: facts, decisions, plans, open questions, in the order of the notes;
- gives most room to what matters most, and passes over what is trivial;
- uses nothing but the notes: no name, date, number or conclusion that does not stand in them;
- keeps names, dates and numbers exactly as they are written;
- is written in the language that most of the notes are written in;
- is plain prose in short paragraphs, with lists only where the notes list things; no headings, links, tables, code, \
HTML or tags;
- is complete when it ends, within the length that the message gives.

Answer with the summary alone: no introduction, no remark about the notes, the task or yourself."""

_LETTERS: Final = re.compile(r"[^\W_]+")
_LONGEST_WORD: Final = 10
"""Letters a word above which the words of a text are no measure: its script sets no blanks between them."""


def message(passages: Sequence[Passage], budget: int) -> str:
    """Return the passages, and how long their summary may be."""
    length = _length("\n".join(passage.text for passage in passages), budget)
    return f"{fenced(passages)}\n\nWrite the summary of these notes now, in at most {length}."


def room(budget: int) -> int:
    """Return the tokens an answer may take before it is cut off: a text that is too long is to show that it is."""
    return 2 * budget + 200


def generator(name: str) -> str:
    """Return who a text is by that a model of this name wrote by this prompt."""
    return f"{name}/{VERSION}"


def _length(text: str, budget: int) -> str:
    """Return the budget in words, or characters, of such a text: what a token is differs from model to model."""
    words = _LETTERS.findall(text)
    letters = sum(map(len, words))
    tokens = max(1, estimate(text))
    if letters > _LONGEST_WORD * len(words):
        return f"{max(20, budget * letters // tokens):,} characters"
    return f"{max(15, budget * len(words) // tokens):,} words"
