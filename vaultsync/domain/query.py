"""What a person typed to search, read as terms: any string is a query, and only quotes mean something."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple
from unicodedata import category, normalize

from vaultsync.domain.fillers import FILLERS
from vaultsync.domain.folding import bare
from vaultsync.domain.scripts import runs, unspaced

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_TERMS: Final = 32
"""Terms that count; the rest of a longer query (a pasted page) says little more, and each costs a look-up."""

_PART: Final = re.compile(r'"([^"]+)"|([^\s"、。，．！？；：「」『』（）《》【】〈〉・…]+)')  # noqa: RUF001 -- wide signs
_QUOTES: Final = str.maketrans("“”„«»", '"""""')

_BEFORE_WORD: Final = "([{<'`*~=,;:!?‘¿¡"  # noqa: RUF001 -- what typography sets around words
_AFTER_WORD: Final = ")]}>'`*~=,;:!?.’…"  # noqa: RUF001 -- as above; not `+` nor `#`: C++ and C# are names

_IN_WORDS: Final = "'’-‐"  # noqa: RUF001 -- an apostrophe or hyphen is typed in more than one way

_LETTERS: Final = 4
_SYLLABLES: Final = 2
"""How many characters of a text without blanks make up about a word: Thai and its kin spell with letters."""

_SIBILANT_PLURAL: Final = re.compile(r"(?:x|z|ch|sh|ss)es$")
_SHORTEST_STEM: Final = 3
_SHORTEST_WIDENED: Final = 4


class Term(NamedTuple):
    """Words that stand next to each other, in this order.

    `text`: as typed, in NFC. `literal`: it holds signs that the index does not keep (`C++`, `v1.2.3`), so it
    says more where it stands to the letter. `stem`: what other forms of the word begin with, or None.
    `filler`: it says nothing of what is sought, unless there is nothing else.
    """

    text: str
    literal: bool = False
    stem: str | None = None
    filler: bool = False


class Counted(NamedTuple):
    """A term and how many chunks hold it as it is, counted up to where it is `frequent`."""

    term: Term
    chunks: int
    frequent: bool


@dataclass(frozen=True, slots=True)
class Query:
    """`terms`: distinct, as typed; `signs`: the text itself, if it holds signs but no word (`🚀`, `->`).

    `unspaced`: a term is of a script without blanks between words. `dropped`: how many terms were too many.
    """

    terms: tuple[Term, ...]
    signs: str = ""
    unspaced: bool = False
    dropped: int = 0


def parse(text: str) -> Query:
    """Read a query; nothing is refused."""
    clean = _printable(text)
    found = [
        _phrase(quoted) if quoted else _word(word) for quoted, word in _PART.findall(clean.translate(_QUOTES))
    ]
    terms = _distinct(term for term in found if _has_word(term.text))
    used = tuple(terms[:MAX_TERMS])
    return Query(
        terms=used,
        signs="" if used else clean.strip(),
        unspaced=any(unspaced(term.text) for term in used),
        dropped=len(terms) - len(used),
    )


def pieces(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Cut terms of scripts without blanks into pieces about a word long, which overlap; others stay whole."""
    cut = _distinct(piece for term in terms for piece in _cut(term))
    return tuple(cut[: 2 * MAX_TERMS])


def telling(terms: Sequence[Counted]) -> list[Counted]:
    """Return the terms that say what is sought, rarest first: unless nothing is left, no common words."""
    rare = [counted for counted in terms if not counted.frequent] or terms
    said = [counted for counted in rare if not counted.term.filler] or rare
    return sorted(said, key=lambda counted: counted.chunks)


def _printable(text: str) -> str:
    """Turn what no text holds (controls, halves of surrogate pairs) into blanks."""
    if text.isprintable():
        return normalize("NFC", text)
    return normalize("NFC", "".join(" " if category(char) in {"Cc", "Cs"} else char for char in text))


def _phrase(text: str) -> Term:
    return Term(text.strip(), _is_literal(text.strip()))


def _word(text: str) -> Term:
    word = text.lstrip(_BEFORE_WORD).rstrip(_AFTER_WORD)
    return Term(word, _is_literal(word), _stem(word), bare(word) in FILLERS)


def _has_word(text: str) -> bool:
    return any(char.isalnum() for char in text)


def _is_literal(text: str) -> bool:
    return not unspaced(text) and any(category(char)[0] in "PS" and char not in _IN_WORDS for char in text)


def _stem(word: str) -> str | None:
    """Take an English plural off; any other word is its own stem, since most endings are only added."""
    if len(word) < _SHORTEST_WIDENED or not word.isalpha() or unspaced(word):
        return None
    low = word.lower()
    if low.endswith("ies") and len(low) > _SHORTEST_STEM + 2:
        return word[:-3]
    if _SIBILANT_PLURAL.search(low):
        return word[:-2]
    if low.endswith("s") and low[-2] not in "sui":
        return word[:-1]
    return word


def _distinct(terms: Iterable[Term]) -> list[Term]:
    return list({term.text.casefold(): term for term in reversed(list(terms))}.values())[::-1]


def _cut(term: Term) -> list[Term]:
    if not unspaced(term.text):
        return [term]
    return [piece for run in runs(term.text) for piece in _cut_run(run)]


def _cut_run(run: str) -> list[Term]:
    if not unspaced(run):
        return [Term(run, stem=_stem(run))]
    size = _LETTERS if run[0] < "\u1100" or "\u1780" <= run[0] < "\u2e80" else _SYLLABLES
    return [Term(run[at : at + size]) for at in range(max(1, len(run) - size + 1))]
