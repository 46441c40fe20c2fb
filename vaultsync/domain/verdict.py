"""What a model wrote, judged: may it stand as a summary, and whom does it name that its notes do not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from vaultsync.domain import entities
from vaultsync.domain.extractive.words import spelled, words
from vaultsync.domain.names import caseless
from vaultsync.domain.summary_note import inert
from vaultsync.domain.tokens import estimate

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from vaultsync.domain.entities import Mention

_LEEWAY: Final = 3, 2
"""A text is over-long past three halves of its budget: models count words, and roughly."""

_SHORT: Final = 60
"""Tokens that no text is over-long with: a quarter of a short note is no sentence."""

_LEAST, _THIN = 6, 20
"""Tokens of the shortest sentence that says something, and the part of its budget that a text takes at least."""

_SHARED: Final = 4
"""A text of which not one word in four is in its notes is about something else, or in another language.

Chosen sentences have all their words from there; those of other notes of the same vault 26 to 45 in a hundred.
"""

_VARIED: Final = 10
"""So many words, or more, for each different one is babble."""

_ENOUGH: Final = 30
"""Words below which nothing can be said of their variety."""

_ECHO: Final = 9
"""Words in a row that only a copy of the instructions has."""

_THINKING: Final = re.compile(r"\A\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_WRAPPING: Final = re.compile(r"\A```(?:markdown|md|text)?[ \t]*\n(.*)\n```\Z", re.DOTALL)
_PREAMBLE: Final = re.compile(
    r"\A(?:sure|certainly|of course|okay|here(?:’s|'s| is| are)|(?:the )?summary)\b[^\n]{0,100}:[ \t*]*\n",  # noqa: RUF001 -- an apostrophe
    re.IGNORECASE,
)
_HEADING: Final = re.compile(r"^ {0,3}#{1,6}[ \t]+", re.MULTILINE)
_WIKILINK: Final = re.compile(r"!?\[\[(?:[^\[\]|\n]*\|)?([^\[\]|\n]+)\]\]")
_LINK: Final = re.compile(r"!?\[([^\[\]\n]+)\]\([^()\n]*\)")
_CODE_SPAN: Final = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
"""What a reader sees of a link, or of code in a line; in a summary their marks would stand there and do nothing."""

_CODE: Final = re.compile(r"^[ >\t]*(?:```|~~~)|<\s*(?:script|iframe)\b|<%", re.MULTILINE | re.IGNORECASE)
_REFUSAL: Final = re.compile(
    r"""\b(?:
        I(?:['’]m|[ ]am)[ ](?:very[ ])?sorry,?[ ](?:but|I)\b
      | I[ ](?:can(?:no|['’])t|can[ ]not|won['’]t|am[ ]unable[ ]to|am[ ]not[ ]able[ ]to)[ ](?:\w+[ ])?
        (?:help|assist|comply|summari[sz]e|fulfil|process|provide|create|generate|access|do[ ]that)
      | as[ ]an?[ ](?:AI|artificial|(?:large[ ])?language[ ]model)
      | (?:please|could[ ]you)[ ](?:provide|share|paste)[ ](?:me[ ])?(?:with[ ])?(?:the|your|more)[ ]
        (?:notes?|text|content)
      | (?:es[ ]tut[ ]mir[ ]leid|je[ ]suis[ ]désolée?|lo[ ]siento),?[ ](?:aber|mais|pero|je|ich)\b
    )""",  # noqa: RUF001 -- apostrophes
    re.IGNORECASE | re.VERBOSE,
)

_NAMING: Final = frozenset({"name", "email", "url", "handle", "date"})
_STEM, _ENDING = 5, 3
"""A word of a name that begins like one of the notes, and differs in its ending alone, is a form of it."""

_WORD: Final = re.compile(r"[^\W_]+")


def cleaned(answer: str) -> str:
    """Return an answer without what many models put around a text: thoughts, a fence, a preamble, marks of links."""
    text = _THINKING.sub("", answer.replace("\r\n", "\n")).strip()
    if wrapped := _WRAPPING.match(text):
        text = wrapped[1].strip()
    for marks in (_WIKILINK, _LINK, _CODE_SPAN):
        text = marks.sub(r"\1", text)
    return _HEADING.sub("", _PREAMBLE.sub("", text)).strip()


def find_fault(text: str, inputs: Sequence[str], budget: int, instructions: str) -> str | None:
    """Return in words why a cleaned text can't stand as the summary of these inputs, None if it can.

    `budget`: tokens that were asked for; `instructions`: what the model was told beside the inputs.
    """
    whole = "\n".join(inputs)
    return (
        _find_size(text, budget)
        or _find_refusal(text, whole)
        or _find_echo(text, instructions, whole)
        or _find_babble(text, whole)
    )


def invented(text: str, inputs: Sequence[str]) -> tuple[str, ...]:
    """Return the names, addresses and dates of a text that none of its inputs has, as written, each once.

    Every word of a name may stand somewhere in the inputs; its ending may differ.
    """
    whole = caseless("\n".join(inputs))
    known = spelled(whole) | spelled(whole.replace("*", ""))  # `**P**lease take a look`
    stems = {word[:_STEM] for word in known if len(word) >= _STEM}
    found: dict[str, str] = {}
    for mention in next(entities.find([text])):
        if mention.entity.kind in _NAMING and not _is_known(mention, whole, known, stems):
            found.setdefault(mention.entity.canonical, " ".join(mention.surface.split()))
    meant = _meant(inputs) if found else frozenset()
    return tuple(surface for canonical, surface in found.items() if canonical not in meant)


def _find_size(text: str, budget: int) -> str | None:
    size = estimate(text)
    if not any(char.isalnum() for char in text):
        return "the model wrote nothing"
    if size < max(_LEAST, budget // _THIN):
        return "the model wrote next to nothing"
    if size * _LEEWAY[1] > max(budget, _SHORT) * _LEEWAY[0]:
        return f"the model wrote {size:,} tokens, asked for {budget:,}"
    return None


def _find_refusal(text: str, inputs: str) -> str | None:
    if _CODE.search(text):
        return "the model wrote code"
    refusal = _REFUSAL.search(text)
    if refusal and refusal[0].casefold() not in inputs.casefold():
        return f"the model refused: {inert(refusal[0])} ..."
    return None


def _find_echo(text: str, instructions: str, inputs: str) -> str | None:
    """Find a long row of words of the instructions which the inputs do not have."""
    told = _rows(instructions) - _rows(inputs)
    return None if told.isdisjoint(_rows(text)) else "the model repeated its instructions"


def _rows(text: str) -> set[tuple[str, ...]]:
    every = _WORD.findall(text.casefold())
    return {tuple(every[at : at + _ECHO]) for at in range(len(every) - _ECHO + 1)}


def _find_babble(text: str, inputs: str) -> str | None:
    said = words(text) or spelled(text)
    if len(said & spelled(inputs)) * _SHARED < len(said):
        return "the model wrote of something else"
    every = _WORD.findall(text.casefold())
    if len(every) >= _ENOUGH and len(set(every)) * _VARIED < len(every):
        return "the model repeated itself"
    return None


def _is_known(mention: Mention, whole: str, known: Collection[str], stems: Collection[str]) -> bool:
    surface = caseless(mention.surface)
    if mention.entity.kind != "name":
        return surface in whole
    return all(
        word in known or (word[:_STEM] in stems and _is_form(word, known)) for word in spelled(surface)
    )


def _is_form(word: str, known: Collection[str]) -> bool:
    """Tell whether a word is one of the inputs' but for its ending."""
    return any(
        other[:_STEM] == word[:_STEM] and max(len(word), len(other)) - _common(word, other) <= _ENDING
        for other in known
    )


def _common(one: str, other: str) -> int:
    """Return how many letters two words begin with alike."""
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def _meant(inputs: Sequence[str]) -> frozenset[str]:
    """Return what the inputs mention, however they write it: a day has many spellings."""
    return frozenset(mention.entity.canonical for mentions in entities.find(inputs) for mention in mentions)
