"""Which leaves have something to say, by what stands in them and their headings alone: so every build admits the same.

The points are written down, with what was measured, in docs/scoring.md.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from vaultsync.domain.extractive.words import words
from vaultsync.domain.prose import unmarked

if TYPE_CHECKING:
    from collections.abc import Sequence

WORD: Final = 3
"""Points for a distinct word that is no filler; in scripts without blanks, for a pair of characters."""

MOST_WORDS: Final = 48
TOKENS_A_POINT: Final = 40
MOST_LENGTH: Final = 9
"""Points of a leaf's length, 360 tokens being a full one, but no more than its words have."""

HEADING: Final = 3
MOST_HEADINGS: Final = 9
"""Points for each heading in the leaf, or for those above it together: a list of headings says something."""

SENTENCE: Final = 8
"""Words, counted as those of text are, that make a heading say as much as a sentence: all points of headings."""

TAG: Final = 1
MOST_TAGS: Final = 3
MARK: Final = 3
"""Points for what a person made stand out: `==this==`, `**this**`, a callout."""

MOST_MARKS: Final = 9
MOST_LINKS: Final = 10
"""Points of links, one each. They say where a leaf stands and nothing of its own, so they count for its rank alone."""

ADMITTED: Final = 9
"""Points of a leaf that is summed up: three words; two under a heading; one that is marked, too."""

_SILENT: Final = re.compile(
    r"""[\n!hw\#{<(\[](?:
        (?<=\n)[ \t>]*\#{1,6}(?:[ \t][^\n]*)?(?![^\n])
      | (?<=\n)[ \t>]*(?:`{3,}|~{3,})[^\n]*
      | (?<=\n)[^\n:\[\]]+::[ \t]*(?![^\n])
      | (?<=[(\[])[^\n:\[\]()]+::[ \t]*[)\]]
      | (?<=!)\[\[[^\[\]\n]*\]\]
      | (?<=!)\[[^\[\]\n]*\]\([^()\n]*\)
      | (?<=h)ttps?://[^\s<>()\[\]]+
      | (?<=w)ww\.[^\s<>()\[\]]+
      | (?<![^\s>*(]\#)(?<=\#)[^\s\#<]+
      | (?<={)\{[^{}\n]*\}\}
      | (?<=<)%[^%]*%>
    )""",
    re.VERBOSE,
)
"""What has no words of its own: headings, a fence's first line, fields without value, embeds, addresses, tags, and
placeholders of templates. A plain set of characters first, for which `re` has a fast search."""

_BEGINNING: Final = 240
"""Characters in which most leaves have said enough for all the points of words."""

_HIDING: Final = re.compile("%%|<!--")
"""Begins what may end behind the beginning only."""

_OWN_HEADING: Final = re.compile(r"\n[ \t>]*#{1,6}[ \t]([^\n]*)")
_TAG: Final = re.compile(r"#(?<![^\s>*(]#)[^\s\d#<][^\s#<]*")
_MARK: Final = re.compile(
    r"[*=\[](?:(?:(?<=\*)\*|(?<==)=)(?=\S)[^*=\n]+(?:==|\*\*)|(?<=\[)!(?<![^\s>]\[!)\w[^\]\n]*\])"
)
_LINK: Final = re.compile(r"\[\[|\]\(")


class Parts(NamedTuple):
    """Points by what they are for; all are 0 or more."""

    words: int
    length: int
    headings: int
    tags: int
    marks: int
    links: int


class Score(NamedTuple):
    """What a leaf has to say: `value` is the sum of its points without those of links, `rank` with them."""

    value: int
    rank: int
    parts: Parts


def score(text: str, heading_path: Sequence[str], tokens: int) -> Score:
    """Return the points of a leaf; `tokens` are its estimated ones (`domain.tokens`).

    A leaf of a plugin's data (`Leaf.searchable` is false) is not to be asked for.
    """
    text = "\n" + text.replace("\r\n", "\n")
    said = (
        _said(text[:_BEGINNING]) if len(text) > _BEGINNING and not _HIDING.search(text, 0, _BEGINNING) else 0
    )
    if said < MOST_WORDS:
        said = _said(text)
    parts = Parts(
        words=said,
        length=min(tokens // TOKENS_A_POINT, MOST_LENGTH, said),
        headings=min(MOST_HEADINGS, _headed(text) or HEADING * any(map(words, heading_path))),
        tags=min(MOST_TAGS, TAG * _count(_TAG, "#", text)),
        marks=min(MOST_MARKS, MARK * _count(_MARK, "", text)),
        links=min(MOST_LINKS, _count(_LINK, "[", text)),
    )
    rank = sum(parts)
    return Score(rank - parts.links, rank, parts)


def is_admitted(leaf: Score) -> bool:
    """Whether a leaf is summed up; one that isn't stays searchable."""
    return leaf.value >= ADMITTED


def _headed(text: str) -> int:
    """Return the points of the headings within a leaf."""
    found = map(words, _OWN_HEADING.findall(text) if "#" in text else ())
    return sum(MOST_HEADINGS if len(said) >= SENTENCE else HEADING for said in found if said)


def _said(text: str) -> int:
    return min(MOST_WORDS, WORD * len(words(unmarked(_SILENT.sub("\n", text)))))


def _count(pattern: re.Pattern[str], sign: str, text: str) -> int:
    return len(pattern.findall(text)) if sign in text else 0
