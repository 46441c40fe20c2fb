"""Names that capitals give away, where a language has any and does not give them to every noun."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from vaultsync.domain.entities.canonical import MONTHS
from vaultsync.domain.entities.values import Entity, Mention
from vaultsync.domain.fillers import FILLERS
from vaultsync.domain.folding import bare
from vaultsync.domain.names import caseless

if TYPE_CHECKING:
    from collections.abc import Iterator

_CAPITALS: Final = "A-Z" + "".join(
    char for char in map(chr, (*range(0xC0, 0x590), *range(0x1E00, 0x2000))) if char.isupper()
)
"""Latin, Greek, Cyrillic, Armenian; the other scripts in use have no case in running text."""

_LETTERS: Final = "0-9A-Za-z\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u0588\u1e00-\u1fff"
"""Of the same scripts: in Chinese text a name may stand among the characters without a blank."""

_REST: Final = (
    rf"(?:(?:\.[{_CAPITALS}])*\.(?=[ ][{_CAPITALS}])"
    rf"|[{_LETTERS}]*+(?:[’'-][{_LETTERS}]++)*+(?![_.\\@/][{_LETTERS}]|\(\)))"  # noqa: RUF001 -- an apostrophe
)
"""What follows the first letter of a word: a stop if that is an initial (`J. R. R. Tolkien`). No word of code."""

_PARTICLE: Final = (
    r"(?:van|von|vom|zur?|den?|der|del|dell[ao]|d[aiou]s?|la|l[eo]s?|el|al|a[fv]|bin|ibn|te[rn]|het|y"
    r"|of(?:[ ]the)?)"
)
"""Words in small letters within a name: Dutch, German, Romance, Nordic, Arabic, English (`Isle of Skye`)."""

_NAME: Final = re.compile(
    rf"[{_CAPITALS}](?<![{_LETTERS}_’'@/.\\-].){_REST}"  # noqa: RUF001 -- an apostrophe
    rf"(?:(?<!['’]s)[ ](?:{_PARTICLE}[ ]){{0,2}}[{_CAPITALS}]{_REST})*"  # noqa: RUF001 -- as above
)
"""A capital first, for which `re` has a fast search. What belongs to someone is no part of the name."""

_POSSESSIVE: Final = re.compile(r"['’]s?\Z")  # noqa: RUF001 -- an apostrophe
_CONTRACTION: Final = re.compile(r"(?:n['’]t|['’](?:s|m|d|re|ve|ll))\Z")  # noqa: RUF001 -- as above
_STARTS: Final = frozenset(".!?:;…|#>]-+–—•。！？\"'“‘«„([{*_~=¿¡「『《（【")  # noqa: RUF001 -- wide and typographic
"""What stands before a sentence, or what is written as one: the end of another, the mark of an item, a heading, a
quote, a task or a cell, an opening quote, bracket or emphasis."""

_TITLES: Final = frozenset(
    {"dr", "mr", "mrs", "ms", "prof", "st", "mme", "mlle", "sr", "sra", "herr", "frau"}
)
_WEEKDAYS: Final = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun
    montag dienstag mittwoch donnerstag freitag samstag sonntag
    mondays tuesdays wednesdays thursdays fridays saturdays sundays
    """.split()  # noqa: SIM905 -- words in lines
)
_GERMAN: Final = frozenset(
    "auch auf das dem den der des die ein eine für ist mit nicht sich und werden wird".split()  # noqa: SIM905 -- as above
)
_GERMAN_WORDS: Final = 4
"""So many of these make a text German, in which any noun has a capital: two capitals in a row are asked for there."""

_NO_NAMES: Final = FILLERS | _GERMAN | _TITLES | _WEEKDAYS | set(map(bare, MONTHS)) | {"ca", "wo", "ok"}
"""What English writes with a capital although it names no one, and what may begin a sentence; folded.

`ca` and `wo` are what is left of `can't` and `won't`.
"""

_OPENING_WORDS: Final = frozenset(
    """
    although another ask call currently email every however many maybe meet meeting met perhaps return see several
    since tell thank thanks today tomorrow use using visit visited yesterday
    """.split()  # noqa: SIM905 -- as above
)
"""What stands before a name at the start of a line in many a diary, and is no part of it."""

_SMALL_WORD: Final = re.compile(r"\b[^\W\d_A-Z]\w*")
_WORD: Final = re.compile(r"\S+")
_INNER: Final = re.compile(rf"\w*[^\W\d_{_CAPITALS}][{_CAPITALS}]\w*")
"""`GitHub`, `MacArthur`: no sentence's start is written so."""

_IN_HEADING: Final = re.compile(r"[ \t>]*#")
_CODE: Final = re.compile(r"[A-Z]+-?[0-9]")
"""`SK-051`: the number of a thing before its name."""

_SURE, _LIKELY, _LISTED = 0.9, 0.7, 0.3
"""Several words within a sentence; several that begin one, or one within; several in a line without small words.

Of 70, 136 and 46 of them in three vaults 86, 72 and 28 in a hundred named something (docs/scoring.md).
"""


class _Run(NamedTuple):
    """Words with capitals in a row and the particles between them, each with its offset.

    `opens`: a sentence may begin with the first, so that it may have its capital from there.
    """

    words: list[tuple[int, str]]
    opens: bool


def names(text: str) -> Iterator[Mention]:
    """Yield the names of people, places, products and the like.

    A word that may have its capital from the start of a sentence, a heading or a title counts only where it also has
    one within a sentence, where more such words follow, or by a capital inside.
    """
    small = frozenset(text.split())
    german = len(small & _GERMAN) >= _GERMAN_WORDS
    judged = [(run, _score(text, run, small, german=german)) for run in _runs(text, small)]
    known = {word for run, score in judged if score and not run.opens for _, word in run.words}
    for run, score in judged:
        if named := _settled(run, score, known):
            yield _mention(text, *named)


def _mention(text: str, run: _Run, score: float) -> Mention:
    start, (last, word) = run.words[0][0], run.words[-1]
    surface = text[start : last + len(word)]
    return Mention(Entity("name", caseless(surface)), surface, start, last + len(word), score)


def _settled(run: _Run, score: float, known: set[str]) -> tuple[_Run, float] | None:
    """Return what is a name of a run, by the names within sentences of the same text, and how sure that is."""
    first, rest = run.words[0][1], run.words[1:]
    if run.opens and rest and first not in known and known.issuperset(word for _, word in rest):
        return run._replace(words=rest), _LIKELY
    if not score and not _is_shouted(run) and known.issuperset(word for _, word in run.words):
        return run, _LIKELY
    return (run, score) if score else None


def _runs(text: str, small: frozenset[str]) -> Iterator[_Run]:
    """Yield what may be names, without the words at their ends that are none."""
    for found in _NAME.finditer(text):
        words = _words(found)
        opens = bool(words) and words[0][0] == found.start() and _opens(text, found.start())
        if opens and len(words) > 1 and _only_opens(words[0][1], small):
            words = _without_leaders(words[1:])
            opens = False
        if words:
            start, last = words[-1]
            words[-1] = start, _POSSESSIVE.sub("", last)
            yield _Run(words, opens)


def _words(run: re.Match[str]) -> list[tuple[int, str]]:
    """Return the words of a run without those at its ends that are no part of a name."""
    if " " not in run[0]:
        return [] if _is_none(run[0]) else [(run.start(), run[0])]
    words = [(word.start(), word[0]) for word in _WORD.finditer(run.string, *run.span())]
    while words and _is_none(words[-1][1]):
        words.pop()
    return _without_leaders(words)


def _without_leaders(words: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the words from the first that may begin a name: no filler, particle or number of a thing."""
    for at, (_, word) in enumerate(words):
        if not (_is_none(word) or word[0].islower() or _CODE.match(word)):
            return words[at:]
    return []


def _only_opens(first: str, small: frozenset[str]) -> bool:
    """Whether the first of several words has its capital from the sentence that it opens."""
    return first.lower() in small or bare(first) in _OPENING_WORDS


@lru_cache(maxsize=4096)
def _is_none(word: str) -> bool:
    folded = bare(word).rstrip(".")
    return folded in _NO_NAMES or (folded[-1:].isalpha() and _CONTRACTION.sub("", folded) in _NO_NAMES)


def _opens(text: str, start: int) -> bool:
    """Whether a sentence, a line or a cell may begin here; the stop of a title before a name ends none."""
    before = text[text.rfind("\n", 0, start) + 1 : start].rstrip()
    if before and before[-1] == ".":
        return bare(before[-6:-1]).rpartition(" ")[2] not in _TITLES
    return not before or before[-1] in _STARTS


def _score(text: str, run: _Run, small: frozenset[str], *, german: bool) -> float:
    """Return how sure it is that a run is a name; 0 where its capitals say nothing."""
    several = len(run.words) > 1
    start, first = run.words[0]
    if (german and not several) or _is_shouted(run):
        return 0
    if several:
        if not _is_said(text, start):
            return 0 if _IN_HEADING.match(text, text.rfind("\n", 0, start) + 1) else _LISTED
        return _LIKELY if run.opens else _SURE
    if _INNER.match(first):
        return _LIKELY
    return 0 if run.opens or first.lower() in small or not _is_said(text, start) else _LIKELY


def _is_shouted(run: _Run) -> bool:
    """Whether all words are capitals alone: abbreviations, of which every technical note is full."""
    return not any(word[0].isupper() and not word.isupper() for _, word in run.words)


def _is_said(text: str, at: int) -> bool:
    """Whether the line around `at` has a small word that is no filler: then it is no title, and capitals speak."""
    end = text.find("\n", at)
    words = _SMALL_WORD.finditer(text, text.rfind("\n", 0, at) + 1, len(text) if end < 0 else end)
    return any(word[0] not in FILLERS for word in words)
