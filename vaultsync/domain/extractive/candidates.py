"""The sentences of a note that could stand in a summary."""

from __future__ import annotations

import re
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from vaultsync.domain.extractive.boilerplate import shape
from vaultsync.domain.extractive.cleanness import debris, legible, smooth, whole
from vaultsync.domain.extractive.leaning import breaks_off, leans, points
from vaultsync.domain.extractive.passages import passages
from vaultsync.domain.extractive.words import small, spelled, words
from vaultsync.domain.fillers import FILLERS
from vaultsync.domain.prose import plain
from vaultsync.domain.scripts import unspaced
from vaultsync.domain.sentences import boundaries

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultsync.domain.extractive.passages import Passage

_LONGEST: Final = 400
"""Characters of a sentence, those of scripts without blanks counted thrice; a longer one is nobody's summary."""

_LONG: Final = 200
"""Characters, counted so, from which on each costs a thousandth: two short sentences say more."""

_BEGINNING: Final = 4
"""Sentences in which a note says what it is about."""

_GOLDEN: Final = 2_654_435_769
_WHOLE: Final = 1 << 32
"""Multiples of the golden section of 2**32 (Knuth's multiplicative hashing) spread evenly, however many are taken."""

_CUT_LEAF: Final = 900
"""Bytes without a boundary at the end of a leaf, which was then cut within a sentence: leaves are cut so only where
between half of their target and their ceiling, 340 tokens, there is no better place."""

_REFERENCE: Final = re.compile(r": ?(?:\[\[[^\[\]]*\]\]|\[[^\[\]]*\]\([^()]*\))[.)]*\Z")
"""The end of a sentence that names what it is about by a link alone."""

_BEGS: Final = re.compile("(?:Please|Bitte|Make sure|How to|Copyright|请|請)")
_LABEL: Final = re.compile(r"[^\W\d][^\s:]*(?: [^\s:]+){0,4}: ")
"""`Nell: ...`, `Breaking change: ...`: the item of a list or of a talk, which its place explains."""

_PLACE: Final = 3
"""Where a candidate holds its place."""


class Spot(NamedTuple):
    """A sentence as written; `place` counts the sentences of its note. `opens`: it begins its passage."""

    text: str
    place: int
    opens: bool
    passage: Passage


class Candidate(NamedTuple):
    """A sentence as a reader sees it, and where it stands: number of its note, section and place there.

    `words`: those it is compared by. `shape`: what it shares with others of its pattern. `merit`: what its form,
    its place and the names in it are worth, in thousandths of the best nearness. `follows`: it goes on with the
    passage of the sentence before it. `leans`: it says little without that one.
    """

    text: str
    source: int
    section: int
    place: int
    words: frozenset[str]
    shape: str
    merit: int
    follows: bool
    leans: bool


def spots(texts: Sequence[str]) -> list[Spot]:
    """Return all sentences of a note's leaves, clean or not."""
    found: list[Spot] = []
    for passage in passages("\n\n".join(_joinable(texts))):
        opening, start, text = len(found), 0, passage.text
        for end in (*boundaries(text), len(text)):
            found.append(Spot(text[start:end].strip(), len(found), len(found) == opening, passage))
            start = end
    return found


def candidates(found: Sequence[Spot], title: str, nth: int, most: int) -> list[Candidate]:
    """Return up to `most` whole, clean sentences of the n-th note, in its order, with what each is worth by itself.

    A reader sees links as their text and no marks; blanks and line ends within a sentence are one blank. Where there
    are more, those that open a passage are preferred, and of equals some from everywhere in the note.
    """
    title_words = words(title)
    kept: list[Candidate] = []
    for spot in _spread(found) if len(found) > most else found:
        if text := _clean(spot.text):
            said = spelled(text)
            if not points(text, said):
                kept.append(_weighed(spot, text, nth, said, title_words))
        if len(kept) == most:
            break
    return sorted(kept, key=itemgetter(_PLACE)) if len(found) > most else kept


def _spread(found: Sequence[Spot]) -> list[Spot]:
    """Return the first sentences, those that open a passage, then others; any first few of a kind spread evenly."""
    return sorted(
        found, key=lambda spot: (spot.place >= _BEGINNING, not spot.opens, spot.place * _GOLDEN % _WHOLE)
    )


def _weighed(spot: Spot, text: str, nth: int, said: frozenset[str], title_words: frozenset[str]) -> Candidate:
    terms = said - FILLERS
    lean = leans(text) or (spot.opens and spot.passage.resumes and not text.isascii())
    rest = small(text)
    merit = 50 * min(3, text.count(" ") - len(rest)) + (0 if title_words.isdisjoint(terms) else 200)
    merit += _standing(spot, lean=lean) + _form(text) - (200 if _REFERENCE.search(spot.text) else 0)
    if spot.place and breaks_off(text, said):
        merit -= 250 if spot.passage.item else 100
    lean = lean and spot.place > 0
    return Candidate(
        text, nth, spot.passage.section, spot.place, terms, shape(rest), merit, not spot.opens, lean
    )


def _joinable(texts: Sequence[str]) -> Iterator[str]:
    """Yield the leaves; one that begins within a sentence without the rest of that."""
    torn = False
    for text in texts:
        yield text[next(boundaries(text), len(text)) :] if torn else text
        torn = _is_torn(text)


def _is_torn(text: str) -> bool:
    """Whether a leaf ends in so long a stretch without boundary that it was cut within it."""
    line = text[text.rfind("\n") + 1 :][-_CUT_LEAF:].encode("utf-8", "replace")
    return (
        len(line) >= _CUT_LEAF and next(boundaries(line[-_CUT_LEAF:].decode("utf-8", "ignore")), None) is None
    )


def _clean(piece: str) -> str:
    """Return a sentence as a reader sees it, "" if no summary may hold it."""
    text = piece if "  " not in piece and smooth(piece) else _seen(piece)
    return text if text and _length(text) <= _LONGEST and whole(text) else ""


def _seen(piece: str) -> str:
    """Return a sentence without its marks, "" if it holds what is no prose."""
    if len(piece) > 2 * _LONGEST or debris(piece):
        return ""
    text = plain(piece)
    return text if legible(text) else ""


def _standing(spot: Spot, *, lean: bool) -> int:
    """Return the worth of where a sentence stands: a note says first what it is about, and so does a paragraph.

    An item of a list is seldom as much as a sentence. `lean`: it leans on what is before it.
    """
    if spot.place == 0:
        return 250 if lean else 400
    opening = 250 if spot.opens and not spot.passage.item else 0
    return opening - (200 if spot.passage.step else 0) + max(0, 100 - 10 * spot.place)


def _form(text: str) -> int:
    """Return what a sentence loses by its form: it asks, begs or calls, is an aside or behind a label, or is long."""
    asks = 400 if text[-1] in "?？" else 0  # noqa: RUF001 -- the wide question mark
    calls = 150 if "!" in text or "！" in text else 0  # noqa: RUF001 -- the wide one
    aside = 200 if text[0] in "(（" else 0  # noqa: RUF001 -- as above
    begs = 200 if _BEGS.match(text) else 0
    label = 200 if _LABEL.match(text) else 0
    return -asks - calls - aside - begs - label - max(0, _length(text) - _LONG)


def _length(text: str) -> int:
    """Return the characters of a text, those of one in a script without blanks counted about thrice."""
    return len(text) if text.isascii() or not unspaced(text) else len(text.encode("utf-8", "replace"))
