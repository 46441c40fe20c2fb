"""The sentences of a note that could stand in a summary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from vaultsync.domain.extractive.cleanness import debris, legible, smooth, whole
from vaultsync.domain.extractive.leaning import leans, points
from vaultsync.domain.extractive.passages import passages
from vaultsync.domain.extractive.words import names, spelled, words
from vaultsync.domain.fillers import FILLERS
from vaultsync.domain.prose import plain
from vaultsync.domain.scripts import unspaced
from vaultsync.domain.sentences import boundaries

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultsync.domain.extractive.values import Source

_LONGEST: Final = 400
"""Characters of a sentence, those of scripts without blanks counted thrice; a longer one is nobody's summary."""

_LONG: Final = 200
"""Characters, counted so, from which on each costs a thousandth: two short sentences say more."""

_CUT_LEAF: Final = 900
"""Bytes without a boundary at the end of a leaf, which was then cut within a sentence: leaves are cut so only where
between half of their target and their ceiling, 340 tokens, there is no better place."""


class Candidate(NamedTuple):
    """A sentence as a reader sees it; `place` counts the sentences of its note, the refused ones too.

    `words`: those it is compared by. `merit`: what its form, its place and the names in it are worth, in
    thousandths of the best nearness. `leans`: it says little without the sentence before it.
    """

    text: str
    source: int
    section: int
    place: int
    words: frozenset[str]
    merit: int
    leans: bool


def candidates(note: Source, nth: int) -> list[Candidate]:
    """Return the whole, clean sentences of the n-th note, as a reader sees them, with what each is worth by itself.

    A reader sees links as their text and no marks; blanks and line ends within a sentence are one blank.
    """
    found: list[Candidate] = []
    place = 0
    title_words = words(note.title)
    for passage in passages("\n\n".join(_joinable(note.texts))):
        opening = place
        for text in _sentences(passage.text):
            said = spelled(text)
            if text and not points(text, said):
                terms = said - FILLERS
                lean = leans(text) or (place == opening and passage.resumes and not text.isascii())
                merit = _standing(place, opens=place == opening, step=passage.step, lean=lean) + _form(text)
                merit += 50 * min(3, names(text)) + (150 if not title_words.isdisjoint(terms) else 0)
                found.append(Candidate(text, nth, passage.section, place, terms, merit, lean and place > 0))
            place += 1
    return found


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


def _sentences(text: str) -> Iterator[str]:
    """Yield each sentence of a passage as a reader sees it, "" for one that no summary may hold."""
    is_smooth = smooth(text) and "  " not in text
    start = 0
    for end in (*boundaries(text), len(text)):
        piece = text[start:end].strip()
        seen = piece if is_smooth or ("  " not in piece and smooth(piece)) else _seen(piece)
        yield seen if seen and _length(seen) <= _LONGEST and whole(seen) else ""
        start = end


def _seen(piece: str) -> str:
    """Return a sentence as a reader sees it, "" if it holds what is no prose."""
    if len(piece) > 2 * _LONGEST or debris(piece):
        return ""
    text = plain(piece)
    return text if legible(text) else ""


def _standing(place: int, *, opens: bool, step: bool, lean: bool) -> int:
    """Return the worth of where a sentence stands: a note says first what it is about, and so does a passage.

    `opens`: it begins its passage; `step`: it stands in a numbered list; `lean`: it leans on what is before it.
    """
    if place == 0:
        return 250 if lean else 400
    return (150 if opens else 0) - (200 if step else 0) + max(0, 100 - 10 * place)


def _form(text: str) -> int:
    """Return what a sentence loses by its form: it asks, it calls out, it is an aside, it is long."""
    asks = 400 if text[-1] in "?？" else 0  # noqa: RUF001 -- the wide question mark
    calls = 150 if "!" in text or "！" in text else 0  # noqa: RUF001 -- the wide one
    aside = 200 if text[0] in "(（" else 0  # noqa: RUF001 -- as above
    return -asks - calls - aside - max(0, _length(text) - _LONG)


def _length(text: str) -> int:
    """Return the characters of a text, those of one in a script without blanks counted about thrice."""
    return len(text) if text.isascii() or not unspaced(text) else len(text.encode("utf-8", "replace"))
