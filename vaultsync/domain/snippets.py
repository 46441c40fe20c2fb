"""Where the words of a query stand in a text, and a short excerpt around where most of them meet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from vaultsync.domain.folding import MARK, bare, fold
from vaultsync.domain.scripts import unspaced

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultsync.domain.query import Term

LENGTH: Final = 240
"""Characters of an excerpt, before blanks collapse: three lines in a terminal."""

_LEAD: Final = 3
"""A third of an excerpt's free room goes before its first hit: a sentence is understood from its start."""

_NEARBY: Final = 24
"""How far a cut moves to stand at a blank; a longer word is cut."""

_BLANKS: Final = re.compile(r"\s+")
_WORD: Final = re.compile(r"[^\W_]+")


class Snippet(NamedTuple):
    """An excerpt on one line; `marks`: `[start, end)` of the words found, in characters, in order."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()


class Hit(NamedTuple):
    """A place in a text, in characters, where the n-th of the terms stands."""

    start: int
    end: int
    nth: int


class _Finder(NamedTuple):
    """How a term is found in folded text: `probe` is how it begins, `pattern` all of it.

    `whole`: no letter may stand beside it. `open`: letters may follow, and belong to it.
    """

    nth: int
    probe: str
    pattern: str
    whole: bool = False
    open: bool = False


class Matcher:
    """Finds terms in texts, as the index does: whatever the case and the diacritics, in other forms too."""

    def __init__(self, terms: Sequence[Term]) -> None:
        self._finders = [finder for nth, term in enumerate(terms) for finder in _finders(nth, term)]

    def hits(self, text: str) -> list[Hit]:
        """Return where terms stand, in order; no two overlap."""
        folded = fold(text)
        found = [Hit(*span, finder.nth) for finder in self._finders for span in _places(folded, finder)]
        return _apart(sorted(found, key=lambda hit: (hit.start, -hit.end)))

    def held(self, text: str) -> frozenset[int]:
        """Return which of the terms (by number) occur in `text`."""
        folded = fold(text)
        return frozenset(finder.nth for finder in self._finders if next(_places(folded, finder), None))

    def snippet(self, text: str, length: int = LENGTH) -> Snippet:
        """Return the excerpt of about `length` characters that shows the most terms, else the most hits."""
        hits = self.hits(text)
        start, end = _window(text, hits, length)
        return _excerpt(text, start, end, [hit for hit in hits if start <= hit.start and hit.end <= end])


def _finders(nth: int, term: Term) -> Iterator[_Finder]:
    words = _WORD.findall(bare(term.text))
    letters = fold(term.text.strip())
    if letters and (term.literal or not words):
        yield _Finder(nth, letters, re.escape(letters))
    if words and unspaced(term.text):
        yield _Finder(nth, words[0], r"[\W_]*".join(map(_spelled, words)))
    elif words and term.stem:
        stem = bare(term.stem)
        yield _Finder(nth, stem, _spelled(stem), whole=True, open=True)
    elif words:
        yield _Finder(nth, words[0], r"[\W_]+".join(map(_spelled, words)), whole=True)


def _spelled(word: str) -> str:
    return "".join(re.escape(char) + f"{MARK}*" for char in word)


def _places(folded: str, finder: _Finder) -> Iterator[tuple[int, int]]:
    """Yield where a term stands; a plain search comes first, which is ten times as fast as a pattern."""
    probe = finder.probe[0] if MARK in folded else finder.probe
    at = folded.find(probe)
    while at >= 0:
        end = _end(folded, at, finder)
        if end:
            yield at, end
        at = folded.find(probe, end or at + 1)


def _end(folded: str, at: int, finder: _Finder) -> int:
    """Return where a term that may begin at `at` ends, 0 if it does not stand there."""
    if finder.whole and at and _is_letter(folded[at - 1]):
        return 0
    found = re.compile(finder.pattern).match(folded, at)
    end = found.end() if found else 0
    if not end or not finder.whole:
        return end
    reach = end
    while reach < len(folded) and _is_letter(folded[reach]):
        reach += 1
    return reach if finder.open or reach == end else 0


def _is_letter(char: str) -> bool:
    """Whether a word of a script with blanks goes on with `char`."""
    return char == MARK or (char.isalnum() and not unspaced(char))


def _apart(hits: Sequence[Hit]) -> list[Hit]:
    kept: list[Hit] = []
    for hit in hits:
        if not kept or hit.start >= kept[-1].end:
            kept.append(hit)
    return kept


def _window(text: str, hits: Sequence[Hit], length: int) -> tuple[int, int]:
    """Return where the excerpt starts and ends, at blanks where there are some nearby."""
    if len(text) <= length:
        return 0, len(text)
    dense = _densest(hits, length)
    left, right = (dense[0].start, dense[-1].end) if dense else (0, 0)
    end = min(len(text), max(right, left - (length - right + left) // _LEAD + length, length))
    start = max(0, min(left, end - length))
    return _after_blank(text, start, left), _before_blank(text, end, right)


def _densest(hits: Sequence[Hit], length: int) -> Sequence[Hit]:
    """Return the hits within `length` characters that show the most terms, else are the most."""
    best: Sequence[Hit] = ()
    worth = (0, 0)
    last = 0
    for first, hit in enumerate(hits):
        while last < len(hits) and hits[last].end - hit.start <= length:
            last += 1
        run = hits[first : max(last, first + 1)]
        if (value := (len({hit.nth for hit in run}), len(run))) > worth:
            best, worth = run, value
    return best


def _after_blank(text: str, start: int, latest: int) -> int:
    blank = _BLANKS.search(text, max(0, start - 1), min(latest, start + _NEARBY)) if start else None
    return blank.end() if blank else start


def _before_blank(text: str, end: int, earliest: int) -> int:
    if end == len(text):
        return end
    blanks = list(_BLANKS.finditer(text, max(earliest, end - _NEARBY), end + 1))
    return blanks[-1].start() if blanks else end


def _excerpt(text: str, start: int, end: int, hits: Sequence[Hit]) -> Snippet:
    """Set the excerpt on one line, `…` where it was cut, and say where the hits came to stand."""
    parts = ["…"] if text[:start].strip() else []
    marks: list[tuple[int, int]] = []
    at, size = start, len("".join(parts))
    for hit in hits:
        for piece in (text[at : hit.start], text[hit.start : hit.end]):
            parts.append(_BLANKS.sub(" ", piece if size else piece.lstrip()))
            size += len(parts[-1])
        marks.append((size - len(parts[-1]), size))
        at = hit.end
    parts.append(_BLANKS.sub(" ", text[at:end] if size else text[at:end].strip()).rstrip())
    return Snippet("".join(parts) + ("…" if text[end:].strip() else ""), tuple(marks))
